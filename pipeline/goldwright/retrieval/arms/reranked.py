"""A hybrid whose first results a second stage reads once more."""

from collections.abc import Sequence
from typing import Final

from goldwright.retrieval.arms.hybrid import HybridArm
from goldwright.retrieval.arms.port import falling_hits
from goldwright.retrieval.codebase_index import IndexedQuestion
from goldwright.retrieval.hit_order import sort_hits
from goldwright.retrieval.port import Hit
from goldwright.retrieval.rerankers.port import Reranker

# Results of the first stage that are read again: enough to hold the answer, few enough for a model.
POOL: Final = 50


class RerankedArm:
    """Orders the first 50 of a hybrid by a reranker; those behind keep their order."""

    needs_model = True

    def __init__(self, first_stage: HybridArm, reranker: Reranker) -> None:
        self._first_stage = first_stage
        self._reranker = reranker

    def rank(self, question: IndexedQuestion, limit: int) -> Sequence[Hit]:
        """Rank by the first stage, and the pool again by the reranker."""
        hits = self._first_stage.rank(question, max(limit, POOL))
        pool = [hit.entity_id for hit in hits[:POOL]]
        documents = [question.index.document(entity_id) for entity_id in pool]
        scores = self._reranker.rerank(question.text, documents)
        ordered = sort_hits(list(zip(pool, scores, strict=True)))
        behind = [hit.entity_id for hit in hits[POOL:]]
        return falling_hits([*ordered, *behind][:limit])
