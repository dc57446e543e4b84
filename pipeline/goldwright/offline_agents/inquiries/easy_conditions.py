"""Which conditions people take in at one look: of others, nobody asks."""

import re
from typing import Final

from goldwright.path_conditions import Path

# Longer ways are no longer taken in at one look.
MOST_EASY_CONDITIONS: Final = 5
LONGEST_EASY_WAY: Final = 150

_NEGATION: Final = re.compile(r"(?<!is )\bnot\b(?! in\b)")


def is_easily_said(path: Path) -> bool:
    """Find out whether people understand conditions at once: few, short, and not turned twice."""
    exceptions = [condition.code for condition in path if condition.kind == "unless"]
    is_turned_twice = any(map(_NEGATION.search, exceptions))
    loops = {condition.code for condition in path if condition.kind == "while"}
    # What a loop goes on for and what fails in it is the same at two moments: nobody sees that.
    if not loops.isdisjoint(exceptions):
        return False
    length = 0
    for condition in path:
        length += len(condition.code) + len(condition.detail)
    is_short = len(path) <= MOST_EASY_CONDITIONS and length <= LONGEST_EASY_WAY
    return is_short and not is_turned_twice
