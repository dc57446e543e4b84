"""Opening a codebase as a snapshot: pinning a commit of it, and indexing what is new there."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from goldwright.errors import DamagedStateError, GoldwrightError, InputError
from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.file_facts import NO_REASON
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.git.tree_check import check_trees, drawn_directories
from goldwright.snapshot.indexing.fact_cache import FactCache
from goldwright.snapshot.indexing.file_indexing import are_lasting, facts_of
from goldwright.snapshot.languages.language_catalog import (
    LANGUAGES,
    language_of,
    missing_extra_note,
)
from goldwright.snapshot.languages.language_port import Language
from goldwright.snapshot.mirror.mending import Mender, mended_once, say_made_again
from goldwright.snapshot.mirror.pinning import Origin, PinnedCommit, mirror_place_of, pin_commit
from goldwright.snapshot.snapshot import Snapshot, facts_key

MIRRORS: Final = "mirrors"
"""The directory of the cache that holds the copies of codebases."""

INDEX: Final = "index"
"""The directory of the cache that holds facts."""

# How many cached facts are read again from the code in each run. Of a cache with a tenth of its
# facts wrong, a run notices with 0.27, and ten runs with 0.96.
_CHECKED_FACTS: Final = 3


def open_snapshot(
    repo: Path,
    *,
    rev: str | None = None,
    cache: Path,
    allow_dirty: bool = False,
    workers: int | None = None,
    chance: Random | None = None,
) -> Snapshot:
    """Pin a codebase and index it.

    What turns out to be damaged in the cache is made again, which changes nothing in the snapshot.

    Args:
        repo: A git repository, or a plain directory, which is pinned by its content.
        rev: The commit; HEAD when there is none.
        cache: Where mirrors and indexes are kept between runs.
        allow_dirty: Pin the files of the work tree as they are.
        workers: How many processes may parse (at least 1); as many as there are cores when there is
            none.
        chance: Draws what of the cache is compared with the codebase; without it, no facts are.

    Raises:
        InputError: The codebase or the revision is not what it should be.
    """
    store = cache / MIRRORS
    place = mirror_place_of(repo, store)

    def pin_again() -> PinnedCommit:
        return pin_commit(repo, rev=rev, store=store, allow_dirty=allow_dirty)

    def attempt() -> Snapshot:
        pinned = pin_again()
        mender = Mender(place, pin_again)
        with ObjectStore(pinned.mirror, pinned.commit) as objects:
            return _index(pinned, objects, cache, workers, chance, mender)

    return mended_once(place, attempt)


def open_pinned(
    mirror: Path,
    commit: str,
    *,
    cache: Path,
    origin: str,
    workers: int | None = None,
    chance: Random | None = None,
) -> Snapshot:
    """Open a commit that was pinned before, from its mirror alone.

    Raises:
        DamagedStateError: The mirror does not hold the commit, or is damaged.
    """
    known_origin: Origin = "directory"
    if origin == "git":
        known_origin = "git"
    with ObjectStore(mirror, commit) as objects:
        tree = objects.tree()
        pinned = PinnedCommit(mirror, commit, tree, known_origin, shallow=False, notes=())
        return _index(pinned, objects, cache, workers, chance, None)


def open_known(repo: Path, commit: str, *, cache: Path, chance: Random | None = None) -> Snapshot:
    """Open a commit by its full id, whether it was pinned before or its history holds it.

    Raises:
        InputError: Neither the mirror nor the codebase has it.
    """
    place = mirror_place_of(repo, cache / MIRRORS)
    if place.mirror.is_dir():
        try:
            return open_pinned(place.mirror, commit, cache=cache, origin="git", chance=chance)
        except GoldwrightError:
            pass
    return open_snapshot(repo, rev=commit, cache=cache, chance=chance)


class SnapshotSeries:
    """Snapshots of many commits of one codebase, each of the files of its own tree alone.

    What a file contributes to an index depends on nothing but its content, so it is read once,
    however many of the commits have it.
    """

    def __init__(self, repo: Path, *, cache: Path, chance: Random | None = None) -> None:
        """Bring the history of a codebase into its mirror.

        Raises:
            InputError: The codebase is not what it should be.
        """
        place = mirror_place_of(repo, cache / MIRRORS)

        def pin() -> PinnedCommit:
            return pin_commit(repo, rev="HEAD", store=cache / MIRRORS)

        self._pinned = mended_once(place, pin)
        self._cache = cache
        self._chance = chance
        self._facts: dict[str, bytes] = {}

    def open(self, commit: str) -> Snapshot:
        """Open a commit of the history.

        Raises:
            InputError: The history does not hold it.
        """
        mirror = self._pinned.mirror
        with ObjectStore(mirror, commit) as objects:
            try:
                tree = objects.tree()
            except DamagedStateError as error:
                raise InputError(f"{commit[:12]}: is no commit of the codebase") from error
            pinned = PinnedCommit(
                mirror, commit, tree, self._pinned.origin, self._pinned.shallow, self._pinned.notes
            )
            return _index(
                pinned, objects, self._cache, 1, self._chance, None, shared_facts=self._facts
            )


def _index(
    pinned: PinnedCommit,
    objects: ObjectStore,
    cache: Path,
    workers: int | None,
    chance: Random | None,
    mender: Mender | None,
    *,
    shared_facts: dict[str, bytes] | None = None,
) -> Snapshot:
    indexer = _Indexer(pinned, cache, workers, chance, shared_facts)
    listing = pinned.listing or objects.listing()
    check_trees(listing, objects, drawn_directories(listing, chance))
    for language in LANGUAGES:
        indexer.index(language, listing.entries, objects)
    mend = None if mender is None else mender.mend
    extra_note = missing_extra_note(entry.path for entry in listing.entries)
    if extra_note is not None:
        pinned = replace(pinned, notes=(*pinned.notes, extra_note))
    return Snapshot(
        pinned, listing.entries, contents=indexer.contents, facts=indexer.facts, mend=mend
    )


class _Indexer:
    """Collects the facts of a commit, from the cache where they are known.

    Attributes:
        facts: The encoded facts of source files, by the keys that a snapshot expects.
        contents: The bytes of the files that were parsed, by object id.
    """

    def __init__(
        self,
        pinned: PinnedCommit,
        cache: Path,
        workers: int | None,
        chance: Random | None,
        shared_facts: dict[str, bytes] | None = None,
    ) -> None:
        """Prepare to collect.

        Args:
            pinned: The commit.
            cache: Where facts are kept between runs.
            workers: How many processes may parse.
            chance: Draws which cached facts are compared with the code.
            shared_facts: Takes and gives the facts of several commits in place of the cache, which
                keeps those of one commit.
        """
        self._codebase_name = pinned.mirror.stem
        self._cache = cache / INDEX
        self._workers = workers
        self._chance = chance
        self._shared_facts = shared_facts
        self.facts: dict[str, bytes] = {}
        self.contents: dict[str, bytes] = {}

    def index(self, language: Language, entries: Iterable[FileEntry], store: ObjectStore) -> None:
        """Collect the facts of the files of one language, and cache those of this commit."""
        oids: set[str] = set()
        for entry in entries:
            if entry.kind == "text" and language_of(entry.path) is language:
                oids.add(entry.oid)
        if self._shared_facts is not None:
            self._share(language, oids, store, self._shared_facts)
            return
        fact_cache = FactCache(self._cache, self._codebase_name, language.name)
        facts = self._cached_facts(fact_cache, oids, language, store)
        missing = sorted(oids - facts.keys())
        if missing:
            new_files = dict(store.read_many(missing))
            facts.update(facts_of(new_files, language, self._workers))
            lasting = {oid: data for oid, data in facts.items() if are_lasting(data)}
            fact_cache.save(lasting)
            self.contents.update(new_files)
        for oid, data in facts.items():
            self.facts[facts_key(language, oid)] = data

    def _share(
        self, language: Language, oids: set[str], store: ObjectStore, shared: dict[str, bytes]
    ) -> None:
        """Collect facts of files that other commits may have brought along, and add the others."""
        missing = sorted(oid for oid in oids if facts_key(language, oid) not in shared)
        new_files = dict(store.read_many(missing))
        for oid, data in facts_of(new_files, language, self._workers).items():
            shared[facts_key(language, oid)] = data
        for oid in oids:
            key = facts_key(language, oid)
            self.facts[key] = shared[key]

    def _cached_facts(
        self, fact_cache: FactCache, oids: set[str], language: Language, store: ObjectStore
    ) -> dict[str, bytes]:
        """Give the cached facts of some files; none where anything about the cache is wrong."""
        cached = fact_cache.load()
        facts = {oid: data for oid, data in cached.by_oid.items() if oid in oids}
        fault = cached.fault
        if fault is None and not self._are_true(facts, language, store):
            fault = "holds facts that the code does not show"
        if fault is None:
            return facts
        say_made_again("the index of the codebase", fact_cache.path, fault)
        fact_cache.discard()
        return {}

    def _are_true(self, facts: Mapping[str, bytes], language: Language, store: ObjectStore) -> bool:
        """Read a few files again and compare what is found with their facts."""
        if self._chance is None:
            return True
        readable = sorted(oid for oid, data in facts.items() if data.endswith(NO_REASON))
        count = min(_CHECKED_FACTS, len(readable))
        checked_oids = self._chance.sample(readable, count)
        files = dict(store.read_many(checked_oids))
        for oid, data in facts_of(files, language, workers=1).items():
            # A reading that fails now may have met a limit of time.
            if data.endswith(NO_REASON) and data != facts[oid]:
                return False
        return True
