"""What a retriever is known by between runs: its specification, and the code that it names."""

import hashlib
import importlib.util
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# Larger files are models and indexes: their size and time of change stand for them.
_LARGEST_READ: Final = 16 << 20
# Files of a package that are looked at; a larger one is known by these.
_MOST_FILES: Final = 5_000


def fingerprint(spec: str, root: Path) -> str:
    """Name a retriever with its code, so that replies of another version are not taken for its own.

    Known are the files of the package behind ``py:`` and, where that lies at the root, the modules
    beside it, which it may well import; and the files that a command names. What these read or ask
    in turn is not known, nor is what stands behind an address.

    Args:
        spec: The specification.
        root: Where modules and files of the specification are looked for.
    """
    kind, _, place = spec.partition(":")
    match kind:
        case "py":
            files = _module_files(place.partition(":")[0], root)
        case "cmd":
            files = _named_files(place, root)
        case _:
            files = _named_files(place, root)
    digest = hashlib.sha256(spec.encode("utf-8", "surrogateescape"))
    for path in sorted(files)[:_MOST_FILES]:
        digest.update(str(path).encode("utf-8", "surrogateescape"))
        digest.update(_content(path))
    return digest.hexdigest()


def _module_files(module: str, root: Path) -> Iterator[Path]:
    """Yield the files of the package that a module belongs to, without importing anything."""
    package = module.partition(".")[0]
    local = root / package
    module_file = root / f"{package}.py"
    is_local = local.is_dir() or module_file.is_file()
    if is_local:
        yield from root.glob("*.py")
        yield from local.rglob("*.py")
        return
    try:
        specification = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return
    if specification is not None and specification.origin is not None:
        origin = Path(specification.origin)
        is_package = specification.submodule_search_locations is not None
        yield from origin.parent.rglob("*.py") if is_package else (origin,)


def _named_files(command: str, root: Path) -> Iterator[Path]:
    try:
        words = shlex.split(command)
    except ValueError:
        return
    for word in words:
        path = root / word
        if path.is_file():
            yield path


def _content(path: Path) -> bytes:
    try:
        status = path.stat()
        if status.st_size > _LARGEST_READ:
            return f"{status.st_size} {status.st_mtime_ns}".encode()
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return b"unreadable"
