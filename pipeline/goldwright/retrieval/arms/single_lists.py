"""The arms that follow one list: words alone, and meaning alone."""

from collections.abc import Sequence

import numpy as np

from goldwright.retrieval.arms.port import best_documents
from goldwright.retrieval.codebase_index import IndexedQuestion
from goldwright.retrieval.port import Hit


class LexicalArm:
    """BM25."""

    needs_model = False

    def rank(self, question: IndexedQuestion, limit: int) -> Sequence[Hit]:
        """Rank the documents that share a term with the query."""
        listed = question.lexical
        scores = np.where(listed.is_hit, listed.scores, -np.inf)
        return best_documents(question, scores, limit)


class DenseArm:
    """The cosine between the vectors of query and document."""

    needs_model = True

    def rank(self, question: IndexedQuestion, limit: int) -> Sequence[Hit]:
        """Rank every document."""
        return best_documents(question, question.dense.scores, limit)
