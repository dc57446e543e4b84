"""Bringing the commits of a repository into its mirror.

The source is fetched from by git's own protocol and never opened as a repository, so
nothing its configuration, hooks, attributes or submodules ask for is run.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from goldwright.errors import DamagedStateError, GoldwrightError, InputError
from goldwright.snapshot.git.git_executable import OLDEST_GIT_FOR_TABLES, git_version
from goldwright.snapshot.git.git_process import (
    WAITS_FOR_EVER,
    GitError,
    first_complaint,
    lack_of_room,
    read_source,
)
from goldwright.snapshot.git.object_ids import is_object_id
from goldwright.snapshot.git.repository import Repository, show_path
from goldwright.snapshot.git.revisions import (
    replace_head,
    resolve_revision,
    show_revision,
    starts_at_head,
)
from goldwright.snapshot.mirror.mirror_faults import find_fault, find_halved_pack
from goldwright.snapshot.mirror.mirror_import import create_mirror
from goldwright.snapshot.mirror.mirror_place import MirrorPlace, cache_failure
from goldwright.text import make_visible

# A fetch may take a minute, and a second more for each of so many bytes of packs. Git reads and
# checks ten times as much on one core that it has for itself.
_SHORTEST_SECONDS: Final = 60.0
_BYTES_A_SECOND: Final = 1_000_000
# Where a fetch puts what was asked for, for the mirror's own HEAD names no branch of the source.
_FETCHED_HEAD: Final = "refs/goldwright/head"
_REFSPECS: Final = (
    "+refs/heads/*:refs/heads/*",
    "+refs/tags/*:refs/tags/*",
    "+refs/remotes/*:refs/remotes/*",
)
# The side that sends looks neither at grafts, which make history up, nor beside the given path.
_SENDER: Final = "GIT_GRAFT_FILE=/dev/null git-upload-pack --strict"
# Old histories hold these; nothing here is checked out, and unsafe names are never opened.
HARMLESS_FLAWS: Final = """
    badDate badDateOverflow badEmail badName badTagName badTimezone fullPathname gitattributesBlob
    gitattributesLarge gitattributesLineLength gitattributesMissing gitmodulesBlob gitmodulesLarge
    gitmodulesMissing gitmodulesName gitmodulesParse gitmodulesPath gitmodulesSymlink
    gitmodulesUpdate gitmodulesUrl hasDot hasDotdot hasDotgit missingEmail missingNameBeforeEmail
    missingSpaceBeforeDate missingSpaceBeforeEmail missingTaggerEntry multipleAuthors
    zeroPaddedDate zeroPaddedFilemode
""".split()


def _checking_options() -> tuple[str, ...]:
    """Give the options by which git refuses damaged objects."""
    # Packs are kept as they come: one file is read faster than a hundred.
    options = ["-c", "transfer.fsckObjects=true", "-c", "fetch.unpackLimit=1"]
    for flaw in HARMLESS_FLAWS:
        options += ["-c", f"fetch.fsck.{flaw}=ignore"]
    return tuple(options)


_CHECKING: Final = _checking_options()


def find_commit(source: Repository, place: MirrorPlace, revision: str) -> str:
    """Give the id of a commit of the source, and make sure that the mirror holds it.

    Raises:
        InputError: The source has no such commit, or git cannot read it.
        DamagedStateError: The mirror is not what it should be.
    """
    commit = _known_commit(source, place, revision)
    if commit is None:
        _refuse_unreadable(source)
        with place.locked():
            commit = _fetch_commit(source, place, revision)
    return commit


def check_mirror(source: Repository, place: MirrorPlace, *, is_locked: bool = False) -> None:
    """Look whether the mirror is what we made, before git reads it.

    While it ``is_locked``, nobody else is in the middle of adding to it.

    Raises:
        DamagedStateError: It is not.
    """
    may_be_shallow = source.is_shallow or source.is_partial
    fault = find_fault(place.mirror, source.object_format, may_be_shallow=may_be_shallow)
    if fault is None:
        fault = find_halved_pack(place.mirror, is_locked=is_locked)
    if fault is not None:
        raise DamagedStateError(f"{place.mirror}: {fault}")


def _known_commit(source: Repository, place: MirrorPlace, revision: str) -> str | None:
    """Find a commit that the mirror has; None if it takes a look at the source's branches."""
    if not os.path.lexists(place.mirror):
        return None
    check_mirror(source, place)
    if starts_at_head(revision) and (head := source.head()):
        return resolve_revision(place.mirror, replace_head(revision, head))
    if is_object_id(revision):
        return resolve_revision(place.mirror, revision)
    return None


