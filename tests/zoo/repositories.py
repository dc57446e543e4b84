"""Odd git repositories: states, formats, damage, and what git would run or wait for."""

import hashlib
import os
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from journeys.sample_code import SHOP, write_code
from zoo.specimen import RUN, Ending, Place, Specimen

IDENTITY: Final = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
DAY: Final = "2020-01-01T00:00:00Z"


def git(root: Path, *arguments: str, given: bytes | None = None) -> str:
    """Run git as a user without configuration would."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": DAY,
        "GIT_COMMITTER_DATE": DAY,
        "GIT_ALLOW_PROTOCOL": "file",
    }
    result = subprocess.run(
        ["git", *IDENTITY, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        check=True,
        input=given,
    )
    return result.stdout.decode(errors="replace").strip()


def commit(root: Path, *options: str) -> None:
    """Make a directory a repository with one commit."""
    git(root, "init", "--quiet", "--initial-branch=main", *options)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Open the shop")


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
        commit(place.code)
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


def _honest(code: Path) -> None:
    write_code(code, SHOP)


def _replace_by_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def _no_commits(code: Path) -> None:
    _honest(code)
    git(code, "init", "--quiet")


def _one_empty_commit(code: Path) -> None:
    code.mkdir()
    git(code, "init", "--quiet")
    git(code, "commit", "--quiet", "--allow-empty", "--message", "Nothing")


def _one_commit_without_python(code: Path) -> None:
    code.mkdir()
    (code / "README").write_text("No code yet.\n")
    commit(code)


def _sha256(code: Path) -> None:
    _honest(code)
    commit(code, "--object-format=sha256")


def _bare(code: Path) -> None:
    source = code.parent / "source"
    _honest(source)
    commit(source)
    git(code.parent, "clone", "--quiet", "--bare", str(source), str(code))


def _linked_worktree(code: Path) -> None:
    source = code.parent / "source"
    _honest(source)
    commit(source)
    git(source, "worktree", "add", "--quiet", str(code), "HEAD")


def _worktree_of_nothing(code: Path) -> None:
    _linked_worktree(code)
    shutil.rmtree(code.parent / "source")


def _shallow(code: Path) -> None:
    source = code.parent / "source"
    _honest(source)
    commit(source)
    git(source, "commit", "--quiet", "--allow-empty", "--message", "Again")
    git(code.parent, "clone", "--quiet", "--depth=1", f"file://{source}", str(code))


def _partial(code: Path) -> None:
    source = code.parent / "source"
    _honest(source)
    commit(source)
    git(source, "config", "uploadpack.allowFilter", "true")
    git(
        code.parent,
        "clone",
        "--quiet",
        "--filter=blob:none",
        "--no-checkout",
        f"file://{source}",
        str(code),
    )
    shutil.rmtree(source)


def _alternates(code: Path) -> None:
    source = code.parent / "source"
    _honest(source)
    commit(source)
    git(code.parent, "clone", "--quiet", "--shared", str(source), str(code))


def _alternates_gone(code: Path) -> None:
    _alternates(code)
    shutil.rmtree(code.parent / "source")


def _submodule(code: Path) -> None:
    inner = code.parent / "inner"
    _honest(inner)
    commit(inner)
    git(
        code, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner"
    )
    git(code, "commit", "--quiet", "--message", "Add a submodule")


def _orphan_branch(code: Path) -> None:
    git(code, "checkout", "--quiet", "--orphan", "fresh")


def _grafts(code: Path) -> None:
    git(code, "commit", "--quiet", "--allow-empty", "--message", "Again")
    (code / ".git/info").mkdir(exist_ok=True)
    (code / ".git/info/grafts").write_text(git(code, "rev-parse", "HEAD") + "\n")


def _replaced(code: Path) -> None:
    honest = git(code, "rev-parse", "HEAD:shop/stock.py")
    fake = git(code, "hash-object", "-w", "--stdin", given=b"def fake():\n    return 1\n")
    git(code, "replace", honest, fake)


def _object_path(code: Path, name: str) -> Path:
    return code / ".git/objects" / name[:2] / name[2:]


def _blob_gone(code: Path) -> None:
    _object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py")).unlink()


def _blob_damaged(code: Path) -> None:
    path = _object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py"))
    path.chmod(0o644)
    path.write_bytes(b"no object" * 10)


def _blob_of_another(code: Path) -> None:
    path = _object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py"))
    path.chmod(0o644)
    path.write_bytes(zlib.compress(b"blob 6\0x = 1\n"))


def _blob_pipe(code: Path) -> None:
    _replace_by_pipe(_object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py")))


def _commit_gone(code: Path) -> None:
    _object_path(code, git(code, "rev-parse", "HEAD")).unlink()


def _tree_gone(code: Path) -> None:
    _object_path(code, git(code, "rev-parse", "HEAD^{tree}")).unlink()


def _pack_damaged(code: Path) -> None:
    git(code, "gc", "--quiet")
    for pack in (code / ".git/objects/pack").glob("*.pack"):
        pack.chmod(0o644)
        data = bytearray(pack.read_bytes())
        data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
        pack.write_bytes(data)


def _write_object(code: Path, kind: str, content: bytes) -> str:
    """Write an object as git would refuse to write it; gives its id."""
    data = f"{kind} {len(content)}\0".encode() + content
    name = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    path = _object_path(code, name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(data))
    return name


def _commit_tree(code: Path, entries: bytes) -> None:
    """Make HEAD a commit of a tree of which the entries are written by hand."""
    tree = _write_object(code, "tree", entries)
    made_commit = _write_object(
        code,
        "commit",
        f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nOdd\n".encode(),
    )
    (code / ".git/refs/heads/main").write_text(f"{made_commit}\n")


def _tree_of(*names: bytes, mode: bytes = b"100644") -> Callable[[Path], None]:
    def change(code: Path) -> None:
        blob = bytes.fromhex(_write_object(code, "blob", b"def odd():\n    return 1\n"))
        _commit_tree(code, b"".join(mode + b" " + name + b"\0" + blob for name in names))

    return change


def _tree_bomb(code: Path) -> None:
    """Ten trees in each of ten levels: 10,000,000,000 paths in a few hundred bytes."""
    below = bytes.fromhex(_write_object(code, "blob", b"x = 1\n"))
    mode = b"100644"
    for _ in range(10):
        entries = b"".join(mode + b" d%d.py\0" % n + below for n in range(10))
        below = bytes.fromhex(_write_object(code, "tree", entries))
        mode = b"40000"
    _commit_tree(code, b"".join(b"40000 d%d\0" % n + below for n in range(10)))


def _working_tree_encoding(code: Path) -> None:
    (code / ".gitattributes").write_text("*.py text working-tree-encoding=UTF-16LE-BOM\n")
    for file in code.rglob("*.py"):
        file.write_bytes(b"\xff\xfe" + file.read_text().encode("utf-16-le"))
    git(code, "add", "--all")
    git(code, "commit", "--quiet", "--message", "In another encoding")


def _line_ends(code: Path) -> None:
    (code / ".gitattributes").write_text("*.py text eol=crlf\n")
    git(code, "add", "--all")
    git(code, "commit", "--quiet", "--message", "In other line ends")
    for file in code.rglob("*.py"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))


def _attributes_giant(code: Path) -> None:
    (code / ".gitattributes").write_text(
        "".join(f"*.x{n} text filter=f{n}\n" for n in range(100_000))
    )
    git(code, "add", "--all")
    git(code, "commit", "--quiet", "--message", "Attributes")


def _filter(code: Path) -> None:
    """A filter that would run, and write a file, for whoever reads the work tree through git."""
    fired = code.parent / "fired"
    (code / ".git/info").mkdir(exist_ok=True)
    (code / ".git/info/attributes").write_text("*.py filter=evil diff=evil\n")
    git(code, "config", "filter.evil.clean", f"touch {fired}; cat")
    git(code, "config", "filter.evil.smudge", f"touch {fired}; cat")
    git(code, "config", "core.fsmonitor", f"touch {fired}")


def _slow_filter(code: Path) -> None:
    for key in ("filter.slow.clean", "filter.slow.smudge", "core.fsmonitor", "core.sshCommand"):
        git(code, "config", key, "sleep 600")
    (code / ".git/info").mkdir(exist_ok=True)
    (code / ".git/info/attributes").write_text("*.py filter=slow\n")


def _dirty(code: Path) -> None:
    with (code / "shop/stock.py").open("a") as file:
        file.write("x = 1\n")


def _half_merged(code: Path) -> None:
    git(code, "checkout", "--quiet", "-b", "other")
    _dirty(code)
    git(code, "commit", "--quiet", "--all", "--message", "One")
    git(code, "checkout", "--quiet", "main")
    (code / "shop/stock.py").write_text("x = 2\n")
    git(code, "commit", "--quiet", "--all", "--message", "Other")
    subprocess.run(["git", *IDENTITY, "merge", "other"], cwd=code, capture_output=True, check=False)


def _tagged(code: Path) -> None:
    git(code, "tag", "tree-tag", git(code, "rev-parse", "HEAD^{tree}"))
    git(code, "tag", "blob-tag", git(code, "rev-parse", "HEAD:shop/stock.py"))


def _nested(code: Path) -> None:
    inner = code / "inner"
    _honest(inner)
    commit(inner)


def _elsewhere(code: Path, target: str) -> None:
    shutil.rmtree(code / ".git")
    (code / ".git").write_text(f"gitdir: {target}\n")


def _other_owner(code: Path) -> None:
    for path in (code, *code.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)


def _write(path: str, text: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        (code / path).parent.mkdir(parents=True, exist_ok=True)
        (code / path).write_text(text)

    return change


def _config(key: str, value: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        git(code, "config", key, value)

    return change


def _without(path: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        target = code / path
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink()

    return change


def _pipe(path: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        target = code / path
        if target.is_dir():
            shutil.rmtree(target)
        _replace_by_pipe(target)

    return change


def _device(path: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        (code / path).unlink(missing_ok=True)
        (code / path).symlink_to("/dev/zero")

    return change


REPOSITORIES: Final[tuple[Specimen, ...]] = (
    repository("repository-honest", "nothing odd: the control", lambda code: None),
    made("repository-without-commits", "just after git init", _no_commits, "refuses", "commit"),
    made(
        "repository-of-one-empty-commit",
        "a commit of nothing",
        _one_empty_commit,
        "refuses",
        "Python",
    ),
    made(
        "repository-of-one-commit-without-python",
        "documents alone",
        _one_commit_without_python,
        "refuses",
        "Python",
    ),
    made("repository-in-sha256", "the newer object format", _sha256),
    made("repository-that-is-bare", "as servers keep them", _bare),
    made("linked-worktree", "`.git` is a file that leads to another repository", _linked_worktree),
    made("linked-worktree-of-nothing", "that repository is gone", _worktree_of_nothing, "refuses"),
    made("shallow-clone", "as CI makes it", _shallow),
    made(
        "partial-clone-whose-origin-is-gone", "objects that would be fetched", _partial, "refuses"
    ),
    made("objects-of-another-repository", "git clone --shared", _alternates),
    made("objects-of-a-repository-that-is-gone", "the same, later", _alternates_gone, "refuses"),
    repository("submodule", "a commit of another repository inside a tree", _submodule),
    repository(
        "orphan-branch",
        "a branch without a commit, in a repository with some",
        _orphan_branch,
        "refuses",
    ),
    repository(
        "detached-head",
        "as CI leaves it",
        lambda code: git(code, "checkout", "--quiet", "--detach"),
    ),
    repository("grafts", "a history that was rewritten by a file", _grafts),
    repository("replaced-objects", "git shows other content than was committed", _replaced),
    repository(
        "blob-that-is-gone", "damage of the disk", _blob_gone, "refuses", never_says=("cache",)
    ),
    repository("blob-that-is-damaged", "the same", _blob_damaged, "refuses", never_says=("cache",)),
    repository(
        "blob-of-another-content",
        "an object that is not what its name says",
        _blob_of_another,
        "refuses",
        never_says=("cache",),
    ),
    repository("blob-that-is-a-pipe", "whoever opens it waits for ever", _blob_pipe, "refuses"),
    repository("commit-that-is-gone", "HEAD leads nowhere", _commit_gone, "refuses"),
    repository("tree-that-is-gone", "a commit without its tree", _tree_gone, "refuses"),
    repository("pack-that-is-damaged", "damage inside a pack", _pack_damaged, "refuses"),
    repository(
        "head-of-garbage", "damage of one file", _write(".git/HEAD", "garbage\n"), "refuses"
    ),
    repository(
        "head-that-is-empty", "what a power loss leaves", _write(".git/HEAD", ""), "refuses"
    ),
    repository(
        "head-that-leads-to-itself",
        "a circle of names",
        _write(".git/refs/heads/main", "ref: refs/heads/main\n"),
        "refuses",
    ),
    repository(
        "branch-that-is-empty",
        "what a power loss leaves",
        _write(".git/refs/heads/main", ""),
        "refuses",
    ),
    repository(
        "configuration-of-garbage",
        "git cannot read its settings",
        _write(".git/config", "[core\n"),
        "refuses",
    ),
    repository(
        "configuration-that-includes-itself",
        "a circle of files",
        lambda code: git(code, "config", "include.path", "config"),
    ),
    repository(
        "repository-of-a-newer-version",
        "a format that does not exist yet",
        _config("core.repositoryformatversion", "99"),
        "refuses",
    ),
    repository(
        "repository-with-unknown-extension",
        "an extension that does not exist yet",
        lambda code: (
            git(code, "config", "core.repositoryformatversion", "1"),
            git(code, "config", "extensions.frobnicate", "true"),
        ),
        "refuses",
    ),
    repository(
        "objects-without-directory", "half of a repository", _without(".git/objects"), "refuses"
    ),
    repository(
        "git-directory-that-is-empty",
        "none of a repository",
        lambda code: (shutil.rmtree(code / ".git"), (code / ".git").mkdir()),
        "refuses",
    ),
    repository(
        "git-file-that-is-empty",
        "`.git` is a file of nothing",
        lambda code: (shutil.rmtree(code / ".git"), (code / ".git").touch()),
        "refuses",
    ),
    repository(
        "git-file-to-itself",
        "a circle of one",
        lambda code: _elsewhere(code, str(code / ".git")),
        "refuses",
    ),
    repository(
        "git-file-to-devices",
        "`.git` leads to /dev",
        lambda code: _elsewhere(code, "/dev"),
        "refuses",
    ),
    repository(
        "git-link-to-nowhere",
        "`.git` is a link that leads nowhere",
        lambda code: (shutil.rmtree(code / ".git"), (code / ".git").symlink_to("/nonexistent")),
        "refuses",
    ),
    repository("git-that-is-a-pipe", "`.git` is a pipe", _pipe(".git"), "refuses"),
    repository(
        "head-that-is-a-pipe", "whoever opens it waits for ever", _pipe(".git/HEAD"), "refuses"
    ),
    repository("configuration-that-is-a-pipe", "the same", _pipe(".git/config"), "refuses"),
    repository(
        "configuration-without-end", "a link to /dev/zero", _device(".git/config"), "refuses"
    ),
    repository("branch-that-is-a-pipe", "the same", _pipe(".git/refs/heads/main"), "refuses"),
    repository("packed-refs-that-are-a-pipe", "the same", _pipe(".git/packed-refs"), "refuses"),
    repository(
        "alternates-that-are-a-pipe", "the same", _pipe(".git/objects/info/alternates"), "refuses"
    ),
    repository("shallow-that-is-a-pipe", "the same", _pipe(".git/shallow"), "refuses"),
    repository(
        "index-that-is-a-pipe",
        "the same, in what only the work tree needs",
        _pipe(".git/index"),
        "refuses",
    ),
    repository("exclude-that-is-a-pipe", "the same", _pipe(".git/info/exclude")),
    repository("attributes-that-are-a-pipe", "the same", _pipe(".git/info/attributes")),
    repository("index-lock-that-was-left", "a git that died", _write(".git/index.lock", "")),
    repository(
        "index-of-garbage",
        "damage in what only the work tree needs",
        _write(".git/index", "garbage"),
        "refuses",
    ),
    repository("index-that-is-gone", "everything looks deleted", _without(".git/index"), "refuses"),
    repository(
        "working-tree-encoding", "files are UTF-16 on disk and UTF-8 in git", _working_tree_encoding
    ),
    repository("line-ends-by-attributes", "files have other line ends on disk", _line_ends),
    repository("attributes-of-megabytes", "100,000 lines of attributes", _attributes_giant),
    repository("filters-that-run", "settings that run commands", _filter),
    repository("filters-that-hang", "settings that wait for ten minutes", _slow_filter),
    repository(
        "uncommitted-changes", "what is on disk is in no commit", _dirty, "refuses", "--allow-dirty"
    ),
    repository("merge-half-done", "conflicts on disk", _half_merged, "refuses", "--allow-dirty"),
    repository("repository-inside", "another repository in the work tree", _nested, "refuses"),
    repository(
        "work-tree-elsewhere", "settings move the work tree", _config("core.worktree", "/usr")
    ),
    repository(
        "repository-that-says-it-is-bare",
        "settings deny the work tree",
        _config("core.bare", "true"),
    ),
    repository("repository-of-somebody-else", "git refuses those", _other_owner, needs_root=True),
    repository(
        "revision-of-a-tree", "a tag that names no commit", _tagged, "refuses", rev="tree-tag"
    ),
    repository("revision-of-a-blob", "the same, of a file", _tagged, "refuses", rev="blob-tag"),
    repository(
        "revision-with-escapes",
        "it is quoted in the error",
        lambda code: None,
        "refuses",
        rev="\x1b]0;owned\x07",
    ),
    repository(
        "revision-of-an-option",
        "git would take it as one",
        lambda code: None,
        "refuses",
        rev="--output=owned",
    ),
    repository(
        "revision-of-100000-letters",
        "more than a name may have",
        lambda code: None,
        "refuses",
        rev="r" * 100_000,
    ),
    repository(
        "revision-that-is-empty",
        "an unset variable of a script",
        lambda code: None,
        "refuses",
        rev="",
    ),
    repository(
        "tree-with-dots",
        "a path that leads out",
        _tree_of(b"..", b".", b"a.py"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-with-git", "a path into git itself", _tree_of(b".git", b"a.py"), "refuses", rev="HEAD"
    ),
    repository(
        "tree-with-slashes",
        "a name that is a path",
        _tree_of(b"../../owned.py", b"a.py"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-with-double-names",
        "two files of one name",
        _tree_of(b"a.py", b"a.py"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-with-odd-modes",
        "modes that no file has",
        _tree_of(b"a.py", mode=b"177777"),
        "refuses",
        rev="HEAD",
    ),
    repository(
        "tree-with-escapes",
        "names that take over the terminal",
        _tree_of(b"\x1b]0;owned\x07.py", b"a\nb.py", b"caf\xe9.py"),
        "falls short",
        rev="HEAD",
    ),
    repository(
        "tree-bomb", "ten thousand million paths in a kilobyte", _tree_bomb, "refuses", rev="HEAD"
    ),
)
