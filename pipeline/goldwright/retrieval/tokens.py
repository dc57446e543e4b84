"""Cutting code and questions about code into the same tokens."""

import re
from collections.abc import Iterator
from functools import lru_cache

_WORD = re.compile(r"\w+")
_ASCII_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_DISTINCT_WORDS = 1 << 16


def code_tokens(text: str) -> Iterator[str]:
    """Yield the tokens of a text in lower case, in their order.

    A word that is put together (``HTTPServer_factory``) gives its parts and then itself, so that a
    question in plain words and one that names the identifier both find it.
    """
    for match in _WORD.finditer(text):
        yield from word_tokens(match[0])


@lru_cache(maxsize=_DISTINCT_WORDS)
def word_tokens(word: str) -> tuple[str, ...]:
    """Split one word at underscores, inner capitals and digits; keep it whole as well.

    A word with letters beyond ASCII is split at underscores alone.
    """
    found = _ASCII_PART.findall(word) if word.isascii() else filter(None, word.split("_"))
    parts = tuple(part.lower() for part in found)
    whole = word.strip("_").lower()
    return parts if len(parts) < 2 else (*parts, whole)
