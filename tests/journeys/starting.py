"""Starting the program often: every start is a process of its own, forked off one that has read the
program already.

What differs from a process that a shell starts: it is forked, so it does not read its modules, and
all of them share one hash seed. Journeys that are about either start ``python -m goldwright``.
"""

import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final, Self

from journeys.faulty_disk import DiskFault
from journeys.fork_server import ProgramStart

# A start takes a second; only a machine that is very busy with something else needs more.
PATIENCE_SECONDS: Final = 600.0
POLL_SECONDS: Final = 0.01
SOCKET_NAME: Final = "socket"
LOG_NAME: Final = "log.txt"
TESTS: Final = Path(__file__).resolve().parents[1]


class Started:
    """The program, at work; what it prints goes to files that can be read while it runs."""

    fork_server: ClassVar[Path | None] = None
    """The directory of the server that the program is forked off."""

    def __init__(
        self,
        *arguments: object,
        cwd: Path,
        environment: Mapping[str, str],
        killed_at: int = 0,
        surroundings: str = "",
        fault: DiskFault | None = None,
        program: str = "goldwright",
        before: str = "",
    ) -> None:
        if self.fork_server is None:
            raise RuntimeError("no fork server was started")
        self._files = tempfile.TemporaryDirectory()
        self._out = Path(self._files.name) / "out"
        self._errors = Path(self._files.name) / "errors"
        self._start = ProgramStart(
            tuple(map(str, arguments)),
            str(cwd),
            dict(environment),
            str(self._out),
            str(self._errors),
            killed_at,
            surroundings,
            fault,
            program,
            before,
        )
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(str(self.fork_server / SOCKET_NAME))
        self._connection.sendall(self._start.as_line())
        # What the server says: the process id, and at the end the exit code.
        self._lines = b""
        while b"\n" not in self._lines:
            self._listen()
        self._process = int(self._lines.split(b"\n")[0])

    def first_line(self) -> str:
        """The first whole line of stdout, or nothing where the program ended without one."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            has_ended = self._ends_within(POLL_SECONDS)
            line, newline, _ = _read(self._out).partition("\n")
            if newline or has_ended:
                return line
        raise AssertionError("it neither speaks nor ends")

    def printed(self) -> str:
        """What it has printed to stdout so far."""
        return _read(self._out)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, if it still runs."""
        if not self._ends_within(0):
            os.kill(self._process, number)

    def wait(self) -> "subprocess.CompletedProcess[str]":
        """Wait for its end."""
        arguments = list(self._start.arguments)
        if not self._ends_within(PATIENCE_SECONDS):
            self.send_signal(signal.SIGKILL)
            raise AssertionError(f"{self._start.program} {' '.join(arguments)}: does not end")
        code = int(self._lines.split(b"\n")[1])
        out, errors = _read(self._out), _read(self._errors)
        self._close()
        return subprocess.CompletedProcess(arguments, code, out, errors)

    def _ends_within(self, seconds: float) -> bool:
        """Listen until the exit code is there, or so many seconds without a word have passed."""
        while self._lines.count(b"\n") < 2:
            readable, _, _ = select.select([self._connection], [], [], seconds)
            if not readable:
                return False
            self._listen()
        return True

    def _listen(self) -> None:
        words = self._connection.recv(64)
        if not words:
            raise RuntimeError("the fork server hung up")
        self._lines += words

    def _close(self) -> None:
        self._connection.close()
        self._files.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.send_signal(signal.SIGKILL)
        self._ends_within(PATIENCE_SECONDS)
        self._close()


def call(
    *arguments: object,
    cwd: Path,
    environment: Mapping[str, str],
    killed_at: int = 0,
    surroundings: str = "",
    fault: DiskFault | None = None,
    program: str = "goldwright",
    before: str = "",
) -> "subprocess.CompletedProcess[str]":
    """Run the program to its end, or to the write at which it is killed."""
    started = Started(
        *arguments,
        cwd=cwd,
        environment=environment,
        killed_at=killed_at,
        surroundings=surroundings,
        fault=fault,
        program=program,
        before=before,
    )
    return started.wait()


def start_fork_server(directory: Path, session: int) -> None:
    """Start a fork server, and wait until it listens.

    Args:
        directory: Where its socket and its log are to be; an empty one.
        session: The process whose end is the server's.
    """
    paths = [str(TESTS), os.environ.get("PYTHONPATH", "")]
    log = directory / LOG_NAME
    with log.open("wb") as file:
        result = subprocess.run(
            [sys.executable, "-m", "journeys.fork_server", directory / SOCKET_NAME, str(session)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            check=False,
        )
    if result.returncode:
        raise RuntimeError(_read(log))


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""
