"""What a document is called when the trials of its task are over."""

from enum import StrEnum
from typing import Final

# Documents of at most this weight that were not shown to matter.
_IRRELEVANT_WEIGHT: Final = 0.05


class Relevance(StrEnum):
    """What the trials show of a document."""

    RELEVANT = "relevant"
    IRRELEVANT = "irrelevant"
    UNDECIDED = "undecided"


def relevance_of(*, is_selected: bool, weight: float) -> Relevance:
    """Say what the trials show of a document.

    Args:
        is_selected: Whether they show that it matters, at the error rate of the design.
        weight: The probability that it matters, in [0, 1].
    """
    if is_selected:
        return Relevance.RELEVANT
    return Relevance.IRRELEVANT if weight <= _IRRELEVANT_WEIGHT else Relevance.UNDECIDED
