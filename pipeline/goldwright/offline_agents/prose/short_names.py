"""Methods and inner functions by their full name at first, and by their own from then on."""

import re
from collections import Counter
from collections.abc import Collection
from typing import Final

from goldwright.spoken_tests import operands_of_tests

_CODE: Final = re.compile(r"`([^`]+)`")
# A method of a class, or a function inside another one; special methods are known by their class.
_INNER: Final = re.compile(r"(?:\w+\.)+(?!__)(?P<name>[^\W\d]\w*)")

# What is given a value, as prose says it.
_TARGET: Final = re.compile(r"\b(?:sets|gets|tested) `(\w+)`")
# The variables of a loop, of which there may be several: "for each `key, value` in `items`".
_LOOP_TARGETS: Final = re.compile(r"\bfor each `([^`]+)`|\bin the loop `for ([^`]+?) in ")
_NAME: Final = re.compile(r"[^\W\d]\w*")


def shorten_names(text: str, names: Collection[str]) -> str:
    """Leave out what a method or function stands in where it is named again.

    Args:
        text: Prose with code in code marks.
        names: The qualified names that may be shortened. One whose last part means something else
            in the text, too, stays.
    """
    pieces = set(_CODE.findall(text))
    for name, short in _short_names(set(names) | pieces).items():
        if name in names and short not in pieces:
            name_in_code = f"`{name}`"
            short_in_code = f"`{short}`"
            first, mark, later = text.partition(name_in_code)
            text = first + mark + later.replace(name_in_code, short_in_code)
    return text


def lengthen_names(text: str, names: Collection[str]) -> str:
    """Give methods and inner functions their full names again.

    Args:
        text: Prose that was shortened.
        names: The qualified names of what it is about.
    """
    targets = _TARGET.findall(text)
    operands = operands_of_tests(text)
    variables = {*targets, *operands, *_loop_variables(text)}
    for name, short in _short_names(set(names)).items():
        name_in_code = f"`{name}`"
        # Had it been shortened, the full name would stand there once, and no variable go by it.
        if text.count(name_in_code) == 1 and short not in variables:
            text = text.replace(f"`{short}`", name_in_code)
    return text


def _loop_variables(text: str) -> set[str]:
    variables: set[str] = set()
    for each_targets, for_targets in _LOOP_TARGETS.findall(text):
        variables.update(_NAME.findall(each_targets or for_targets))
    return variables


def _short_names(names: Collection[str]) -> dict[str, str]:
    """Give the own names by which nothing else among some names goes."""
    uses = Counter(name.rpartition(".")[2] for name in names)
    inner = {name: match["name"] for name in names if (match := _INNER.fullmatch(name))}
    return {name: short for name, short in inner.items() if uses[short] == 1}
