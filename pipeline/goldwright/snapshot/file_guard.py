"""The one door for what is done with a file of a codebase.

Law: whatever goes wrong over a file costs that file alone. It is set aside: it stands under
``unparsed`` with its reason, nothing of it is read any more, and no record may be about it.

What reads one file alone goes through ``attempt``; what reads files of a codebase, through
``guarded``. A file whose code could harm the process that reads it is met first in a worker (see
``parse_pool``), which has little memory and little time.
"""

import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from types import TracebackType
from typing import Final, Protocol, TypeVar

from goldwright.errors import GoldwrightError
from goldwright.snapshot.entities import FileEntry

# So many frames suffice for every walk over such a tree: ``ast.unparse`` takes five for each level
# (measured). A stack of 8 MB holds 30,000 (measured with the dearest kind of frame).
MOST_FRAMES: Final = 12_000
TOO_DEEP: Final = "nested too deeply to read"
TOO_LARGE: Final = "takes too much memory to read"
TOO_SLOW: Final = "takes too long to read"
CRASHED: Final = "the parser crashed on it"
# These say as much about the machine and its load as about the file: what one run could not read
# is tried again by the next. A run itself and its resumes go on by what its manifest says.
REASONS_OF_A_MACHINE: Final = frozenset({TOO_LARGE, TOO_SLOW, CRASHED})
# In characters; a reason stands in one line.
_LONGEST_REASON: Final = 160

T = TypeVar("T")


class FileMaterial:
    """What was read of one file; an error in a function that holds it is about that file.

    Attributes:
        path: The file.
    """

    __slots__ = ()

    path: str


class _SetsAside(Protocol):
    """A codebase that can do without one of its files."""

    @property
    def files(self) -> Mapping[str, FileEntry]: ...

    def set_aside(self, path: str, reason: str) -> None: ...


def allow_deep_trees() -> None:
    """Let this process walk over trees as deep as the index lets pass."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), MOST_FRAMES))


def attempt(work: Callable[[], T], failed: Callable[[str], T]) -> T:
    """Do some work over one file; where it fails, make the result of the reason.

    Raises:
        GoldwrightError: It is about the program's input or state, not about what the file holds.
        OSError: Likewise.
    """
    try:
        return work()
    except (GoldwrightError, OSError):
        raise
    except Exception as error:  # noqa: BLE001  # the law of this module
        return failed(reason_of(error))


def guarded(
    codebase: _SetsAside, path: str, purpose: str, work: Callable[[], T], otherwise: T
) -> T:
    """Do some work over files of a codebase; where it fails, set one of them aside.

    Args:
        codebase: The codebase.
        path: The file that the work is about. It is set aside unless the error came up over what
            was read of another one.
        purpose: What is done, as in ``looking for clones``.
        work: Does it.
        otherwise: The result where it fails.

    Raises:
        GoldwrightError: It is about the program's input or state, not about what a file holds.
        OSError: Likewise.
    """
    try:
        return work()
    except (GoldwrightError, OSError):
        raise
    except Exception as error:  # noqa: BLE001  # the law of this module
        blame(codebase, path, purpose, error)
        return otherwise


def blame(codebase: _SetsAside, path: str, purpose: str, error: Exception) -> str:
    """Set the file aside that an error is about; give its path and the reason in one line."""
    place = _file_behind(error.__traceback__)
    blamed = place if place in codebase.files else path
    reason = f"{purpose}: {reason_of(error)}"
    codebase.set_aside(blamed, reason)
    return f"{blamed}: {reason}"


def reason_of(error: Exception) -> str:
    """Say in one line what went wrong, and in which line of the program."""
    if isinstance(error, RecursionError):
        return TOO_DEEP
    if isinstance(error, MemoryError):
        return TOO_LARGE
    kind = type(error).__name__
    words = f"{kind}: {error}".split()
    text = " ".join(words)[:_LONGEST_REASON]
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return text
    last = frames[-1]
    file_name = PurePosixPath(last.filename).name
    return f"{text} ({file_name}:{last.lineno})"


def _file_behind(trace: TracebackType | None) -> str:
    """Give the file whose material the innermost function held; empty where none held any."""
    path = ""
    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            if isinstance(value, FileMaterial):
                path = value.path
        trace = trace.tb_next
    return path
