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
    MachineLimitError,
    ProviderError,
    ReaderGoneError,
)
from goldwright.machine_limits import limit_error, too_many_files

# What a person can mend about a name or a place that some part of the program did not foresee.
_BAD_PLACE: Final = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENXIO,
    errno.EINVAL,
    errno.ENODEV,
    errno.EOPNOTSUPP,
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
    error = limit_error(first_of(error)) or first_of(error)
    if isinstance(error, ImportError):
        error = _limit_of_loading(error) or error
    if isinstance(error, ReaderGoneError):
        return Ending(error.exit_code, "")
    if isinstance(error, GoldwrightError):
        can_resume = isinstance(error, (MachineLimitError, ProviderError))
        return Ending(error.exit_code, str(error), can_resume=can_resume)
    if isinstance(error, OSError):
        return _ending_of_system_error(error)
    return Ending(EXIT_BUG, "")


def first_of(error: BaseException) -> BaseException:
    """Give the first error of a group of errors, or the error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _limit_of_loading(error: ImportError) -> MachineLimitError | None:
    """Find the limit of the machine that kept a library from loading; it stands in words alone."""
    text = str(error)
    if os.strerror(errno.EMFILE) in text:
        return too_many_files()
    if os.strerror(errno.ENOMEM) in text or _UNMAPPED in text:
        return limit_error(MemoryError())
    return None


def _ending_of_system_error(error: OSError) -> Ending:
    place = error.filename
    reason = error.strerror
    if error.errno == errno.EIO:
        subject = place or "a file"
        return Ending(DamagedStateError.exit_code, f"{subject}: the disk failed ({reason})")
    if error.errno in _BAD_PLACE and place:
        return Ending(InputError.exit_code, f"{place}: {reason}")
    return Ending(EXIT_BUG, "")
