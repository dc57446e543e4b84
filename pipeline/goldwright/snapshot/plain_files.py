"""Reading small files that may be anything: not followed, not waited for, not read without end."""

import os
import stat
from pathlib import Path
from typing import Final

# A file may be a link or a pipe in disguise: opening neither follows nor waits.
_OPEN_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def read_plain_file(path: Path, *, most_bytes: int) -> bytes | None:
    """Read a regular file.

    Returns:
        Its content, or None where it is something else, may not be read or is larger.
    """
    try:
        descriptor = os.open(path, _OPEN_FLAGS)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most_bytes:
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(most_bytes + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return data if len(data) <= most_bytes else None


def read_plain_text(path: Path, *, most_bytes: int) -> str:
    """Read a regular file as text; empty where ``read_plain_file`` gives none."""
    data = read_plain_file(path, most_bytes=most_bytes) or b""
    return data.decode("utf-8", "surrogateescape")
