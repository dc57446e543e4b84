"""What a reranker is: it reads the query and each of some documents, and scores them again."""

from collections.abc import Sequence
from typing import Protocol

from goldwright.retrieval.entity_documents import EntityDocument


class Reranker(Protocol):
    """Scores a handful of documents against one query."""

    @property
    def name(self) -> str:
        """Identifies the scores: rerankers that would give any other differ in it."""
        ...

    def rerank(self, query: str, documents: Sequence[EntityDocument]) -> Sequence[float]:
        """Return a score for each document, in their order; higher is better.

        The score of a document owes nothing to the order in which they come.

        Raises:
            RetrieverError: What computes the scores is out of reach, or answers wrongly.
        """
        ...
