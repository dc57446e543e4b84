"""Several questions to a retriever at a time, each over a connection of its own thread."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from threading import Lock, Thread
from types import TracebackType
from typing import Self

from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply

OpenConnection = Callable[[], AbstractContextManager[Connection]]


class ConcurrentConnection:
    """Asks known questions ahead, several at a time, and hands out the replies on demand.

    Every thread opens a connection of its own, so that a retriever is asked no two questions over
    one connection at once. The threads do not keep the program from ending.

    Attributes:
        seconds: By the id of the query, how long its reply took.
    """

    def __init__(
        self,
        open_connection: OpenConnection,
        questions: Sequence[RetrieverQuery],
        *,
        count: int,
        clock: Callable[[], float],
    ) -> None:
        """Take the questions; the first is asked when the block is entered.

        Args:
            open_connection: Opens one connection.
            questions: All that will be asked, in the order in which they are wanted.
            count: How many are asked at a time, 1 or more.
            clock: Gives seconds that never go back.
        """
        self._open_connection = open_connection
        self._replies: dict[str, Future[RetrieverReply]] = {
            question.query_id: Future() for question in questions
        }
        self._waiting: Iterator[RetrieverQuery] = iter(questions)
        self._lock = Lock()
        self._count = min(count, len(questions))
        self._threads: list[Thread] = []
        self._clock = clock
        self.seconds: dict[str, float] = {}

    def __enter__(self) -> Self:
        for _ in range(self._count):
            thread = Thread(target=self._work, daemon=True)
            thread.start()
            self._threads.append(thread)
        return self

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Wait for the reply to one of the questions, or raise what asking it raised."""
        return self._replies[question.query_id].result()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            self._waiting = iter(())
        # After a failure the threads may hang in their retrievers, and nobody wants their replies.
        if kind is None:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        """Ask question after question; a failure is that of the question, and ends the thread."""
        future: Future[RetrieverReply] | None = None
        try:
            with self._open_connection() as connection:
                while (question := self._next_question()) is not None:
                    future = self._replies[question.query_id]
                    start = self._clock()
                    reply = connection.ask(question)
                    self.seconds[question.query_id] = self._clock() - start
                    future.set_result(reply)
                    future = None
        except BaseException as error:  # noqa: BLE001  # raised where the reply is waited for
            self._fail(future, error)

    def _next_question(self) -> RetrieverQuery | None:
        with self._lock:
            return next(self._waiting, None)

    def _fail(self, future: "Future[RetrieverReply] | None", error: BaseException) -> None:
        """Pass a failure on to its question, or to all that wait where no connection was opened."""
        if future is not None and not future.done():
            future.set_exception(error)
        with self._lock:
            abandoned = list(self._waiting)
        for question in abandoned:
            self._replies[question.query_id].set_exception(error)
