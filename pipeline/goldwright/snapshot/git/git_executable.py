"""Finding a git that is new enough."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from goldwright.errors import InputError

OLDEST_GIT: Final = (2, 30)
# The first that knows the format reftable for refs.
OLDEST_GIT_FOR_TABLES: Final = (2, 45)

# The patch release from which on a line has the known faults in reading untrusted repositories
# mended upstream (14 May 2024); older lines are mended by distributions alone, newer ones always.
_MENDED_PATCHES: Final[Mapping[tuple[int, int], int]] = {
    (2, 39): 4,
    (2, 40): 2,
    (2, 41): 1,
    (2, 42): 2,
    (2, 43): 4,
    (2, 44): 1,
    (2, 45): 1,
}
_NEWEST_PATCHED: Final = max(_MENDED_PATCHES)
_VERSION: Final = re.compile(rb"git version (\d+)\.(\d+)(?:\.(\d+))?")
_VERSION_SECONDS: Final = 10.0


def find_git() -> str:
    """Find git on the search path, in absolute directories only.

    A relative directory of the path could be one of the codebase, with a program called git in it.

    Raises:
        InputError: There is none, or it is older than 2.30.
    """
    path_variable = os.environ.get("PATH", os.defpath)
    directories = path_variable.split(os.pathsep)
    absolute = [directory for directory in directories if directory.startswith("/")]
    search_path = os.pathsep.join(absolute)
    executable = shutil.which("git", path=search_path)
    if executable is None:
        raise InputError("git was not found on PATH; install git 2.30 or newer")
    major, minor, _ = _version_of(executable)
    if (major, minor) < OLDEST_GIT:
        raise InputError(f"{executable}: is git {major}.{minor}; install git 2.30 or newer")
    return executable


def git_version() -> tuple[int, int, int]:
    """Give the version of the git that is used: major, minor, patch.

    Raises:
        InputError: There is none, or it is older than 2.30.
    """
    return _version_of(find_git())


def is_mended(version: tuple[int, int, int]) -> bool:
    """Whether a git as its makers released it reads untrusted repositories without known faults."""
    line = version[:2]
    if line > _NEWEST_PATCHED:
        return True
    return line in _MENDED_PATCHES and version[2] >= _MENDED_PATCHES[line]


@lru_cache
def _version_of(executable: str) -> tuple[int, int, int]:
    try:
        completed = subprocess.run(  # noqa: S603  # no shell
            [executable, "version"],
            capture_output=True,
            check=False,
            timeout=_VERSION_SECONDS,
            env={"LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{executable}: cannot be run; install git 2.30 or newer") from error
    match = _VERSION.match(completed.stdout)
    if match is None:
        raise InputError(f"{executable}: does not say its version; install git 2.30 or newer")
    return int(match[1]), int(match[2]), int(match[3] or 0)
