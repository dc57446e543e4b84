"""A process that has read the program, and forks off a copy of itself for each start.

    python -m journeys.fork_server SOCKET SESSION_PID

It listens on a Unix socket; a connection is one start: a line of JSON comes in, and out go two
lines, the process id at once and the exit code at the end (negative: the number of the signal).
The command ends when the server listens; the server goes on until there is no process SESSION_PID
any more, and takes with it what it has forked.
"""

import gc
import itertools
import json
import os
import signal
import socket
import ssl
import stat
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final, NoReturn, Self

import pytest

import goldwright
from goldwright.__main__ import main
from journeys.faulty_disk import DiskFault, FaultyDisk
from journeys.terminal_faults import FAULTS
from journeys.warm_up import warm_up

SECONDS_BETWEEN_LOOKS: Final = 1.0
PROGRAMS: Final[Mapping[str, Callable[[], int | None]]] = {
    "goldwright": main,
    "pytest": pytest.console_main,
}


@dataclass(frozen=True)
class ProgramStart:
    """What a forked process needs to become the program.

    Attributes:
        arguments: Those of the command line.
        directory: Where it works.
        environment: All of its environment.
        out: The file that its stdout goes to.
        errors: The file that its stderr goes to.
        killed_at: The write to a file at which it is killed, from 1, or 0 to let it live.
        surroundings: The name of what is wrong around it; empty where nothing is.
        fault: What its disk does wrong.
        program: What it becomes: one of ``PROGRAMS``.
        before: Python that is run first.
    """

    arguments: tuple[str, ...]
    directory: str
    environment: Mapping[str, str]
    out: str
    errors: str
    killed_at: int
    surroundings: str = ""
    fault: DiskFault | None = None
    program: str = "goldwright"
    before: str = ""

    def as_line(self) -> bytes:
        """Write it as one line."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Self:
        """Read what ``as_line`` wrote."""
        fields = json.loads(line)
        fault = fields.pop("fault")
        return cls(**fields, fault=DiskFault(**fault) if fault else None)


def serve_in_background(path: Path, session: int) -> None:
    """Listen, and serve in a process that no terminal can interrupt."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        if os.fork() == 0:
            os.setsid()
            serve(listener, session)
            os.killpg(0, signal.SIGKILL)


def serve(listener: socket.socket, session: int) -> None:
    """Fork a process for each connection until the session is over."""
    listener.settimeout(SECONDS_BETWEEN_LOOKS)
    while _is_alive(session):
        _reap()
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        with connection:
            if os.fork() == 0:
                listener.close()
                _look_after(connection)


def read_program() -> None:
    """Import what commands import, sooner or later, and do once what each would do again."""
    for module in walk_packages(goldwright.__path__, "goldwright."):
        import_module(module.name)
    # Loopback speaks no TLS, and each client of each start would read all certificates: a sixth of
    # what a live run takes.
    ssl.SSLContext.load_verify_locations = lambda *_, **__: None  # type: ignore[method-assign]
    warm_up()
    gc.collect()
    # Collections in the copies would touch, and so copy, every page of the program; and so would
    # counting what is kept from them, with which each run begins: a tenth of what it takes.
    gc.freeze()
    gc.get_freeze_count = lambda: 1


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _reap() -> None:
    """Take leave of the processes that have looked after a start to its end."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _look_after(connection: socket.socket) -> NoReturn:
    """Start the program and tell how it ends."""
    connection.settimeout(None)
    with connection.makefile("rb") as lines:
        start = ProgramStart.from_line(lines.readline())
    process = os.fork()
    if process == 0:
        connection.close()
        _become_program(start)
    # Nobody listens any more where a test has ended early.
    with suppress(BrokenPipeError):
        connection.sendall(b"%d\n" % process)
        _, status = os.waitpid(process, 0)
        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become_program(start: ProgramStart) -> NoReturn:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, path in ((1, start.out), (2, start.errors)):
        os.dup2(os.open(path, flags, 0o600), number)
    os.chdir(start.directory)
    os.environ.clear()
    os.environ.update(start.environment)
    # As with ``python -m goldwright``.
    sys.path[:0] = [""]
    if start.killed_at:
        _die_in_write(start.killed_at)
    if start.surroundings:
        FAULTS[start.surroundings].apply()
    _open_streams()
    disk = FaultyDisk(start.fault or DiskFault(root=start.directory))
    if start.fault:
        disk.install()
    code = _run_program(start)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    disk.report()
    os._exit(code)


def _run_program(start: ProgramStart) -> int:
    """Run it as the interpreter does; gives its exit code."""
    sys.argv = [start.program, *start.arguments]
    exec(start.before, {"__name__": "__main__"})  # noqa: S102  # written by a test
    try:
        sys.exit(PROGRAMS[start.program]())
    except SystemExit as end:
        if end.code is None:
            return 0
        return end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001  # as the interpreter does it
        traceback.print_exc()
        return 1


def _open_streams() -> None:
    """Make the streams as a new interpreter does; one that is closed has no object."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            stream = open(number, mode, closefd=False)  # noqa: SIM115  # lives as long as we do
        except OSError:
            stream = None
        setattr(sys, name, stream)


def _die_in_write(number: int) -> None:
    """Have this process killed half-way through its N-th write to a file."""
    write_whole = os.write
    writes = itertools.count(1)

    def write(descriptor: int, data: bytes) -> int:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        if is_file and next(writes) == number:
            write_whole(descriptor, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return write_whole(descriptor, data)

    os.write = write  # type: ignore[assignment]  # our files are written as bytes


if __name__ == "__main__":
    read_program()
    serve_in_background(Path(sys.argv[1]), int(sys.argv[2]))
