"""Removing what is ours and can be made again, whatever stands under its name."""

import os
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, TypeAlias

_FailedCall: TypeAlias = Callable[..., object]
_ExceptionInfo: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None]

_FULL_ACCESS: Final = stat.S_IRWXU


def remove_entry(path: Path) -> None:
    """Remove a file, a link or a directory with all that is in it, if there is one.

    Raises:
        OSError: It cannot be removed.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path, onerror=_give_access_and_retry)
    else:
        path.unlink(missing_ok=True)


def make_own_directory(path: Path) -> None:
    """Make a directory for us alone; anything else under its name is removed first.

    A link to a directory stays, for people put caches on other disks.

    Raises:
        OSError: It cannot be made.
    """
    if os.path.lexists(path) and not path.is_dir():
        remove_entry(path)
    path.mkdir(parents=True, exist_ok=True, mode=_FULL_ACCESS)


def _give_access_and_retry(call: _FailedCall, name: str, failure: _ExceptionInfo) -> None:
    """Remove what a directory without rights kept from being removed."""
    if isinstance(failure[1], FileNotFoundError):
        return
    path = Path(name)
    for place in (path.parent, path):
        with suppress(OSError):
            if not place.is_symlink():
                place.chmod(_FULL_ACCESS)
    if call in {os.unlink, os.rmdir}:
        call(name)
    else:
        # A directory that could not be opened still has all that is in it.
        shutil.rmtree(path)
