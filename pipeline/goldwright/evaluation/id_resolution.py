"""Ids as other retrievers write them, resolved to those of the codebase."""

from dataclasses import replace

from goldwright.golden.id_readings import IdReadings
from goldwright.golden.id_spelling import KnownSpelling
from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply


class IdResolution:
    """A connection whose ids are those of the codebase, as ``IdReadings`` reads them.

    Where several results resolve to one id, the best score counts. Without a codebase ids stay as
    they are.
    """

    def __init__(self, connection: Connection, readings: IdReadings | None) -> None:
        """Wrap a connection.

        Args:
            connection: The retriever.
            readings: Reads ids; None where there is no codebase.
        """
        self._connection = connection
        self._readings = readings

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Ask the retriever, and resolve the ids of its reply."""
        reply = self._connection.ask(question)
        if self._readings is None:
            return reply
        best_scores: dict[str, float] = {}
        for raw_id, score in reply.hits:
            result_id = self._readings.resolve(raw_id)
            earlier_score = best_scores.get(result_id, score)
            best_scores[result_id] = max(score, earlier_score)
        return replace(reply, hits=list(best_scores.items()))

    def is_known(self, result_id: str) -> bool:
        """Whether the codebase has such an entity or file; without a codebase every id passes."""
        return self._readings is None or self._readings.is_known(result_id)

    def nearest_spelling(self, result_id: str) -> KnownSpelling | None:
        """How an unknown id would have to be written, if that shows."""
        if self._readings is None:
            return None
        return self._readings.nearest_spelling(result_id)
