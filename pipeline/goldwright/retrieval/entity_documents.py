"""What our own retrievers read of each entity: its qualified name, its path and its source.

Functions and methods give all their lines. A class gives its header, docstring, class-level
statements and the signatures of its members, whose bodies are documents of their own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, Span

SEARCHED_KINDS: Final = frozenset({"function", "method", "class"})

_HEADER_END = re.compile(r":\s*(#.*)?$")


@dataclass(frozen=True, slots=True)
class EntityDocument:
    """The text by which one entity is found."""

    entity_id: str
    text: str


def documents(snapshot: Snapshot) -> Iterator[EntityDocument]:
    """Yield a document for every function, method and class, in the order of paths and lines."""
    for path in snapshot.source_files:
        lines = snapshot.source(path).lines
        entities = snapshot.entities_in(path)
        for entity in entities:
            if entity.kind in SEARCHED_KINDS:
                yield EntityDocument(entity.entity_id, _text(entity, entities, lines))


def _text(entity: Entity, entities: tuple[Entity, ...], lines: Sequence[str]) -> str:
    hidden = _member_bodies(entity, entities, lines) if entity.kind == "class" else frozenset()
    own = [
        lines[number - 1]
        for span in entity.spans
        for number in range(span.first, span.last + 1)
        if number not in hidden
    ]
    return "\n".join((entity.name, entity.path, *own))


def _member_bodies(
    owner: Entity, entities: tuple[Entity, ...], lines: Sequence[str]
) -> frozenset[int]:
    members = (
        one for one in entities if one.parent_name == owner.name and one.kind in SEARCHED_KINDS
    )
    return frozenset(
        number
        for member in members
        for span in member.spans
        for number in range(_header_end(span, lines) + 1, span.last + 1)
    )


def _header_end(span: Span, lines: Sequence[str]) -> int:
    for number in range(span.first, span.last + 1):
        if _HEADER_END.search(lines[number - 1]):
            return number
    return span.last
