"""The digest of a model's files, by which its vectors are kept and a pin is checked."""

import hashlib
from pathlib import Path
from typing import Final

from goldwright.errors import InputError

_BLOCK: Final = 1 << 20


def folder_digest(folder: Path) -> str:
    """Compute the SHA-256 of all files below a folder, by their paths and contents.

    Raises:
        InputError: A file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        paths = folder.rglob("*")
        files = sorted(filter(Path.is_file, paths))
        for path in files:
            name = path.relative_to(folder).as_posix()
            line = f"{_file_digest(path)}  {name}\n"
            digest.update(line.encode())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror})") from error
    return digest.hexdigest()


def check_pin(folder: Path, pin: str | None) -> str:
    """Compute the digest of a folder and hold it against a pin, the beginning of one.

    Raises:
        InputError: The files are not those that were pinned.
    """
    digest = folder_digest(folder)
    if pin and not digest.startswith(pin):
        raise InputError(
            f"{folder}: the files of the model have the digest {digest[:16]}…, pinned is {pin}"
        )
    return digest


def _file_digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
