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
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import IO, Final, Self

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.replies import parse_reply, read_reply
from goldwright.text import in_seconds, make_visible, shorten

# 64 MiB; a longer line is refused before it fills the memory.
LONGEST_REPLY: Final = 64 << 20
# The capacity of a pipe on Linux: no read returns more.
_READ_SIZE: Final = 1 << 16
# Seconds for a process to end by itself before it is killed.
PATIENCE_AT_END: Final = 2.0
_LONGEST_NAME: Final = 60
_LONGEST_STRAY_LINE: Final = 80
# Most who wait for the end of their input, or keep their output in a buffer, wait for ever.
_WHAT_IS_WANTED: Final = (
    "each line on its standard input is a question, to be answered at once by one line of JSON, "
    "flushed; the input ends after the last"
)
_LONGEST_ERROR: Final = 200


class LineProcess:
    """A process that answers lines of JSON with lines of JSON, in their order."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        name: str,
        stderr: IO[bytes] | None = None,
    ) -> None:
        """Start the process, without a shell.

        Args:
            arguments: The command and its arguments.
            name: What messages call it.
            stderr: Keeps what it writes to stderr, for the message if it dies; None to let it
                through.

        Raises:
            InputError: There is no such command.
        """
        self._name = name
        # What was read behind the last reply.
        self._unread = b""
        self._stderr = stderr
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the command is the user's own
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise InputError(f"{name}: cannot be started: {error}") from error

    def exchange(self, fields: Mapping[str, object], *, seconds: float | None) -> object:
        """Write one line and read one.

        Args:
            fields: What the line says.
            seconds: How long the reply may take; None for any time.

        Raises:
            InputError: It wrote what no line asked for, or no JSON.
            RetrieverError: It died, or does not answer in time.
        """
        self._refuse_stray_lines()
        # ASCII escapes, so that no encoding of the process can garble a question.
        line = json.dumps(fields) + "\n"
        stdin = _opened(self._process.stdin)
        try:
            stdin.write(line.encode("ascii"))
            stdin.flush()
        except OSError as error:
            raise self._death() from error
        return parse_reply(self._read_line(seconds), source=self._name)

    def close(self, *, patience: float) -> None:
        """End the process with all its children, after some seconds to end by itself."""
        # The end of its input tells a well-behaved process to end.
        with contextlib.suppress(OSError):
            _opened(self._process.stdin).close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        # The group, and not the process alone, so that none of its children stays behind.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        _opened(self._process.stdout).close()

    def _refuse_stray_lines(self) -> None:
        """Refuse output that no question asked for: it would become the reply to the next one."""
        if not self._unread and self._is_readable(0):
            self._unread = self._read_chunk()
        if self._unread:
            text = self._unread.decode("utf-8", "replace").strip()
            excerpt = shorten(make_visible(text), _LONGEST_STRAY_LINE)
            raise InputError(
                f"{self._name}: wrote a line that answers no question: {excerpt}; "
                "logs belong on stderr"
            )

    def _read_line(self, seconds: float | None) -> bytes:
        deadline = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._unread:
            remaining = None
            if deadline is not None:
                remaining = max(deadline - time.monotonic(), 0)
            if not self._is_readable(remaining) and seconds is not None:
                time_allowed = in_seconds(seconds)
                raise RetrieverError(
                    f"{self._name}: no reply within {time_allowed}; {_WHAT_IS_WANTED}"
                )
            chunk = self._read_chunk()
            if not chunk:
                raise self._death()
            self._unread += chunk
            if len(self._unread) > LONGEST_REPLY:
                raise InputError(f"{self._name}: a reply of over {LONGEST_REPLY} bytes")
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _is_readable(self, seconds: float | None) -> bool:
        """Wait this long at most, or for any time, for output or for the end of output."""
        stdout = _opened(self._process.stdout)
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            return bool(selector.select(seconds))

    def _read_chunk(self) -> bytes:
        stdout = _opened(self._process.stdout)
        return os.read(stdout.fileno(), _READ_SIZE)

    def _death(self) -> RetrieverError:
        """Make the error for a process that ended, with the last line of its stderr."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE_AT_END)
        exit_code = self._process.poll()
        last_line = self._last_line()
        return RetrieverError(f"{self._name}: ended with exit code {exit_code}{last_line}")

    def _last_line(self) -> str:
        if self._stderr is None:
            return ""
        self._stderr.seek(0)
        complaints = self._stderr.read().decode("utf-8", "replace")
        lines = complaints.strip().splitlines()
        if not lines:
            return ""
        last_line = shorten(make_visible(lines[-1]), _LONGEST_ERROR)
        return f": {last_line}"


class ProcessConnection:
    """Starts a command once and writes it one JSON object per line for each question.

    Each line that it writes is the reply to one question, in their order. What it writes to stderr
    is kept for the message if it dies.
    """

    def __init__(self, command: str, *, seconds: float) -> None:
        """Start the process, without a shell.

        Raises:
            InputError: There is no such command.
        """
        if not command.strip():
            raise InputError("cmd:: wanted cmd:COMMAND")
        shown_command = shorten(make_visible(command), _LONGEST_NAME)
        name = f"cmd:{shown_command}"
        self._seconds = seconds
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise InputError(f"{name}: cannot be started: {error}") from error
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the connection
        try:
            self._process = LineProcess(arguments, name=name, stderr=self._stderr)
        except InputError:
            self._stderr.close()
            raise

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Write one line and read one."""
        reply = self._process.exchange(question.json_fields(), seconds=self._seconds)
        return read_reply(reply, limit=question.limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.close(patience=PATIENCE_AT_END if error is None else 0)
        self._stderr.close()


def _opened(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe of the process, which always has one for stdin and for stdout."""
    if pipe is None:
        raise RetrieverError("the process has no pipe")
    return pipe
