"""Pinning repositories and directories, good and bad."""

import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import share_of
from goldwright.errors import DamagedStateError, InputError
from goldwright.snapshot.git.git_history import blame_lines, commit_log
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.git.git_process import lack_of_room
from goldwright.snapshot.mirror.pinning import PinnedCommit, pin_commit
from journeys.hostile import plain_git


def text_of(pinned: PinnedCommit, path: str) -> bytes:
    """The content of a file at the pinned commit."""
    with ObjectStore(pinned.mirror, pinned.commit) as store:
        return next(store.read(entry.oid) for entry in store.entries() if entry.path == path)


def refusal(repo: Path, store: Path, rev: str | None = None) -> str:
    """The one line with which a pin is refused."""
    with pytest.raises(InputError) as caught:
        pin_commit(repo, rev=rev, store=store)
    message = str(caught.value)
    assert len(message) <= 200
    assert message.isprintable()
    return message


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where mirrors go."""
    return tmp_path / "store"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with two commits, a branch and a tag."""
    root = tmp_path / "repo"
    root.mkdir()
    plain_git(root, "init", "--quiet", "--initial-branch=main")
    (root / "a.py").write_text("one = 1\n")
    plain_git(root, "add", "--all")
    plain_git(root, "commit", "--quiet", "-m", "First")
    plain_git(root, "tag", "v1")
    plain_git(root, "branch", "side")
    (root / "a.py").write_text("one = 1\ntwo = 2\n")
    (root / "b.py").write_text("three = 3\n")
    plain_git(root, "add", "--all")
    plain_git(root, "commit", "--quiet", "-m", "Second")
    return root


def head(root: Path, rev: str = "HEAD") -> str:
    """What git itself says a revision is."""
    return plain_git(root, "rev-parse", f"{rev}^{{commit}}").stdout.decode().strip()


@pytest.mark.parametrize(
    "rev", [None, "HEAD", "HEAD~1", "@", "v1", "side", "main", "refs/heads/main"]
)
def test_a_revision_is_what_git_says_it_is(repo: Path, store: Path, rev: str | None) -> None:
    """Cold and warm alike."""
    for _ in range(2):
        assert pin_commit(repo, rev=rev, store=store).commit == head(repo, rev or "HEAD")


def test_a_commit_id_is_a_revision_whole_or_short(repo: Path, store: Path) -> None:
    """An id of 40 digits or its first 10."""
    commit = head(repo, "HEAD~1")
    assert pin_commit(repo, rev=commit, store=store).commit == commit
    assert pin_commit(repo, rev=commit[:10], store=store).commit == commit


def test_a_later_pin_sees_later_commits_and_keeps_earlier_ones(repo: Path, store: Path) -> None:
    """The mirror grows, also over a rewritten branch."""
    first = pin_commit(repo, rev=None, store=store)
    plain_git(repo, "commit", "--quiet", "--amend", "-m", "Rewritten")
    plain_git(repo, "branch", "-D", "side")
    plain_git(repo, "branch", "side/deeper")
    second = pin_commit(repo, rev="side/deeper", store=store)
    assert second.mirror == first.mirror
    assert second.commit == head(repo) != first.commit
    assert text_of(first, "b.py") == b"three = 3\n"


def test_a_detached_head_is_pinned(repo: Path, store: Path) -> None:
    """Cold and after the mirror exists."""
    pin_commit(repo, rev=None, store=store)
    plain_git(repo, "checkout", "--quiet", "--detach")
    plain_git(repo, "commit", "--quiet", "--allow-empty", "-m", "Loose end")
    assert pin_commit(repo, rev=None, store=store).commit == head(repo)
    assert pin_commit(repo, rev=None, store=store.with_name("cold")).commit == head(repo)


def test_a_commit_at_a_detached_head_is_found_by_its_id(repo: Path, store: Path) -> None:
    """The mirror is older, and the commit is on no branch."""
    pin_commit(repo, rev=None, store=store)
    plain_git(repo, "checkout", "--quiet", "--detach")
    plain_git(repo, "commit", "--quiet", "--allow-empty", "-m", "Loose end")
    assert pin_commit(repo, rev=head(repo), store=store).commit == head(repo)


