"""``py:MODULE:CALLABLE`` in a process of its own, which may end, hang or print as it likes."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.retrieval.connections.callables import CallableConnection
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.processes import PATIENCE_AT_END, LineProcess

_MODULE: Final = "goldwright.retrieval.connections.callable_process"
# Seconds beyond those of a question for the process itself to say that it took too long.
_GRACE: Final = 1.0


class CallableProcessConnection:
    """Asks a callable over the pipes of a process that imports it.

    Whatever the callable does to its process (``os._exit``, a crash of an extension, threads that
    never end) is a failure of the retriever, and no end of the evaluation. Several of them are
    asked at a time in as many processes. What it prints goes to stderr.
    """

    def __init__(self, place: str, *, root: Path, seconds: float) -> None:
        """Import the callable and build it, which may take any time.

        Args:
            place: ``MODULE:CALLABLE``.
            root: Its modules count too.
            seconds: How long one question may take.

        Raises:
            InputError: There is no such module or callable.
            RetrieverError: Its factory raised, or it ended the process.
        """
        self._seconds = seconds
        # -c and not -m: a module that is run as a program would be there twice.
        program = f"from {_MODULE} import main; main()"
        name = f"py:{place}"
        self._process = LineProcess([sys.executable, "-c", program], name=name)
        opening = {"path": sys.path, "place": place, "root": str(root), "seconds": seconds}
        try:
            _result(self._process.exchange(opening, seconds=None))
        except BaseException:
            self._process.close(patience=0)
            raise

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Have it called."""
        seconds = self._seconds + _GRACE
        reply = self._process.exchange(asdict(question), seconds=seconds)
        fields = _result(reply)
        hits = [(str(entity_id), float(score)) for entity_id, score in fields["hits"]]
        return RetrieverReply(**{**fields, "hits": hits})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.close(patience=PATIENCE_AT_END if error is None else 0)


def main() -> None:
    """Answer the lines of stdin: the first opens a callable, each further one asks it."""
    # Replies go where nothing that the callable prints can reach.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lines = iter(sys.stdin.buffer.readline, b"")
    try:
        for reply in _answers(map(json.loads, lines)):
            _write(replies, reply)
    except BrokenPipeError:
        pass
    # Threads of the callable may never end; nobody waits for them.
    os._exit(0)


def _answers(questions: Iterator[Mapping[str, Any]]) -> Iterator[Mapping[str, object]]:
    opening = next(questions)
    sys.path[:] = opening["path"]

    def connect() -> CallableConnection:
        root = Path(opening["root"])
        return CallableConnection.from_path(opening["place"], root=root, seconds=opening["seconds"])

    connection, failure = _attempt(connect)
    yield failure or {"reply": {}}
    if connection is None:
        return
    for fields in questions:
        question = RetrieverQuery(**fields)
        reply, failure = _attempt(partial(connection.ask, question))
        yield failure or {"reply": asdict(reply)}


def _attempt(call: Callable[[], Any]) -> tuple[Any, Mapping[str, object] | None]:
    """Call, and put what it raised into a reply."""
    try:
        return call(), None
    except GoldwrightError as error:
        kind = "input" if isinstance(error, InputError) else "retriever"
        return None, {"failure": kind, "message": str(error)}


def _write(replies: IO[bytes], reply: Mapping[str, object]) -> None:
    reply_json = json.dumps(reply).encode("ascii")
    replies.write(reply_json + b"\n")
    replies.flush()


def _result(reply: Any) -> Mapping[str, Any]:
    """Take the reply of the process, or raise what the callable raised there."""
    if not isinstance(reply, Mapping) or "failure" not in reply:
        fields: Mapping[str, Any] = reply["reply"]
        return fields
    if reply["failure"] == "input":
        raise InputError(reply["message"])
    raise RetrieverError(reply["message"])
