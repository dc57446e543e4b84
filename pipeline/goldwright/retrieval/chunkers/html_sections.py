"""HTML by its headings."""

from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Final

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument
from goldwright.retrieval.chunkers.sections import Heading, cut_sections

_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_UNSEEN: Final = frozenset({"script", "style", "template", "noscript"})


class HtmlSectionChunker:
    """Cuts at the lines of heading elements; chunks are indexed by what a reader sees of them."""

    def __init__(self, size: int = 512) -> None:
        self.name = f"html-{size}"
        self._size = size

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Cut a document."""
        reader = _SectionReader()
        reader.feed("\n".join(document.lines))
        reader.close()
        chunks = cut_sections(document, reader.headings, self._size)
        return [replace(chunk, text=reader.visible_text(chunk)) for chunk in chunks]


class _SectionReader(HTMLParser):
    """Notes headings, and the visible text of every line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.headings: list[Heading] = []
        self._text_of_line: dict[int, list[str]] = {}
        self._unseen: list[str] = []
        self._open_heading: Heading | None = None

    def visible_text(self, chunk: Chunk) -> str:
        """Join the visible text of the lines of a chunk."""
        parts = [" ".join(self._text_of_line.get(number, ())) for number in chunk.line_numbers]
        return "\n".join(part for part in parts if part)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a heading, or what is not seen."""
        del attrs
        if tag in _UNSEEN:
            self._unseen.append(tag)
        line, _ = self.getpos()
        # A second heading of one line stays in the section of the first.
        if tag in _LEVELS and (not self.headings or self.headings[-1].line < line):
            self._open_heading = Heading(line, _LEVELS[tag], "")
            self.headings.append(self._open_heading)

    def handle_endtag(self, tag: str) -> None:
        """Close what is not seen, or a heading."""
        if self._unseen and tag == self._unseen[-1]:
            self._unseen.pop()
        if tag in _LEVELS:
            self._open_heading = None

    def handle_data(self, data: str) -> None:
        """Keep text at its lines."""
        if self._unseen:
            return
        first, _ = self.getpos()
        for offset, part in enumerate(data.split("\n")):
            if part.strip():
                words = " ".join(part.split())
                self._text_of_line.setdefault(first + offset, []).append(words)
                self._extend_heading(words)

    def _extend_heading(self, words: str) -> None:
        if self._open_heading is not None:
            title = f"{self._open_heading.title} {words}".strip()
            self._open_heading = replace(self._open_heading, title=title)
            self.headings[-1] = self._open_heading
