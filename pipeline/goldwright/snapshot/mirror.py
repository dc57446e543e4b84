"""Pinning a codebase: a bare mirror of our own, and one commit of it.

The source is cloned or fetched from by git's own protocol and never opened as a repository, so
nothing its configuration, hooks, attributes or submodules ask for is run. A plain directory is
committed by its content.
"""

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from goldwright.atomic_files import write_failure
from goldwright.errors import InputError
from goldwright.snapshot.directory_walk import walk
from goldwright.snapshot.git import GitError, ask_mirror, first_complaint, read_source
from goldwright.snapshot.git_objects import ObjectStore
from goldwright.snapshot.mirror_import import create_mirror, import_changes, import_files
from goldwright.snapshot.repository import Repository, inspect_repository, show_path
from goldwright.snapshot.work_tree_changes import work_tree_changes
from goldwright.text import make_visible, shorten

Origin = Literal["git", "directory"]

_CLONE_SECONDS: Final = 1800.0
_HEAD: Final = "refs/goldwright/head"
_REFSPECS: Final = (
    "+refs/heads/*:refs/heads/*",
    "+refs/tags/*:refs/tags/*",
    "+refs/remotes/*:refs/remotes/*",
)
_FULL_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NO_REVISION: Final = re.compile(
    r"-.*|.*[\x00-\x20\x7f:?*\[\\].*|.*\^\{/.*|.*@\{.*|.*\.\..*|", re.DOTALL
)
_HEADED: Final = re.compile(r"(?:HEAD|@)(?=$|[~^])")
_HARMLESS: Final = """
    badDate badDateOverflow badEmail badName badTagName badTimezone fullPathname gitattributesBlob gitattributesLarge
    gitattributesLineLength gitattributesMissing gitmodulesBlob gitmodulesLarge gitmodulesMissing gitmodulesName
    gitmodulesParse gitmodulesPath gitmodulesSymlink gitmodulesUpdate gitmodulesUrl hasDot hasDotdot hasDotgit
    missingEmail missingNameBeforeEmail missingSpaceBeforeDate missingSpaceBeforeEmail missingTaggerEntry
    multipleAuthors zeroPaddedDate zeroPaddedFilemode
""".split()  # old histories hold these; nothing here is checked out, and unsafe names are never opened


@dataclass(frozen=True, slots=True)
class PinnedCommit:
    """One commit of a mirror; ``notes`` are sentences about the codebase that a user should see."""

    mirror: Path
    commit: str
    tree: str
    origin: Origin
    shallow: bool
    notes: tuple[str, ...]


def pin_commit(
    repo: Path, *, rev: str | None, store: Path, allow_dirty: bool = False
) -> PinnedCommit:
    """Bring a codebase into the store of mirrors and choose one commit of it.

    Args:
        repo: A git repository, bare or not, or a directory without git.
        rev: What to pin, as git names commits; HEAD by default.
        store: The directory of mirrors; it is made if it is not there.
        allow_dirty: Pin uncommitted changes of tracked files too, where ``rev`` is not given.

    Raises:
        InputError: The codebase, the revision or git itself is not as wanted.
        DamagedStateError: The mirror is broken.
    """
    source = inspect_repository(repo)
    if rev is not None:
        _check_revision(rev, source)
    place = _MirrorPlace(source, store.absolute())
    if source.kind == "directory":
        return _pin_directory(source, place)
    pinned = _pin_commit(source, place, rev)
    if rev is None and source.kind == "work_tree":
        return _pin_work_tree(source, place, pinned, allow_dirty=allow_dirty)
    return pinned


def mirror_of(repo: Path, store: Path) -> Path:
    """Where the mirror of a codebase is, or would be.

    Raises:
        InputError: There is no such codebase.
    """
    return _MirrorPlace(inspect_repository(repo), store.absolute()).mirror


