"""Starting git so that nothing runs but git itself.

The environment is written anew for every process, no configuration but our own is read, and every
process leads a group that is killed as a whole. Only ``read_source`` may look at somebody else's
repository, and only by the file protocol; everything else works on a mirror of ours, where no
protocol is allowed.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from goldwright.errors import DamagedStateError, InputError
from goldwright.text import make_visible, shorten

OLDEST_GIT: Final = (2, 30)
Process = subprocess.Popen[bytes]

_VERSION: Final = re.compile(rb"git version (\d+)\.(\d+)")
_QUIET: Final = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
)
_FIXED: Final[Mapping[str, str]] = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "/bin/false",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "/bin/false",
    "GIT_LITERAL_PATHSPECS": "1",
}


class GitError(DamagedStateError):
    """Git ended with an error; ``complaint`` is what it wrote to stderr."""

    def __init__(self, place: Path, complaint: str) -> None:
        super().__init__(f"{make_visible(str(place))}: git failed: {first_complaint(complaint)}")
        self.complaint = complaint


def first_complaint(complaint: str) -> str:
    """Choose the line of git's stderr that says most, short enough for a message."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return shorten(make_visible((telling or lines or ["no reason given"])[0]), 90)


@contextmanager
def on_mirror(
    mirror: Path, arguments: Sequence[str], *, reads_stdin: bool = False
) -> Iterator[Process]:
    """Run a plumbing command on a mirror; whatever is left of it at the end is killed.

    Yields:
        The process, with pipes at its stdout and, if it ``reads_stdin``, at its stdin.
    """
    process = start_on_mirror(mirror, arguments, reads_stdin=reads_stdin)
    try:
        yield process
    finally:
        end(process)


def start_on_mirror(
    mirror: Path, arguments: Sequence[str], *, reads_stdin: bool = False
) -> Process:
    """Start a plumbing command on a mirror; the caller ends it."""
    if not mirror.is_dir():
        raise DamagedStateError(
            f"{mirror}: the mirror of the codebase is gone; open the codebase again"
        )
    return subprocess.Popen(  # noqa: S603  # no shell; arguments of ours and object ids only
        [git_executable(), *_QUIET, "--no-pager", f"--git-dir={mirror}", *arguments],
        stdin=subprocess.PIPE if reads_stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(mirror, config="/dev/null", protocols="none"),
        cwd=mirror,
        start_new_session=True,
    )


def ask_mirror(
    mirror: Path, arguments: Sequence[str], *, stdin: bytes = b"", seconds: float = 30
) -> bytes:
    """Run a plumbing command on a mirror to its end and return its output.

    Raises:
        GitError: It failed.
        InputError: It took longer than ``seconds``.
    """
    environment = _environment(mirror, config="/dev/null", protocols="none")
    return _finish(
        [f"--git-dir={mirror}", *arguments], environment, place=mirror, stdin=stdin, seconds=seconds
    )


def read_source(arguments: Sequence[str], *, source: Path, home: Path, seconds: float) -> bytes:
    """Run clone or fetch, the only commands that see the source; ``home`` is a directory of ours.

    Raises:
        GitError: It failed.
        InputError: It took longer than ``seconds``.
    """
    config = home / "source.gitconfig"
    config.write_text(_trust(source), encoding="utf-8", errors="surrogateescape")
    environment = _environment(home, config=str(config), protocols="file")
    return _finish(arguments, environment, place=source, stdin=b"", seconds=seconds)


def end(process: Process) -> None:
    """Close the pipes of a process, kill its group and take its exit status."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    if process.poll() is None:
        _kill(process)
    process.wait()


def git_executable() -> str:
    """Find git on the search path, in absolute directories only.

    Raises:
        InputError: There is none, or it is older than 2.30.
    """
    places = [
        place
        for place in os.environ.get("PATH", os.defpath).split(os.pathsep)
        if place.startswith("/")
    ]
    found = shutil.which("git", path=os.pathsep.join(places))
    if found is None:
        raise InputError("git was not found on PATH; install git 2.30 or newer")
    version = _version(found)
    if version < OLDEST_GIT:
        raise InputError(f"{found}: is git {version[0]}.{version[1]}; install git 2.30 or newer")
    return found


@lru_cache
def _version(executable: str) -> tuple[int, int]:
    try:
        done = subprocess.run(  # noqa: S603  # no shell
            [executable, "version"],
            capture_output=True,
            check=False,
            timeout=10,
            env={"LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{executable}: cannot be run; install git 2.30 or newer") from error
    match = _VERSION.match(done.stdout)
    if match is None:
        raise InputError(f"{executable}: does not say its version; install git 2.30 or newer")
    return int(match[1]), int(match[2])


def _finish(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    place: Path,
    stdin: bytes,
    seconds: float,
) -> bytes:
    process = subprocess.Popen(  # noqa: S603  # no shell; arguments of ours, checked revisions and paths after --
        [git_executable(), *_QUIET, "--no-pager", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=environment["HOME"],
        start_new_session=True,
    )
    try:
        output, complaint = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{make_visible(str(place))}: git took over {seconds:.0f} s") from error
    finally:
        if process.poll() is None:
            _kill(process)
            process.communicate()
    if process.returncode != 0:
        raise GitError(place, complaint.decode("utf-8", "replace"))
    return output


def _environment(home: Path, *, config: str, protocols: str) -> dict[str, str]:
    return {
        **_FIXED,
        "PATH": f"{Path(git_executable()).parent}:/usr/bin:/bin",
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": config,
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_CEILING_DIRECTORIES": str(home.parent),
    }


def _trust(source: Path) -> str:
    """Write the configuration that upload-pack sees, where ``-c`` does not reach: any owner is
    fine, haste is good.
    """
    speed = ["[pack]", "\twindow = 0", "\tcompression = 1", "[core]", "\tcompression = 1"]
    lines = [*speed, "[safe]", "\tbareRepository = explicit"]
    for place in (source, source / ".git"):
        escaped = (
            str(place)
            .replace("\\", "\\\\")
            .replace('"', '\\"')
            .replace("\n", "\\n")
            .replace("\t", "\\t")
        )
        lines.append(f'\tdirectory = "{escaped}"')
    return "\n".join(lines) + "\n"


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
