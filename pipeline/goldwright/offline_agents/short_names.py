"""Methods by their full name at first, and by their own name from then on."""

import re
from collections import Counter
from collections.abc import Collection
from typing import Final

_CODE: Final = re.compile(r"`([^`]+)`")
# A method of a class; a function inside another one is known by both names.
_METHOD: Final = re.compile(r"(?:\w+\.)*_*[A-Z]\w*\.(?!__)(?P<name>[^\W\d]\w*)")


def shorten_names(text: str, names: Collection[str]) -> str:
    """Leave the class out where a method is named again.

    Args:
        text: Prose with code in code marks.
        names: The qualified names that may be shortened. One whose last part means something else
            in the text, too, stays.
    """
    pieces = set(_CODE.findall(text))
    for name, short in _short_names(set(names) | pieces).items():
        if name in names and short not in pieces:
            first, mark, later = text.partition(f"`{name}`")
            text = first + mark + later.replace(f"`{name}`", f"`{short}`")
    return text


def lengthen_names(text: str, names: Collection[str]) -> str:
    """Give methods their full names again.

    Args:
        text: Prose that was shortened.
        names: The qualified names of what it is about.
    """
    for name, short in _short_names(set(names)).items():
        # Had it been shortened, the full name would stand there once.
        if text.count(f"`{name}`") == 1:
            text = text.replace(f"`{short}`", f"`{name}`")
    return text


def _short_names(names: Collection[str]) -> dict[str, str]:
    """Give the names of methods by which nothing else among some names goes."""
    uses = Counter(name.rpartition(".")[2] for name in names)
    methods = {name: match["name"] for name in names if (match := _METHOD.fullmatch(name))}
    return {name: short for name, short in methods.items() if uses[short] == 1}
