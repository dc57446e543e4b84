"""Looking through a whole cache, thoroughly, and taking out what is damaged or left over."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from goldwright.errors import GoldwrightError, InputError
from goldwright.snapshot.disposal import remove_entry
from goldwright.snapshot.git.git_process import ask_mirror
from goldwright.snapshot.git.object_ids import ObjectFormat
from goldwright.snapshot.indexing.fact_cache import FACTS_SUFFIX, TEMPORARY_PREFIX, FactCache
from goldwright.snapshot.mirror.mirror_faults import find_fault, find_halved_pack, mirror_config
from goldwright.snapshot.mirror.mirror_fetch import HARMLESS_FLAWS
from goldwright.snapshot.mirror.mirror_place import locked_file
from goldwright.snapshot.opening import INDEX, MIRRORS
from goldwright.snapshot.plain_files import read_plain_file

CacheKind = Literal["mirror", "index", "leaving"]

# Reading every object of a mirror of 100 MB takes git some five seconds.
_FSCK_SECONDS: Final = 120.0
_MOST_CONFIG_BYTES: Final = 4096
_UNFINISHED: Final = frozenset({".new", ".old"})


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """One thing in a cache.

    Attributes:
        kind: The copy of a codebase, an index, or what an interrupted or older program left.
        path: Where it is.
        size: Its bytes.
        fault: What is wrong with it; None where nothing is.
    """

    kind: CacheKind
    path: Path
    size: int
    fault: str | None


def inspect_cache(cache: Path) -> tuple[CacheEntry, ...]:
    """Read everything in a cache and compare it with its names and digests."""
    mirrors = _mirrors(cache / MIRRORS)
    indexes = _indexes(cache / INDEX)
    return (*mirrors, *indexes)


def remove_from_cache(entry: CacheEntry) -> None:
    """Take one thing out of a cache; the next run makes what it needs again.

    Raises:
        OSError: It cannot be removed.
        InputError: The cache cannot be written.
    """
    if entry.kind == "index" or entry.path.parent.name != MIRRORS:
        remove_entry(entry.path)
        return
    # A run may be about to write there.
    with locked_file(entry.path.with_suffix(".lock")):
        remove_entry(entry.path)


def _mirrors(store: Path) -> Iterator[CacheEntry]:
    for path in _listed(store):
        if path.suffix == ".git":
            yield CacheEntry("mirror", path, _size_of(path), _mirror_fault(path))
        elif path.suffix in _UNFINISHED:
            yield CacheEntry("leaving", path, _size_of(path), None)


def _indexes(directory: Path) -> Iterator[CacheEntry]:
    for path in _listed(directory):
        if path.name.startswith(TEMPORARY_PREFIX):
            yield CacheEntry("leaving", path, _size_of(path), None)
        elif path.suffix == FACTS_SUFFIX:
            fact_cache = FactCache.at(path)
            if fact_cache is None:
                # Facts of another version of the program or of Python.
                yield CacheEntry("leaving", path, _size_of(path), None)
            else:
                fault = fact_cache.load().fault
                yield CacheEntry("index", path, _size_of(path), fault)


def _mirror_fault(mirror: Path) -> str | None:
    object_format = _format_of(mirror)
    fault = find_fault(mirror, object_format) or find_halved_pack(mirror, is_locked=False)
    if fault is not None:
        return fault
    options: list[str] = []
    for flaw in HARMLESS_FLAWS:
        options += ["-c", f"fsck.{flaw}=ignore"]
    command = [*options, "fsck", "--full", "--no-dangling", "--no-progress"]
    try:
        ask_mirror(mirror, command, seconds=_FSCK_SECONDS)
    except InputError:
        # git itself cannot be started, which says nothing about the mirror.
        raise
    except GoldwrightError as error:
        return str(error).removeprefix(f"{mirror}: ")
    return None


def _format_of(mirror: Path) -> ObjectFormat:
    config = read_plain_file(mirror / "config", most_bytes=_MOST_CONFIG_BYTES)
    for object_format in get_args(ObjectFormat):
        if config == mirror_config(object_format):
            mirror_format: ObjectFormat = object_format
            return mirror_format
    return "sha1"


def _listed(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []


def _size_of(path: Path) -> int:
    """Add up the bytes of a file, or of all files below a directory; links are not followed."""
    try:
        if path.is_symlink() or not path.is_dir():
            return path.lstat().st_size
        return sum(_size_of(inner) for inner in path.iterdir())
    except OSError:
        # Removed while it was looked at.
        return 0
