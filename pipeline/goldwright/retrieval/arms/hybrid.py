"""Words and meaning together, where they agree."""

from collections.abc import Sequence
from typing import Final

from goldwright.retrieval.arms.port import best_documents
from goldwright.retrieval.codebase_index import IndexedQuestion
from goldwright.retrieval.fusions.agreement import trust
from goldwright.retrieval.fusions.port import Fusion, Numbers
from goldwright.retrieval.port import Hit
from goldwright.snapshot.identifiers import is_code_shaped

# How much more the meaning of a question counts that names nothing of the codebase.
PROSE_FACTOR: Final = 2.0


class HybridArm:
    """Fuses both lists, the dense one by its weight times the trust in it on this query.

    A dense list that agrees with the lexical one no better than chance counts nothing, so a model
    that knows nothing leaves the results of BM25 as they are.
    """

    needs_model = True

    def __init__(self, fuse: Fusion, *, dense_weight: float = 1.0) -> None:
        self._fuse = fuse
        self._dense_weight = dense_weight

    def scores(self, question: IndexedQuestion) -> Numbers:
        """Fuse the lists into a score for every document."""
        weight = self._dense_weight * self._factor(question)
        lexical = question.lexical
        dense = question.dense
        weight *= trust(lexical, dense)
        return self._fuse((lexical, dense), (1.0, weight))

    def rank(self, question: IndexedQuestion, limit: int) -> Sequence[Hit]:
        """Rank documents by their fused scores."""
        return best_documents(question, self.scores(question), limit)

    def _factor(self, _question: IndexedQuestion) -> float:
        return 1.0


class AdaptiveArm(HybridArm):
    """A hybrid whose dense list counts twice for questions in prose.

    A question that names an entity of the codebase as code does (``read_file``, ``HTTPServer``) is
    left at the common weight: one of another kind leans on meaning.
    """

    def _factor(self, question: IndexedQuestion) -> float:
        names = question.index.simple_names
        words = (word.strip("`'\"().,:;?!") for word in question.text.split())
        parts = (part for word in words for part in word.split("."))
        if any(part in names and is_code_shaped(part) for part in parts):
            return 1.0
        return PROSE_FACTOR
