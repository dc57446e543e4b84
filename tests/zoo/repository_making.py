"""Making odd git repositories, and changing honest ones."""

import hashlib
import os
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from journeys.sample_code import SHOP, write_code

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


def nothing(_code: Path) -> None:
    """Change nothing."""


def honest(code: Path) -> None:
    write_code(code, SHOP)


def replace_by_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def no_commits(code: Path) -> None:
    honest(code)
    git(code, "init", "--quiet")


def one_empty_commit(code: Path) -> None:
    code.mkdir()
    git(code, "init", "--quiet")
    git(code, "commit", "--quiet", "--allow-empty", "--message", "Nothing")


def one_commit_without_python(code: Path) -> None:
    code.mkdir()
    (code / "README").write_text("No code yet.\n")
    commit(code)


def sha256(code: Path) -> None:
    honest(code)
    commit(code, "--object-format=sha256")


def bare(code: Path) -> None:
    source = code.parent / "source"
    honest(source)
    commit(source)
    git(code.parent, "clone", "--quiet", "--bare", str(source), str(code))


def linked_worktree(code: Path) -> None:
    source = code.parent / "source"
    honest(source)
    commit(source)
    git(source, "worktree", "add", "--quiet", str(code), "HEAD")


def worktree_of_nothing(code: Path) -> None:
    linked_worktree(code)
    shutil.rmtree(code.parent / "source")


def shallow(code: Path) -> None:
    source = code.parent / "source"
    honest(source)
    commit(source)
    git(source, "commit", "--quiet", "--allow-empty", "--message", "Again")
    git(code.parent, "clone", "--quiet", "--depth=1", f"file://{source}", str(code))


def partial(code: Path) -> None:
    source = code.parent / "source"
    honest(source)
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


def alternates(code: Path) -> None:
    source = code.parent / "source"
    honest(source)
    commit(source)
    git(code.parent, "clone", "--quiet", "--shared", str(source), str(code))


def alternates_gone(code: Path) -> None:
    alternates(code)
    shutil.rmtree(code.parent / "source")


def submodule(code: Path) -> None:
    inner = code.parent / "inner"
    honest(inner)
    commit(inner)
    git(
        code, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner"
    )
    git(code, "commit", "--quiet", "--message", "Add a submodule")


def orphan_branch(code: Path) -> None:
    git(code, "checkout", "--quiet", "--orphan", "fresh")


def grafts(code: Path) -> None:
    git(code, "commit", "--quiet", "--allow-empty", "--message", "Again")
    (code / ".git/info").mkdir(exist_ok=True)
    (code / ".git/info/grafts").write_text(git(code, "rev-parse", "HEAD") + "\n")


def replaced(code: Path) -> None:
    honest = git(code, "rev-parse", "HEAD:shop/stock.py")
    fake = git(code, "hash-object", "-w", "--stdin", given=b"def fake():\n    return 1\n")
    git(code, "replace", honest, fake)


def object_path(code: Path, name: str) -> Path:
    return code / ".git/objects" / name[:2] / name[2:]


def blob_gone(code: Path) -> None:
    object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py")).unlink()


def blob_damaged(code: Path) -> None:
    path = object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py"))
    path.chmod(0o644)
    path.write_bytes(b"no object" * 10)


def blob_of_another(code: Path) -> None:
    path = object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py"))
    path.chmod(0o644)
    path.write_bytes(zlib.compress(b"blob 6\0x = 1\n"))


def blob_pipe(code: Path) -> None:
    replace_by_pipe(object_path(code, git(code, "rev-parse", "HEAD:shop/stock.py")))


def commit_gone(code: Path) -> None:
    object_path(code, git(code, "rev-parse", "HEAD")).unlink()


def tree_gone(code: Path) -> None:
    object_path(code, git(code, "rev-parse", "HEAD^{tree}")).unlink()


def pack_damaged(code: Path) -> None:
    git(code, "gc", "--quiet")
    for pack in (code / ".git/objects/pack").glob("*.pack"):
        pack.chmod(0o644)
        data = bytearray(pack.read_bytes())
        data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
        pack.write_bytes(data)


def write_object(code: Path, kind: str, content: bytes) -> str:
    """Write an object as git would refuse to write it; gives its id."""
    data = f"{kind} {len(content)}\0".encode() + content
    name = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    path = object_path(code, name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(data))
    return name


def commit_tree(code: Path, entries: bytes) -> None:
    """Make HEAD a commit of a tree of which the entries are written by hand."""
    tree = write_object(code, "tree", entries)
    made_commit = write_object(
        code,
        "commit",
        f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nOdd\n".encode(),
    )
    (code / ".git/refs/heads/main").write_text(f"{made_commit}\n")


