"""What a check needs to know of a codebase: the part of a snapshot that answers with facts."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from goldwright.snapshot.entities import Entity, FileEntry
from goldwright.snapshot.source_text import SourceText


class SourceLike(Protocol):
    """The decoded content of one file."""

    @property
    def text(self) -> str: ...


class Codebase(Protocol):
    """Files, lines and entities at one commit: a snapshot, or a dictionary in a test."""

    def __hash__(self) -> int: ...

    @property
    def files(self) -> Mapping[str, FileEntry]: ...

    def set_aside(self, path: str, reason: str) -> None: ...

    def has_text(self, path: str) -> bool: ...

    def source(self, path: str) -> SourceLike: ...

    def line_count(self, path: str) -> int: ...

    def entity(self, entity_id: str) -> Entity | None: ...

    def entities_in(self, path: str) -> tuple[Entity, ...]: ...

    def entities(self) -> Iterator[Entity]: ...

    def named(self, simple_name: str) -> tuple[Entity, ...]: ...


class SourceTree(Codebase, Protocol):
    """A codebase whose files are indexed."""

    @property
    def source_files(self) -> tuple[str, ...]: ...

    @property
    def unparsed(self) -> Mapping[str, str]: ...

    def data(self, path: str) -> bytes: ...

    def source(self, path: str) -> SourceText: ...
