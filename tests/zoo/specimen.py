"""A specimen: something odd that a program which reads code meets, and how that should end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from journeys.sample_code import SHOP, write_code

Ending = Literal["works", "falls short", "refuses", "busy", "damaged", "pipe closed"]
"""How a program should end: with its work done, with too little found to do it, with a word on what
is wrong in what it was given, or on what is damaged of its own."""

EXIT_CODES: Final[Mapping[Ending, int]] = {
    "works": 0,
    "falls short": 1,
    "refuses": 2,
    "busy": 3,
    "damaged": 4,
    "pipe closed": 141,
}
"""The exit codes of Goldwright; another program has others."""

Stream = Literal["file", "closed", "full", "gone", "terminal"]
"""Where output goes: a file, nowhere as the descriptor is closed, a full disk, a pipe that nobody
reads, or a terminal."""

# {code}, {desk}, {cache} and {root} stand for the directories of the place.
RUN: Final = ("run", "smoke", "--repo", "{code}", "--seed", "7")


@dataclass(frozen=True)
class Place:
    """Where a specimen is made.

    Attributes:
        root: An empty directory; all else is in it.
    """

    root: Path

    @property
    def code(self) -> Path:
        """The codebase."""
        return self.root / "code"

    @property
    def desk(self) -> Path:
        """The working directory of the program, with its runs and settings."""
        return self.root / "desk"

    @property
    def cache(self) -> Path:
        """What the program keeps between runs."""
        return self.root / "cache"

    def write_honest_code(self) -> None:
        """Write a small package that holds enough for a small run."""
        write_code(self.code, SHOP)


@dataclass(frozen=True)
class Start:
    """How the program is started.

    Attributes:
        out: Where standard output goes.
        errors: Where standard error goes.
        has_input: Whether standard input is open; it is at its end then.
        limits: Resource limits by the names of the ``resource`` module, such as ``NOFILE``.
        variables: Environment variables to set; an empty text takes the variable away.
        directory: The working directory, where it is not the desk; ``deleted`` is one that is gone.
        umask: The bits that new files do not get.
        terminal: Columns of the terminal.
    """

    out: Stream = "file"
    errors: Stream = "file"
    has_input: bool = True
    limits: Mapping[str, int] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    directory: str = "{desk}"
    umask: int = 0o022
    terminal: int = 80


@dataclass(frozen=True)
class Specimen:
    """Something odd, and what a program is to make of it.

    Attributes:
        name: Lower-case words with dashes.
        why: Where it is met, or what it breaks; one line.
        make: Makes it in a place.
        ending: How the program is to end.
        says: What the line on standard error holds.
        never_says: What it must not hold: a wrong culprit, or what would mislead.
        unparsed: Files that are to stand among those that were not read.
        parsed: Files that are to be read.
        arguments: The command line, with the directories of the place in braces.
        start: How the program is started.
        also: Other endings that are as good, as with limits that may be too low.
        is_own: Whether it is about the state that Goldwright keeps, and nothing to other programs.
        needs_root: Whether only root can make it.
    """

    name: str
    why: str
    make: Callable[[Place], None]
    ending: Ending = "works"
    says: tuple[str, ...] = ()
    never_says: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()
    parsed: tuple[str, ...] = ()
    arguments: tuple[str, ...] = RUN
    start: Start = Start()
    also: tuple[Ending, ...] = ()
    is_own: bool = False
    needs_root: bool = False

    @property
    def exit_codes(self) -> frozenset[int]:
        """The exit codes of Goldwright that are right."""
        return frozenset(EXIT_CODES[ending] for ending in (self.ending, *self.also))


def odd_file(
    name: str,
    why: str,
    content: str | bytes | Callable[[], str | bytes],
    *,
    readable: bool | None = True,
    path: str = "shop/odd.py",
) -> Specimen:
    """Describe one odd file beside honest code.

    Args:
        name: The name of the specimen.
        why: Why it matters.
        content: What the file holds; a function where that is long.
        readable: Whether a reader of Python can read it; None where either is right.
        path: Where in the codebase it lies.
    """

    def make(place: Place) -> None:
        place.write_honest_code()
        file = place.code / path
        file.parent.mkdir(parents=True, exist_ok=True)
        data = content() if callable(content) else content
        file.write_bytes(data.encode() if isinstance(data, str) else data)

    return Specimen(
        name,
        why,
        make,
        unparsed=(path,) if readable is False else (),
        parsed=(path,) if readable is True else (),
    )
