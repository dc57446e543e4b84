"""Repositories of every kind that git knows, and such as would make it wait for ever."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.snapshot.git.git_history import commit_log
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.git.git_settings import read_settings
from goldwright.snapshot.mirror.pinning import PinnedCommit, pin_commit
from journeys.hostile import plain_git

pytestmark = pytest.mark.waits

# Longer than any of these takes, shorter than any limit of time of the program's own.
HANG_SECONDS = 15.0

Spoil = Callable[[Path], object]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where mirrors go."""
    return tmp_path / "store"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with two commits."""
    return make_repository(tmp_path / "repo")


def make_repository(root: Path, *options: str) -> Path:
    """A repository with two commits of two files."""
    root.mkdir()
    plain_git(root, "init", "--quiet", "--initial-branch=main", *options)
    for number, name in enumerate(("a.py", "b.py")):
        (root / name).write_text(f"value = {number}\n")
        commit_all(root, name)
    return root


def commit_all(root: Path, message: str) -> str:
    """Commit the whole work tree."""
    plain_git(root, "add", "--all")
    plain_git(root, "commit", "--quiet", "-m", message)
    return head(root)


def head(root: Path) -> str:
    """What git itself says HEAD is."""
    return plain_git(root, "rev-parse", "HEAD").stdout.decode().strip()


def paths_of(pinned: PinnedCommit) -> list[str]:
    """The files of a pinned commit."""
    with ObjectStore(pinned.mirror, pinned.commit) as objects:
        return [entry.path for entry in objects.entries()]


def history_of(pinned: PinnedCommit) -> list[str]:
    """The subjects of its commits, newest first."""
    return [entry.subject for entry in commit_log(pinned.mirror, pinned.commit, path=None, limit=9)]


def refusal(repo: Path, store: Path, rev: str | None = None) -> str:
    """The one line with which a pin is refused, in good time."""
    began_at = time.monotonic()
    with pytest.raises(InputError) as caught:
        pin_commit(repo, rev=rev, store=store)
    assert time.monotonic() - began_at < HANG_SECONDS
    message = str(caught.value)
    assert len(message) <= 200
    assert message.isprintable()
    return message


def bind_socket(path: Path) -> None:
    """Put a socket there, whose name may be longer than the system takes at once."""
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"/proc/self/fd/{directory}/{path.name}")
    finally:
        os.close(directory)


def replace_by_pipe(name: str) -> Spoil:
    """Put a pipe in the place of a file of ``.git``."""

    def spoil(root: Path) -> None:
        path = root / ".git" / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)

    return spoil


def replace_by_link(name: str, target: str) -> Spoil:
    """Put a link in the place of a file of ``.git``."""

    def spoil(root: Path) -> None:
        path = root / ".git" / name
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    return spoil


def replace_by_socket(root: Path) -> None:
    """Put a socket in the place of HEAD."""
    (root / ".git/HEAD").unlink()
    bind_socket(root / ".git/HEAD")


def make_large(name: str) -> Spoil:
    """Let a file of ``.git`` take three gigabytes that are not there."""

    def spoil(root: Path) -> None:
        with (root / ".git" / name).open("ab") as file:
            file.truncate(3 << 30)

    return spoil


def replace_loose_object(root: Path) -> None:
    """Put a pipe in the place of the object that HEAD names."""
    commit = head(root)
    replace_by_pipe(f"objects/{commit[:2]}/{commit[2:]}")(root)


def include_pipe(root: Path) -> None:
    """Let the configuration include a pipe, which no look at the files of git's own shows."""
    os.mkfifo(root / ".git/settings")
    with (root / ".git/config").open("a") as config:
        config.write("[include]\n\tpath = settings\n")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (replace_by_pipe("HEAD"), "HEAD is a pipe"),
        (replace_by_pipe("config"), "config is a pipe"),
        (replace_by_pipe("packed-refs"), "packed-refs is a pipe"),
        (replace_by_pipe("shallow"), "shallow is a pipe"),
        (replace_by_pipe("info/attributes"), "info/attributes is a pipe"),
        (replace_by_pipe("objects/info/alternates"), "objects/info/alternates is a pipe"),
        (replace_by_pipe("objects/pack/pack-1.idx"), "objects/pack/pack-1.idx is a pipe"),
        (replace_by_pipe("refs/heads/side"), "refs/heads/side is a pipe"),
        (replace_loose_object, "is a pipe"),
        (replace_by_socket, "HEAD is a socket"),
        (replace_by_link("HEAD", "/dev/zero"), "HEAD is a device"),
        (replace_by_link("config", "/dev/zero"), "config is a device"),
        (replace_by_link("refs/heads", "/etc"), "refs/heads is a link to another directory"),
        (replace_by_link("objects", "/etc"), "objects is a link to another directory"),
        (make_large("HEAD"), "HEAD is too large"),
        (make_large("config"), "config is too large"),
        (make_large("packed-refs"), "packed-refs is too large"),
        (include_pipe, "waits for ever"),
    ],
)
def test_what_git_would_wait_for_is_named(
    repo: Path, store: Path, spoil: Spoil, words: str
) -> None:
    """In seconds, with the file, and without a git that is left waiting."""
    spoil(repo)
    assert words in refusal(repo, store)


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, bind_socket, Path.touch, lambda path: path.symlink_to("/dev/zero"), Path.mkdir],
    ids=["pipe", "socket", "file", "link", "directory"],
)
def test_a_git_that_is_no_repository_is_named(
    tmp_path: Path, store: Path, make: Callable[[Path], object]
) -> None:
    """Whatever stands under the name."""
    root = tmp_path / "plain"
    root.mkdir()
    make(root / ".git")
    assert "its .git is" in refusal(root, store)


