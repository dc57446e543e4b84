"""Starting the program often: every start is a process of its own, forked off one that has read the
program already.

What differs from a process that a shell starts: it is forked, so it does not read its modules, and
all of them share one hash seed. Journeys that are about either start ``python -m goldwright``.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from goldwright.cli import main
from goldwright.cli.catalog import COMMANDS, module_name
from goldwright.llm.catalog import APIS

PATIENCE_SECONDS: Final = 600
_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        *(f"goldwright.cli.{module_name(name)}" for name in COMMANDS),
        *(module for module, _ in APIS.values()),
        "goldwright.web.server",
    ]
)


class Started:
    """The program, at work; what it prints goes to files that can be read while it runs."""

    def __init__(self, *arguments: object, cwd: Path, environment: Mapping[str, str]) -> None:
        self._arguments = [str(one) for one in arguments]
        self._files = tempfile.TemporaryDirectory()
        where = Path(self._files.name)
        self._out, self._errors = where / "out", where / "errors"
        given = (self._arguments, str(cwd), dict(environment), str(self._out), str(self._errors))
        self._process = _FORKS.Process(target=_play, args=given)
        self._process.start()

    def first_line(self) -> str:
        """The first whole line of stdout, or nothing where the program ended without one."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            ended = not self._process.is_alive()
            line, end, _ = _read(self._out).partition("\n")
            if end or ended:
                return line
            time.sleep(0.01)
        raise AssertionError("it neither speaks nor ends")

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, if it still runs."""
        if self._process.is_alive() and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def wait(self) -> "subprocess.CompletedProcess[str]":
        """Wait for its end."""
        self._process.join(PATIENCE_SECONDS)
        code = self._process.exitcode
        if code is None:
            self._process.kill()
            raise AssertionError(f"goldwright {' '.join(self._arguments)}: does not end")
        done = subprocess.CompletedProcess(
            self._arguments, code, _read(self._out), _read(self._errors)
        )
        self._files.cleanup()
        return done

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.join()


def call(
    *arguments: object, cwd: Path, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run the program to its end."""
    return Started(*arguments, cwd=cwd, environment=environment).wait()


def _play(
    arguments: list[str], cwd: str, environment: dict[str, str], out: str, errors: str
) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, path in ((1, out), (2, errors)):
        os.dup2(os.open(path, flags, 0o600), number)
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [""]
    main(arguments)


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""
