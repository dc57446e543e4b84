"""Bringing the commits of a repository into its mirror.

The source is cloned or fetched from by git's own protocol and never opened as a repository, so
nothing its configuration, hooks, attributes or submodules ask for is run.
"""

from collections.abc import Sequence
from typing import Final

from goldwright.errors import InputError
from goldwright.snapshot.git import GitError, first_complaint, read_source
from goldwright.snapshot.mirror_place import MirrorPlace
from goldwright.snapshot.object_ids import is_object_id
from goldwright.snapshot.repository import Repository, show_path
from goldwright.snapshot.revisions import (
    replace_head,
    resolve_revision,
    show_revision,
    starts_at_head,
)

_CLONE_SECONDS: Final = 1800.0
# Where a fetch puts the HEAD of the source, for the mirror's own stays as it was cloned.
_FETCHED_HEAD: Final = "refs/goldwright/head"
_REFSPECS: Final = (
    "+refs/heads/*:refs/heads/*",
    "+refs/tags/*:refs/tags/*",
    "+refs/remotes/*:refs/remotes/*",
)
# Old histories hold these; nothing here is checked out, and unsafe names are never opened.
_HARMLESS_FLAWS: Final = """
    badDate badDateOverflow badEmail badName badTagName badTimezone fullPathname gitattributesBlob
    gitattributesLarge gitattributesLineLength gitattributesMissing gitmodulesBlob gitmodulesLarge
    gitmodulesMissing gitmodulesName gitmodulesParse gitmodulesPath gitmodulesSymlink
    gitmodulesUpdate gitmodulesUrl hasDot hasDotdot hasDotgit missingEmail missingNameBeforeEmail
    missingSpaceBeforeDate missingSpaceBeforeEmail missingTaggerEntry multipleAuthors
    zeroPaddedDate zeroPaddedFilemode
""".split()


def _checking_options() -> tuple[str, ...]:
    """Give the options by which git refuses damaged objects."""
    options = ["-c", "transfer.fsckObjects=true"]
    for flaw in _HARMLESS_FLAWS:
        options += ["-c", f"fetch.fsck.{flaw}=ignore"]
    return tuple(options)


_CHECKING: Final = _checking_options()


def find_commit(source: Repository, place: MirrorPlace, revision: str) -> str:
    """Give the id of a commit of the source, and make sure that the mirror holds it.

    Raises:
        InputError: The source has no such commit, or git cannot read it.
    """
    commit = _known_commit(source, place, revision)
    if commit is None:
        with place.locked():
            commit = _fetch_commit(source, place, revision)
    return commit


def _known_commit(source: Repository, place: MirrorPlace, revision: str) -> str | None:
    """Find a commit that the mirror has; None if it takes a look at the source's branches."""
    if not place.mirror.is_dir():
        return None
    if starts_at_head(revision) and (head := source.head()):
        return resolve_revision(place.mirror, replace_head(revision, head))
    if is_object_id(revision):
        return resolve_revision(place.mirror, revision)
    return None


def _fetch_commit(source: Repository, place: MirrorPlace, revision: str) -> str:
    if not place.mirror.is_dir():
        _clone(source, place)
        # Only in a new clone is HEAD that of the source.
        commit = resolve_revision(place.mirror, revision)
        if commit is not None:
            return commit
    _fetch(source, place, with_head=starts_at_head(revision))
    commit = resolve_revision(place.mirror, replace_head(revision, _FETCHED_HEAD))
    if commit is None:
        shown_revision = show_revision(revision)
        raise InputError(
            f"{show_path(source.root)}: no commit {shown_revision} on its branches, tags or HEAD; "
            "check --rev"
        )
    return commit


def _clone(source: Repository, place: MirrorPlace) -> None:
    unfinished = place.clear_unfinished()
    # Objects are copied by git's protocol, not linked from the source, and no hooks are put in.
    options = ["--quiet", "--no-local", "--bare", "--template=", "--no-recurse-submodules"]
    command = [*_CHECKING, "clone", *options, "--", str(source.root), str(unfinished)]
    _read(command, source, place)
    unfinished.rename(place.mirror)


def _fetch(source: Repository, place: MirrorPlace, *, with_head: bool) -> None:
    options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--force"]
    # A branch that is gone from the source may stand in the way of a new one: ``a`` and ``a/b``.
    options += ["--prune", "--update-shallow", "--no-write-fetch-head"]
    refspecs = list(_REFSPECS)
    if with_head:
        refspecs.append(f"+HEAD:{_FETCHED_HEAD}")
    git_directory = f"--git-dir={place.mirror}"
    source_path = str(source.root)
    command = [*_CHECKING, git_directory, "fetch", *options, "--", source_path, *refspecs]
    _read(command, source, place)


def _read(command: Sequence[str], source: Repository, place: MirrorPlace) -> None:
    try:
        read_source(command, source=source.root, home=place.home, seconds=_CLONE_SECONDS)
    except GitError as error:
        reason = _explain(error.complaint, source)
        raise InputError(f"{show_path(source.root)}: {reason}") from error


def _explain(complaint: str, source: Repository) -> str:
    if "remote ref HEAD" in complaint:
        return "has no commit yet; commit something, or give --rev"
    if source.is_partial:
        return "is a partial clone that lacks objects; run git fetch --refetch --no-filter in it"
    return f"git could not read it ({first_complaint(complaint)}); run git fsck in it"
