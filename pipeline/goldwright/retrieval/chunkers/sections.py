"""Sections: lines below headings, cut at paragraphs where they are long."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument, make_chunk
from goldwright.retrieval.source_tokens import count_tokens


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading.

    Attributes:
        line: The number of the line at which its section starts.
        level: 1 for the highest.
        title: Its text.
    """

    line: int
    level: int
    title: str


@dataclass(slots=True)
class _Path:
    """The headings above a place."""

    headings: list[Heading] = field(default_factory=list)

    def enter(self, heading: Heading) -> None:
        """Leave the sections that a heading ends."""
        while self.headings and self.headings[-1].level >= heading.level:
            self.headings.pop()
        self.headings.append(heading)

    @property
    def title(self) -> str:
        """The headings from the highest on."""
        return " > ".join(heading.title for heading in self.headings)


def cut_sections(
    document: SourceDocument, headings: Sequence[Heading], size: int
) -> Sequence[Chunk]:
    """Cut a document at its headings, and sections beyond a size at empty lines.

    A paragraph that is larger than the size stays whole. What stands above the first heading is a
    section without a title.

    Args:
        document: The document.
        headings: Its headings; of several in one line the first starts a section.
        size: The tokens of a chunk.
    """
    chunks: list[Chunk] = []
    path = _Path()
    starts = [heading.line for heading in headings]
    line_count = len(document.lines)
    if document.lines and (not starts or starts[0] > 1):
        end = starts[0] - 1 if starts else line_count
        numbers = range(1, end + 1)
        chunks.extend(_paragraphs(document, numbers, "", size))
    next_starts = [*starts[1:], line_count + 1]
    for heading, next_start in zip(headings, next_starts, strict=False):
        path.enter(heading)
        end = next_start - 1
        if end >= heading.line:
            numbers = range(heading.line, end + 1)
            chunks.extend(_paragraphs(document, numbers, path.title, size))
    return chunks


def _paragraphs(
    document: SourceDocument, numbers: Sequence[int], title: str, size: int
) -> list[Chunk]:
    chunks: list[Chunk] = []
    packed: list[int] = []
    packed_size = 0
    for paragraph in _split_at_blanks(document, numbers):
        lines = [document.lines[number - 1] for number in paragraph]
        tokens = sum(map(count_tokens, lines))
        if packed and packed_size + tokens > size:
            chunks.append(make_chunk(document, packed, title=title))
            packed, packed_size = [], 0
        packed.extend(paragraph)
        packed_size += tokens
    if packed:
        chunks.append(make_chunk(document, packed, title=title))
    return chunks


def _split_at_blanks(document: SourceDocument, numbers: Sequence[int]) -> list[list[int]]:
    """Split lines behind empty ones, which stay with what stands above them."""
    paragraphs: list[list[int]] = []
    was_blank = True
    for number in numbers:
        is_blank = not document.lines[number - 1].strip()
        if not paragraphs or (was_blank and not is_blank):
            paragraphs.append([])
        paragraphs[-1].append(number)
        was_blank = is_blank
    return paragraphs
