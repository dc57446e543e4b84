"""Reading back what a sentence says that a function does, one thing after the other."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from goldwright.offline_agents.statements.catalog import DEEDS
from goldwright.offline_agents.statements.condition_phrases import read_described_conditions
from goldwright.offline_agents.statements.deed import Deed
from goldwright.path_conditions import Path

# What follows from a message, behind its conditions.
_GOING_ON: Final = re.compile(r", and (?:then (?P<deeds>.+)|raises the exception again)", re.DOTALL)
_PREDICATES: Final = tuple(
    (re.compile(pattern), kind) for kind in DEEDS for pattern in kind.predicates
)
_JOINT: Final = re.compile(r", | and ")


def read_deeds(function: str, text: str, path: Path | None) -> Iterator[Deed]:
    """Read what a function does, one thing after the other, and the conditions at the end.

    Args:
        function: Its qualified name.
        text: The deeds.
        path: The conditions, where they were said before; None where they stand at the end.
    """
    deeds: list[Deed] = []
    remainder = text
    while (deed_and_remainder := _read_deed(function, remainder)) is not None:
        deed, remainder = deed_and_remainder
        deeds.append(deed)
        joint = _JOINT.match(remainder)
        if joint is None or _read_deed(function, remainder[joint.end() :]) is None:
            break
        remainder = remainder[joint.end() :]
    going_on = _GOING_ON.search(remainder)
    said_conditions = remainder
    if going_on is not None:
        said_conditions = remainder[: going_on.start()]
    conditions = path if path is not None else read_described_conditions(said_conditions)
    # Conditions behind several things may be meant for the last of them alone.
    is_of_one_deed = path is None and len(deeds) == 1
    is_clear = remainder == "" or is_of_one_deed
    if conditions is None or not is_clear:
        return
    for deed in deeds:
        yield replace(deed, path=conditions)
    if going_on is not None and going_on["deeds"]:
        yield from read_deeds(function, going_on["deeds"], conditions)


def _read_deed(function: str, text: str) -> tuple[Deed, str] | None:
    """Read one thing at the beginning of a text; with what follows it."""
    for pattern, kind in _PREDICATES:
        match = pattern.match(text)
        if match is not None:
            parts = [part or "" for part in match.groups()]
            deed = _make(kind, function, parts)
            return deed, text[match.end() :]
    return None


def _make(kind: Callable[..., Deed], function: str, parts: Sequence[str]) -> Deed:
    return kind(function, *parts, ())
