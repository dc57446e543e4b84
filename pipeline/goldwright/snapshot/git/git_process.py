"""Starting git so that nothing runs but git itself.

The environment of every process is made from nothing, no configuration but our own is read, and
every process leads a group that is killed as one. Only ``read_source`` may look at somebody else's
repository, and only by the file protocol; everything else works on a mirror of ours, where no
protocol is allowed.
"""

import errno
import math
import os
import signal
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from goldwright.atomic_files import write_failure
from goldwright.errors import DamagedStateError, InputError
from goldwright.machine_limits import limit_error
from goldwright.snapshot.disposal import remove_entry
from goldwright.snapshot.git.git_executable import find_git
from goldwright.snapshot.git.idle_processes import IdleWatch
from goldwright.snapshot.orphan_watch import forget_group, watch_group
from goldwright.text import make_visible, shorten

Process = subprocess.Popen[bytes]

_SHORT_WRITE: Final = "Out of diskspace"
_LONGEST_COMPLAINT: Final = 90
# A git that slept at this many looks in a row, for 6 s, waits for a pipe or a device. Who waits for
# a slow disk does not sleep in this sense (see ``idle_processes``).
_LOOK_SECONDS: Final = 0.5
_MOST_IDLE_LOOKS: Final = 12
# Git begins when it is told to, after its group is watched: should we be killed before that, there
# is nobody to tell it. What works on a mirror ends by itself when we do, and does not wait.
_ON_GO: Final = ("/bin/sh", "-c", 'read -r go && exec "$@" </dev/null', "sh")
_GO: Final = b"go\n"
# Hooks, file monitors and maintenance would run programs or write to the mirror.
_QUIET: Final = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    "--no-pager",
)
_FIXED_VARIABLES: Final[Mapping[str, str]] = {
    # The same messages and dates everywhere.
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    # No settings of the machine.
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    # An object that is missing is not fetched from elsewhere.
    "GIT_NO_LAZY_FETCH": "1",
    # The history as it was committed, without what replaces parts of it.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    # Nobody is asked, and no program of the user is started.
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "/bin/false",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "/bin/false",
    # Reading does not refresh the index of a repository.
    "GIT_OPTIONAL_LOCKS": "0",
    # A star in a path is a star.
    "GIT_LITERAL_PATHSPECS": "1",
}

WAITS_FOR_EVER: Final = "fatal: it waits for ever, as for a pipe or a device among its files"
"""The complaint of a git that was ended because it waited."""


class GitError(DamagedStateError):
    """Git ended with an error, or was ended.

    Attributes:
        complaint: What it wrote to stderr.
        exit_status: Its exit code, or the negative number of the signal that ended it.
    """

    def __init__(self, place: Path, complaint: str, exit_status: int = -signal.SIGKILL) -> None:
        shown_place = make_visible(str(place))
        reason = first_complaint(complaint)
        super().__init__(f"{shown_place}: git failed: {reason}")
        self.complaint = complaint
        self.exit_status = exit_status


def first_complaint(complaint: str) -> str:
    """Choose the line of git's stderr that says most, short enough for a message."""
    chosen = ""
    for line in complaint.splitlines():
        stripped = line.strip()
        if stripped.startswith(("fatal:", "error:")):
            chosen = stripped
            break
        chosen = chosen or stripped
    return shorten(make_visible(chosen or "no reason given"), _LONGEST_COMPLAINT)


@contextmanager
def on_mirror(
    mirror: Path,
    arguments: Sequence[str],
    *,
    reads_stdin: bool = False,
    complains: bool = False,
) -> Iterator[Process]:
    """Run a plumbing command on a mirror; at the end it is killed if it still runs.

    Args:
        mirror: The mirror.
        arguments: The command.
        reads_stdin: Whether it gets a pipe at its stdin.
        complains: Whether it gets one at its stderr; to be read when it has ended.

    Yields:
        The process, with a pipe at its stdout.
    """
    process = start_on_mirror(mirror, arguments, reads_stdin=reads_stdin, complains=complains)
    try:
        yield process
    finally:
        end(process)


def start_on_mirror(
    mirror: Path,
    arguments: Sequence[str],
    *,
    reads_stdin: bool = False,
    complains: bool = False,
) -> Process:
    """Start a plumbing command on a mirror, as ``on_mirror`` does; the caller ends it.

    Raises:
        DamagedStateError: The mirror is gone.
    """
    if not mirror.is_dir():
        raise _gone(mirror)
    stdin = subprocess.PIPE if reads_stdin else subprocess.DEVNULL
    stderr = subprocess.PIPE if complains else subprocess.DEVNULL
    return _start(
        [f"--git-dir={mirror}", *arguments],
        environment=_mirror_environment(mirror),
        stdin=stdin,
        stderr=stderr,
    )


def ask_mirror(
    mirror: Path, arguments: Sequence[str], *, stdin: bytes = b"", seconds: float = 30
) -> bytes:
    """Run a plumbing command on a mirror to its end and return its output.

    Raises:
        GitError: It failed.
        InputError: It took longer than ``seconds``.
    """
    if not mirror.is_dir():
        raise _gone(mirror)
    return _run(
        [f"--git-dir={mirror}", *arguments],
        environment=_mirror_environment(mirror),
        place=mirror,
        stdin=stdin,
        seconds=seconds,
    )


