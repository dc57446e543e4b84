"""What each tool of a desk gives back: the values, and the ``text`` that a model is shown.

The values are raw; the text has every line numbered and every hidden character visible. ``step`` is
the number of the call at its desk; ``truncated`` tells that a limit left something out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from goldwright.errors import InputError
from goldwright.records import Evidence
from goldwright.snapshot.entities import EntityKind
from goldwright.snapshot.git_history import BlameLine, Commit
from goldwright.text import make_visible


class ToolError(InputError):
    """A tool was asked for something it cannot do; the sentence is the tool's result."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool and the lines it showed."""

    step: int
    tool: str
    arguments: Mapping[str, str | int | bool | None]
    shown: tuple[Evidence, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class ListOutput:
    """Paths of the codebase, sorted; ``total`` counts those beyond the limit too."""

    paths: tuple[str, ...]
    total: int
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One path a line."""
        return _text([make_visible(path) for path in self.paths], truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A line in which a pattern was found, cut to 400 characters."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class SearchOutput:
    """Lines that a search found, Python files first, each group in the order of paths and lines."""

    hits: tuple[SearchMatch, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One hit a line, as ``path:line: text``."""
        lines = [
            f"{make_visible(hit.path)}:{hit.line}: {make_visible(hit.text)}" for hit in self.hits
        ]
        return _text(lines, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class ReadOutput:
    """Lines ``first`` to ``last`` of a file; an empty file has none, and ``last`` 0."""

    path: str
    first: int
    last: int
    lines: tuple[str, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """The lines, each behind its number."""
        numbered = [
            f"{number}: {make_visible(line)}"
            for number, line in enumerate(self.lines, start=self.first)
        ]
        return _text(numbered, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """An entity of a file, or one of its definitions where it has several."""

    entity_id: str
    kind: EntityKind
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class OutlineOutput:
    """The entities of a file in the order of their lines."""

    path: str
    items: tuple[OutlineItem, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One definition a line."""
        lines = [
            f"{item.first}-{item.last}: {item.kind} {make_visible(item.entity_id)}"
            for item in self.items
        ]
        return _text(lines, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class LogOutput:
    """The latest commits, newest first."""

    entries: tuple[Commit, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One commit a line."""
        lines = [
            f"{entry.commit[:12]} {entry.date[:10]} {make_visible(entry.subject)}"
            for entry in self.entries
        ]
        return _text(lines, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class BlameOutput:
    """The commit that last changed each of the lines."""

    path: str
    lines: tuple[BlameLine, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One line of the file a line, without its content."""
        lines = [f"{one.line}: {one.commit[:12]} {make_visible(one.subject)}" for one in self.lines]
        return _text(lines, truncated=self.truncated)


def _text(lines: list[str], *, truncated: bool) -> str:
    return "\n".join([*lines, "[more was left out]"] if truncated else lines or ["[nothing]"])
