"""Opening files that a person names, or that lie where anybody may have put something else.

A pipe that nobody writes to would be waited for without end, and a device may give bytes without
end, so nothing but a regular file is opened.
"""

import difflib
import errno
import os
import stat
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

LARGEST_FILE: Final = 1 << 30
"""Bytes; a file is read into memory as a whole, and 1 GiB is far beyond any that people handle."""

# Of a directory with more entries only so many are compared with a name that is not there.
_MOST_NEIGHBOURS: Final = 2000
# Ratio of difflib, 0 to 1: a name that is less like another one is no slip of it.
_LEAST_SIMILARITY: Final = 0.75
_PIECE: Final = 1 << 20

# Between the look at a file and its opening a pipe may take its place.
_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class IrregularFileError(OSError):
    """What has the name is a pipe, a device or a socket."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "not a regular file", str(path))


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to read its bytes.

    Raises:
        IrregularFileError: What has the name is no regular file.
        OSError: There is none, or it cannot be read.
    """
    # The system would take a NUL for the end of the name; Python refuses it by another error.
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "the name holds a NUL", str(path))
    _check_regular(path.stat(), path)
    descriptor = os.open(path, _FLAGS)
    try:
        _check_regular(os.fstat(descriptor), path)
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def read_regular(path: Path, *, most: int = LARGEST_FILE) -> bytes:
    """Read the bytes of a regular file.

    Raises:
        IrregularFileError: What has the name is no regular file.
        OSError: There is none, it cannot be read, or it holds more than ``most`` bytes.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise OSError(errno.EFBIG, f"over {most} bytes", str(path))
        # At once, for most files. What the system makes up while it is read says it has no size.
        pieces = [file.read(size + 1)]
        count = len(pieces[0])
        while count <= most and (piece := file.read(_PIECE)):
            pieces.append(piece)
            count += len(piece)
    if count > most:
        raise OSError(errno.EFBIG, f"over {most} bytes", str(path))
    return b"".join(pieces)


def why_unreadable(path: Path, error: OSError) -> str:
    """Say why a file cannot be read; of one that is not there, which one beside it may be meant."""
    reason = error.strerror or str(error)
    if error.errno != errno.ENOENT:
        return reason
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry in islice(entries, _MOST_NEIGHBOURS)]
    except OSError:
        return reason
    nearest = difflib.get_close_matches(path.name, names, n=1, cutoff=_LEAST_SIMILARITY)
    return f"{reason}; did you mean {path.with_name(nearest[0])}?" if nearest else reason


def _check_regular(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise IrregularFileError(path)
