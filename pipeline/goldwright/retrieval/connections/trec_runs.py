"""``trec:FILE``: a run that was made elsewhere, in place of a retriever."""

from pathlib import Path

from goldwright.errors import InputError
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.hit_order import best_hits
from goldwright.retrieval.trec import read_run


class TrecRunConnection:
    """Answers from a TREC run.

    Attributes:
        missing_as_zero: Whether a query that is not in the run gets an empty reply; else it is an
            error.
    """

    def __init__(self, path: Path) -> None:
        """Read the run.

        Raises:
            InputError: The file cannot be read, or is malformed.
        """
        self._path = path
        self.missing_as_zero = False
        self._hits_by_query = read_run(path)

    @property
    def queries(self) -> frozenset[str]:
        """The ids of the queries in the run."""
        return frozenset(self._hits_by_query)

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Look the query up."""
        hits = self._hits_by_query.get(question.query_id)
        if hits is not None:
            return RetrieverReply(best_hits(hits, question.limit))
        if self.missing_as_zero:
            return RetrieverReply(())
        raise InputError(f"{self._path}: holds no results for it")
