"""Hiding private keys in PEM and PGP armour, on lines of their own or within one line.

The lines that open and close a key stay, and so do its headers; each line of its body is hidden by
itself, so that a text keeps the number of its lines.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.scanners.secrets.placeholders import mask_for

# Shorter lines are taken for a part of a key only after a line that is longer: the last line of a
# body may have any length.
SHORTEST_KEY_LINE: Final = 20
# Within one line the part before the closing mark is the last, so it may be shorter still.
SHORTEST_LAST_PART: Final = 6

_KIND: Final = "private-key"
_KEY_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_EDGE: Final = re.compile(
    r"-----(?P<edge>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
)
# Masks and escaped line ends are matched first, so that they are no parts of a key.
_KEY_PART: Final = re.compile(
    r"<secret:[a-z-]{1,40}:[0-9a-f]{8}>|\\+[nrt]|(?P<part>[A-Za-z0-9+/=]{2,}+)"
)
# A line of a body, behind a comment mark, a quote or a line number and before what ends a string.
_KEY_LINE: Final = re.compile(
    r"""[\s"'`#*+,:;|>()\\/-]{0,40}(?:\d{1,6}[:|\s]\s{0,8})?"""
    r"""(?P<part>[A-Za-z0-9+/=]++)"""
    r"""(?:\\+[nr]){0,4}[\s"'`,;+)\\]{0,40}"""
)
_KEY_HEADER: Final = re.compile(
    r"""[\s"'#*+]*+(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\\"']*+)?"""
    r"""(?:\\n)?[\s"']{0,9}"""
)


def mask_private_keys(text: str) -> str:
    """Hide the body of each private key, line by line."""
    if "PRIVATE KEY" not in text:
        return text
    lines = text.split("\n")
    masked = list(lines)
    for index, line in enumerate(lines):
        if _KEY_BEGIN.search(line):
            masked[index] = _mask_inline_keys(line)
            indices = range(index + 1, len(lines))
        elif _KEY_END.search(line):
            # The line that opens the key may have been cut off: its body is followed upwards too.
            indices = range(index - 1, -1, -1)
        else:
            continue
        for inner_index, part in _find_key_lines(lines, indices):
            inner_line = lines[inner_index]
            mask = mask_for(_KIND, part)
            masked[inner_index] = inner_line.replace(part, mask, 1)
    return "\n".join(masked)


def _find_key_lines(lines: Sequence[str], indices: range) -> Iterator[tuple[int, str]]:
    """Yield the lines that go on with a key, up to the first that does not.

    Yields:
        The index of the line, and its part of the key.
    """
    for index in indices:
        if _KEY_HEADER.fullmatch(lines[index]):
            continue
        match = _KEY_LINE.fullmatch(lines[index])
        if match is None:
            return
        if len(match["part"]) < SHORTEST_KEY_LINE:
            follows_a_long_line = index > 0 and _is_long_key_line(lines[index - 1])
            if not follows_a_long_line:
                return
        yield index, match["part"]


def _is_long_key_line(line: str) -> bool:
    match = _KEY_LINE.fullmatch(line)
    return match is not None and len(match["part"]) >= SHORTEST_KEY_LINE


def _mask_inline_keys(line: str) -> str:
    """Hide keys within the line that opens them, as in a string with its line ends escaped."""
    pieces: list[str] = []
    start = 0
    is_inside = False
    for edge in _KEY_EDGE.finditer(line):
        is_end = edge["edge"] == "END"
        body = line[start : edge.start()]
        if is_inside:
            shortest = SHORTEST_LAST_PART if is_end else SHORTEST_KEY_LINE
            body = _mask_key_parts(body, shortest)
        pieces += (body, edge[0])
        is_inside = not is_end
        start = edge.end()
    last_piece = line[start:]
    if is_inside:
        last_piece = _mask_key_parts(last_piece, SHORTEST_KEY_LINE)
    return "".join((*pieces, last_piece))


def _mask_key_parts(text: str, shortest: int) -> str:
    """Hide the parts of a key that have at least some number of characters."""

    def hide(match: re.Match[str]) -> str:
        part = match["part"]
        if part and len(part) >= shortest:
            return mask_for(_KIND, part)
        return match[0]

    return _KEY_PART.sub(hide, text)
