"""Words that the grammars do not know, blanked out without moving anything.

They are ``in`` and ``out`` before a type parameter, and ``global`` before a block inside a module.
None of them names anything: definitions, lines and calls are the same without them.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

_VARIANCE: Final = frozenset({b"in", b"out"})
_NAMES: Final = frozenset({"identifier", "type_identifier"})
_LIST_BEGINNINGS: Final = frozenset({b"<", b","})


def without_unknown_words(data: bytes, tokens: Iterable[Any]) -> bytes:
    """Write blanks over such words; ``tokens`` are the leaves of the tree in file order."""
    blanked = bytearray(data)
    for token in _unknown_words(tokens):
        start, end = token.start_byte, token.end_byte
        blanked[start:end] = b" " * (end - start)
    return bytes(blanked)


def _unknown_words(tokens: Iterable[Any]) -> Iterator[Any]:
    is_parameter_next = False
    written_tokens = (token for token in tokens if token.text and token.type != "comment")
    for token, following in pairwise(written_tokens):
        text = token.text
        if is_parameter_next and text in _VARIANCE and following.type in _NAMES:
            list_holder = token.parent.parent
            if list_holder is not None and list_holder.has_error:
                yield token
            continue
        is_parameter_next = text in _LIST_BEGINNINGS
        if text == b"global" and following.text == b"{" and token.parent.has_error:
            yield token
