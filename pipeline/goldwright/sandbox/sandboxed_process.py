"""Running a command in a layer: bounded in time and output, ended with all that it started."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from time import monotonic
from typing import IO

from goldwright.sandbox.commands import SandboxCommand, SandboxResult
from goldwright.sandbox.layers import ENVIRONMENT, Layer

# How often the parent looks whether the scratch directory grew beyond its limit.
_WATCH_SECONDS = 0.05
_READ_BYTES = 1 << 16
# The unit of `st_blocks`, whatever the file system.
_BLOCK_BYTES = 512
# What an empty file or directory is counted as: it takes its place in the file system, too.
_LEAST_BYTES = 4096
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
    directory = Path(mkdtemp(prefix="goldwright-sandbox-")).resolve()
    try:
        process = SandboxProcess(layer, command, directory)
        try:
            yield process
        finally:
            process.kill()
    finally:
        _remove(directory)


class SandboxProcess:
    """A command that runs in a sandbox."""

    def __init__(self, layer: Layer, command: SandboxCommand, directory: Path) -> None:
        """Start it in an empty directory of its own."""
        self._limits = command.limits
        self._watched = None if layer.has_own_files or not command.scratch else directory
        self._started = monotonic()
        environment = {**ENVIRONMENT, "HOME": str(directory), **command.environment}
        argv = layer.argv_of(command, directory)
        inherited = tuple(command.inherited)
        self._process = subprocess.Popen(  # noqa: S603  # the layer decides what it may do
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environment,
            pass_fds=inherited,
            start_new_session=True,
        )
        self._output = _PipeReader(self._process.stdout, self._limits.output_bytes)
        self._errors = _PipeReader(self._process.stderr, self._limits.output_bytes)

    def wait(self) -> SandboxResult:
        """Wait for the end, or kill the command when its time or its room is over."""
        is_over_limit = self._watch()
        self.kill()
        exit_code = self._process.wait()
        stdout = self._output.text()
        stderr = self._errors.text()
        seconds = monotonic() - self._started
        is_truncated = self._output.is_truncated or self._errors.is_truncated
        return SandboxResult(
            exit_code=exit_code,
            stdout=stdout,
            stderr=stderr,
            seconds=seconds,
            is_timed_out=is_over_limit,
            is_truncated=is_truncated,
        )

    def _watch(self) -> bool:
        deadline = self._started + self._limits.wall_seconds
        while (seconds_left := deadline - monotonic()) > 0:
            if self._ended_within(
                min(seconds_left, _WATCH_SECONDS) if self._watched else seconds_left
            ):
                return False
            if self._watched and _is_larger(self._watched, self._limits.file_bytes):
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


def _is_larger(directory: Path, limit: int) -> bool:
    """Tell whether all that lies below a directory takes more bytes than a limit.

    What can not be looked into, because it is too deep or closed to its owner, is taken for more.
    """
    total = 0
    unread = [directory]
    while unread:
        place = unread.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    blocks = entry.stat(follow_symlinks=False).st_blocks
                    total += max(_LEAST_BYTES, blocks * _BLOCK_BYTES)
                    if entry.is_dir(follow_symlinks=False):
                        unread.append(place / entry.name)
                    if total > limit:
                        return True
        except FileNotFoundError:
            # It was removed meanwhile.
            continue
        except OSError:
            return True
    return False


def _remove(directory: Path) -> None:
    """Remove a directory and all below it, however deep.

    A directory within another one is first moved to the top: so no path gets long, and nothing
    calls itself.
    """
    unread, moved = [directory], 0
    while unread:
        place = unread.pop()
        with suppress(OSError):
            # One that was made without rights to read it is ours all the same.
            place.chmod(0o700)
            with os.scandir(place) as listing:
                entries = list(listing)
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    moved += 1
                    top = directory / f".{moved}-{token_hex(4)}"
                    Path(entry.path).rename(top)
                    unread.append(top)
                else:
                    Path(entry.path).unlink()
            if place != directory:
                place.rmdir()
    with suppress(OSError):
        directory.rmdir()
