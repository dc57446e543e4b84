"""What an arm is: one way to rank the documents of an index that it shares with other arms."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from goldwright.retrieval.codebase_index import IndexedQuestion
from goldwright.retrieval.fusions.port import Numbers
from goldwright.retrieval.hit_order import TIE_TOLERANCE, rank_scores
from goldwright.retrieval.port import Hit


class Arm(Protocol):
    """Ranks documents for a query."""

    @property
    def needs_model(self) -> bool:
        """Whether it reads vectors; the results of one that does not owe nothing to a model."""
        ...

    def rank(self, question: IndexedQuestion, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, each document once, by falling score and rising id."""
        ...


def best_documents(question: IndexedQuestion, scores: Numbers, limit: int) -> Sequence[Hit]:
    """Return the documents with the best scores, in the order of ``sort_hits``.

    Args:
        question: Names the documents.
        scores: One for each document of the index; those that are not finite are left out.
        limit: 1 or more.
    """
    places = np.flatnonzero(np.isfinite(scores))
    if len(places) > limit:
        values = scores[places]
        place_of_lowest = len(values) - limit
        lowest = np.partition(values, place_of_lowest)[place_of_lowest]
        # Equal scores are a tolerance apart at most; twice that leaves room for rounding.
        largest_value = float(np.abs(values).max())
        tolerance = 2 * TIE_TOLERANCE * largest_value
        places = places[values >= lowest - tolerance]
    documents = question.index.documents
    chosen = {documents[place].entity_id: float(scores[place]) for place in places.tolist()}
    return rank_scores(chosen, limit)


def falling_hits(ids: Sequence[str]) -> Sequence[Hit]:
    """Give ids that are in their final order scores that fall from 1 by equal steps."""
    count = len(ids)
    return [Hit(entity_id, (count - place) / count) for place, entity_id in enumerate(ids)]
