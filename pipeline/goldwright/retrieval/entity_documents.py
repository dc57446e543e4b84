"""The documents that the built-in retrievers search: one per entity, with name, path and source.

Functions and methods contribute all their lines. A class contributes its header, docstring,
class-level statements and the signatures of its members, whose bodies are documents themselves.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from goldwright.snapshot import Snapshot
from goldwright.snapshot.comment_stripper import without_docstrings
from goldwright.snapshot.entities import Entity, Span
from goldwright.snapshot.file_guard import guarded

SEARCHED_KINDS: Final = frozenset({"function", "method", "class"})

# A colon at the end of a line, perhaps with a comment behind it.
_HEADER_END = re.compile(r":\s*(#.*)?$")


@dataclass(frozen=True, slots=True)
class EntityDocument:
    """The text by which one entity is found, and those parts of it that name the entity.

    Attributes:
        entity_id: The id of the entity.
        text: Its qualified name, path and source.
        name: Its simple name.
        owner: The qualified name of the class or function around it; empty at module level.
        path: Its file.
    """

    entity_id: str
    text: str
    name: str = ""
    owner: str = ""
    path: str = ""


def documents(snapshot: Snapshot, *, blank_docstrings: bool = False) -> Iterator[EntityDocument]:
    """Yield a document for every function, method and class, in the order of paths and lines.

    Args:
        snapshot: The codebase.
        blank_docstrings: Whether docstrings are blanked out, which leaves code and comments.
    """
    nothing: list[EntityDocument] = []
    for path in snapshot.source_files:
        # There is no entity in it, and perhaps no text.
        if path in snapshot.unparsed:
            continue
        read_file = partial(_read_file, snapshot, path, blank_docstrings=blank_docstrings)
        yield from guarded(snapshot, path, "indexing it for search", read_file, nothing)


def _read_file(snapshot: Snapshot, path: str, *, blank_docstrings: bool) -> list[EntityDocument]:
    lines = snapshot.source(path).lines
    if blank_docstrings:
        lines = without_docstrings(path, lines)
    return _documents_of_file(snapshot.entities_in(path), lines)


def _documents_of_file(entities: Sequence[Entity], lines: Sequence[str]) -> list[EntityDocument]:
    members: dict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        if entity.kind in SEARCHED_KINDS:
            members[entity.parent_name].append(entity)
    documents = []
    for entity in entities:
        if entity.kind not in SEARCHED_KINDS:
            continue
        text = _document_text(entity, members[entity.name], lines)
        document = EntityDocument(
            entity.entity_id,
            text=text,
            name=entity.simple_name,
            owner=entity.parent_name,
            path=entity.path,
        )
        documents.append(document)
    return documents


def _document_text(entity: Entity, members: Iterable[Entity], lines: Sequence[str]) -> str:
    hidden_numbers: frozenset[int] = frozenset()
    if entity.kind == "class":
        hidden_numbers = _member_body_lines(members, lines)
    shown_lines: list[str] = []
    for span in entity.spans:
        numbers = [number for number in _line_numbers(span) if number not in hidden_numbers]
        shown_lines.extend(lines[number - 1] for number in numbers)
    return "\n".join((entity.name, entity.path, *shown_lines))


def _member_body_lines(members: Iterable[Entity], lines: Sequence[str]) -> frozenset[int]:
    """Collect the line numbers, from 1, of all that members have behind their header."""
    numbers: set[int] = set()
    for member in members:
        for span in member.spans:
            body_start = _header_end(span, lines) + 1
            body = range(body_start, span.last + 1)
            numbers.update(body)
    return frozenset(numbers)


def _header_end(span: Span, lines: Sequence[str]) -> int:
    """Find the number of the line that ends a header; of the last line where none looks so."""
    for number in _line_numbers(span):
        if _HEADER_END.search(lines[number - 1]):
            return number
    return span.last


def _line_numbers(span: Span) -> range:
    return range(span.first, span.last + 1)
