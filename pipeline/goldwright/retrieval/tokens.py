"""Cutting code and questions about code into the same tokens."""

import re
from collections.abc import Iterator
from functools import lru_cache

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\da-zA-Z_]+")
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
    """Split one word at underscores, inner capitals and digits; keep it whole as well."""
    parts = tuple(part.lower() for part in _PART.findall(word))
    whole = word.strip("_").lower()
    return parts if len(parts) < 2 else (*parts, whole)
