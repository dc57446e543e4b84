"""What a chunker is: a document in, chunks out, which together hold each line once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from goldwright.snapshot.entities import Entity, Span


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A file as chunkers see it.

    Attributes:
        path: Its path.
        lines: Its lines, without their ends.
        entities: What it defines; empty for prose.
    """

    path: str
    lines: Sequence[str]
    entities: Sequence[Entity] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document.

    Attributes:
        path: The path of the document.
        spans: Its lines, numbered from 1, both ends included; rising and apart from one another.
        text: What is indexed: these lines, or what a reader sees of them.
        title: What it is called: an entity, or the headings above it; empty where nothing is.
        overlap: How many of its first lines the chunk before it ends with.
    """

    path: str
    spans: tuple[Span, ...]
    text: str
    title: str = ""
    overlap: int = 0

    @property
    def chunk_id(self) -> str:
        """Path and lines, as in ``docs/a.md:3-17``."""
        places = ",".join(f"{span.first}-{span.last}" for span in self.spans)
        return f"{self.path}:{places}"

    @property
    def line_numbers(self) -> Sequence[int]:
        """The numbers of its lines."""
        return [number for span in self.spans for number in range(span.first, span.last + 1)]

    def entities(self, entities: Iterable[Entity]) -> Sequence[Entity]:
        """Find the entities that have a line in it, in their order."""
        numbers = frozenset(self.line_numbers)
        return [entity for entity in entities if not numbers.isdisjoint(_lines_of(entity))]


class Chunker(Protocol):
    """Cuts documents.

    Every line of a document is in exactly one chunk, but for the lines that a chunk declares to
    repeat; the same document gives the same chunks.
    """

    @property
    def name(self) -> str:
        """Identifies the chunks: chunkers that would cut otherwise differ in it."""
        ...

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Cut a document; an empty one has no chunk."""
        ...


def make_chunk(
    document: SourceDocument,
    numbers: Sequence[int],
    *,
    title: str = "",
    overlap: int = 0,
    text: str | None = None,
) -> Chunk:
    """Make a chunk of some lines.

    Args:
        document: Holds them.
        numbers: At least one line number, rising.
        title: What the chunk is called.
        overlap: How many of the first lines are repeated.
        text: What is indexed; the lines where there is none.
    """
    spans: list[Span] = []
    first = last = numbers[0]
    for number in numbers[1:]:
        if number != last + 1:
            spans.append(Span(first, last))
            first = number
        last = number
    spans.append(Span(first, last))
    if text is None:
        lines = [document.lines[number - 1] for number in numbers]
        text = "\n".join(lines)
    return Chunk(document.path, tuple(spans), text, title, overlap)


def _lines_of(entity: Entity) -> Iterable[int]:
    for span in entity.spans:
        yield from range(span.first, span.last + 1)
