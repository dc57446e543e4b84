"""Running a command in a layer: bounded in time and output, ended with all that it started."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import IO

from goldwright.sandbox.commands import SandboxCommand, SandboxResult
from goldwright.sandbox.layers import ENVIRONMENT, Layer

# How often the parent looks whether the scratch directory grew beyond its limit.
_WATCH_SECONDS = 0.05
_READ_BYTES = 1 << 16
# The unit of `st_blocks`, whatever the file system.
_BLOCK_BYTES = 512
# A killed group's pipes close at once; one that some other process holds is not waited for.
_DRAIN_SECONDS = 1.0


def run(layer: Layer, command: SandboxCommand) -> SandboxResult:
    """Run a command to its end.

    Raises:
        OSError: The layer's program cannot be started.
    """
    with start(layer, command) as process:
        return process.wait()


@contextmanager
def start(layer: Layer, command: SandboxCommand) -> Iterator["SandboxProcess"]:
    """Start a command; at the end of the block it is killed, where it still runs.

    Raises:
        OSError: The layer's program cannot be started.
    """
    with TemporaryDirectory(prefix="goldwright-sandbox-") as name:
        directory = Path(name).resolve()
        process = SandboxProcess(layer, command, directory)
        try:
            yield process
        finally:
            process.kill()


class SandboxProcess:
    """A command that runs in a sandbox."""

    def __init__(self, layer: Layer, command: SandboxCommand, directory: Path) -> None:
        """Start it in an empty directory of its own."""
        self._limits = command.limits
        self._watched = None if layer.has_own_files or not command.scratch else directory
        self._started = monotonic()
        environment = {**ENVIRONMENT, "HOME": str(directory), **command.environment}
        self._process = subprocess.Popen(  # noqa: S603  # the layer decides what it may do
            layer.argv_of(command, directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environment,
            pass_fds=tuple(command.inherited),
            start_new_session=True,
        )
        self._output = _PipeReader(self._process.stdout, self._limits.output_bytes)
        self._errors = _PipeReader(self._process.stderr, self._limits.output_bytes)

    def wait(self) -> SandboxResult:
        """Wait for the end, or kill the command when its time or its room is over."""
        is_over_limit = self._watch()
        self.kill()
        return SandboxResult(
            exit_code=self._process.wait(),
            stdout=self._output.text(),
            stderr=self._errors.text(),
            seconds=monotonic() - self._started,
            is_timed_out=is_over_limit,
            is_truncated=self._output.is_truncated or self._errors.is_truncated,
        )

    def _watch(self) -> bool:
        deadline = self._started + self._limits.wall_seconds
        while (seconds_left := deadline - monotonic()) > 0:
            if self._ended_within(
                min(seconds_left, _WATCH_SECONDS) if self._watched else seconds_left
            ):
                return False
            if self._watched and _size(self._watched) > self._limits.file_bytes:
                return True
        return self._process.poll() is None

    def _ended_within(self, seconds: float) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            return True
        return False

    def kill(self) -> None:
        """End the command and everything in its group; what has ended already is left alone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class _PipeReader:
    """Reads a pipe to its end, so that nobody blocks, and keeps the beginning."""

    def __init__(self, pipe: IO[bytes] | None, limit: int) -> None:
        if pipe is None:
            raise ValueError("both streams of a command are pipes")
        self._pipe = pipe
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self.is_truncated = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        read_part = partial(os.read, self._pipe.fileno(), _READ_BYTES)
        with self._pipe:
            for part in iter(read_part, b""):
                room = max(0, self._limit - self._size)
                self._parts.append(part[:room])
                self._size += len(part[:room])
                self.is_truncated |= len(part) > room

    def text(self) -> bytes:
        self._thread.join(_DRAIN_SECONDS)
        return b"".join(self._parts)


def _size(directory: Path) -> int:
    """Return the bytes of all files below a directory, as far as they can be seen."""
    total = 0
    for place, _, names in os.walk(directory):
        for name in names:
            with suppress(OSError):
                total += (Path(place) / name).lstat().st_blocks * _BLOCK_BYTES
    return total
