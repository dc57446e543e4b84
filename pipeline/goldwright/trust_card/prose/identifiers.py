"""Splitting identifiers into words."""

import re
from functools import lru_cache
from typing import Final

# Capitals before a capitalised word are a word of their own: ``HTTPServer`` is ``http server``.
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=1 << 16)
def split_identifier(identifier: str) -> tuple[str, ...]:
    """Split ``parse_HTTPHeader2`` into ``parse``, ``http``, ``header``, ``2``."""
    return tuple(word.lower() for word in _WORD.findall(identifier))
