"""Text in Base64 or in hexadecimal digits, on one line or on several."""

import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

MOST_LAYERS_OF_CODE: Final = 2
"""Base64 within Base64 is read, and nothing deeper."""

# Sixteen characters of Base64 hold twelve letters: less than any phrase.
_CODE: Final = re.compile(r"[A-Za-z0-9+/_-]{16,}+={0,2}")
_PLAIN_BASE64: Final = str.maketrans("-_", "+/")
_BETWEEN_LINES: Final = re.compile(r"[\s\"'#*+\\/;,-]{1,40}")


class EncodedRun(NamedTuple):
    """A part of a text that may be a code: its offsets, and the code without what is between."""

    start: int
    end: int
    code: str


def find_encoded_runs(text: str) -> Iterator[EncodedRun]:
    """Yield each run that may be a code, and neighbouring runs of several lines as one more."""
    neighbours: list[re.Match[str]] = []
    for match in _CODE.finditer(text):
        start, end = match.span()
        yield EncodedRun(start, end, match[0])
        if neighbours and not _are_neighbours(text, neighbours[-1], match):
            yield from _join(neighbours)
            neighbours = []
        neighbours.append(match)
    yield from _join(neighbours)


def decode(code: str) -> Iterator[str]:
    """Yield what a code stands for as Base64 and as hexadecimal digits, where that is text."""
    # Base64 for web addresses has a "-" and a "_" in the place of the "+" and the "/".
    bare_code = code.replace("=", "").translate(_PLAIN_BASE64)
    for decode_bytes in (_from_base64, bytes.fromhex):
        try:
            text = decode_bytes(bare_code).decode("utf-8")
        except ValueError:
            continue
        # Line ends and tabs are not printable, and do stand in text.
        if "".join(text.split()).isprintable():
            yield text


def _are_neighbours(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    between = _BETWEEN_LINES.fullmatch(text, first.end(), second.start())
    return between is not None


def _join(matches: Sequence[re.Match[str]]) -> Iterator[EncodedRun]:
    if len(matches) > 1:
        start = matches[0].start()
        end = matches[-1].end()
        code = "".join(match[0] for match in matches)
        yield EncodedRun(start, end, code)


def _from_base64(code: str) -> bytes:
    missing_padding = "=" * (-len(code) % 4)
    return binascii.a2b_base64(code + missing_padding)
