"""Bytes of a file to text and lines, as Python itself would read them."""

import io
import re
import tokenize
from dataclasses import dataclass
from functools import cached_property

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class SourceText:
    r"""The text of one file.

    A line ends at ``\n``, ``\r\n`` or a lone ``\r``; form feeds and Unicode separators end none.
    """

    path: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends."""
        parts = _LINE_END.split(self.text)
        if parts[-1] == "":
            parts.pop()
        return tuple(parts)

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return len(self.lines)


def decode(data: bytes, *, is_python: bool) -> str:
    """Decode a file by its byte order mark and, for Python, its coding line (PEP 263), else as
    UTF-8.

    Bytes that do not fit are replaced, so that every file can be shown.
    """
    try:
        return data.decode(_encoding(data) if is_python else "utf-8-sig", "replace")
    except LookupError:
        return data.decode("utf-8-sig", "replace")


def _encoding(data: bytes) -> str:
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except (SyntaxError, UnicodeDecodeError):
        return "utf-8-sig"
