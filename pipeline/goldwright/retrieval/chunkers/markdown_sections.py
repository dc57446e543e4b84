"""Markdown by its headings."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument
from goldwright.retrieval.chunkers.sections import Heading, cut_sections

_ATX: Final = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE: Final = re.compile(r" {0,3}(?P<mark>=+|-+)[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
# What an underline cannot make a heading: lists, quotes, indented code and empty lines.
_NO_PARAGRAPH: Final = re.compile(r"\s*$|\s*[>#]|\s*[-*+]\s|\s*\d+[.)]\s|\s{4}|\t")


class MarkdownSectionChunker:
    """Cuts at ATX and setext headings outside fenced code, as CommonMark has them."""

    def __init__(self, size: int = 512) -> None:
        self.name = f"markdown-{size}"
        self._size = size

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Cut a document."""
        headings = list(_headings(document.lines))
        return cut_sections(document, headings, self._size)


def _headings(lines: Sequence[str]) -> Iterator[Heading]:
    fence = ""
    for number, line in enumerate(lines, start=1):
        match = _FENCE.fullmatch(line)
        if fence:
            if match and match["mark"].startswith(fence) and not match["info"].strip():
                fence = ""
            continue
        # Backticks in the info string make it inline code.
        if match and not (match["mark"].startswith("`") and "`" in match["info"]):
            fence = match["mark"]
            continue
        atx = _ATX.fullmatch(line)
        if atx:
            level = len(atx["marks"])
            title = atx["title"] or ""
            yield Heading(number, level, title)
            continue
        underline = _UNDERLINE.fullmatch(line)
        if underline and number > 1 and not _NO_PARAGRAPH.match(lines[number - 2]):
            level = 1 if underline["mark"].startswith("=") else 2
            title = lines[number - 2].strip()
            yield Heading(number - 1, level, title)
