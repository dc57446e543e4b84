"""Splitting code and questions about code into the same tokens."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from goldwright.retrieval.stop_words import STOP_WORDS

WORD: Final = re.compile(r"\w+")
# In this order: capitals that stand together (``HTTP`` of ``HTTPServer``), a word with or without
# a capital, and digits.
_ASCII_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_DISTINCT_WORDS = 1 << 16


def code_tokens(text: str) -> Iterator[str]:
    """Yield the tokens of a text in lower case, in their order, without stop words.

    A compound word (``HTTPServer_factory``) gives its parts and then itself, so that it is found
    by a question in plain words and by one that names the identifier.
    """
    for match in WORD.finditer(text):
        yield from word_tokens(match[0])


# A codebase repeats its words, so each is split only once.
@lru_cache(maxsize=_DISTINCT_WORDS)
def word_tokens(word: str) -> tuple[str, ...]:
    """Split one word at underscores, inner capitals and digits; a compound word is kept as well.

    A word with letters beyond ASCII is split at underscores only. A stop word gives no token,
    whether it is English or a keyword of Python; inside a name (``is_valid``, ``__or__``) it is
    what somebody chose to call a thing, and stays.
    """
    if word.lower() in STOP_WORDS:
        return ()
    if word.isascii():
        cased_parts = _ASCII_PART.findall(word)
    else:
        cased_parts = list(filter(None, word.split("_")))
    parts = tuple(map(str.lower, cased_parts))
    if len(parts) < 2:
        return parts
    compound = word.strip("_").lower()
    return (*parts, compound)


def plain_words(text: str) -> str:
    """Write every compound word of a text as its parts, as one would say it aloud."""
    return WORD.sub(_parts_of, text)


def _parts_of(match: re.Match[str]) -> str:
    # The compound itself comes last.
    parts = word_tokens(match[0])[:-1]
    return " ".join(parts) if parts else match[0]
