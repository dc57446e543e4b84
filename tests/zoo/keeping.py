"""Starting a program on a specimen, and seeing what it leaves behind."""

import contextlib
import ctypes
import os
import pty
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zoo.specimen import Place, Specimen, Start, Stream

# Of processors, for the program and all that it starts: others may use the machine, too.
MOST_CPU_SECONDS: Final = 15.0
# By the clock, for a program that waits.
LONGEST_SECONDS: Final = 60.0
# What a killed program's children get to notice it.
GRACE_SECONDS: Final = 3.0
POLL_SECONDS: Final = 0.02
# A program that reads what never ends must not take the machine with it.
LIMITS: Final = {"AS": 6 << 30, "CORE": 0}
MOST_OUTPUT_BYTES: Final = 4_000_000
PR_SET_CHILD_SUBREAPER: Final = 36


@dataclass(frozen=True)
class Ended:
    """How a program ended.

    Attributes:
        exit_code: Negative for the number of the signal it died of; None where it was killed for
            taking too long.
        out: What it wrote to standard output.
        errors: What it wrote to standard error.
        seconds: How long it took by the clock.
        cpu_seconds: What it and its processes took of processors.
        orphans: What still ran after it: a line of each process.
    """

    exit_code: int | None
    out: str
    errors: str
    seconds: float
    cpu_seconds: float
    orphans: tuple[str, ...]


def adopt_orphans() -> None:
    """Become the parent of what a program leaves behind, so that it can be found and ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def fill_in(text: str, place: Place) -> str:
    """Put the directories of a place where their names stand in braces."""
    for name in ("root", "code", "desk", "cache"):
        text = text.replace(f"{{{name}}}", str(getattr(place, name)))
    return text


def run_on(
    specimen: Specimen,
    place: Place,
    command: Sequence[str],
    *,
    variables: Mapping[str, str],
    kill_after: float | None = None,
    longest: float = LONGEST_SECONDS,
) -> Ended:
    """Start a program on a specimen and wait until it has ended.

    The process must be one that adopted orphans, and have no other children.

    Args:
        specimen: The specimen, which says how it is started.
        place: Where it was made.
        command: The program; the arguments of the specimen come after it.
        variables: Its environment.
        kill_after: Seconds after which it is killed on purpose.
        longest: Seconds after which it is killed for not ending.
    """
    arguments = [fill_in(argument, place) for argument in specimen.arguments]
    environment = _environment(variables, specimen.start, place)
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as open_files:
        out = _stream(specimen.start.out, Path(directory) / "out", open_files)
        errors = _stream(specimen.start.errors, Path(directory) / "errors", open_files)
        begun, used = time.monotonic(), _children_cpu_seconds()
        process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            env=environment,
            preexec_fn=_preparation(specimen.start, place),  # noqa: PLW1509  # no threads here
            start_new_session=True,
        )
        exit_code = _wait(process, kill_after, longest)
        seconds = time.monotonic() - begun
        orphans = _end_orphans()
        return Ended(
            exit_code,
            _read(Path(directory) / "out"),
            _read(Path(directory) / "errors"),
            seconds,
            _children_cpu_seconds() - used,
            orphans,
        )


def _environment(variables: Mapping[str, str], start: Start, place: Place) -> dict[str, str]:
    environment = dict(variables)
    for name, value in start.variables.items():
        if value:
            environment[name] = fill_in(value, place)
        else:
            environment.pop(name, None)
    return environment


def _stream(kind: Stream, path: Path, open_files: contextlib.ExitStack) -> int:
    """Open what a stream of the program leads to; a closed one is closed in the child."""
    if kind == "gone":
        reading, writing = os.pipe()
        os.close(reading)
    elif kind == "terminal":
        reading, writing = pty.openpty()
        open_files.callback(_drain, reading, path)
    else:
        target = "/dev/full" if kind == "full" else path
        writing = os.open(target, os.O_WRONLY | os.O_CREAT, 0o600)
    open_files.callback(os.close, writing)
    return writing


def _drain(terminal: int, path: Path) -> None:
    os.set_blocking(terminal, False)
    with contextlib.suppress(OSError):
        path.write_bytes(os.read(terminal, MOST_OUTPUT_BYTES))
    os.close(terminal)


def _preparation(start: Start, place: Place) -> Callable[[], None]:
    """Prepare the child before it becomes the program."""

    def prepare() -> None:
        for number, kind in ((1, start.out), (2, start.errors)):
            if kind == "closed":
                os.close(number)
        if not start.has_input:
            os.close(0)
        os.umask(start.umask)
        if start.directory == "deleted":
            directory = tempfile.mkdtemp()
            os.chdir(directory)
            Path(directory).rmdir()
        else:
            os.chdir(fill_in(start.directory, place))
        for name, limit in {**LIMITS, **start.limits}.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))

    return prepare


def _wait(
    process: "subprocess.Popen[bytes]", kill_after: float | None, longest: float
) -> int | None:
    try:
        return process.wait(timeout=kill_after or longest)
    except subprocess.TimeoutExpired:
        # The program alone, as when memory runs out: what it started must notice by itself.
        process.kill()
        code = process.wait()
        return code if kill_after else None


def _children_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _end_orphans() -> tuple[str, ...]:
    """Wait for adopted processes; give and end those that go on."""
    deadline = time.monotonic() + GRACE_SECONDS
    while (children := _living_children()) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    for process in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    _reap()
    return tuple(children.values())


def _living_children() -> dict[int, str]:
    """Give the processes of which this one is the parent, each with its command line."""
    _reap()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    lines: dict[int, str] = {}
    for child in children:
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ")
            lines[int(child)] = words.decode(errors="replace").strip()
    return lines


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _read(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return file.read(MOST_OUTPUT_BYTES).decode(errors="backslashreplace")
