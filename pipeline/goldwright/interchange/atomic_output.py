"""Putting a converted dataset in its place: completely or not at all, and never over anything."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from goldwright.atomic_files import is_taken, sync_directory, write_failure
from goldwright.errors import InputError


def write_atomically(out: Path, write: Callable[[Path], None]) -> None:
    """Have something written beside its place, make it durable, and only then give it its name.

    Args:
        out: Where the file or folder goes; the folder above it is made where it is missing.
        write: Writes to the free path that it is given.

    Raises:
        InputError: The name is taken, there is no room, or the folder cannot be written.
        DamagedStateError: The disk failed.
    """
    refuse_existing(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        # Beside its place, for a rename or a link works within one file system only.
        staging = Path(tempfile.mkdtemp(prefix=".goldwright.", suffix=".new", dir=out.parent))
        try:
            staged = staging / out.name
            write(staged)
            _make_durable(staged)
            _move_into_place(staged, out)
            sync_directory(out.parent)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        # Somebody may have taken the place meanwhile, which is a better reason than the error's.
        refuse_existing(out)
        raise write_failure(out, error) from error


def refuse_existing(out: Path) -> None:
    """Make sure that a place is free, before any work is done for it.

    Raises:
        InputError: It is taken, or cannot be looked at.
    """
    try:
        is_free = bool(out.name) and not is_taken(out)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from error
    if not is_free:
        raise InputError(f"{out}: is there already, and is never overwritten; name another place")


def _move_into_place(staged: Path, out: Path) -> None:
    if staged.is_dir():
        # Over a folder with anything in it, or a file, this rename fails.
        staged.rename(out)
    else:
        # A rename would replace a file; a link fails where the name is taken.
        os.link(staged, out)


def _make_durable(path: Path) -> None:
    if path.is_dir():
        for child in sorted(path.iterdir()):
            _make_durable(child)
        sync_directory(path)
        return
    with path.open("rb") as file:
        os.fsync(file.fileno())
