"""The built-in retrievers behind the interface of a connection."""

from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.port import Retriever


class BuiltinConnection:
    """Asks a built-in retriever.

    Attributes:
        documents: How many documents it searches; None where that is not known.
    """

    def __init__(self, retriever: Retriever, *, documents: int | None = None) -> None:
        self._retriever = retriever
        self.documents = documents

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Search."""
        hits = self._retriever.search(question.text, limit=question.limit)
        scored_ids = [(hit.entity_id, hit.score) for hit in hits]
        return RetrieverReply(scored_ids)
