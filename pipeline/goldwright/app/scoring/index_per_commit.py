"""Searching for each query in the tree of a commit of its own, as mined cases ask for it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.queries import DatasetQuery
from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.spec import retriever_name, searches_codebase
from goldwright.snapshot import Snapshot, SnapshotSeries

ConnectTo = Callable[[Snapshot], AbstractContextManager[Connection]]
"""Connects a built-in retriever to a codebase."""


def open_series(
    request: EvalRequest, dataset: LoadedDataset, environment: Environment, progress: Progress
) -> SnapshotSeries | None:
    """Open the history of a codebase whose queries are each about a commit of their own.

    Returns:
        None where the dataset is about one codebase, or none is named.

    Raises:
        InputError: Some queries have a commit and others none, or another one is asked for.
    """
    pinned = [query for query in dataset.queries if query.corpus_commit]
    if not pinned or request.repo is None:
        return None
    if len(pinned) < len(dataset.queries):
        raise InputError(
            f"{dataset.path}: {len(pinned)} of {len(dataset.queries)} queries are pinned to "
            "commits of their own; score them apart from the others"
        )
    if request.rev is not None or request.allow_dirty:
        raise InputError(
            f"{dataset.path}: each query is pinned to a commit of its own; "
            "--rev and --allow-dirty say otherwise"
        )
    progress.phase("reading the history")
    return SnapshotSeries(request.repo, cache=environment.cache, chance=environment.chance)


@contextmanager
def connect_by_case(
    request: EvalRequest,
    series: SnapshotSeries,
    queries: Sequence[DatasetQuery],
    connect_to: ConnectTo,
) -> Iterator[Connection]:
    """Connect a built-in retriever to the commit of each query in turn.

    Raises:
        InputError: The retriever has an index of its own, of whatever commit.
    """
    if not searches_codebase(request.retriever):
        raise InputError(
            f"{retriever_name(request.retriever)}: cannot be led to the commit of each query; "
            "ask bm25, grep, dense or hybrid, or score a run file without --repo"
        )
    queries_by_id = {query.query_id: query for query in queries}
    yield _ConnectionByCase(series, queries_by_id, connect_to)


class _ConnectionByCase:
    """Indexes the commit of a query, and asks."""

    def __init__(
        self, series: SnapshotSeries, queries: Mapping[str, DatasetQuery], connect_to: ConnectTo
    ) -> None:
        self._series = series
        self._queries = queries
        self._connect_to = connect_to

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Search the files of the commit of a query.

        Raises:
            InputError: The commit does not hold what the query expects.
        """
        query = self._queries[question.query_id]
        snapshot = self._series.open(query.corpus_commit)
        try:
            _check_expected(query, snapshot)
            with self._connect_to(snapshot) as connection:
                return connection.ask(question)
        finally:
            snapshot.close()


def _check_expected(query: DatasetQuery, snapshot: Snapshot) -> None:
    entity_ids = frozenset(query.entity_ids)
    for expected in query.expected_ids:
        if expected in entity_ids:
            is_there = snapshot.entity(expected) is not None
        else:
            is_there = snapshot.has_text(expected)
        if not is_there:
            commit = query.corpus_commit[:12]
            raise InputError(f"{query.place}: expects {expected}, which {commit} does not hold")
