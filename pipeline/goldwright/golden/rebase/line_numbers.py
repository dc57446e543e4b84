"""Line numbers in the words of a record, and what they are at the newer commit."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.records import FileRange
from goldwright.snapshot import Span

RANGE_SEPARATOR: Final = r"\s*(?:-|–|to|through|until)\s*(?:lines?\s+)?"
_NUMBERS: Final = re.compile(
    rf"(?P<first>\d+)(?P<to>{RANGE_SEPARATOR}|-L)(?P<last>\d+)|(?P<single>\d+)"
)


@dataclass(frozen=True, slots=True)
class RenumberedText:
    """Line numbers as they are at the newer commit.

    Attributes:
        text: The numbers and ranges, with whatever words were between them.
        unknown: The numbers and ranges that were left as they are, because they are no ends of one
            range of the record.
    """

    text: str
    unknown: tuple[str, ...]


class LineNumbers:
    """The ranges that a record is about, and where they are now.

    A number in the text can be put right only where it is an end of such a range.
    """

    def __init__(
        self, targets: Iterable[AnchorTarget], new_ranges: Mapping[FileRange, FileRange]
    ) -> None:
        self._new_ranges = dict(new_ranges)
        # The lines of an entity are named too where the record does not cite them.
        for target in targets:
            for old_span, new_span in zip(target.old.spans, target.new.spans, strict=True):
                old_range = _range_of(target.old.path, old_span)
                new_range = _range_of(target.new.path, new_span)
                self._new_ranges[old_range] = new_range

    def renumber(self, text: str, path: str | None) -> RenumberedText:
        """Write line numbers for the newer commit.

        Args:
            text: Numbers and ranges, with whatever words are between them.
            path: The old path of their file; None where it may be any file of the record.
        """
        unknown: list[str] = []

        def renumber_match(match: re.Match[str]) -> str:
            renumbered = self._renumber_match(match, path)
            if renumbered is None:
                unknown.append(match[0])
                return match[0]
            return renumbered

        renumbered_text = _NUMBERS.sub(renumber_match, text)
        return RenumberedText(renumbered_text, tuple(unknown))

    def _renumber_match(self, match: re.Match[str], path: str | None) -> str | None:
        if match["single"]:
            number = int(match["single"])
            line = self._new_line(number, path)
            if line is None:
                return None
            return str(line)
        first = int(match["first"])
        last = int(match["last"])
        lines = self._new_lines(first, last, path)
        if lines is None:
            return None
        separator = match["to"]
        return f"{lines.first}{separator}{lines.last}"

    def _new_lines(self, first: int, last: int, path: str | None) -> Span | None:
        """Give the new place of a range, or of its two ends where they end different ranges."""
        places: set[Span] = set()
        for old, new in self._ranges_of(path):
            if (old.start, old.end) == (first, last):
                places.add(Span(new.start, new.end))
        if len(places) == 1:
            return places.pop()
        new_first = self._new_line(first, path)
        new_last = self._new_line(last, path)
        if new_first is None or new_last is None:
            return None
        return Span(new_first, new_last)

    def _new_line(self, number: int, path: str | None) -> int | None:
        """Give the new number of a line that is an end of ranges that agree on it, else None."""
        places: set[int] = set()
        for old, new in self._ranges_of(path):
            if old.start == number:
                places.add(new.start)
            if old.end == number:
                places.add(new.end)
        if len(places) != 1:
            return None
        return places.pop()

    def _ranges_of(self, path: str | None) -> Iterator[tuple[FileRange, FileRange]]:
        for old, new in self._new_ranges.items():
            if path is None or old.file == path:
                yield old, new


def _range_of(path: str, span: Span) -> FileRange:
    return FileRange(file=path, start=span.first, end=span.last)
