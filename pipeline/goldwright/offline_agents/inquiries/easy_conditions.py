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
    is_turned_twice = any(
        condition.kind == "unless" and _NEGATION.search(condition.code) for condition in path
    )
    loops = {condition.code for condition in path if condition.kind == "while"}
    # What a loop goes on for and what fails in it is the same at two moments: nobody sees that.
    if any(condition.kind == "unless" and condition.code in loops for condition in path):
        return False
    length = sum(len(condition.code) + len(condition.detail) for condition in path)
    return len(path) <= MOST_EASY_CONDITIONS and length <= LONGEST_EASY_WAY and not is_turned_twice
