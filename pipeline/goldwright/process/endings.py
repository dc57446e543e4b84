"""How a command ends that was stopped by an error: its exit code, and a line that says why."""

import errno
import os
from dataclasses import dataclass
from typing import Final

from goldwright.errors import (
    EXIT_BUG,
    DamagedStateError,
    GoldwrightError,
    InputError,
    NoRoomError,
    ReaderGoneError,
)

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
_NO_DESCRIPTORS: Final = (errno.EMFILE, errno.ENFILE)
# What a person can mend about a name or a place that some part of the program did not foresee.
_BAD_PLACE: Final = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENXIO,
)

# What the loader of the C library says where memory for a library is lacking.
_UNMAPPED: Final = "failed to map segment"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ends.

    Attributes:
        exit_code: What the process ends in.
        text: What stands on stderr; empty where nothing needs to be said, and for a bug.
        can_resume: Whether the work can be carried on, once a person has seen to the cause.
    """

    exit_code: int
    text: str
    can_resume: bool = False


def ending_of(error: BaseException) -> Ending:
    """Decide how a command ends that raised an error."""
    error = first_of(error)
    if isinstance(error, ReaderGoneError):
        return Ending(error.exit_code, "")
    if isinstance(error, GoldwrightError):
        return Ending(error.exit_code, str(error), can_resume=isinstance(error, NoRoomError))
    if isinstance(error, MemoryError):
        return _out_of_memory()
    if isinstance(error, ImportError):
        return _ending_of_loading_error(error)
    if isinstance(error, OSError):
        return _ending_of_system_error(error)
    return Ending(EXIT_BUG, "")


def first_of(error: BaseException) -> BaseException:
    """Give the first error of a group of errors, or the error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _ending_of_system_error(error: OSError) -> Ending:
    place = f"{error.filename}: " if error.filename else ""
    reason = error.strerror
    if error.errno in _NO_ROOM:
        text = f"{place}no room to write ({reason}); free some space and try again"
        return Ending(InputError.exit_code, text, can_resume=True)
    if error.errno in _NO_DESCRIPTORS:
        return _too_many_files(place)
    if error.errno == errno.ENOMEM:
        return _out_of_memory()
    if error.errno == errno.EIO:
        text = f"{place}the disk failed ({reason})"
        return Ending(DamagedStateError.exit_code, text)
    if error.errno in _BAD_PLACE and place:
        return Ending(InputError.exit_code, f"{place}{reason}")
    return Ending(EXIT_BUG, "")


def _ending_of_loading_error(error: ImportError) -> Ending:
    """Find the limit of the machine that kept a library from loading; it stands in words alone."""
    text = str(error)
    if os.strerror(errno.EMFILE) in text:
        return _too_many_files("")
    if os.strerror(errno.ENOMEM) in text or _UNMAPPED in text:
        return _out_of_memory()
    return Ending(EXIT_BUG, "")


def _too_many_files(place: str) -> Ending:
    text = f"{place}too many open files; allow the process more of them (ulimit -n)"
    return Ending(InputError.exit_code, text, can_resume=True)


def _out_of_memory() -> Ending:
    text = "out of memory; give the process more of it (ulimit -v, the limit of its container)"
    return Ending(InputError.exit_code, text, can_resume=True)
