"""Odd git repositories: states, formats, damage, and what git would run or wait for."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from zoo import repository_making as making
from zoo.file_damage import link, replaced
from zoo.specimen import RUN, Ending, Place, Specimen


def repository(
    name: str,
    why: str,
    change: Callable[[Path], object],
    ending: Ending = "works",
    *says: str,
    rev: str | None = None,
    never_says: tuple[str, ...] = (),
    needs_root: bool = False,
) -> Specimen:
    """Describe a repository of honest code that was changed afterwards."""

    def make(place: Place) -> None:
        place.write_honest_code()
        making.commit(place.code)
        change(place.code)

    arguments = (*RUN, "--rev", rev) if rev is not None else RUN
    return Specimen(
        name, why, make, ending, says, never_says, arguments=arguments, needs_root=needs_root
    )


def made(
    name: str, why: str, make_code: Callable[[Path], object], ending: Ending = "works", *says: str
) -> Specimen:
    """Describe a repository that is odd from the start."""

    def make(place: Place) -> None:
        make_code(place.code)

    return Specimen(name, why, make, ending, says)


REPOSITORIES: Final[tuple[Specimen, ...]] = (
    repository("repository-honest", "nothing odd: the control", making.nothing),
    made(
        "repository-without-commits", "just after git init", making.no_commits, "refuses", "commit"
    ),
    made(
        "repository-of-one-empty-commit",
        "a commit of nothing",
        making.one_empty_commit,
        "refuses",
        "Python",
    ),
    made(
        "repository-of-one-commit-without-python",
        "documents alone",
        making.one_commit_without_python,
        "refuses",
        "Python",
    ),
    made("repository-in-sha256", "the newer object format", making.sha256),
    made("repository-that-is-bare", "as servers keep them", making.bare),
    made(
        "linked-worktree",
        "`.git` is a file that leads to another repository",
        making.linked_worktree,
    ),
    made(
        "linked-worktree-of-nothing",
        "that repository is gone",
        making.worktree_of_nothing,
        "refuses",
    ),
    made("shallow-clone", "as CI makes it", making.shallow),
    made(
        "partial-clone-whose-origin-is-gone",
        "objects that would be fetched",
        making.partial,
        "refuses",
    ),
    made("objects-of-another-repository", "git clone --shared", making.alternates),
    made(
        "objects-of-a-repository-that-is-gone", "the same, later", making.alternates_gone, "refuses"
    ),
    repository("submodule", "a commit of another repository inside a tree", making.submodule),
    repository(
        "orphan-branch",
        "a branch without a making.commit, in a repository with some",
        making.orphan_branch,
        "refuses",
    ),
    repository(
        "detached-head",
        "as CI leaves it",
        lambda code: making.git(code, "checkout", "--quiet", "--detach"),
    ),
    repository("grafts", "a history that was rewritten by a file", making.grafts),
    repository("replaced-objects", "git shows other content than was committed", making.replaced),
    repository(
        "blob-that-is-gone",
        "damage of the disk",
        making.blob_gone,
        "refuses",
        never_says=("cache",),
    ),
    repository(
        "blob-that-is-damaged", "the same", making.blob_damaged, "refuses", never_says=("cache",)
    ),
    repository(
        "blob-of-another-content",
        "an object that is not what its name says",
        making.blob_of_another,
        "refuses",
        never_says=("cache",),
    ),
    repository(
        "blob-that-is-a-pipe", "whoever opens it waits for ever", making.blob_pipe, "refuses"
    ),
    repository("commit-that-is-gone", "HEAD leads nowhere", making.commit_gone, "refuses"),
    repository("tree-that-is-gone", "a commit without its tree", making.tree_gone, "refuses"),
    repository("pack-that-is-damaged", "damage inside a pack", making.pack_damaged, "refuses"),
    repository(
        "head-of-garbage", "damage of one file", making.write(".git/HEAD", "garbage\n"), "refuses"
    ),
    repository(
        "head-that-is-empty", "what a power loss leaves", making.write(".git/HEAD", ""), "refuses"
    ),
    repository(
        "head-that-leads-to-itself",
        "a circle of names",
        making.write(".git/refs/heads/main", "ref: refs/heads/main\n"),
        "refuses",
    ),
    repository(
        "branch-that-is-empty",
        "what a power loss leaves",
        making.write(".git/refs/heads/main", ""),
        "refuses",
    ),
    repository(
        "configuration-of-garbage",
        "git cannot read its settings",
        making.write(".git/config", "[core\n"),
        "refuses",
    ),
    repository(
        "configuration-that-includes-itself",
        "a circle of files",
        lambda code: making.git(code, "config", "include.path", "config"),
        "refuses",
    ),
    repository(
        "repository-of-a-newer-version",
        "a format that does not exist yet",
        making.config("core.repositoryformatversion", "99"),
        "refuses",
    ),
    repository(
        "repository-with-unknown-extension",
        "an extension that does not exist yet",
        lambda code: (
            making.git(code, "config", "core.repositoryformatversion", "1"),
            making.git(code, "config", "extensions.frobnicate", "true"),
        ),
        "refuses",
    ),
    repository(
        "objects-without-directory",
        "half of a repository",
        making.without(".git/objects"),
        "refuses",
    ),
    repository(
        "git-directory-that-is-empty",
        "none of a repository",
        replaced(".git", Path.mkdir),
        "refuses",
    ),
    repository(
        "git-file-that-is-empty",
        "`.git` is a file of nothing",
        replaced(".git", Path.touch),
        "refuses",
    ),
    repository(
        "git-file-to-itself",
        "a circle of one",
        lambda code: making.elsewhere(code, str(code / ".git")),
        "refuses",
    ),
    repository(
        "git-file-to-devices",
        "`.git` leads to /dev",
        lambda code: making.elsewhere(code, "/dev"),
        "refuses",
    ),
    repository(
        "git-link-to-nowhere",
        "`.git` is a link that leads nowhere",
        replaced(".git", link("/nonexistent")),
        "refuses",
    ),
    repository("git-that-is-a-pipe", "`.git` is a pipe", making.pipe(".git"), "refuses"),
    repository(
        "head-that-is-a-pipe",
        "whoever opens it waits for ever",
        making.pipe(".git/HEAD"),
        "refuses",
    ),
    repository("configuration-that-is-a-pipe", "the same", making.pipe(".git/config"), "refuses"),
    repository(
        "configuration-without-end", "a link to /dev/zero", making.device(".git/config"), "refuses"
    ),
    repository("branch-that-is-a-pipe", "the same", making.pipe(".git/refs/heads/main"), "refuses"),
    repository(
        "packed-refs-that-are-a-pipe", "the same", making.pipe(".git/packed-refs"), "refuses"
    ),
    repository(
        "alternates-that-are-a-pipe",
        "the same",
        making.pipe(".git/objects/info/alternates"),
        "refuses",
    ),
    repository("shallow-that-is-a-pipe", "the same", making.pipe(".git/shallow"), "refuses"),
    repository(
        "git-index-that-is-a-pipe",
        "the same, in what only the work tree needs",
        making.pipe(".git/index"),
        "works",
    ),
    repository("exclude-that-is-a-pipe", "the same", making.pipe(".git/info/exclude"), "refuses"),
    repository(
        "attributes-that-are-a-pipe", "the same", making.pipe(".git/info/attributes"), "refuses"
    ),
    repository(
        "index-lock-that-was-left", "a making.git that died", making.write(".git/index.lock", "")
    ),
    repository(
        "git-index-of-garbage",
        "damage in what only the work tree needs",
        making.write(".git/index", "garbage"),
        "works",
    ),
    repository(
        "index-that-is-gone", "everything looks deleted", making.without(".git/index"), "works"
    ),
    repository(
        "working-tree-encoding",
        "files are UTF-16 on disk and UTF-8 in git",
        making.working_tree_encoding,
    ),
    repository("line-ends-by-attributes", "files have other line ends on disk", making.line_ends),
    repository("attributes-of-megabytes", "100,000 lines of attributes", making.attributes_giant),
    repository("filters-that-run", "settings that run commands", making.running_filters),
    repository("filters-that-hang", "settings that wait for ten minutes", making.hanging_filters),
    repository(
        "uncommitted-changes",
        "what is on disk is in no commit",
        making.dirty,
        "refuses",
        "--allow-dirty",
    ),
    repository(
        "merge-half-done", "conflicts on disk", making.half_merged, "refuses", "--allow-dirty"
    ),
    repository("repository-inside", "another repository in the work tree", making.nested, "works"),
    repository(
        "work-tree-elsewhere", "settings move the work tree", making.config("core.worktree", "/usr")
    ),
    repository(
        "repository-that-says-it-is-bare",
        "settings deny the work tree",
        making.config("core.bare", "true"),
    ),
    repository(
        "repository-of-somebody-else", "git refuses those", making.other_owner, needs_root=True
    ),
    repository(
        "revision-of-a-tree", "a tag that names no commit", making.tagged, "refuses", rev="tree-tag"
    ),
    repository(
        "revision-of-a-blob", "the same, of a file", making.tagged, "refuses", rev="blob-tag"
    ),
    repository(
        "revision-with-escapes",
        "it is quoted in the error",
        making.nothing,
        "refuses",
        rev="\x1b]0;owned\x07",
    ),
    repository(
        "revision-of-an-option",
        "git would take it as one",
        making.nothing,
        "refuses",
        rev="--output=owned",
    ),
    repository(
        "revision-of-100000-letters",
        "more than a name may have",
        making.nothing,
        "refuses",
        rev="r" * 100_000,
    ),
    repository(
        "revision-that-is-empty",
        "an unset variable of a script",
        making.nothing,
        "refuses",
        rev="",
    ),
    repository(
        "tree-with-dots",
        "a path that leads out",
        making.tree_of(b"..", b".", b"a.py"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-with-git",
        "a path into git itself",
        making.tree_of(b".git", b"a.py"),
        "falls short",
        rev="HEAD",
    ),
    repository(
        "tree-with-slashes",
        "a name that is a path",
        making.tree_of(b"../../owned.py", b"a.py"),
        "falls short",
        rev="HEAD",
    ),
    repository(
        "tree-with-double-names",
        "two files of one name",
        making.tree_of(b"a.py", b"a.py"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-with-odd-modes",
        "modes that no file has",
        making.tree_of(b"a.py", mode=b"177777"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-with-escapes",
        "names that take over the terminal",
        making.tree_of(b"\x1b]0;owned\x07.py", b"a\nb.py", b"caf\xe9.py"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-bomb",
        "ten thousand million paths in a kilobyte",
        making.tree_bomb,
        "refuses",
        rev="HEAD",
    ),
)