def test_two_pins_at_once_agree(repo: Path, store: Path) -> None:
    """One of them clones, the other waits."""
    commits: list[str] = []

    def pin() -> None:
        commits.append(pin_commit(repo, rev=None, store=store).commit)

    threads = [threading.Thread(target=pin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert commits == [head(repo)] * 4


def test_uncommitted_work_is_named_and_can_be_allowed(repo: Path, store: Path) -> None:
    """The commit of dirty files follows from their content and stands on HEAD."""
    (repo / "a.py").write_text("one = 11\n")
    (repo / "b.py").unlink()
    (repo / "untracked.py").write_text("x = 1\n")
    message = refusal(repo, store)
    assert "2 uncommitted changes, first a.py" in message
    assert "commit, or give --rev HEAD or --allow-dirty" in message
    assert pin_commit(repo, rev="HEAD", store=store).commit == head(repo)
    dirty = pin_commit(repo, rev=None, store=store, allow_dirty=True)
    assert pin_commit(repo, rev=None, store=store, allow_dirty=True) == dirty
    assert (dirty.origin, text_of(dirty, "a.py")) == ("directory", b"one = 11\n")
    with ObjectStore(dirty.mirror, dirty.commit) as objects:
        assert [entry.path for entry in objects.entries()] == ["a.py"]
    assert [
        entry.subject for entry in commit_log(dirty.mirror, dirty.commit, path=None, limit=9)
    ] == [
        "Uncommitted work",
        "Second",
        "First",
    ]


def test_converted_line_ends_and_swapped_pointers_are_no_changes(repo: Path, store: Path) -> None:
    """What git's own filters did to the checked-out files is nobody's work."""
    (repo / "lfs.txt").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"
    )
    plain_git(repo, "add", "--all")
    plain_git(repo, "commit", "--quiet", "-m", "Pointer")
    (repo / "a.py").write_bytes(b"one = 1\r\ntwo = 2\r\n")
    (repo / "lfs.txt").write_text("large content")
    assert pin_commit(repo, rev=None, store=store).commit == head(repo)


NO_NAMES = [
    "-x",
    "--output=f",
    ":/First",
    "HEAD^{/First}",
    "a b",
    "HEAD\n",
    "",
    "main:a.py",
    "HEAD@{1}",
    "v1..main",
]


@pytest.mark.parametrize("rev", [*NO_NAMES, "x" * 999])
def test_a_revision_that_is_no_plain_name_never_reaches_git(
    repo: Path, store: Path, rev: str
) -> None:
    """Options, searches, paths, ranges and reflogs."""
    assert "--rev" in refusal(repo, store, rev)
    assert not store.exists()


@pytest.mark.parametrize("rev", ["nonesuch", "0" * 40, "deadbeef"])
def test_an_unknown_revision_is_named(repo: Path, store: Path, rev: str) -> None:
    """Well formed, but not there."""
    assert f"no commit {rev}" in refusal(repo, store, rev)


def _missing(root: Path) -> Path:
    return root / "nowhere"


def _file(root: Path) -> Path:
    (root / "file").write_text("x")
    return root / "file"


def _empty(root: Path) -> Path:
    (root / "empty").mkdir()
    plain_git(root / "empty", "init", "--quiet")
    return root / "empty"


def _linked(root: Path) -> Path:
    (root / "linked").mkdir()
    (root / "linked/.git").symlink_to(root / "repo/.git")
    return root / "linked"


def _partial(root: Path) -> Path:
    plain_git(root / "repo", "config", "uploadpack.allowFilter", "true")
    url = f"file://{root}/repo"
    plain_git(root, "clone", "--quiet", "--no-checkout", "--filter=blob:none", url, "partial")
    return root / "partial"


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (_missing, "does not exist"),
        (_file, "is no directory"),
        (_empty, "has no commit"),
        (_linked, "main repository"),
        (_partial, "partial clone"),
    ],
)
def test_a_bad_codebase_gets_one_line(
    repo: Path, store: Path, build: Callable[[Path], Path], words: str
) -> None:
    """It names the path and what to do."""
    bad = build(repo.parent)
    message = refusal(bad, store)
    assert words in message
    assert bad.name in message


