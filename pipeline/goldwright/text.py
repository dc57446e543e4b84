r"""Showing text of unknown origin so that it cannot act on a terminal or hide from a reader.

Control, bidirectional, zero-width and tag characters are written as ``\u{202e}``.
"""

import re
from typing import Final

_HIDDEN: Final = re.compile(
    "[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb"
    "\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff]"
)
_CODE: Final = re.compile(r"\\u\{(10[0-9a-f]{4}|[0-9a-f]{1,5})\}")


def make_visible(text: str) -> str:
    """Write every character of one line that cannot be seen by its code; tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)


def without_hidden(text: str) -> str:
    """Leave out every character of one line that cannot be seen."""
    return _HIDDEN.sub("", text)


def make_hidden(text: str) -> str:
    """Undo ``make_visible``: write every such code as its character again, where it is one."""
    return _CODE.sub(lambda match: chr(int(match[1], 16)), text)


def shorten(text: str, length: int) -> str:
    """Cut a text to at most ``length`` characters, the last one an ellipsis when something is
    missing.
    """
    return text if len(text) <= length else text[: length - 1] + "…"
