"""What is dear to make and never changed: made once a session, for all workers of it."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of this session that all its workers see."""
    own = tmp_path_factory.getbasetemp()
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    directory = (own.parent if is_worker else own) / "shared"
    directory.mkdir(exist_ok=True)
    return directory


def make_once(directory: Path, make: Callable[[Path], object]) -> Path:
    """Fill a directory, unless another worker has; the others wait until it is whole.

    Files may hold the directory's own path, so it has its name from the start.
    """
    whole = directory.with_name(f"{directory.name}.whole")
    with directory.with_name(f"{directory.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            directory.mkdir()
            make(directory)
            whole.touch()
    return directory
