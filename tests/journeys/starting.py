"""Starting the program often: every start is a process of its own, forked off one that has read the
program already.

What differs from a process that a shell starts: it is forked, so it does not read its modules, and
all of them share one hash seed. Journeys that are about either start ``python -m goldwright``.
"""

import itertools
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from typing import Final, Self

import pytest

from goldwright.cli import main
from goldwright.cli.catalog import COMMAND_NAMES, module_name
from goldwright.llm.catalog import APIS

# A start takes a second; only a machine that is very busy with something else needs more.
PATIENCE_SECONDS: Final = 600
POLL_SECONDS: Final = 0.01
TESTS: Final = Path(__file__).resolve().parents[1]
_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        *(f"goldwright.cli.{module_name(name)}" for name in COMMAND_NAMES),
        *(module for module, _ in APIS.values()),
        "goldwright.web.server",
        "journeys.warm_up",
    ]
)


@dataclass(frozen=True)
class _Start:
    """What a forked process needs to become the program.

    Attributes:
        arguments: Those of the command line.
        cwd: Where it works.
        environment: All of its environment.
        out: The file that its stdout goes to.
        errors: The file that its stderr goes to.
        killed_at: The write to a file at which it is killed, from 1, or 0 to let it live.
    """

    arguments: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]
    out: Path
    errors: Path
    killed_at: int


class Started:
    """The program, at work; what it prints goes to files that can be read while it runs."""

    def __init__(
        self, *arguments: object, cwd: Path, environment: Mapping[str, str], killed_at: int = 0
    ) -> None:
        self._files = tempfile.TemporaryDirectory()
        directory = Path(self._files.name)
        words = tuple(str(argument) for argument in arguments)
        out, errors = directory / "out", directory / "errors"
        self._start = _Start(words, cwd, dict(environment), out, errors, killed_at)
        _ensure_forkserver()
        self._process = _FORKS.Process(target=_play, args=(self._start,))
        self._process.start()

    def first_line(self) -> str:
        """The first whole line of stdout, or nothing where the program ended without one."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            has_ended = not self._process.is_alive()
            line, newline, _ = _read(self._start.out).partition("\n")
            if newline or has_ended:
                return line
            time.sleep(POLL_SECONDS)
        raise AssertionError("it neither speaks nor ends")

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, if it still runs."""
        if self._process.is_alive() and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def wait(self) -> "subprocess.CompletedProcess[str]":
        """Wait for its end."""
        self._process.join(PATIENCE_SECONDS)
        code = self._process.exitcode
        arguments = list(self._start.arguments)
        if code is None:
            self._process.kill()
            raise AssertionError(f"goldwright {' '.join(arguments)}: does not end")
        out, errors = _read(self._start.out), _read(self._start.errors)
        self._files.cleanup()
        return subprocess.CompletedProcess(arguments, code, out, errors)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._process.join()


def call(
    *arguments: object, cwd: Path, environment: Mapping[str, str], killed_at: int = 0
) -> "subprocess.CompletedProcess[str]":
    """Run the program to its end, or to the write at which it is killed."""
    return Started(*arguments, cwd=cwd, environment=environment, killed_at=killed_at).wait()


def _ensure_forkserver() -> None:
    """Start the process that all are forked off, if there is none yet."""
    paths = [str(TESTS), os.environ.get("PYTHONPATH", "")]
    with pytest.MonkeyPatch.context() as patch:
        # Preloading passes over what it cannot import, without a word, and pytest's own path for
        # tests is not known there.
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        forkserver.ensure_running()


def _play(start: _Start) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, path in ((1, start.out), (2, start.errors)):
        os.dup2(os.open(path, flags, 0o600), number)
    # They live as long as the process.
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    os.chdir(start.cwd)
    os.environ.clear()
    os.environ.update(start.environment)
    sys.path[:0] = [""]
    if start.killed_at:
        _die_in_write(start.killed_at)
    main(list(start.arguments))


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


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""
