"""The place of the cache, its room, and all that it holds."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from goldwright.app.doctor.findings import HealthFinding, attention, fine, problem
from goldwright.errors import DamagedStateError, GoldwrightError, InputError
from goldwright.retrieval.vector_sets import find_unfinished, find_vector_sets
from goldwright.snapshot.cache_inspection import (
    CacheEntry,
    CacheKind,
    inspect_cache,
    remove_from_cache,
)
from goldwright.snapshot.opening import MIRRORS
from goldwright.text import counted

_MEGABYTE: Final = 1_000_000
# The copy of a codebase takes about the room of its packs: some hundred megabytes for most.
_LITTLE_ROOM: Final = 1_000 * _MEGABYTE
_NO_ROOM: Final = 50 * _MEGABYTE
_HEAL: Final = "--heal takes it out, and the next run makes it again"


def examine_cache(cache: Path, *, heal: bool) -> Iterator[HealthFinding]:
    """Look at the cache; with ``heal``, take out what is damaged or left over."""
    yield _place(cache)
    yield _room("room", cache)
    try:
        entries = inspect_cache(cache)
    except InputError as error:
        yield problem("copies", f"cannot be looked at: {error}", "see to that first")
        return
    yield _sum("copies", "mirror", entries)
    yield _sum("indexes", "index", entries)
    leavings = [entry for entry in entries if entry.kind == "leaving"]
    damaged = [entry for entry in entries if entry.fault is not None]
    for entry in damaged:
        yield _healed(entry) if heal else _damage(entry)
    yield _vectors(cache)
    leavings += _vector_leavings(cache)
    if leavings:
        yield from _leavings(leavings, heal=heal)


def examine_workspace(root: Path) -> Iterator[HealthFinding]:
    """Look at the directory that runs and datasets are written to."""
    yield _place_of("directory", root)
    yield _room("its room", root)


def _place(cache: Path) -> HealthFinding:
    finding = _place_of("cache", cache)
    try:
        mode = cache.stat().st_mode
    except OSError:
        return finding
    if finding.grade == "ok" and mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        remedy = f"chmod o-w {cache}"
        return attention("cache", f"{cache}: everybody may write there", remedy)
    return finding


def _place_of(topic: str, directory: Path) -> HealthFinding:
    existing = _existing(directory)
    try:
        # The one sure way to know whether a disk takes a file.
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"goldwright")
            file.flush()
    except OSError as error:
        advice = "work elsewhere"
        if topic == "cache":
            advice = "set GOLDWRIGHT_CACHE to another place"
        fault = f"{directory}: cannot be written ({error.strerror})"
        return problem(topic, fault, advice)
    if existing != directory:
        return fine(topic, f"{directory} (not made yet)")
    return fine(topic, str(directory))


def _room(topic: str, directory: Path) -> HealthFinding:
    try:
        free = shutil.disk_usage(_existing(directory)).free
    except OSError as error:
        return attention(topic, f"cannot be measured ({error.strerror})")
    text = f"{_size(free)} free"
    if free < _NO_ROOM:
        return problem(topic, text, "free some space")
    if free < _LITTLE_ROOM:
        return attention(topic, text, "a large codebase needs more")
    return fine(topic, text)


def _existing(directory: Path) -> Path:
    """Give the directory, or the nearest above it that is there."""
    place = directory.absolute()
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    return place


def _sum(topic: str, kind: CacheKind, entries: Sequence[CacheEntry]) -> HealthFinding:
    of_kind = [entry for entry in entries if entry.kind == kind]
    size = _size(sum(entry.size for entry in of_kind))
    sound = sum(entry.fault is None for entry in of_kind)
    state = f"{sound} of {len(of_kind)} sound"
    return fine(topic, f"{state}, {size}")


def _vectors(cache: Path) -> HealthFinding:
    sets = list(find_vector_sets(cache, cache / MIRRORS))
    size = _size(sum(vector_set.size for vector_set in sets))
    counted_sets = counted(len(sets), "set")
    return fine("vectors", f"{counted_sets}, {size}")


def _vector_leavings(cache: Path) -> list[CacheEntry]:
    """Find vectors of codebases that are gone, and files that were never finished."""
    leavings = []
    for vector_set in find_vector_sets(cache, cache / MIRRORS):
        if vector_set.is_left_over:
            entry = CacheEntry("leaving", vector_set.path, vector_set.size, None)
            leavings.append(entry)
    unfinished = [CacheEntry("leaving", path, 0, None) for path in find_unfinished(cache)]
    return [*leavings, *unfinished]


def _damage(entry: CacheEntry) -> HealthFinding:
    text = f"{entry.path}: {entry.fault}"
    return problem("damage", text, _HEAL, exit_code=DamagedStateError.exit_code)


def _healed(entry: CacheEntry) -> HealthFinding:
    text = f"{entry.path}: {entry.fault}"
    try:
        remove_from_cache(entry)
    except (OSError, GoldwrightError) as error:
        return problem("damage", f"{text}; cannot be taken out: {error}", "remove it by hand")
    return attention("healed", f"{text}; taken out, and made again when it is needed")


def _leavings(leavings: Sequence[CacheEntry], *, heal: bool) -> Iterator[HealthFinding]:
    size = _size(sum(entry.size for entry in leavings))
    text = f"{len(leavings)} of interrupted runs and other versions, {size}"
    if not heal:
        yield fine("left over", f"{text} (--heal takes them out)")
        return
    for entry in leavings:
        try:
            remove_from_cache(entry)
        except (OSError, GoldwrightError) as error:
            fault = f"{entry.path}: cannot be removed: {error}"
            yield attention("left over", fault)
            return
    yield fine("left over", f"{text}: taken out")


def _size(count: int) -> str:
    return f"{count / _MEGABYTE:,.1f} MB"
