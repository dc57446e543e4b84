"""The file of a definition, told in brackets where prose first names it.

As in: only `shop.buy` (`shop/till.py`) calls it. Who reads what a sentence states leaves that out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_PLACED: Final = re.compile(r"`([^`\s]+)` \(`([^`\s]+\.\w+)`\)")
_ASIDE: Final = re.compile(r"(?<=`) \(`[^`\s]+\.\w+`\)")


def add_files(text: str, paths: Mapping[str, str]) -> str:
    """Tell of each name where it is defined, unless the text names the file anyway.

    Args:
        text: Prose with code in code marks.
        paths: The file of each name, by the qualified name. A name in no code mark of its own is
            told nothing of.
    """
    for name, path in paths.items():
        if f"`{path}`" not in text:
            text = text.replace(f"`{name}`", f"`{name}` (`{path}`)", 1)
    return text


def without_files(text: str) -> str:
    """Leave out what ``add_files`` has added."""
    return _ASIDE.sub("", text)


def told_files(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names of which a text tells the file so, each with the file."""
    yield from _PLACED.findall(text)