def test_a_bare_and_a_shallow_repository_work(repo: Path, tmp_path: Path, store: Path) -> None:
    """A shallow one with a note, and again once it grew."""
    plain_git(tmp_path, "clone", "--quiet", "--bare", str(repo), "bare")
    plain_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo}", "shallow")
    assert pin_commit(tmp_path / "bare", rev=None, store=store).commit == head(repo)
    shallow = pin_commit(tmp_path / "shallow", rev=None, store=store)
    assert (shallow.commit, shallow.shallow, len(shallow.notes)) == (head(repo), True, 1)
    plain_git(tmp_path / "shallow", "commit", "--quiet", "--allow-empty", "-m", "More")
    assert pin_commit(tmp_path / "shallow", rev=None, store=store).commit == head(
        tmp_path / "shallow"
    )


def test_a_sha256_repository_works(tmp_path: Path, store: Path) -> None:
    """Object ids of 64 digits."""
    root = tmp_path / "new"
    root.mkdir()
    plain_git(root, "init", "--quiet", "--object-format=sha256")
    (root / "a.py").write_text("x = 1\n")
    plain_git(root, "add", "--all")
    plain_git(root, "commit", "--quiet", "-m", "First")
    pinned = pin_commit(root, rev=None, store=store)
    assert (len(pinned.commit), text_of(pinned, "a.py")) == (64, b"x = 1\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_owner_works(repo: Path, store: Path) -> None:
    """Git's own objection is answered for this one path."""
    for path in [repo, *repo.rglob("*")]:
        os.lchown(path, 12345, 12345)
    assert len(pin_commit(repo, rev=None, store=store).commit) == 40


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_repository_that_may_not_be_read(repo: Path, store: Path) -> None:
    """The owner is who can help."""
    repo.chmod(0)
    try:
        assert "may not be read" in refusal(repo, store)
    finally:
        repo.chmod(stat.S_IRWXU)


def test_a_missing_git_and_an_old_one_are_refused(
    repo: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the version that is needed."""
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", str(tools))
    assert "git was not found" in refusal(repo, store)
    (tools / "git").write_text("#!/bin/sh\necho git version 2.11.0\n")
    (tools / "git").chmod(0o755)
    assert "is git 2.11" in refusal(repo, store)


names = st.text(
    st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12
)


@settings(max_examples=share_of(200, suite=10))
@given(files=st.dictionaries(names, st.binary(max_size=200), min_size=1, max_size=5))
def test_the_commit_of_a_directory_follows_from_its_content_alone(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    """Two directories with the same files have one commit, and give back every byte."""
    files = {name: data for name, data in files.items() if name.lower() not in {".", "..", ".git"}}
    commits = set()
    for _ in range(2):
        root = tmp_path_factory.mktemp("plain")
        for name, data in files.items():
            (root / name).write_bytes(data)
        pinned = pin_commit(root / ".", rev=None, store=root.parent / "store")
        commits.add(pinned.commit)
        with ObjectStore(pinned.mirror, pinned.commit) as store:
            assert {entry.path: store.read(entry.oid) for entry in store.entries()} == files
    assert len(commits) == 1


def test_a_directory_has_no_revisions_and_leaves_junk_out(tmp_path: Path, store: Path) -> None:
    """Virtual environments, caches and the files of nested repositories are no code of it."""
    root = tmp_path / "plain"
    for name in (
        "a.py",
        ".venv/x.py",
        "node_modules/y.py",
        "sub/__pycache__/z.py",
        "sub/.git/config",
        "sub/b.py",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x = 1\n")
    assert "no .git" in refusal(root, store, "HEAD")
    pinned = pin_commit(root, rev=None, store=store)
    with ObjectStore(pinned.mirror, pinned.commit) as objects:
        assert [entry.path for entry in objects.entries()] == ["a.py", "sub/b.py"]
    assert pinned.origin == "directory"


def test_objects_come_in_the_asked_order_and_reading_can_stop_early(
    tmp_path: Path, store: Path
) -> None:
    """More requests than a pipe holds, answers larger than a pipe holds."""
    root = tmp_path / "plain"
    root.mkdir()
    for number in range(1500):
        (root / f"{number:04}.txt").write_text(f"{number}\n" * 2000)
    pinned = pin_commit(root, rev=None, store=store)
    with ObjectStore(pinned.mirror, pinned.commit) as objects:
        oids = [entry.oid for entry in reversed(objects.entries())]
        assert [oid for oid, _ in objects.read_many(oids)] == oids
        for oid, data in objects.read_many(oids):
            assert (oid, data[:5]) == (oids[0], b"1499\n")
            break
        assert objects.read(oids[1])[:5] == b"1498\n"


def test_a_dead_git_and_a_missing_object_are_damage(repo: Path, store: Path) -> None:
    """No wrong content, no hang, and the next read works."""
    pinned = pin_commit(repo, rev=None, store=store)
    with ObjectStore(pinned.mirror, pinned.commit) as objects:
        oid = objects.entries()[0].oid
        with pytest.raises(DamagedStateError):
            objects.read("0" * 40)
        process = objects._reader()
        process.kill()
        process.wait()
        with pytest.raises(DamagedStateError):
            objects.read(oid)
        assert objects.read(oid) == b"one = 1\ntwo = 2\n"
    with pytest.raises(DamagedStateError):
        ObjectStore(pinned.mirror, "1" * 40).entries()


def test_log_and_blame_tell_who_changed_what(repo: Path, store: Path) -> None:
    """Paths are literal, and lines beyond the file are refused."""
    pinned = pin_commit(repo, rev=None, store=store)
    entries = commit_log(pinned.mirror, pinned.commit, path=None, limit=5)
    assert [(entry.subject, entry.files) for entry in entries] == [
        ("Second", ("a.py", "b.py")),
        ("First", ("a.py",)),
    ]
    assert [
        entry.subject for entry in commit_log(pinned.mirror, pinned.commit, path="b.py", limit=5)
    ] == ["Second"]
    assert commit_log(pinned.mirror, pinned.commit, path="*.py", limit=5) == ()
    lines = blame_lines(pinned.mirror, pinned.commit, path="a.py", first=1, last=2)
    assert [(line.line, line.subject) for line in lines] == [(1, "First"), (2, "Second")]
    with pytest.raises(InputError):
        blame_lines(pinned.mirror, pinned.commit, path="a.py", first=9, last=9)


@pytest.mark.parametrize(
    "complaint",
    [
        pytest.param("fatal: sha1 file 'tmp_pack_x' write error. Out of diskspace", id="short"),
        pytest.param("fatal: cannot create tmp_pack_x: No space left on device", id="none"),
    ],
)
def test_git_has_two_ways_to_say_that_a_disk_is_full(complaint: str) -> None:
    """It was seen on a disk of 64 kB, and taken for damage that a resume would meet again."""
    error = lack_of_room(complaint, 128)
    assert error is not None
    assert error.errno == errno.ENOSPC


def test_new_code_beside_committed_code_is_named_and_not_read(tmp_path: Path) -> None:
    """Whoever forgot to commit a module would take its absence for a fault of the search."""
    root = tmp_path / "code"
    (root / "shop").mkdir(parents=True)
    (root / "venv").mkdir()
    for name in ("shop/till.py", "shop/_version.py", "venv/site.py", "shop/notes.txt"):
        (root / name).write_text("")
    (root / "shop" / "door.py").write_text("def open_door():\n    return 1\n")
    (root / ".gitignore").write_text("# made\n_version.py\n")
    plain_git(root, "init", "--quiet", "--initial-branch=main")
    plain_git(root, "add", "shop/door.py")
    plain_git(root, "commit", "--quiet", "--message=a door")
    # Staged is not committed either.
    plain_git(root, "add", "shop/till.py")
    pinned = pin_commit(root, rev=None, store=tmp_path / "store")
    assert pinned.notes == (
        "1 new file beside committed code is in no commit and not read, first shop/till.py",
    )
    assert pin_commit(root, rev="HEAD", store=tmp_path / "store").notes == ()
