"""The text of a file and its lines."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from goldwright.snapshot.entities import Span

SPAN_SEPARATOR: Final = "\f\n"
"""What stands between the spans of an entity where they are joined to one text."""

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class SourceText:
    r"""The text of one file.

    A line ends at ``\n``, ``\r\n`` or a lone ``\r``; form feeds and Unicode separators do not end
    a line.
    """

    path: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends."""
        parts = _LINE_END.split(self.text)
        # What follows the last line end is no line when it is empty.
        if parts[-1] == "":
            parts.pop()
        return tuple(parts)

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    def lines_of(self, span: Span) -> tuple[str, ...]:
        """Give the lines of a span, without their ends."""
        return self.lines[span.first - 1 : span.last]


def decode(data: bytes) -> str:
    """Decode a file of no known language as UTF-8; bytes that do not fit are replaced."""
    # Like ``utf-8``, but without a byte order mark.
    return data.decode("utf-8-sig", "replace")
