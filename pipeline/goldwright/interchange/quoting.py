"""Quoting text of unknown origin in an error message."""

from typing import Final

from goldwright.text import make_visible, shorten

_LONGEST_QUOTE: Final = 60


def quote_excerpt(text: str) -> str:
    """Quote the beginning of a text, with nothing in it that acts on a terminal."""
    return quote(shorten(text, _LONGEST_QUOTE))


def quote(text: str) -> str:
    """Quote a short text, with nothing in it that acts on a terminal."""
    return repr(make_visible(text))
