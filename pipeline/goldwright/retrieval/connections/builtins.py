"""The program's own retrievers behind the interface of a connection."""

from goldwright.retrieval.connections.connection import Question, Retrieved
from goldwright.retrieval.port import Retriever


class OwnConnection:
    """Asks a retriever of this program."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def ask(self, question: Question) -> Retrieved:
        """Search."""
        hits = self._retriever.search(question.text, limit=question.limit)
        return Retrieved([(hit.entity_id, hit.score) for hit in hits])
