"""How a retriever is asked the queries of a dataset: one by one, or several at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.eval_setup import EvalSetup
from goldwright.app.scoring.index_per_commit import connect_by_case
from goldwright.engine.clock import timestamp
from goldwright.engine.progress import Progress
from goldwright.evaluation.bench import Timing
from goldwright.golden.datasets import LoadedDataset
from goldwright.retrieval.connections.concurrent import ConcurrentConnection
from goldwright.retrieval.connections.fingerprints import fingerprint
from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.reply_cache import KeptReply, ReplyCache
from goldwright.retrieval.connections.spec import connect, is_built_in
from goldwright.retrieval.connections.trec_runs import TrecRunConnection
from goldwright.retrieval.entity_documents import EntityDocument
from goldwright.snapshot import Snapshot

# The directory of kept replies, in that of mirrors and indexes.
_REPLIES: Final = "replies"


@dataclass(frozen=True, slots=True)
class Asking:
    """A retriever that is ready to be asked, and what asking takes.

    Attributes:
        retriever: The one connection to it; None where there are several.
        connection: Asks it, or hands out kept replies.
        timing: What asking takes.
    """

    retriever: Connection | None
    connection: Connection
    timing: Timing


@contextmanager
def open_retriever(
    request: EvalRequest,
    setup: EvalSetup,
    questions: Sequence[RetrieverQuery],
    environment: Environment,
    progress: Progress,
) -> Iterator[Asking]:
    """Connect a retriever, and find the replies that were kept of it.

    A retriever of another program or machine is asked as many questions at a time as the request
    says, each over a connection of its own. A built-in one is asked one by one.

    Raises:
        InputError: The specification is wrong.
        RetrieverError: The retriever cannot be made ready.
    """
    connect_once = partial(
        connect,
        request.retriever,
        snapshot=setup.snapshot,
        root=environment.root,
        seconds=request.timeout,
        corpus=_corpus(setup.dataset),
        cache=environment.cache,
        environment=environment.variables,
        blank_docstrings=request.blank_docstrings,
        report_progress=progress.phase,
    )
    if setup.series is not None:

        def connect_to(snapshot: Snapshot) -> AbstractContextManager[Connection]:
            return connect_once(snapshot=snapshot)

        timing = Timing({})
        with connect_by_case(request, setup.series, setup.queries, connect_to) as connection:
            recorder = _Recorder(connection, {}, None, timing, environment)
            yield Asking(None, recorder, timing)
        return
    cache = _reply_cache(request, setup, environment)
    # A file of results and a built-in retriever answer at once, from what they loaded once; a
    # callable of this process is called by one thread.
    retriever = request.retriever
    is_local = not isinstance(retriever, str) or is_built_in(retriever)
    kept_replies: Mapping[str, KeptReply] = {}
    if cache is not None and not request.refresh:
        kept_replies = _find_kept(questions, cache)
    kept_seconds = {query_id: reply.seconds for query_id, reply in kept_replies.items()}
    timing = Timing(kept_seconds)
    times_of_asking = [reply.asked_at for reply in kept_replies.values()]
    timing.kept_since = min(times_of_asking, default=None)
    if is_local or (request.concurrency == 1 and not kept_replies):
        with connect_once() as connection:
            recorder = _Recorder(connection, {}, cache, timing, environment)
            yield Asking(connection, recorder, timing)
        return
    unanswered = [question for question in questions if question.query_id not in kept_replies]
    with ConcurrentConnection(
        connect_once, unanswered, count=request.concurrency, clock=environment.clock.seconds
    ) as concurrent:
        recorder = _Recorder(concurrent, kept_replies, cache, timing, environment)
        recorder.own_seconds = concurrent.seconds
        yield Asking(None, recorder, timing)


class _Recorder:
    """Hands out kept replies, asks for the others, times these and keeps them.

    Attributes:
        own_seconds: The times that the wrapped connection took itself, where it asks ahead.
    """

    def __init__(
        self,
        connection: Connection,
        kept_replies: Mapping[str, KeptReply],
        cache: ReplyCache | None,
        timing: Timing,
        environment: Environment,
    ) -> None:
        self._connection = connection
        self._kept = kept_replies
        self._cache = cache
        self._timing = timing
        self._clock = environment.clock
        self.own_seconds: Mapping[str, float] | None = None

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Find the reply, or ask for it."""
        query_id = question.query_id
        if query_id in self._kept:
            return self._kept[query_id].reply
        start = self._clock.seconds()
        reply = self._connection.ask(question)
        if isinstance(self._connection, TrecRunConnection):
            # It was asked elsewhere, and nobody knows how long that took.
            return reply
        seconds = self._clock.seconds() - start
        if self.own_seconds is not None:
            seconds = self.own_seconds[query_id]
        self._timing.seconds[query_id] = seconds
        self._timing.asked += 1
        if self._cache is not None:
            kept_reply = KeptReply(reply, seconds, timestamp(self._clock))
            self._cache.keep(question, kept_reply)
        return reply


def _reply_cache(
    request: EvalRequest, setup: EvalSetup, environment: Environment
) -> ReplyCache | None:
    """Open the kept replies of a retriever; None where none are kept of such a one."""
    if not request.keeps_replies or not isinstance(request.retriever, str):
        return None
    if is_built_in(request.retriever):
        return None
    searched = setup.dataset.sha256
    if setup.snapshot is not None:
        searched = setup.snapshot.commit
    code = fingerprint(request.retriever, environment.root)
    directory = environment.cache / _REPLIES
    return ReplyCache(directory, f"{code} {searched}")


def _find_kept(questions: Sequence[RetrieverQuery], cache: ReplyCache) -> Mapping[str, KeptReply]:
    kept_replies = {}
    for question in questions:
        reply = cache.find(question)
        if reply is not None:
            kept_replies[question.query_id] = reply
    return kept_replies


def _corpus(dataset: LoadedDataset) -> Callable[[], Iterator[EntityDocument]] | None:
    """Give the documents of a dataset as built-in retrievers search them; None without any."""
    read_corpus = dataset.corpus
    if read_corpus is None:
        return None

    def documents() -> Iterator[EntityDocument]:
        for document in read_corpus():
            text = f"{document.title}\n{document.text}"
            yield EntityDocument(document.document_id, text)

    return documents