class _MirrorPlace:
    """Where the mirror of one source stands, with its lock."""

    def __init__(self, source: Repository, store: Path) -> None:
        kind = "directory" if source.kind == "directory" else "git"
        name = hashlib.sha256(os.fsencode(f"{kind}\0{source.root}")).hexdigest()[:32]
        self._store = store
        self.mirror = store / f"{name}.git"
        self.home = store / f"{name}.home"
        self._lock = store / f"{name}.lock"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the mirror."""
        try:
            self._store.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.home.mkdir(exist_ok=True, mode=0o700)
            descriptor = os.open(
                self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
            )
        except OSError as error:
            raise write_failure(self._store, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def fresh(self) -> Path:
        """An unused name for a mirror in the making; what an interrupted process left there is
        removed.
        """
        path = self.mirror.with_suffix(".new")
        if path.exists():
            shutil.rmtree(path)
        return path


def _pin_directory(source: Repository, place: _MirrorPlace) -> PinnedCommit:
    with place.locked():
        if not place.mirror.is_dir():
            fresh = place.fresh()
            create_mirror(fresh)
            fresh.rename(place.mirror)
        commit = import_files(place.mirror, walk(source.root))
    return _pinned(place.mirror, commit, "directory", ())


def _pin_commit(source: Repository, place: _MirrorPlace, rev: str | None) -> PinnedCommit:
    name = rev or "HEAD"
    known = _known_commit(place.mirror, name, source) if place.mirror.is_dir() else None
    if known is None:
        with place.locked():
            known = _fetched_commit(source, place, name)
    notes = []
    if source.is_shallow:
        notes.append("the repository is shallow: its history is cut off")
    if source.borrows_objects:
        notes.append("the repository takes objects from another one (objects/info/alternates)")
    return _pinned(place.mirror, known, "git", tuple(notes), shallow=source.is_shallow)


def _pin_work_tree(
    source: Repository, place: _MirrorPlace, pinned: PinnedCommit, *, allow_dirty: bool
) -> PinnedCommit:
    with ObjectStore(place.mirror, pinned.commit) as store:
        entries = store.entries()
        found = work_tree_changes(source.root, entries, store, sparse=source.is_sparse)
        first = next(found, None)
        if first is None:
            return pinned
        every = [first, *found]
    if not allow_dirty:
        count = f"{len(every)} uncommitted change{'s' * (len(every) > 1)}"
        where = shorten(make_visible(first.path), 60)
        raise InputError(
            f"{_short(source)}: {count}, first {where}; commit, or give --rev HEAD or --allow-dirty"
        )
    with place.locked():
        commit = import_changes(place.mirror, every, parent=pinned.commit)
    notes = (
        *pinned.notes,
        f"uncommitted work in {len(every)} tracked file(s) is part of what was pinned",
    )
    return _pinned(place.mirror, commit, "directory", notes, shallow=pinned.shallow)


def _pinned(
    mirror: Path, commit: str, origin: Origin, notes: tuple[str, ...], *, shallow: bool = False
) -> PinnedCommit:
    with ObjectStore(mirror, commit) as store:
        return PinnedCommit(mirror, commit, store.tree(), origin, shallow, notes)


def _known_commit(mirror: Path, name: str, source: Repository) -> str | None:
    """Find a commit that is named for good, or by the HEAD that the source has now; None if it
    takes a fetch.
    """
    head = source.head()
    if _HEADED.match(name) and head:
        return _resolved(mirror, _HEADED.sub(head, name, count=1))
    return _resolved(mirror, name) if _FULL_ID.fullmatch(name) else None


def _fetched_commit(source: Repository, place: _MirrorPlace, name: str) -> str:
    cloned = not place.mirror.is_dir()
    if cloned:
        _clone(source, place)
        if (commit := _resolved(place.mirror, name)) is not None:
            return commit
    _fetch(source, place, with_head=bool(_HEADED.match(name)))
    commit = _resolved(place.mirror, _HEADED.sub(_HEAD, name, count=1))
    if commit is None:
        shown = shorten(make_visible(name), 60)
        raise InputError(
            f"{_short(source)}: no commit {shown} on its branches, tags or HEAD; check --rev"
        )
    return commit


def _clone(source: Repository, place: _MirrorPlace) -> None:
    fresh = place.fresh()
    lenient = chain.from_iterable(("-c", f"fetch.fsck.{name}=ignore") for name in _HARMLESS)
    command = [
        *("-c", "transfer.fsckObjects=true", *lenient),
        *("clone", "--quiet", "--no-local", "--bare", "--template=", "--no-recurse-submodules"),
        *("--", str(source.root), str(fresh)),
    ]
    _read(command, source, place)
    fresh.rename(place.mirror)


def _fetch(source: Repository, place: _MirrorPlace, *, with_head: bool) -> None:
    lenient = chain.from_iterable(("-c", f"fetch.fsck.{name}=ignore") for name in _HARMLESS)
    command = [
        *("-c", "transfer.fsckObjects=true", *lenient),
        *(
            f"--git-dir={place.mirror}",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--force",
        ),
        *(
            "--prune",
            "--update-shallow",
            "--no-write-fetch-head",
            "--",
            str(source.root),
            *_REFSPECS,
        ),
        *([f"+HEAD:{_HEAD}"] if with_head else []),
    ]
    _read(command, source, place)


def _read(command: list[str], source: Repository, place: _MirrorPlace) -> None:
    try:
        read_source(command, source=source.root, home=place.home, seconds=_CLONE_SECONDS)
    except GitError as error:
        raise InputError(f"{_short(source)}: {_reason(error.complaint, source)}") from error


def _reason(complaint: str, source: Repository) -> str:
    if "remote ref HEAD" in complaint:
        return "has no commit yet; commit something, or give --rev"
    if source.is_partial:
        return "is a partial clone that lacks objects; run git fetch --refetch --no-filter in it"
    return f"git could not read it ({first_complaint(complaint)}); run git fsck in it"


def _resolved(mirror: Path, name: str) -> str | None:
    command = ["rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"]
    try:
        commit = ask_mirror(mirror, command).decode("ascii", "replace").strip()
    except GitError:
        return None
    return commit if _FULL_ID.fullmatch(commit) else None


def _check_revision(rev: str, source: Repository) -> None:
    if source.kind == "directory":
        raise InputError(
            f"{_short(source)}: has no .git, so no revisions; leave --rev out or give a git repository"
        )
    if len(rev) > 250 or _NO_REVISION.fullmatch(rev):
        shown = shorten(make_visible(rev), 60)
        raise InputError(
            f"--rev {shown}: is not the name of a commit; give a branch, a tag or a commit id"
        )


def _short(source: Repository) -> str:
    return show_path(source.root)
