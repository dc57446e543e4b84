"""Ends of members that no semicolon writes, and that the grammars read over.

A member of an interface may end with its line. The grammars go on where the next line begins with
``<``, which they take for the arguments of the type before it, or with a member whose name begins
with ``in``. The language does not: type arguments begin on the line of their type.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final

_BLANKS: Final = frozenset({b" ", b"\t"})
# What a type ends with, besides words.
_TYPE_ENDS: Final = frozenset({b")", b"]", b"}", b">", b'"', b"'", b"`"})
_AFTER_NAMES: Final = frozenset({b":", b"?"})
# Words behind which a type begins, so that none ends.
_BEFORE_TYPES: Final = frozenset(
    {b"extends", b"in", b"is", b"keyof", b"new", b"of", b"readonly", b"return", b"typeof"}
)


def with_written_ends(data: bytes, tokens: Iterable[Any]) -> bytes:
    """Write a semicolon over the blank before such a line; nothing moves.

    Args:
        data: The content of a file.
        tokens: The leaves of its tree in file order.
    """
    ended = bytearray(data)
    written_tokens = [token for token in tokens if token.text and token.type != "comment"]
    followers = [*written_tokens[2:], None]
    for (before, token), following in zip(pairwise(written_tokens), followers, strict=False):
        at = token.start_byte - 1
        is_first = token.start_point[0] > before.end_point[0]
        if is_first and data[at : at + 1] in _BLANKS and _ends_type(before):
            text = token.text
            is_name = following is not None and following.text in _AFTER_NAMES
            if text == b"<" or (is_name and text.startswith(b"in")):
                ended[at : at + 1] = b";"
    return bytes(ended)


def _ends_type(token: Any) -> bool:
    text: bytes = token.text
    last_character = text[-1:]
    is_word = last_character.isalnum() or last_character in b"_$"
    return text not in _BEFORE_TYPES and (is_word or text in _TYPE_ENDS)
