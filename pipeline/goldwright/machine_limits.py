"""The limits of a machine: what an error of the system says about room, memory and open files."""

import errno
import mmap
from typing import Final

from goldwright.errors import MachineLimitError, NoRoomError

# EFBIG is the limit of a process or file system on the size of one file.
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_DESCRIPTORS: Final = (errno.EMFILE, errno.ENFILE)
# Bytes that a process is given at any time where nothing limits it.
_SOME_MEMORY: Final = 64 << 20


def limit_error(error: BaseException, place: object = None) -> MachineLimitError | None:
    """Give the error that says which limit of the machine was reached; None where none was.

    Args:
        error: What happened.
        place: The file or directory that it happened to; where it is not named, that of the error.
    """
    if isinstance(error, MemoryError) or _is_slip_without_memory(error):
        return _out_of_memory()
    if not isinstance(error, OSError):
        return None
    place = place or error.filename
    prefix = f"{place}: " if place else ""
    if error.errno in _NO_ROOM:
        reason = error.strerror
        return NoRoomError(f"{prefix}no room to write ({reason}); free some space and try again")
    if error.errno in _NO_DESCRIPTORS:
        return too_many_files(prefix)
    if error.errno == errno.ENOMEM:
        return _out_of_memory()
    return None


def too_many_files(prefix: str = "") -> MachineLimitError:
    """Give the error of a process that may open no more files."""
    return MachineLimitError(
        f"{prefix}too many open files; allow the process more of them (ulimit -n) and try again"
    )


def _out_of_memory() -> MachineLimitError:
    return MachineLimitError(
        "out of memory; give the process more of it (ulimit -v, the limit of its container) "
        "and try again"
    )


def _is_slip_without_memory(error: BaseException) -> bool:
    """Whether Python lost the error of an allocation that failed, and raised one of its own."""
    if not isinstance(error, SystemError):
        return False
    if isinstance(error.__cause__, MemoryError):
        return True
    try:
        mmap.mmap(-1, _SOME_MEMORY).close()
    except OSError:
        return True
    return False
