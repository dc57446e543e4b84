"""Reading a repository that attacks its reader."""

from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.errors import InputError
from goldwright.snapshot import open_snapshot
from goldwright.snapshot.git.git_history import blame_lines, commit_log
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.mirror.pinning import pin_commit
from journeys.hostile import Hostile, add_odd_files, build_hostile, plain_git


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    """An armed repository."""
    return build_hostile(tmp_path)


def test_the_canary_sings_for_plain_git(hostile: Hostile) -> None:
    """The traps work: careless git runs them, so an empty canary below means something."""
    (hostile.root / "notes.txt").write_text("changed\n")
    (hostile.root / "README").write_text("changed\n")
    (hostile.root / "app.py").write_text("def main():\n    return 22\n")
    for line in (
        "status",
        "diff README",
        "add app.py",
        "log -p",
        "branch x",
        "checkout -q -b y",
        "fetch",
    ):
        plain_git(hostile.root, *line.split())
    traps = {
        "clean",
        "ext",
        "external-diff",
        "fsmonitor",
        "post-checkout",
        "reference-transaction",
        "textconv",
    }
    assert traps <= set(hostile.fired)


def test_nothing_the_repository_asks_for_is_run(hostile: Hostile, tmp_path: Path) -> None:
    """Clone, fetch, dirty check, listing, reading, log and blame leave the canary empty."""
    store = tmp_path / "store"
    first = pin_commit(hostile.root, rev=None, store=store)
    (hostile.root / "app.py").write_text("def main():\n    return 2\n")
    with pytest.raises(InputError, match=r"app\.py"):
        pin_commit(hostile.root, rev=None, store=store)
    dirty = pin_commit(hostile.root, rev=None, store=store, allow_dirty=True)
    again = pin_commit(hostile.root, rev="main", store=store)
    with ObjectStore(dirty.mirror, dirty.commit) as objects:
        oids = [entry.oid for entry in objects.entries() if entry.kind == "text"]
        assert len(list(objects.read_many(oids))) == len(oids)
    assert commit_log(first.mirror, first.commit, path="app.py", limit=5)
    assert blame_lines(first.mirror, first.commit, path="app.py", first=1, last=2)
    assert again.commit == first.commit != dirty.commit
    assert hostile.fired == []


def test_a_repository_with_missing_objects_is_refused_and_fetches_nothing(
    hostile: Hostile, tmp_path: Path
) -> None:
    """A partial clone would have git call out for what it lacks."""
    oid = plain_git(hostile.root, "rev-parse", "HEAD:app.py").stdout.decode().strip()
    for path in hostile.canary.iterdir():
        path.unlink()
    (hostile.root / ".git/objects" / oid[:2] / oid[2:]).unlink()
    with (hostile.root / ".git/config").open("a") as file:
        file.write("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n")
    with pytest.raises(InputError) as caught:
        pin_commit(hostile.root, rev=None, store=tmp_path / "store")
    assert len(str(caught.value)) <= 200
    assert hostile.fired == []


def test_kinds_keep_links_giants_and_odd_names_from_being_read(
    hostile: Hostile, tmp_path: Path
) -> None:
    """Only plain text of a bearable size under a plain name is text."""
    pinned = pin_commit(hostile.root, rev=None, store=tmp_path / "store")
    with ObjectStore(pinned.mirror, pinned.commit) as objects:
        kinds = {entry.path: entry.kind for entry in objects.entries()}
    assert kinds["passwd.py"] == "symlink"
    assert kinds["big.py"] == "large"
    assert kinds["app.py"] == "text"


def test_a_snapshot_of_it_opens_and_can_be_searched(hostile: Hostile, tmp_path: Path) -> None:
    """Syntax errors and deep nesting are listed as unparsed; the rest works, and nothing runs."""
    snapshot = open_snapshot(hostile.root, rev=None, cache=tmp_path / "cache", workers=1)
    toolset = Toolset(snapshot, frozenset({"list", "search", "read", "outline", "log", "blame"}))
    assert "broken.py" in snapshot.unparsed
    assert [hit.path for hit in toolset.search(r"def main").hits] == ["app.py"]
    assert toolset.read("app.py").lines == ("def main():", "    return 1")
    assert "\u202e" not in toolset.search("x = ").text + toolset.list().text + toolset.log().text
    assert "\x1b" not in toolset.log().text
    assert toolset.blame("app.py").lines[0].line == 1
    assert hostile.fired == []


def test_a_plain_directory_with_a_pipe_a_giant_and_odd_names_is_read(tmp_path: Path) -> None:
    """A pipe is passed over, a link recorded and not followed, three gigabytes cut, odd names kept
    unread.
    """
    root = tmp_path / "plain"
    root.mkdir()
    (root / "app.py").write_text("x = 1\n")
    add_odd_files(root)
    pinned = pin_commit(root, rev=None, store=tmp_path / "store")
    with ObjectStore(pinned.mirror, pinned.commit) as objects:
        kinds = {entry.path: entry.kind for entry in objects.entries()}
    assert kinds == {
        "app.py": "text",
        "caf\\xe9.py": "unsafe_name",
        "escape\x1b]0;owned\x07.py": "unsafe_name",
        "giant.py": "large",
        "line\nbreak.py": "unsafe_name",
        "loop": "symlink",
        "outside.py": "symlink",
    }
