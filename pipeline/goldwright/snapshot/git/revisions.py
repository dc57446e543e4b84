"""What users call a commit, and which commit of a mirror it is."""

import re
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.snapshot.git.git_process import GitError, ask_mirror
from goldwright.snapshot.git.object_ids import is_object_id
from goldwright.snapshot.git.repository import Repository, show_path
from goldwright.text import make_visible, shorten

_LONGEST_REVISION: Final = 250
_LONGEST_SHOWN: Final = 60
# Options, searches, paths, ranges and entries of reflogs: git takes them for revisions too.
_NO_REVISION: Final = re.compile(
    r"-.*|.*[\x00-\x20\x7f:?*\[\\].*|.*\^\{/.*|.*@\{.*|.*\.\..*|", re.DOTALL
)
# ``HEAD`` and its short form, alone or counted from, as in ``HEAD~2`` and ``@^``.
_HEAD: Final = re.compile(r"(?:HEAD|@)(?=$|[~^])")


def check_revision(revision: str, source: Repository) -> None:
    """Refuse what is no plain name of a commit, before it reaches git.

    Raises:
        InputError: It is not the name of a commit, or the codebase has no commits.
    """
    if source.kind == "directory":
        raise InputError(
            f"{show_path(source.root)}: has no .git, so no revisions; "
            "leave --rev out or give a git repository"
        )
    if len(revision) > _LONGEST_REVISION or _NO_REVISION.fullmatch(revision):
        raise InputError(
            f"--rev {show_revision(revision)}: is not the name of a commit; "
            "give a branch, a tag or a commit id"
        )


def show_revision(revision: str) -> str:
    """Write a revision for a message."""
    return shorten(make_visible(revision), _LONGEST_SHOWN)


def starts_at_head(revision: str) -> bool:
    """Return whether a revision is HEAD or counted from it, as ``HEAD~2``."""
    return _HEAD.match(revision) is not None


def replace_head(revision: str, name: str) -> str:
    """Put another name in the place of HEAD, if a revision starts there."""
    return _HEAD.sub(name, revision, count=1)


def resolve_revision(mirror: Path, revision: str) -> str | None:
    """Give the id of the commit that a revision names in a mirror; None where there is none."""
    # A tag is followed to its commit; anything else is none.
    commit_name = f"{revision}^{{commit}}"
    command = ["rev-parse", "--verify", "--quiet", "--end-of-options", commit_name]
    try:
        output = ask_mirror(mirror, command)
    except GitError:
        return None
    commit = output.decode("ascii", "replace").strip()
    if not is_object_id(commit):
        return None
    return commit
