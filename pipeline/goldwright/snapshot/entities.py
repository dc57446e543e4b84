r"""What a snapshot consists of: files, spans of lines, entities and the calls between them.

Lines are 1-based and inclusive. A line ends at ``\n``, ``\r\n`` or a lone ``\r``, as in Python's
own grammar; form feeds and Unicode separators do not end a line.
"""

from dataclasses import dataclass
from typing import Literal

FileKind = Literal["text", "binary", "large", "symlink", "submodule", "unsafe_name"]
EntityKind = Literal["class", "function", "method", "variable"]


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One path of the pinned tree; only ``text`` files are ever read.

    Attributes:
        path: The path from the root of the tree, with slashes.
        oid: The git object id of the content.
        size: The length of the content in bytes.
        kind: Whether the file is read as text, or why not.
    """

    path: str
    oid: str
    size: int
    kind: FileKind


@dataclass(frozen=True, slots=True)
class Span:
    """Lines ``first`` to ``last`` of the file it belongs to."""

    first: int
    last: int

    def touches(self, first: int, last: int) -> bool:
        """Return whether any line lies both in the span and between ``first`` and ``last``."""
        return self.first <= last and first <= self.last


@dataclass(frozen=True, slots=True)
class Entity:
    """A function, class, method or module- or class-level name.

    Several definitions of one qualified name (overloads, property setters, if/else branches) are
    one entity with several spans.

    Attributes:
        entity_id: The path and the qualified name, joined by ``::``.
        path: The file that defines it.
        name: The qualified name, as in ``Session.send``.
        kind: What is defined.
        spans: Where it is defined, in file order, each from the first decorator.
    """

    entity_id: str
    path: str
    name: str
    kind: EntityKind
    spans: tuple[Span, ...]

    @property
    def simple_name(self) -> str:
        """The last part of the qualified name."""
        return self.name.rpartition(".")[2]

    @property
    def parent_name(self) -> str:
        """The qualified name without its last part; empty at module level."""
        return self.name.rpartition(".")[0]

    def touches(self, first: int, last: int) -> bool:
        """Return whether any of the spans has a line between ``first`` and ``last``."""
        return any(span.touches(first, last) for span in self.spans)


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call, seen from one of the two entities it joins.

    Attributes:
        entity_id: The entity at the other end.
        path: The file where the call stands.
        line: The line where the call stands.
    """

    entity_id: str
    path: str
    line: int


def entity_id(path: str, name: str) -> str:
    """Join a path and a qualified name into an id."""
    return f"{path}::{name}"


def split_entity_id(identifier: str) -> tuple[str, str]:
    """Split an id into path and qualified name; the name is empty when there is no ``::``."""
    path, _, name = identifier.partition("::")
    return path, name
