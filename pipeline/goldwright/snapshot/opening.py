"""Opening a codebase as a snapshot: pinning a commit of it, and indexing what is new there."""

from collections.abc import Iterable
from pathlib import Path

from goldwright.errors import GoldwrightError
from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.fact_cache import FactCache
from goldwright.snapshot.git_objects import ObjectStore
from goldwright.snapshot.indexing import facts_of
from goldwright.snapshot.language import Language
from goldwright.snapshot.languages import LANGUAGES, language_of
from goldwright.snapshot.mirror import Origin, PinnedCommit, mirror_of, pin_commit
from goldwright.snapshot.snapshot import Snapshot, facts_key


def open_snapshot(
    repo: Path,
    *,
    rev: str | None = None,
    cache: Path,
    allow_dirty: bool = False,
    workers: int | None = None,
) -> Snapshot:
    """Pin a codebase and index it.

    Args:
        repo: A git repository, or a plain directory, which is pinned by its content.
        rev: The commit; HEAD when there is none.
        cache: Where mirrors and indexes are kept between runs.
        allow_dirty: Pin the files of the work tree as they are.
        workers: How many processes may parse (at least 1); as many as there are cores when there is
            none.

    Raises:
        InputError: The codebase or the revision is not what it should be.
    """
    pinned = pin_commit(repo, rev=rev, store=cache / "mirrors", allow_dirty=allow_dirty)
    return _index(pinned, cache, workers)


def open_pinned(
    mirror: Path, commit: str, *, cache: Path, origin: str, workers: int | None = None
) -> Snapshot:
    """Open a commit that was pinned before, from its mirror alone.

    Raises:
        InputError: The mirror does not hold the commit.
    """
    with ObjectStore(mirror, commit) as store:
        tree = store.tree()
    known_origin: Origin = "directory"
    if origin == "git":
        known_origin = "git"
    pinned = PinnedCommit(mirror, commit, tree, known_origin, shallow=False, notes=())
    return _index(pinned, cache, workers)


def open_known(repo: Path, commit: str, *, cache: Path) -> Snapshot:
    """Open a commit by its full id, whether it was pinned before or its history holds it.

    Raises:
        InputError: Neither the mirror nor the codebase has it.
    """
    mirror = mirror_of(repo, cache / "mirrors")
    if mirror.is_dir():
        try:
            return open_pinned(mirror, commit, cache=cache, origin="git")
        except GoldwrightError:
            pass
    return open_snapshot(repo, rev=commit, cache=cache)


def _index(pinned: PinnedCommit, cache: Path, workers: int | None) -> Snapshot:
    indexer = _Indexer(pinned, cache, workers)
    with ObjectStore(pinned.mirror, pinned.commit) as store:
        entries = store.entries()
        for language in LANGUAGES:
            indexer.index(language, entries, store)
    return Snapshot(pinned, entries, contents=indexer.contents, facts=indexer.facts)


class _Indexer:
    """Collects the facts of a commit, from the cache where they are known.

    Attributes:
        facts: The encoded facts of source files, by the keys that a snapshot expects.
        contents: The bytes of the files that were parsed, by object id.
    """

    def __init__(self, pinned: PinnedCommit, cache: Path, workers: int | None) -> None:
        self._codebase_name = pinned.mirror.stem
        self._cache = cache / "index"
        self._workers = workers
        self.facts: dict[str, bytes] = {}
        self.contents: dict[str, bytes] = {}

    def index(self, language: Language, entries: Iterable[FileEntry], store: ObjectStore) -> None:
        """Collect the facts of the files of one language, and cache those of this commit."""
        oids: set[str] = set()
        for entry in entries:
            if entry.kind == "text" and language_of(entry.path) is language:
                oids.add(entry.oid)
        cache_name = f"{self._codebase_name}-{language.name}"
        fact_cache = FactCache(self._cache, cache_name)
        cached = fact_cache.load()
        facts = {oid: data for oid, data in cached.items() if oid in oids}
        missing = sorted(oids - facts.keys())
        if missing:
            new_files = dict(store.read_many(missing))
            facts.update(facts_of(new_files, language, self._workers))
            fact_cache.save(facts)
            self.contents.update(new_files)
        for oid, data in facts.items():
            self.facts[facts_key(language, oid)] = data