@pytest.mark.parametrize("name", ["index", "fsmonitor--daemon.ipc", "logs/HEAD", "COMMIT_EDITMSG"])
def test_what_git_does_not_read_may_be_anything(repo: Path, store: Path, name: str) -> None:
    """A monitor of files keeps a socket there."""
    replace_by_pipe(name)(repo)
    assert pin_commit(repo, rev=None, store=store).commit == head(repo)


def test_added_work_trees_work_and_share_one_mirror(
    repo: Path, tmp_path: Path, store: Path
) -> None:
    """Each with its own HEAD, detached or not."""
    plain_git(repo, "worktree", "add", "--quiet", "-b", "side", "../tree")
    (tmp_path / "tree/c.py").write_text("value = 3\n")
    commit = commit_all(tmp_path / "tree", "Third")
    plain_git(repo, "worktree", "add", "--quiet", "--detach", "../loose", "HEAD~1")
    pins = [
        pin_commit(tmp_path / name, rev=None, store=store) for name in ("tree", "repo", "loose")
    ]
    assert [pin.commit for pin in pins] == [commit, head(repo), head(tmp_path / "loose")]
    assert [len(paths_of(pin)) for pin in pins] == [3, 2, 1]
    assert len({pin.mirror for pin in pins}) == 1


def test_a_submodule_works_and_its_parent_lists_it(repo: Path, tmp_path: Path, store: Path) -> None:
    """Its files are its own, and no part of the codebase that holds it."""
    parent = make_repository(tmp_path / "parent")
    plain_git(
        parent, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo), "sub"
    )
    commit_all(parent, "Submodule")
    assert pin_commit(parent / "sub", rev=None, store=store).commit == head(repo)
    assert paths_of(pin_commit(parent, rev=None, store=store)) == [
        ".gitmodules",
        "a.py",
        "b.py",
        "sub",
    ]


def point_at_a_repository(root: Path, private: Path) -> None:
    (root / ".git").write_text(f"gitdir: {private}/.git\n")


def point_at_a_work_tree(root: Path, private: Path) -> None:
    plain_git(private, "worktree", "add", "--quiet", "-b", "side", "../tree")
    (root / ".git").write_text(f"gitdir: {private}/.git/worktrees/tree\n")


def share_by_commondir(root: Path, private: Path) -> None:
    shutil.copytree(private / ".git", root / "own")
    (root / "own/commondir").write_text(f"{private}/.git\n")
    (root / "own/gitdir").write_text(f"{root}/.git\n")
    (root / ".git").write_text("gitdir: own\n")


def link_to_a_repository(root: Path, private: Path) -> None:
    (root / ".git").symlink_to(private / ".git")


@pytest.mark.parametrize(
    "lead",
    [point_at_a_repository, point_at_a_work_tree, share_by_commondir, link_to_a_repository],
)
def test_a_codebase_cannot_name_another_repository_as_its_own(
    repo: Path, tmp_path: Path, store: Path, lead: Callable[[Path, Path], None]
) -> None:
    """Else a download could have its reader's private code read and sent."""
    root = tmp_path / "download"
    root.mkdir()
    lead(root, repo)
    assert "its .git is a" in refusal(root, store)


def test_a_partial_clone_is_read_without_what_it_lacks(
    repo: Path, tmp_path: Path, store: Path
) -> None:
    """Where the files of its commit are there, as after every checkout."""
    (repo / "a.py").write_text("value = 'newer'\n")
    commit = commit_all(repo, "Newer")
    plain_git(repo, "config", "uploadpack.allowFilter", "true")
    plain_git(tmp_path, "clone", "--quiet", "--filter=blob:none", f"file://{repo}", "partial")
    for _ in range(2):
        pinned = pin_commit(tmp_path / "partial", rev=None, store=store)
        assert (pinned.commit, history_of(pinned)) == (commit, ["Newer"])
        assert "partial clone" in pinned.notes[0]


