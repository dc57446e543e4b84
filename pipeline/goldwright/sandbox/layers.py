"""The ways of confining a command that systems offer: a catalog, strongest first."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from goldwright.sandbox.commands import SandboxCommand

_RIGHTS_DROPPING = Path(__file__).with_name("rights_dropping.py")

# The working directory inside a bubblewrap sandbox: a file system in memory, gone with it.
BOX = "/box"

# The system's libraries; what is missing here is missing there.
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives")

# Python for a command: without the user's packages, and with nothing but the standard library
# before them. Not `-I`: that would ignore the hash seed of the environment, too.
PYTHON = (sys.executable, "-s", "-P")

# The same for every command, so that a verdict does not depend on who asks for it.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    # One thread for every numeric library: results do not depend on the machine's size.
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True)
class Layer:
    """A way of confining a command.

    Attributes:
        name: As results record it.
        confines: What it keeps from the command, for people.
        argv_of: The whole command line, given the command and an empty directory of its own.
        has_own_files: Whether the command's working directory is made inside, by the layer.
    """

    name: str
    confines: str
    argv_of: Callable[[SandboxCommand, Path], list[str]]
    has_own_files: bool


def _python_paths() -> list[str]:
    """Return the directories of the interpreter, its environment and its standard library."""
    paths = {sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(sys.executable).parent)}
    resolved = {str(Path(path).resolve()) for path in paths}
    return sorted(path for path in paths | resolved if not path.startswith("/usr"))


def _readable(command: SandboxCommand) -> list[str]:
    readable = [str(path.resolve()) for path in command.readable]
    return [*_SYSTEM, *_python_paths(), str(_RIGHTS_DROPPING), *readable]


def _rights_dropping_argv(
    command: SandboxCommand, *, landlock: bool, writable: Sequence[str]
) -> list[str]:
    limits = command.limits
    resource_limits = {
        "cpu": limits.cpu_seconds,
        "as": limits.memory_bytes,
        "fsize": limits.file_bytes,
        "nofile": limits.open_files,
        "core": 0,
        "memlock": 0,
    }
    argv = list(command.argv)
    policy = {
        "limits": resource_limits,
        "readable": _readable(command),
        "writable": list(writable),
        "landlock": landlock,
        "argv": argv,
    }
    # Without the site module: no file of an environment is run before rights are given up.
    return [sys.executable, "-I", "-S", str(_RIGHTS_DROPPING), json.dumps(policy)]


def _landlock_argv(command: SandboxCommand, directory: Path) -> list[str]:
    writable = [str(directory)] if command.scratch else []
    return _rights_dropping_argv(command, landlock=True, writable=writable)


def _bubblewrap_argv(command: SandboxCommand, directory: Path) -> list[str]:  # noqa: ARG001
    size = str(command.limits.file_bytes)
    argv = [which("bwrap") or "bwrap"]
    # No namespace is shared, and no further one can be made.
    argv += ["--unshare-all", "--unshare-user", "--disable-userns", "--uid", "65534"]
    argv += ["--gid", "65534", "--hostname", "sandbox", "--cap-drop", "ALL"]
    argv += ["--die-with-parent", "--new-session", "--clearenv"]
    # First the directories in memory: what is bound afterwards lies on top of them.
    argv += ["--size", size, "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev"]  # noqa: S108
    argv += ["--size", size if command.scratch else "4096", "--tmpfs", BOX]
    for path in _readable(command):
        if Path(path).is_symlink() and path in _SYSTEM:
            argv += ["--symlink", str(Path(path).readlink()), path]
        elif Path(path).exists():
            argv += ["--ro-bind", path, path]
    # These two are in memory as well, and no size can be set for them.
    closed = ["/dev", "/"] if command.scratch else [BOX, "/tmp", "/dev", "/"]  # noqa: S108
    for directory_in_memory in closed:
        argv += ["--remount-ro", directory_in_memory]
    for name, setting in {**ENVIRONMENT, "HOME": BOX, **command.environment}.items():
        argv += ["--setenv", name, setting]
    argv += ["--chdir", BOX, "--"]
    return argv + _rights_dropping_argv(command, landlock=False, writable=())


BUBBLEWRAP = Layer(
    name="bubblewrap",
    confines="own namespaces for files, processes, network, users and names; filtered system calls",
    argv_of=_bubblewrap_argv,
    has_own_files=True,
)
LANDLOCK = Layer(
    name="landlock",
    confines="opened files by Landlock; filtered system calls: no network and no other process",
    argv_of=_landlock_argv,
    has_own_files=False,
)
LAYERS = (BUBBLEWRAP, LANDLOCK)


def _bare_argv(command: SandboxCommand, directory: Path) -> list[str]:  # noqa: ARG001
    return list(command.argv)


# Confines nothing but time and output: for commands that hold no code of strangers, and for those
# who say that they want none.
NO_LAYER = Layer(
    name="none",
    confines="nothing but time and output",
    argv_of=_bare_argv,
    has_own_files=False,
)
