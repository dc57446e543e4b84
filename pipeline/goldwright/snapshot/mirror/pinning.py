"""Pinning a codebase: a bare mirror of our own, and one commit of it.

A repository is cloned or fetched from; a plain directory is committed by its content.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from goldwright.errors import InputError
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.git.git_tree import TreeListing
from goldwright.snapshot.git.repository import Repository, inspect_repository, show_path
from goldwright.snapshot.git.revisions import check_revision
from goldwright.snapshot.git.tree_check import check_trees, directories_above
from goldwright.snapshot.mirror.directory_walk import walk
from goldwright.snapshot.mirror.mirror_fetch import check_mirror, find_commit
from goldwright.snapshot.mirror.mirror_import import create_mirror, import_changes, import_files
from goldwright.snapshot.mirror.mirror_place import MirrorPlace
from goldwright.snapshot.mirror.uncommitted_files import uncommitted_code
from goldwright.snapshot.mirror.work_tree_changes import WorkTreeChange, work_tree_changes
from goldwright.text import counted, make_visible, shorten

Origin = Literal["git", "directory"]

_LONGEST_SHOWN: Final = 60


class UncommittedWorkError(InputError):
    """The work tree is not what its HEAD says, and nobody said which of the two is meant."""


@dataclass(frozen=True, slots=True)
class PinnedCommit:
    """One commit of a mirror.

    Attributes:
        mirror: The bare repository that holds it.
        commit: Its id.
        tree: The id of its tree.
        origin: Whether it comes from a git repository; uncommitted work and plain directories do
            not.
        shallow: Whether its history is cut off.
        notes: Sentences about the codebase that a user should see.
        listing: Its files, where pinning has listed them already; a large tree takes a while.
    """

    mirror: Path
    commit: str
    tree: str
    origin: Origin
    shallow: bool
    notes: tuple[str, ...]
    listing: TreeListing | None = field(default=None, compare=False, repr=False)


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
        UncommittedWorkError: The work tree differs from HEAD, which is not allowed.
        InputError: The codebase, the revision or git itself is not what it should be.
        DamagedStateError: The mirror is broken.
    """
    source = inspect_repository(repo)
    if rev is not None:
        check_revision(rev, source)
    place = MirrorPlace(source, store.absolute())
    if source.kind == "directory":
        return _pin_directory(source, place)
    commit = find_commit(source, place, rev or "HEAD")
    with ObjectStore(place.mirror, commit) as objects:
        pinned = _pin_repository(source, place, commit, objects)
        if rev is None and source.kind == "work_tree":
            return _pin_work_tree(source, place, pinned, objects, allow_dirty=allow_dirty)
    return pinned


def mirror_place_of(repo: Path, store: Path) -> MirrorPlace:
    """Tell where the mirror of a codebase is, or would be.

    Raises:
        InputError: There is no such codebase.
    """
    return MirrorPlace(inspect_repository(repo), store.absolute())


def _pin_directory(source: Repository, place: MirrorPlace) -> PinnedCommit:
    with place.locked():
        if os.path.lexists(place.mirror):
            check_mirror(source, place, is_locked=True)
            place.clear_leavings()
        else:
            unfinished = place.clear_unfinished()
            create_mirror(unfinished)
            unfinished.rename(place.mirror)
        commit = import_files(place.mirror, walk(source.root))
    return _pin_import(place, commit)


def _pin_repository(
    source: Repository, place: MirrorPlace, commit: str, objects: ObjectStore
) -> PinnedCommit:
    is_shallow = os.path.lexists(place.mirror / "shallow")
    notes = tuple(_notes_on(source, is_shallow=is_shallow))
    return PinnedCommit(place.mirror, commit, objects.tree(), "git", is_shallow, notes)


def _notes_on(source: Repository, *, is_shallow: bool) -> Iterator[str]:
    if source.is_shallow:
        yield "the repository is shallow: its history is cut off"
    elif is_shallow:
        yield "the repository is a partial clone that lacks files: read without its history"
    if source.borrows_objects:
        yield "the repository takes objects from another one (objects/info/alternates)"
    if source.has_grafts:
        yield "the repository has grafts (info/grafts): its history is read as it was committed"


def _pin_work_tree(
    source: Repository,
    place: MirrorPlace,
    pinned: PinnedCommit,
    objects: ObjectStore,
    *,
    allow_dirty: bool,
) -> PinnedCommit:
    """Give the pinned commit back, or one with the uncommitted work on top of it."""
    listing = objects.listing()
    changes = list(
        work_tree_changes(source.root, listing.entries, objects, sparse=source.is_sparse)
    )
    notes = (*pinned.notes, *_notes_on_new_code(source, listing))
    # A mirror that lists what is not in the commit would be taken for somebody's work.
    changed_paths = [change.path for change in changes]
    check_trees(listing, objects, directories_above(changed_paths, listing))
    if not changes:
        return replace(pinned, notes=notes, listing=listing)
    if not allow_dirty:
        raise _dirty_tree_error(source, changes)
    with place.locked():
        place.clear_leavings()
        commit = import_changes(place.mirror, changes, parent=pinned.commit)
    note = f"uncommitted work in {len(changes)} tracked file(s) is part of what was pinned"
    return _pin_import(place, commit, notes=(*notes, note), shallow=pinned.shallow)


def _notes_on_new_code(source: Repository, listing: TreeListing) -> Iterator[str]:
    new_paths = list(uncommitted_code(source.root, listing.entries))
    if new_paths:
        first = shorten(make_visible(new_paths[0]), _LONGEST_SHOWN)
        verb = "is" if len(new_paths) == 1 else "are"
        files = counted(len(new_paths), "new file")
        yield f"{files} beside committed code {verb} in no commit and not read, first {first}"


def _dirty_tree_error(
    source: Repository, changes: Sequence[WorkTreeChange]
) -> UncommittedWorkError:
    place = show_path(source.root)
    count = "1 uncommitted change"
    if len(changes) > 1:
        count = counted(len(changes), "uncommitted change")
    first_path = make_visible(changes[0].path)
    first = shorten(first_path, _LONGEST_SHOWN)
    return UncommittedWorkError(
        f"{place}: {count}, first {first}; commit, or give --rev HEAD or --allow-dirty"
    )


def _pin_import(
    place: MirrorPlace, commit: str, *, notes: tuple[str, ...] = (), shallow: bool = False
) -> PinnedCommit:
    """Pin a commit that was made of files outside of git."""
    with ObjectStore(place.mirror, commit) as objects:
        tree = objects.tree()
    return PinnedCommit(place.mirror, commit, tree, "directory", shallow, notes)