def test_grafts_change_no_history(repo: Path, store: Path) -> None:
    """What a file says of parents is no part of what was committed."""
    (repo / ".git/info").mkdir(exist_ok=True)
    (repo / ".git/info/grafts").write_text(f"{head(repo)}\n")
    pinned = pin_commit(repo, rev=None, store=store)
    assert history_of(pinned) == ["b.py", "a.py"]
    assert "grafts" in pinned.notes[0]


def test_a_branch_without_commits_is_named(repo: Path, store: Path) -> None:
    """Other branches can still be asked for."""
    commit = head(repo)
    plain_git(repo, "checkout", "--quiet", "--orphan", "lone")
    assert "no commit yet at HEAD" in refusal(repo, store)
    assert pin_commit(repo, rev="main", store=store).commit == commit
    assert "no commit yet at HEAD" in refusal(repo, store)


def test_a_repository_that_is_made_again_with_other_ids_gets_another_mirror(
    tmp_path: Path, store: Path
) -> None:
    """Ids of 40 digits and of 64 do not mix."""
    first = pin_commit(make_repository(tmp_path / "repo"), rev=None, store=store)
    shutil.rmtree(tmp_path / "repo")
    root = make_repository(tmp_path / "repo", "--object-format=sha256")
    second = pin_commit(root, rev=None, store=store)
    assert (second.commit, len(second.commit)) == (head(root), 64)
    assert first.mirror != second.mirror


def test_refs_in_tables_are_read_or_refused_with_the_version_that_is_needed(
    repo: Path, store: Path
) -> None:
    """Git knows them since 2.45."""
    with (repo / ".git/config").open("a") as config:
        config.write(
            "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n"
        )
    assert "reftable" in refusal(repo, store)


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-16LE-BOM", "SHIFT_JIS", "ISO-8859-15"])
def test_text_in_another_encoding_is_no_change(repo: Path, store: Path, encoding: str) -> None:
    """Git keeps it as UTF-8, which is what is read."""
    text = "name = 'é'\n" if encoding.startswith("ISO") else "name = 'カ'\n"
    codec = "utf-16" if encoding.startswith("UTF") else encoding
    (repo / ".gitattributes").write_text(f"c.py text working-tree-encoding={encoding}\n")
    (repo / "c.py").write_bytes(text.encode(codec))
    commit = commit_all(repo, "Encoded")
    assert pin_commit(repo, rev=None, store=store).commit == commit
    (repo / "c.py").write_bytes(text.encode(codec) + "x = 1\n".encode(codec))
    assert "1 uncommitted change, first c.py" in refusal(repo, store)


def test_an_id_that_git_puts_in_is_no_change(repo: Path, store: Path) -> None:
    """The attribute ``ident``."""
    (repo / ".gitattributes").write_text("*.py ident\n")
    (repo / "c.py").write_text("# $Id$\n")
    commit = commit_all(repo, "Id")
    (repo / "c.py").write_text(f"# $Id: {'a' * 40} $\n")
    assert pin_commit(repo, rev=None, store=store).commit == commit


def test_settings_are_read_as_git_reads_them(repo: Path) -> None:
    """Sections, quotes, escapes, comments and lines that go on."""
    (repo / ".git/config").write_text(
        '[core] bare = false\n\tWorktree = "../a b;\\"c" d # note\n[Remote "x.Y"]\n\turl = a\\\n'
        "b\n\tflag\n; nothing\n[extensions]\n\tobjectFormat=sha1\n"
    )
    output = plain_git(repo, "config", "--null", "--list", "--file", ".git/config").stdout
    expected = {}
    for item in output.decode().split("\0")[:-1]:
        name, newline, value = item.partition("\n")
        expected[name] = value if newline else "true"
    assert read_settings(repo / ".git") == expected


def test_no_git_outlives_a_killed_run(repo: Path, tmp_path: Path) -> None:
    """Not even one that waits for a pipe."""
    include_pipe(repo)
    code = f"""
        from pathlib import Path
        from goldwright.snapshot.mirror.pinning import pin_commit
        pin_commit(Path({str(repo)!r}), rev=None, store=Path({str(tmp_path / "store")!r}))
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)])
    try:
        wait_until(lambda: len(processes_with(tmp_path)) > 1)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    wait_until(lambda: not processes_with(tmp_path))


def processes_with(place: Path) -> list[str]:
    """The command lines of processes of git that name a place."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(place) in line and "git" in line and not line.startswith(sys.executable):
            lines.append(line)
    return lines


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait a few seconds for something to come true."""
    deadline = time.monotonic() + HANG_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
