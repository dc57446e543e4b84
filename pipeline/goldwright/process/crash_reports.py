"""The report of a crash: a file for whoever mends it, and the place in one line.

It must work where little else does: without memory, file descriptors or room on a disk, and at the
end of the stack.
"""

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final

from goldwright.process.endings import first_of
from goldwright.text import make_visible, shorten

# Characters of the message of an error; it may quote a whole file.
_LONGEST_MESSAGE: Final = 120
# Bytes; the traceback of a deep recursion is shortened by Python itself, a group of errors is not.
_LARGEST_REPORT: Final = 256 * 1024
_SECRET_WORDS: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD")
# A shorter value is no secret, and would be found all over the text.
_SHORTEST_SECRET: Final = 8
_PACKAGE: Final = str(Path(__file__).parents[1])


@dataclass(frozen=True, slots=True)
class CrashReport:
    """What is known of a crash.

    Attributes:
        summary: The kind, message and place of the error, in one line.
        whereabouts: Where the report lies, or why there is none.
    """

    summary: str
    whereabouts: str


def report_crash(
    error: BaseException, arguments: Sequence[str], *, variables: Mapping[str, str]
) -> CrashReport:
    """Write the report of a crash into the directory for temporary files.

    Args:
        error: What happened.
        arguments: The command line.
        variables: The environment; values of variables that are named as secrets are left out of
            the report.
    """
    try:
        text = _without_secrets(_report_text(error, arguments), variables)
        path = _write(text)
    except (OSError, MemoryError, RecursionError, ValueError) as failure:
        reason = getattr(failure, "strerror", None) or type(failure).__name__
        return CrashReport(summarise(error), f"no report could be written ({reason})")
    return CrashReport(summarise(error), f"the report is {path}")


def summarise(error: BaseException) -> str:
    """Describe an error in one line: its kind, its message, and the place of ours it came from."""
    if (cause := first_of(error)) is not error:
        cause.__traceback__ = cause.__traceback__ or error.__traceback__
        error = cause
    kind = type(error).__name__
    message = ""
    # The message of a foreign error is made by foreign code.
    with suppress(Exception):
        message = " ".join(str(error).split())
    place = _innermost_place(error.__traceback__)
    if message:
        message = f": {shorten(make_visible(message), _LONGEST_MESSAGE)}"
    return f"{kind}{message} (at {place})"


def passes_through_goldwright(trace: TracebackType | None) -> bool:
    """Whether code of ours has a part in an error."""
    return any(_is_ours(frame.f_code.co_filename) for frame, _ in traceback.walk_tb(trace))


def _innermost_place(trace: TracebackType | None) -> str:
    place = "an unknown place"
    for frame, line in traceback.walk_tb(trace):
        file = frame.f_code.co_filename
        if _is_ours(file):
            place = f"{Path(file).relative_to(_PACKAGE)}:{line}"
    return place


def _is_ours(file: str) -> bool:
    return file.startswith(_PACKAGE + os.sep)


def _report_text(error: BaseException, arguments: Sequence[str]) -> str:
    version = getattr(sys.modules.get("goldwright"), "__version__", "unknown")
    python = platform.python_version()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    system = platform.platform()
    versions = f"goldwright {version}, Python {python}, {system}"
    heading = [
        versions,
        f"arguments: {list(arguments)!a}",
        f"time: {now}",
        "",
    ]
    return "\n".join([*heading, *traceback.format_exception(error)])


def _without_secrets(text: str, variables: Mapping[str, str]) -> str:
    for name, value in variables.items():
        is_secret = any(word in name.upper() for word in _SECRET_WORDS)
        if is_secret and len(value) >= _SHORTEST_SECRET:
            text = text.replace(value, f"<{name}>")
    return text


def _write(text: str) -> Path:
    crash_time = datetime.now(UTC)
    prefix = f"goldwright-crash-{crash_time:%Y%m%dT%H%M%SZ}-"
    data = text.encode("utf-8", "backslashreplace")[:_LARGEST_REPORT]
    # For its owner alone, under a name that nobody could have taken before.
    descriptor, name = tempfile.mkstemp(prefix=prefix, suffix=".txt")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError:
        # An empty report would promise what it does not hold.
        with suppress(OSError):
            Path(name).unlink()
        raise
    return Path(name)
