"""Cases that are pinned to the parent of their commit are searched for in its tree alone."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from goldwright.app.datasets.mining import MineRequest, mine_dataset
from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.evaluate import Evaluation, evaluate_retriever
from goldwright.engine.clock import SystemClock
from goldwright.engine.progress import SilentProgress
from goldwright.errors import InputError
from goldwright.mining import MiningSettings
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.snapshot import SnapshotSeries
from units.mining.histories import Repository

AT_PARENT = MiningSettings(level="symbol", at_parent=True)
START = "def pay(amount):\n    return amount\n\n\ndef weigh(box):\n    return box\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with two fixes, each of which brings a word of its own."""
    repository = Repository(tmp_path / "shop")
    repository.commit("Start", {"shop.py": START, "other.py": "def other(): return 1\n"})
    first = START.replace("return amount", "zebra = amount\n    return zebra")
    repository.commit("Zebra customers settle bills", {"shop.py": first})
    second = first.replace("return box", "walrus = box\n    return walrus")
    repository.commit("Walrus parcels become lighter", {"shop.py": second})
    return repository


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """A working directory of its own."""
    variables = {"GOLDWRIGHT_CACHE": str(tmp_path / "cache")}
    return Environment(tmp_path, variables, tmp_path, SystemClock(), Random(1))


def mine(repository: Repository, environment: Environment, name: str) -> Path:
    """Mine cases that are pinned to parents."""
    request = MineRequest(repository.path, out=Path(name), settings=AT_PARENT)
    return mine_dataset(request, environment, SilentProgress()).path


def evaluate(
    dataset: Path, repository: Path, environment: Environment, **fields: object
) -> Evaluation:
    """Score bm25, or another retriever."""
    request = EvalRequest(
        dataset=str(dataset),
        repo=repository,
        **{"retriever": "bm25", **fields},  # type: ignore[arg-type]  # as the test names them
    )
    return evaluate_retriever(request, environment, SilentProgress())


def blobs_at(repository: Repository, commit: str) -> set[str]:
    """The contents of a tree, as git itself lists them."""
    listing = repository.git("ls-tree", "-r", "--format=%(objectname)", commit)
    return set(listing.split())


def test_no_blob_of_the_fix_is_reachable_from_the_index(
    repository: Repository, environment: Environment
) -> None:
    """What is searched has exactly the contents of the parent, whatever was read before it."""
    series = SnapshotSeries(repository.path, cache=environment.cache)
    commits = repository.git("rev-list", "HEAD").split()
    words = {commits[0]: "walrus", commits[1]: "zebra"}
    # The fixes first, so that what they bring has been read and is shared.
    indexes = {commit: BM25Retriever.over(series.open(commit)) for commit in commits}
    for commit, parent in pairwise(commits):
        snapshot = series.open(parent)
        searched = {entry.oid for entry in snapshot.files.values()}
        brought = blobs_at(repository, commit) - blobs_at(repository, parent)
        assert searched == blobs_at(repository, parent)
        assert brought
        assert not searched & brought
        assert words[commit] in indexes[commit]
        assert words[commit] not in indexes[parent]


def test_scores_are_those_of_a_repository_without_the_fix(
    repository: Repository, environment: Environment
) -> None:
    """In which the commit, and all that came after it, does not exist."""
    dataset = mine(repository, environment, "cases.jsonl")
    evaluation = evaluate(dataset, repository.path, environment)
    assert len(evaluation.rankings) == 2
    for number, query_id in enumerate(evaluation.rankings):
        older = repository.path.parent / f"older-{number}"
        parent = repository.git("rev-parse", f"{query_id}~1")
        repository.git("branch", "-f", "older", parent)
        repository.git(
            "clone",
            "-q",
            "--single-branch",
            "--branch",
            "older",
            f"file://{repository.path}",
            str(older),
        )
        case = dataset.read_text().splitlines()[number]
        alone = environment.root / f"alone-{number}.jsonl"
        alone.write_text(case.replace('"at_parent":true', '"at_parent":false') + "\n")
        without = evaluate(alone, older, environment)
        assert without.report.commit == parent
        assert without.rankings[query_id] == evaluation.rankings[query_id]


def test_a_retriever_with_its_own_index_and_another_commit_are_refused(
    repository: Repository, environment: Environment
) -> None:
    """Nobody could say what they searched."""
    dataset = mine(repository, environment, "cases.jsonl")
    with pytest.raises(InputError, match="cannot be led to the commit"):
        evaluate(dataset, repository.path, environment, retriever="cmd:cat")
    with pytest.raises(InputError, match="--rev and --allow-dirty say otherwise"):
        evaluate(dataset, repository.path, environment, rev="HEAD")


def test_cases_of_two_kinds_are_not_mixed(repository: Repository, environment: Environment) -> None:
    """One of them would be searched for in the wrong tree."""
    dataset = mine(repository, environment, "cases.jsonl")
    first, second = dataset.read_text().splitlines()
    mixed = environment.root / "mixed.jsonl"
    mixed.write_text(first.replace('"at_parent":true', '"at_parent":false') + f"\n{second}\n")
    with pytest.raises(InputError, match="1 of 2 queries are pinned"):
        evaluate(mixed, repository.path, environment)
