"""Whether a question repeats an earlier one: in its targets, or nearly in its wording."""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.stats.jaccard import containment, jaccard

# The largest share of a query's targets that may be targets of one earlier query.
LARGEST_OVERLAP: Final = 0.5
# The Jaccard index of two queries' words from which one nearly repeats the other.
NEAR_REPEAT: Final = 0.8

Question = tuple[str, Sequence[str]]
"""The text of a query and the ids of its targets."""


def repeats(question: Question, earlier: Question) -> str | None:
    """How a question repeats an earlier one; None when it does not.

    Returns:
        The beginning of a phrase that goes on with the id of the earlier question.
    """
    text, targets = question
    earlier_text, earlier_targets = earlier
    # Counted from the later question: a narrow question about part of a broad one's targets would
    # be answered by the broad one's label.
    overlap = containment(frozenset(targets), frozenset(earlier_targets))
    if overlap > LARGEST_OVERLAP:
        return "over half of its targets are targets of"
    similarity = jaccard(_words(text), _words(earlier_text))
    if similarity >= NEAR_REPEAT:
        return "its wording nearly repeats"
    return None


def _words(text: str) -> frozenset[str]:
    words = re.findall(r"\w+", text.lower())
    return frozenset(words)
