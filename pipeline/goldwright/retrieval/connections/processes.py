"""``cmd:COMMAND``: a retriever that is a process, asked and answering in JSON lines."""

import contextlib
import json
import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import time
from types import TracebackType
from typing import Final, Self

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.port import Question, RetrieverReply
from goldwright.retrieval.connections.replies import parse_reply, read_reply
from goldwright.text import make_visible, shorten

LONGEST_REPLY: Final = 64 << 20
_CHUNK: Final = 1 << 16
_PATIENCE_AT_END: Final = 2.0


class ProcessConnection:
    """Starts the command once, and asks it by ``{"query_id", "query", "limit"}``, one JSON object a
    line.

    Each line that it writes is the reply to one question, in their order; what it writes to stderr
    is kept for the message when it dies.
    """

    def __init__(self, command: str, *, seconds: float) -> None:
        """Start the process, without a shell.

        Raises:
            InputError: There is no such command.
        """
        if not command.strip():
            raise InputError("cmd:: wanted cmd:COMMAND")
        self._name = f"cmd:{shorten(make_visible(command), 60)}"
        self._seconds = seconds
        self._rest = b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the connection
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the command is the user's own
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._errors.close()
            raise InputError(f"{self._name}: cannot be started: {error}") from error

    def ask(self, question: Question) -> RetrieverReply:
        """Write one line and read one."""
        asked = {"query_id": question.query_id, "query": question.text, "limit": question.limit}
        stdin = self._process.stdin
        if stdin is None:
            raise RetrieverError(f"{self._name}: has no stdin")
        self._check_silent()
        try:
            stdin.write(json.dumps(asked).encode("ascii") + b"\n")
            stdin.flush()
        except OSError as error:
            raise self._died() from error
        line = self._line()
        return read_reply(parse_reply(line, source=self._name), limit=question.limit)

    def _check_silent(self) -> None:
        """Refuse what was written without a question; it would be taken for the reply to another
        one.
        """
        stdout = self._process.stdout
        if stdout is not None and not self._rest:
            with selectors.DefaultSelector() as selector:
                selector.register(stdout, selectors.EVENT_READ)
                self._rest = os.read(stdout.fileno(), _CHUNK) if selector.select(0) else b""
        if self._rest:
            said = shorten(make_visible(self._rest.decode("utf-8", "replace").strip()), 80)
            raise InputError(
                f"{self._name}: wrote a line that answers no question: {said}; logs belong on stderr"
            )

    def _line(self) -> bytes:
        stdout = self._process.stdout
        if stdout is None:
            raise RetrieverError(f"{self._name}: has no stdout")
        until = time.monotonic() + self._seconds
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not selector.select(max(until - time.monotonic(), 0)):
                    raise RetrieverError(f"{self._name}: no reply within {self._seconds:g} seconds")
                data = os.read(stdout.fileno(), _CHUNK)
                if not data:
                    raise self._died()
                self._rest += data
                if len(self._rest) > LONGEST_REPLY:
                    raise InputError(f"{self._name}: a reply of over {LONGEST_REPLY} bytes")
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _died(self) -> RetrieverError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE_AT_END)
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        last = f": {shorten(make_visible(said[-1]), 200)}" if said else ""
        return RetrieverError(f"{self._name}: ended with exit code {self._process.poll()}{last}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE_AT_END if error is None else 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()
