"""What each tool of a toolset returns: the values, and the ``text`` that a reader is shown.

The values are raw. The text has every line numbered and every hidden character visible. In all of
them, ``step`` is the number of the call at its toolset, and ``truncated`` tells that a limit left
something out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from goldwright.errors import InputError
from goldwright.records import Evidence
from goldwright.snapshot.entities import EntityKind
from goldwright.snapshot.git.git_history import BlameLine, Commit
from goldwright.text import make_visible

_COMMIT_DIGITS = 12
# The day of an ISO 8601 time.
_DATE_CHARACTERS = 10


ArgumentValue = str | int | bool | None


class ToolError(InputError):
    """A tool was asked for something that it cannot do; the text is the tool's result."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        step: Its number at the toolset, from 1.
        tool: The name of the tool.
        arguments: What it was called with.
        shown: The ranges of lines that it showed.
        truncated: Whether a limit left something out.
    """

    step: int
    tool: str
    arguments: Mapping[str, ArgumentValue]
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
        lines = [make_visible(path) for path in self.paths]
        return join_output_lines(lines, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A line in which a pattern was found, cut to 400 characters."""

    path: str
    line: int
    text: str

    def as_line(self) -> str:
        """The hit as ``path:line: text``."""
        path = make_visible(self.path)
        text = make_visible(self.text)
        return f"{path}:{self.line}: {text}"


@dataclass(frozen=True, slots=True)
class SearchOutput:
    """Lines that a search found, Python files first, each group in the order of paths and lines."""

    hits: tuple[SearchMatch, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One hit a line."""
        lines = [hit.as_line() for hit in self.hits]
        return join_output_lines(lines, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class ReadOutput:
    """Lines ``first`` to ``last`` of a file; an empty file has none, and ``last`` is 0."""

    path: str
    first: int
    last: int
    lines: tuple[str, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """The lines, each behind its number."""
        numbered: list[str] = []
        for number, line in enumerate(self.lines, start=self.first):
            visible = make_visible(line)
            numbered.append(f"{number}: {visible}")
        return join_output_lines(numbered, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class OutlinedEntity:
    """An entity of a file, or one of its definitions where it has several."""

    entity_id: str
    kind: EntityKind
    first: int
    last: int

    def as_line(self) -> str:
        """The item as ``first-last: kind id``."""
        entity_id = make_visible(self.entity_id)
        return f"{self.first}-{self.last}: {self.kind} {entity_id}"


@dataclass(frozen=True, slots=True)
class OutlineOutput:
    """The entities of a file in the order of their lines."""

    path: str
    items: tuple[OutlinedEntity, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One definition a line."""
        lines = [item.as_line() for item in self.items]
        return join_output_lines(lines, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class LogOutput:
    """The latest commits, newest first."""

    entries: tuple[Commit, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """One commit a line: its id, its date and its subject."""
        lines: list[str] = []
        for entry in self.entries:
            commit = entry.commit[:_COMMIT_DIGITS]
            date = entry.date[:_DATE_CHARACTERS]
            subject = make_visible(entry.subject)
            lines.append(f"{commit} {date} {subject}")
        return join_output_lines(lines, truncated=self.truncated)


@dataclass(frozen=True, slots=True)
class BlameOutput:
    """The commit that last changed each of the lines."""

    path: str
    lines: tuple[BlameLine, ...]
    step: int
    truncated: bool

    @property
    def text(self) -> str:
        """For each line of the file its number, commit and subject, without its content."""
        lines: list[str] = []
        for line in self.lines:
            commit = line.commit[:_COMMIT_DIGITS]
            subject = make_visible(line.subject)
            lines.append(f"{line.line}: {commit} {subject}")
        return join_output_lines(lines, truncated=self.truncated)


def join_output_lines(lines: list[str], *, truncated: bool) -> str:
    """Join the lines of an output; it says so when something was left out, or nothing is there."""
    if truncated:
        return "\n".join([*lines, "[more was left out]"])
    return "\n".join(lines or ["[nothing]"])