def tree_of(*names: bytes, mode: bytes = b"100644") -> Callable[[Path], None]:
    def change(code: Path) -> None:
        blob = bytes.fromhex(write_object(code, "blob", b"def odd():\n    return 1\n"))
        commit_tree(code, b"".join(mode + b" " + name + b"\0" + blob for name in names))

    return change


def tree_bomb(code: Path) -> None:
    """Ten trees in each of ten levels: 10,000,000,000 paths in a few hundred bytes."""
    below = bytes.fromhex(write_object(code, "blob", b"x = 1\n"))
    mode = b"100644"
    for _ in range(10):
        entries = b"".join(mode + b" d%d.py\0" % n + below for n in range(10))
        below = bytes.fromhex(write_object(code, "tree", entries))
        mode = b"40000"
    commit_tree(code, b"".join(b"40000 d%d\0" % n + below for n in range(10)))


def working_tree_encoding(code: Path) -> None:
    (code / ".gitattributes").write_text("*.py text working-tree-encoding=UTF-16LE-BOM\n")
    for file in code.rglob("*.py"):
        file.write_bytes(b"\xff\xfe" + file.read_text().encode("utf-16-le"))
    git(code, "add", "--all")
    git(code, "commit", "--quiet", "--message", "In another encoding")


def line_ends(code: Path) -> None:
    (code / ".gitattributes").write_text("*.py text eol=crlf\n")
    git(code, "add", "--all")
    git(code, "commit", "--quiet", "--message", "In other line ends")
    for file in code.rglob("*.py"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))


def attributes_giant(code: Path) -> None:
    (code / ".gitattributes").write_text(
        "".join(f"*.x{n} text filter=f{n}\n" for n in range(100_000))
    )
    git(code, "add", "--all")
    git(code, "commit", "--quiet", "--message", "Attributes")


def running_filters(code: Path) -> None:
    """A filter that would run, and write a file, for whoever reads the work tree through git."""
    fired = code.parent / "fired"
    (code / ".git/info").mkdir(exist_ok=True)
    (code / ".git/info/attributes").write_text("*.py filter=evil diff=evil\n")
    git(code, "config", "filter.evil.clean", f"touch {fired}; cat")
    git(code, "config", "filter.evil.smudge", f"touch {fired}; cat")
    git(code, "config", "core.fsmonitor", f"touch {fired}")


def hanging_filters(code: Path) -> None:
    for key in ("filter.slow.clean", "filter.slow.smudge", "core.fsmonitor", "core.sshCommand"):
        git(code, "config", key, "sleep 600")
    (code / ".git/info").mkdir(exist_ok=True)
    (code / ".git/info/attributes").write_text("*.py filter=slow\n")


def dirty(code: Path) -> None:
    with (code / "shop/stock.py").open("a") as file:
        file.write("x = 1\n")


def half_merged(code: Path) -> None:
    git(code, "checkout", "--quiet", "-b", "other")
    dirty(code)
    git(code, "commit", "--quiet", "--all", "--message", "One")
    git(code, "checkout", "--quiet", "main")
    (code / "shop/stock.py").write_text("x = 2\n")
    git(code, "commit", "--quiet", "--all", "--message", "Other")
    subprocess.run(["git", *IDENTITY, "merge", "other"], cwd=code, capture_output=True, check=False)


def tagged(code: Path) -> None:
    git(code, "tag", "tree-tag", git(code, "rev-parse", "HEAD^{tree}"))
    git(code, "tag", "blob-tag", git(code, "rev-parse", "HEAD:shop/stock.py"))


def nested(code: Path) -> None:
    inner = code / "inner"
    honest(inner)
    commit(inner)


def elsewhere(code: Path, target: str) -> None:
    shutil.rmtree(code / ".git")
    (code / ".git").write_text(f"gitdir: {target}\n")


def other_owner(code: Path) -> None:
    for path in (code, *code.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)


def write(path: str, text: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        (code / path).parent.mkdir(parents=True, exist_ok=True)
        (code / path).write_text(text)

    return change


def config(key: str, value: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        git(code, "config", key, value)

    return change


def without(path: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        target = code / path
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink()

    return change


def pipe(path: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        target = code / path
        if target.is_dir():
            shutil.rmtree(target)
        replace_by_pipe(target)

    return change


def device(path: str) -> Callable[[Path], None]:
    def change(code: Path) -> None:
        (code / path).unlink(missing_ok=True)
        (code / path).symlink_to("/dev/zero")

    return change