def _refuse_unreadable(source: Repository) -> None:
    """Refuse what git would wait for, or does not know, before it is started.

    Raises:
        InputError: The repository holds such a thing.
    """
    shown_root = show_path(source.root)
    trap = source.trap()
    if trap is not None:
        raise InputError(f"{shown_root}: in its .git, {make_visible(trap)}; remove or replace it")
    if source.keeps_refs_in_tables and git_version()[:2] < OLDEST_GIT_FOR_TABLES:
        raise InputError(
            f"{shown_root}: keeps its branches in the format reftable, which this git does not "
            "know; install git 2.45 or newer"
        )


def _fetch_commit(source: Repository, place: MirrorPlace, revision: str) -> str:
    if os.path.lexists(place.mirror):
        # Another process may have made it since, or found it damaged.
        check_mirror(source, place, is_locked=True)
        place.clear_leavings()
        _fetch(source, place, place.mirror, revision)
    else:
        unfinished = place.clear_unfinished()
        create_mirror(unfinished, source.object_format)
        _fetch(source, place, unfinished, revision)
        unfinished.rename(place.mirror)
    commit = resolve_revision(place.mirror, _name_in_mirror(revision))
    if commit is None:
        shown_revision = show_revision(revision)
        shown_root = show_path(source.root)
        raise InputError(
            f"{shown_root}: no commit {shown_revision} on its branches, tags or HEAD; check --rev"
        )
    return commit


def _name_in_mirror(revision: str) -> str:
    if starts_at_head(revision):
        return replace_head(revision, _FETCHED_HEAD)
    return revision


def _fetch(source: Repository, place: MirrorPlace, mirror: Path, revision: str) -> None:
    """Fetch all that a repository has, or of a partial clone at least one commit with its files.

    Raises:
        InputError: The source cannot be read, or there is no room.
        DamagedStateError: The mirror cannot be brought up to date.
    """
    refspecs = list(_REFSPECS)
    # A commit that is named by its id may stand at a HEAD that is on no branch.
    if starts_at_head(revision) or (is_object_id(revision) and source.head()):
        refspecs.append(f"+HEAD:{_FETCHED_HEAD}")
    try:
        _run_fetch(source, place, mirror, refspecs)
    except GitError as error:
        if not (source.is_partial and _fetch_alone(source, place, mirror, revision)):
            is_new = mirror != place.mirror
            raise _explain(error, source, place, is_new=is_new) from error


def _fetch_alone(source: Repository, place: MirrorPlace, mirror: Path, revision: str) -> bool:
    """Fetch one commit without its history, of which a partial clone lacks files."""
    if starts_at_head(revision):
        name = "HEAD"
    elif is_object_id(revision):
        name = revision
    else:
        name = f"refs/heads/{revision}"
    refspec = f"+{name}:{_FETCHED_HEAD}"
    if name.startswith("refs/"):
        refspec = f"+{name}:{name}"
    try:
        _run_fetch(source, place, mirror, [refspec], depth=("--depth=1",))
    except GitError:
        return False
    return True


def _run_fetch(
    source: Repository,
    place: MirrorPlace,
    mirror: Path,
    refspecs: Sequence[str],
    *,
    depth: Sequence[str] = (),
) -> None:
    if source.git is None:
        raise InputError(f"{show_path(source.root)}: is no git repository")
    options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--force"]
    # A branch that is gone from the source may stand in the way of a new one: ``a`` and ``a/b``.
    options += ["--prune", "--update-shallow", "--no-write-fetch-head", "--no-auto-maintenance"]
    options += [*depth, f"--upload-pack={_SENDER}"]
    source_path = str(source.git.path)
    git_directory = f"--git-dir={mirror}"
    command = [*_CHECKING, git_directory, "fetch", *options, "--", source_path, *refspecs]
    trusted = (source.root, source.git.path, source.git.common)
    seconds = _SHORTEST_SECONDS + source.packed_bytes / _BYTES_A_SECOND
    read_source(command, source=source.root, trusted=trusted, home=place.home, seconds=seconds)


def _explain(
    error: GitError, source: Repository, place: MirrorPlace, *, is_new: bool
) -> GoldwrightError:
    """Say why a fetch failed; what an older mirror may have caused is not laid at the source."""
    reason = lack_of_room(error.complaint, error.exit_status)
    if reason is not None:
        return cache_failure(place.mirror, reason)
    complaint = error.complaint
    shown_root = show_path(source.root)
    if "remote ref HEAD" in complaint:
        return InputError(
            f"{shown_root}: has no commit yet at HEAD; commit something, or give --rev"
        )
    if not is_new:
        shown_complaint = first_complaint(complaint)
        return DamagedStateError(f"{place.mirror}: takes no more commits ({shown_complaint})")
    if source.is_partial:
        return InputError(
            f"{shown_root}: is a partial clone that lacks objects; "
            "run git fetch --refetch --no-filter in it"
        )
    if complaint == WAITS_FOR_EVER:
        return InputError(
            f"{shown_root}: git waits for ever in it, as for a pipe or a device; "
            "look at what its .git/config includes"
        )
    return InputError(
        f"{shown_root}: git could not read it ({first_complaint(complaint)}); run git fsck in it"
    )
