"""What a fusion is: the scores that several searches gave the same documents, made one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreList:
    """What one search came to on one query.

    Attributes:
        scores: A score for every document of the index, in its order; higher is better.
        is_hit: Whether the search found the document at all. A lexical search finds only those
            that share a term with the query; their scores are above 0, and the others have 0.
    """

    scores: Numbers
    is_hit: NDArray[np.bool_]

    @classmethod
    def of_positive(cls, scores: Numbers) -> "ScoreList":
        """Take the scores of a lexical search, in which 0 means that nothing was found."""
        return cls(scores, scores > 0)

    @classmethod
    def of_all(cls, scores: Numbers) -> "ScoreList":
        """Take the scores of a search that ranks every document."""
        return cls(scores, np.ones(len(scores), np.bool_))


class Fusion(Protocol):
    """Makes one list of several over the same documents."""

    def __call__(self, lists: Sequence[ScoreList], weights: Sequence[float]) -> Numbers:
        """Return a score for every document, higher being better.

        A list with the weight 0 changes nothing, and scaling all weights changes no order.

        Args:
            lists: At least one; all over the same documents in the same order.
            weights: The weight of each list, 0 or more.
        """
        ...
