"""Examining the program, its surroundings and a codebase, before a run rests on them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.doctor.cache import examine_cache, examine_workspace
from goldwright.app.doctor.codebase import examine_codebase
from goldwright.app.doctor.findings import HealthFinding
from goldwright.app.doctor.program import TerminalFacts, examine_program
from goldwright.app.environment import Environment


@dataclass(frozen=True, slots=True)
class ExaminationRequest:
    """What is to be examined.

    Attributes:
        repo: A codebase; None for the program and its surroundings alone.
        rev: Its commit; HEAD where there is none.
        heal: Whether to take out of the cache what is damaged or left over.
        terminal: Where the command prints to.
        config: The settings; ``goldwright.toml`` where there are none, if there.
    """

    repo: Path | None
    rev: str | None
    heal: bool
    terminal: TerminalFacts
    config: Path | None = None


def examine(request: ExaminationRequest, environment: Environment) -> Iterator[HealthFinding]:
    """Look at one thing after the other, and say of each how it is as soon as it is known."""
    yield from examine_program(environment, request.terminal, request.config)
    yield from examine_workspace(environment.root)
    yield from examine_cache(environment.cache, heal=request.heal)
    if request.repo is not None:
        yield from examine_codebase(request.repo, request.rev, environment)
