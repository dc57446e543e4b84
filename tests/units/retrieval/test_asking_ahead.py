"""Replies that are asked ahead by several threads, and replies that were kept."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from goldwright.errors import RetrieverError
from goldwright.retrieval.connections.concurrent import ConcurrentConnection
from goldwright.retrieval.connections.fingerprints import fingerprint
from goldwright.retrieval.connections.port import Connection, RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.reply_cache import KeptReply, ReplyCache

QUERIES = [RetrieverQuery(f"q{number}", f"text {number}", 5) for number in range(20)]


class Retriever:
    """Answers with the id of the query, and remembers which connection was asked."""

    def __init__(self, fails_on: str = "") -> None:
        self.connections = 0
        self.open = 0
        self.asked: list[str] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self._fails_on = fails_on
        self._lock = threading.Lock()
        self._both = threading.Barrier(2, timeout=10)

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Open a connection."""
        with self._lock:
            self.connections += 1
            self.open += 1
        yield self
        with self._lock:
            self.open -= 1

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Answer, the first two questions only together."""
        with self._lock:
            self.asked.append(question.query_id)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        if question.query_id in {"q0", "q1"}:
            self._both.wait()
        with self._lock:
            self.in_flight -= 1
        if question.query_id == self._fails_on:
            raise RetrieverError("no reply")
        return RetrieverReply([(question.query_id, 1.0)])


def asked_ahead(retriever: Retriever, count: int) -> ConcurrentConnection:
    """The retriever behind so many connections."""
    ticks = iter(range(1000))
    return ConcurrentConnection(
        retriever.connect, QUERIES, count=count, clock=lambda: float(next(ticks))
    )


def test_each_query_is_asked_once_over_as_many_connections_as_were_allowed() -> None:
    retriever = Retriever()
    with asked_ahead(retriever, 2) as connection:
        replies = [connection.ask(query).hits[0] for query in QUERIES]
    assert replies == [(query.query_id, 1.0) for query in QUERIES]
    assert sorted(retriever.asked) == sorted(query.query_id for query in QUERIES)
    assert (retriever.connections, retriever.open, retriever.most_in_flight) == (2, 0, 2)
    assert set(connection.seconds) == {query.query_id for query in QUERIES}


def test_a_failure_is_that_of_its_query_and_leaves_nobody_waiting() -> None:
    retriever = Retriever(fails_on="q7")
    with asked_ahead(retriever, 2) as connection:
        assert all(connection.ask(query).hits for query in QUERIES[:7])
        with pytest.raises(RetrieverError, match="no reply"):
            connection.ask(QUERIES[7])
        # What nobody asked yet fails with it, so that nobody waits for it.
        with suppress(RetrieverError):
            connection.ask(QUERIES[-1])


def test_a_connection_that_cannot_be_opened_fails_the_first_query() -> None:
    def refuse() -> AbstractContextManager[Connection]:
        raise RetrieverError("is not there")

    ahead = ConcurrentConnection(refuse, QUERIES, count=3, clock=lambda: 0.0)
    with pytest.raises(RetrieverError, match="is not there"), ahead as connection:
        connection.ask(QUERIES[0])


class TestReplyCache:
    """Replies as files."""

    REPLY = KeptReply(
        RetrieverReply([("a.py::f", 1.5)], 0.5, "index", "So.", 0.25), 0.125, "2026-01-01T00:00:00Z"
    )

    def test_a_reply_comes_back_as_it_was_for_the_same_question_alone(self, tmp_path: Path) -> None:
        cache = ReplyCache(tmp_path, "mine")
        cache.keep(QUERIES[0], self.REPLY)
        assert cache.find(QUERIES[0]) == self.REPLY
        assert cache.find(QUERIES[1]) is None
        more = RetrieverQuery("q0", QUERIES[0].text, 50)
        assert cache.find(more) is None
        assert ReplyCache(tmp_path, "another version").find(QUERIES[0]) is None
        # The id of a query is no part of what a retriever is asked.
        renamed = RetrieverQuery("q99", QUERIES[0].text, 5)
        assert cache.find(renamed) == self.REPLY

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"reply": {"hits": [1]}}', b"\xff"])
    def test_what_is_damaged_counts_as_not_kept(self, tmp_path: Path, data: bytes) -> None:
        cache = ReplyCache(tmp_path, "mine")
        cache.keep(QUERIES[0], self.REPLY)
        (path,) = tmp_path.rglob("*.json")
        path.write_bytes(data)
        assert cache.find(QUERIES[0]) is None

    def test_a_directory_that_cannot_be_written_keeps_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way")
        cache = ReplyCache(tmp_path / "file", "mine")
        cache.keep(QUERIES[0], self.REPLY)
        assert cache.find(QUERIES[0]) is None


class TestFingerprint:
    """What tells versions of a retriever apart."""

    def test_it_changes_with_any_file_of_the_package(self, tmp_path: Path) -> None:
        package = tmp_path / "search"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "rank.py").write_text("K = 1\n")
        before = fingerprint("py:search.api:find", tmp_path)
        assert fingerprint("py:search.api:find", tmp_path) == before
        assert fingerprint("py:search.api:other", tmp_path) != before
        (package / "rank.py").write_text("K = 2\n")
        assert fingerprint("py:search.api:find", tmp_path) != before

    def test_it_changes_with_the_file_that_a_command_names(self, tmp_path: Path) -> None:
        (tmp_path / "run.py").write_text("1")
        before = fingerprint("cmd:python run.py", tmp_path)
        (tmp_path / "run.py").write_text("2")
        assert fingerprint("cmd:python run.py", tmp_path) != before

    def test_what_names_no_file_is_known_by_its_text(self, tmp_path: Path) -> None:
        assert fingerprint("http://h/a", tmp_path) != fingerprint("http://h/b", tmp_path)
        assert fingerprint("py:no_such_module:f", tmp_path)
        assert fingerprint("cmd:echo 'open", tmp_path)
