"""A file of mined cases, which only grows."""

from pathlib import Path
from random import Random

import pytest

from goldwright.app.datasets.mining import MineRequest, Mining, mine_dataset
from goldwright.app.environment import Environment
from goldwright.engine.clock import SystemClock
from goldwright.engine.progress import SilentProgress
from goldwright.errors import InputError
from goldwright.interchange.opening import open_dataset
from goldwright.mining import MiningSettings
from goldwright.mining.mined_file import account_path
from units.mining.histories import Repository

SYMBOLS = MiningSettings(level="symbol")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with one case."""
    repository = Repository(tmp_path / "shop")
    repository.commit("Start", {"a.py": "def a(): return 1\n"})
    repository.commit("Return more than before", {"a.py": "def a(): return 2\n"})
    return repository


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the cases go."""
    return tmp_path / "cases.jsonl"


def mine(repository: Repository, out: Path, settings: MiningSettings = SYMBOLS) -> Mining:
    """Mine as the command does."""
    cache = {"GOLDWRIGHT_CACHE": str(out.parent / "cache")}
    environment = Environment(out.parent, cache, out.parent, SystemClock(), Random(1))
    request = MineRequest(repository.path, out=out, settings=settings)
    return mine_dataset(request, environment, SilentProgress())


def test_a_second_mining_adds_what_is_new(repository: Repository, out: Path) -> None:
    """What is there stays byte for byte; a third one changes nothing."""
    mine(repository, out)
    first = out.read_bytes()
    repository.commit("Do something else entirely", {"b.py": "def b(): return 2\n"})
    mining = mine(repository, out)
    assert (mining.added.looked_at, mining.added.cases, mining.totals.cases) == (1, 1, 2)
    assert mining.totals.looked_at == mining.totals.cases + sum(mining.totals.filtered.values())
    second = out.read_bytes()
    assert second.startswith(first)
    account = account_path(out).read_bytes()
    assert mine(repository, out).added.looked_at == 0
    assert (out.read_bytes(), account_path(out).read_bytes()) == (second, account)


def test_what_no_account_answers_for_is_mined_again(repository: Repository, out: Path) -> None:
    """A crash leaves the older account behind a newer file, whole or in its middle."""
    mine(repository, out)
    first = account_path(out).read_bytes()
    repository.commit("Do something else entirely", {"b.py": "def b(): return 2\n"})
    mine(repository, out)
    complete = out.read_bytes()
    account_path(out).write_bytes(first)
    out.write_bytes(complete[:-20])
    mine(repository, out)
    assert out.read_bytes() == complete


def test_a_file_of_others_is_refused(repository: Repository, out: Path) -> None:
    """And stays as it is; an empty one is only a name that was reserved."""
    out.write_text("{}\n")
    with pytest.raises(InputError, match="was not written by mine"):
        mine(repository, out)
    assert out.read_text() == "{}\n"
    out.write_text("")
    assert mine(repository, out).totals.cases == 1


def test_a_file_that_was_changed_is_refused(repository: Repository, out: Path) -> None:
    """So is one whose account is none, and one of other settings."""
    mine(repository, out)
    with pytest.raises(InputError, match="mined with level = symbol"):
        mine(repository, out, MiningSettings(level="file"))
    out.write_bytes(out.read_bytes().replace(b"more", b"less"))
    with pytest.raises(InputError, match=r"is not what cases\.mining\.json says"):
        mine(repository, out)
    account_path(out).write_text("[]")
    with pytest.raises(InputError, match="is no account of a mining"):
        mine(repository, out)


def test_another_history_is_refused(repository: Repository, out: Path) -> None:
    """Where the last commit of the file is not in it."""
    mine(repository, out)
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.commit("Go another way instead", {"a.py": "def a(): return 3\n"})
    with pytest.raises(InputError, match="is not in the history"):
        mine(repository, out)


def test_a_directory_without_a_history_is_refused(tmp_path: Path, out: Path) -> None:
    """There is nothing to mine."""
    plain = Repository(tmp_path / "plain")
    (plain.path / "a.py").write_text("A = 1\n")
    for path in sorted((plain.path / ".git").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (plain.path / ".git").rmdir()
    with pytest.raises(InputError, match="has no history"):
        mine(plain, out)


def test_bare_and_added_work_trees_are_mined_alike(repository: Repository, out: Path) -> None:
    """What is mined is a history, wherever its files are checked out."""
    mine(repository, out)
    repository.git("clone", "-q", "--bare", ".", "../bare.git")
    repository.git("worktree", "add", "-q", "../added")
    for name in ("bare.git", "added"):
        copy = Repository.__new__(Repository)
        copy.path = repository.path.parent / name
        other_out = out.with_name(f"{name}.jsonl")
        mine(copy, other_out)
        assert other_out.read_bytes() == out.read_bytes()


def test_a_shallow_history_is_said_to_be_one(repository: Repository, out: Path) -> None:
    """Its first commit has no parent to compare with."""
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.path}", "../shallow")
    copy = Repository.__new__(Repository)
    copy.path = repository.path.parent / "shallow"
    mining = mine(copy, out)
    assert any("shallow" in note for note in mining.notes)
    assert (mining.added.looked_at, mining.added.filtered["first_commit"]) == (1, 1)


def test_a_mined_file_is_read_as_any_dataset(repository: Repository, out: Path) -> None:
    """With its targets as entities, and with its cell."""
    mine(repository, out)
    (query,) = open_dataset(str(out), out.parent).queries
    assert query.entity_ids == ("a.py::a",)
    assert query.cell is not None
    assert query.strata["change"] == "unknown"
