r"""Showing text of unknown origin so that it cannot act on a terminal or hide from a reader.

Control, bidirectional, zero-width and tag characters are written as ``\u{202e}``.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

# Characters that take no ink or that change how their neighbours are shown, as ranges of a regular
# expression. The tab is a control character too, but a harmless one, and stays.
_HIDDEN_RANGES: Final = (
    r"\x00-\x08\x0a-\x1f\x7f-\x9f"  # controls
    r"\xad\u034f\u061c"  # soft hyphen, grapheme joiner, Arabic letter mark
    r"\u115f\u1160\u3164\uffa0"  # Hangul fillers
    r"\u17b4\u17b5"  # Khmer vowels without a glyph
    r"\u180b-\u180f"  # Mongolian variation selectors
    r"\u200b-\u200f\u2028-\u202e"  # zero-width spaces, separators, bidirectional overrides
    r"\u2060-\u206f"  # invisible operators, bidirectional isolates
    r"\ud800-\udfff"  # lone surrogates
    r"\ufe00-\ufe0f\ufeff\ufff0-\ufffb"  # variation selectors, byte order mark, annotations
    r"\U0001d173-\U0001d17a"  # musical beams and slurs
    r"\U000e0000-\U000e0fff"  # tags, and the variation selectors of the supplement
)
_HIDDEN: Final = re.compile(f"[{_HIDDEN_RANGES}]")
# Names that a note or message spells out before it counts the others.
MOST_NAMED: Final = 3
# What make_visible writes: hexadecimal digits of a code point, so at most 10ffff.
_CODE: Final = re.compile(r"\\u\{(10[0-9a-f]{4}|[0-9a-f]{1,5})\}")


def make_visible(text: str) -> str:
    """Write every character of one line that cannot be seen by its code; tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_write_code, text)


def without_hidden(text: str) -> str:
    """Leave out every character of one line that cannot be seen."""
    return _HIDDEN.sub("", text)


def make_hidden(text: str) -> str:
    """Undo ``make_visible``: replace every code by the character it stands for."""
    return _CODE.sub(_read_code, text)


def as_markdown_text(text: str) -> str:
    """Write text on one line that no reader of Markdown or HTML takes for more than text."""
    one_line = " ".join(text.split())
    visible = make_visible(one_line)
    return visible.replace("&", "&amp;").replace("<", "&lt;")


def shorten(text: str, length: int) -> str:
    """Cut a text to at most ``length`` characters; an ellipsis at the end shows the cut."""
    if len(text) <= length:
        return text
    return text[: length - 1] + "…"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Write a count with its noun, as in ``1 run``, ``3 runs``, ``0 queries`` and ``2,000 files``.

    Args:
        count: How many there are.
        noun: What there is one of; more words may come before it.
        plural: What there are several of, where an ``s`` or ``ies`` at the end is not enough.
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {plural or _plural_of(noun)}"


def in_seconds(seconds: float) -> str:
    """Write a time, as in ``1 second`` and ``2.5 seconds``."""
    return "1 second" if seconds == 1 else f"{seconds:g} seconds"


def _plural_of(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def name_some(names: Sequence[str]) -> str:
    """Name the first few, and count the others."""
    first_names = ", ".join(names[:MOST_NAMED])
    unnamed = len(names) - MOST_NAMED
    if unnamed > 0:
        return f"{first_names} and {unnamed} more"
    return first_names


def name_all(names: Sequence[str], *, joint: str = "and") -> str:
    """Name them all, as in ``a``, ``a and b`` and ``a, b and c``."""
    *first_names, last_name = names
    return f"{', '.join(first_names)} {joint} {last_name}" if first_names else last_name


def _write_code(match: re.Match[str]) -> str:
    code_point = ord(match[0])
    return f"\\u{{{code_point:x}}}"


def _read_code(match: re.Match[str]) -> str:
    code_point = int(match[1], 16)
    return chr(code_point)


def nearest_ids(wanted_id: str, ids: Sequence[str]) -> Sequence[str]:
    """Give the ids that somebody may have meant: of the same number, else alike, else all.

    Numbers are alike in their digits and stand for others: none is alike that is another number.
    """
    digits = _number_of(wanted_id)
    of_number = [known_id for known_id in ids if digits and _number_of(known_id) == digits]
    alike = [] if digits else get_close_matches(wanted_id, ids)
    return of_number or alike or ids


def _number_of(record_id: str) -> str:
    return re.sub(r"\D", "", record_id).lstrip("0")