def read_source(
    arguments: Sequence[str],
    *,
    source: Path,
    trusted: Iterable[Path],
    home: Path,
    seconds: float,
) -> bytes:
    """Run clone or fetch, the only commands that see the source; ``home`` is a directory of ours.

    Args:
        arguments: The command.
        source: The repository, for messages.
        trusted: The directories whose owner does not matter.
        home: Where the configuration of the command is written.
        seconds: How long it may take.

    Raises:
        GitError: It failed, or waits for something that never comes.
        InputError: It took longer than ``seconds``, or there is no room for its configuration.
    """
    config = home / "source.gitconfig"
    try:
        # Whatever stands there is not written into: it might be a pipe.
        remove_entry(config)
        config.write_bytes(os.fsencode(_source_config(trusted)))
    except OSError as error:
        raise write_failure(config, error) from error
    environment = _environment(home, config=str(config), protocols="file")
    return _run(
        arguments,
        environment=environment,
        place=source,
        stdin=_GO,
        seconds=seconds,
        prefix=_ON_GO,
    )


def lack_of_room(complaint: str, exit_status: int) -> OSError | None:
    """Find in git's stderr and exit status that a disk, or a limit of files, took no more."""
    if exit_status == -signal.SIGXFSZ:
        return _system_error(errno.EFBIG)
    # A short write has no error of the system, so git has words of its own for it.
    if _SHORT_WRITE in complaint:
        return _system_error(errno.ENOSPC)
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG):
        if os.strerror(number) in complaint:
            return _system_error(number)
    return None


def _system_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def end(process: Process) -> None:
    """Close the pipes of a process, kill its group and take its exit status."""
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    _kill(process)
    process.wait()


def _gone(mirror: Path) -> DamagedStateError:
    return DamagedStateError(
        f"{mirror}: the mirror of the codebase is gone; open the codebase again"
    )


def _run(
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str],
    place: Path,
    stdin: bytes,
    seconds: float,
    prefix: Sequence[str] = (),
) -> bytes:
    process = _start(
        arguments,
        environment=environment,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        prefix=prefix,
    )
    try:
        output, complaint = _communicate(process, stdin, place=place, seconds=seconds)
    finally:
        if process.returncode is None:
            _kill(process)
            process.communicate()
        forget_group(process.pid)
    if process.returncode != 0:
        raise GitError(place, complaint.decode("utf-8", "replace"), process.returncode)
    return output


def _communicate(
    process: Process, stdin: bytes, *, place: Path, seconds: float
) -> tuple[bytes, bytes]:
    """Give what a process writes to stdout and stderr up to its end.

    Raises:
        GitError: It waits for something that never comes.
        InputError: It takes too long.
    """
    idle_watch = IdleWatch(process.pid)
    unsent: bytes | None = stdin
    # Counted in looks, not by the clock: while we are stopped, git may be stopped as well.
    for _ in range(math.ceil(seconds / _LOOK_SECONDS)):
        try:
            return process.communicate(unsent, timeout=_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            # Python keeps what is not sent yet, and refuses to be given more.
            unsent = None
        if idle_watch.look() >= _MOST_IDLE_LOOKS:
            raise GitError(place, WAITS_FOR_EVER)
    shown_place = make_visible(str(place))
    raise InputError(f"{shown_place}: git took over {seconds:.0f} s")


def _start(
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str],
    stdin: int,
    stderr: int,
    prefix: Sequence[str] = (),
) -> Process:
    # Arguments are our own, object ids, checked revisions, and paths behind ``--``.
    try:
        command = [*prefix, find_git(), *_QUIET, *arguments]
        process = subprocess.Popen(  # noqa: S603  # no shell
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=environment,
            cwd=environment["HOME"],
            # A process group of its own, so that what git starts is killed with it.
            start_new_session=True,
        )
    except OSError as error:
        limit = limit_error(error, "git")
        raise limit or InputError(f"git cannot be started: {error.strerror}") from error
    watch_group(process.pid)
    return process


def _mirror_environment(mirror: Path) -> Mapping[str, str]:
    return _environment(mirror, config="/dev/null", protocols="none")


def _environment(home: Path, *, config: str, protocols: str) -> Mapping[str, str]:
    git_directory = Path(find_git()).parent
    search_path = f"{git_directory}:/usr/bin:/bin"
    return {
        **_FIXED_VARIABLES,
        "PATH": search_path,
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": config,
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_CEILING_DIRECTORIES": str(home.parent),
    }


def _source_config(trusted: Iterable[Path]) -> str:
    """Write the configuration for the process that git starts on the source's side.

    Options of the command line do not reach it. The owner of the source does not matter, and its
    packs are sent fast rather than small, for they go from disk to disk.
    """
    lines = ["[pack]", "\twindow = 0", "\tcompression = 1", "[core]", "\tcompression = 1"]
    lines += ["[safe]", "\tbareRepository = explicit"]
    for place in trusted:
        escaped = _escape(str(place))
        lines.append(f'\tdirectory = "{escaped}"')
    return "\n".join(lines) + "\n"


def _escape(value: str) -> str:
    """Escape a value for a configuration file."""
    for character, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(character, escaped)
    return value


def _kill(process: Process) -> None:
    """Kill the group of a process that was not waited for, and which thus still has its number."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    forget_group(process.pid)
