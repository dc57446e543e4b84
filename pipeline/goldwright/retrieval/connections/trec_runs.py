"""``trec:FILE``: a run that was made elsewhere, instead of a retriever."""

from pathlib import Path

from goldwright.errors import InputError
from goldwright.retrieval.connections.port import Question, RetrieverReply
from goldwright.retrieval.hit_order import first
from goldwright.retrieval.trec import read_run


class TrecRunConnection:
    """Answers from a TREC run; a query that it does not hold is an error, unless
    ``missing_as_zero`` is set.
    """

    def __init__(self, path: Path) -> None:
        """Read the run.

        Raises:
            InputError: It cannot be read, or is none.
        """
        self._path = path
        self.missing_as_zero = False
        self._run = dict(read_run(path))

    @property
    def queries(self) -> frozenset[str]:
        """The ids of the queries that the run holds."""
        return frozenset(self._run)

    def ask(self, question: Question) -> RetrieverReply:
        """Look the query up."""
        if question.query_id not in self._run:
            if self.missing_as_zero:
                return RetrieverReply(())
            raise InputError(f"{self._path}: holds no results for it")
        return RetrieverReply(first(self._run[question.query_id], question.limit))
