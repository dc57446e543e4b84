"""A retriever is scored against the draft of a run, in every way it may be connected, and with every mistake."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from journeys.conftest import Command, git

Score = Callable[..., "subprocess.CompletedProcess[str]"]
RETRIEVER = """
import json, sys

EXPECTED = {row["query_text"]: [one["entity_id"] for one in row["expected_entities"]]
            for row in json.load(open("golden/golden_v1.0.draft.json"))}

def perfect(query, limit):
    return {"results": EXPECTED[query][:limit], "sufficiency_score": 0.9, "source": "local", "answer": "Here."}

def boom(query):
    raise KeyError(query)

if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(perfect(asked["query"], asked["limit"])), flush=True)
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the draft of the first test is kept for the others."""
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture
def dataset(goldwright: Command, desk: Path, repository: Path, shelf: Path) -> Path:
    """The draft of a small run on the repository, which is the same for every test."""
    if not (shelf / "golden").is_dir():
        goldwright("run", "smoke", "--repo", repository)
        done = goldwright("export", "latest", "--version", "1.0", "--draft")
        assert done.returncode == 0, done.stderr
        shutil.copytree(desk / "golden", shelf / "golden")
    shutil.copytree(shelf / "golden", desk / "golden", dirs_exist_ok=True)
    (desk / "mine.py").write_text(RETRIEVER)
    return desk / "golden/golden_v1.0.draft.json"


@pytest.fixture
def score(goldwright: Command, dataset: Path, repository: Path) -> Score:
    """Score a retriever against the draft."""

    def run(retriever: str, *more: object, path: Path = dataset) -> "subprocess.CompletedProcess[str]":
        return goldwright("eval", path, "--repo", repository, "--retriever", retriever, *more)

    return run


def means(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    """The means over all queries, by measure."""
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = {name: one["value"] for name, one in json.loads(done.stdout)["strata"][0]["means"].items()}
    return found


def test_our_own_retrievers_find_more_than_nothing_and_less_than_all(score: Score) -> None:
    for name in ("bm25", "grep"):
        found = means(score(name, "--json"))
        assert 0 < found["MRR"] <= 1, name
        assert list(found) == [
            "MRR", "nDCG@10", "R@10", "P@1", "P@5", "Hit@5", "FileCoverage@5", "Judged@10", "file.MRR", "file.R@10",
        ]  # fmt: skip


def test_one_retriever_scores_the_same_however_it_is_connected(score: Score, dataset: Path, desk: Path) -> None:
    rows = json.loads(dataset.read_text())
    run = desk / "run.txt"
    lines = [
        f"{row['query_id']} Q0 {one['entity_id']} {place} {-place} mine\n"
        for row in rows
        for place, one in enumerate(row["expected_entities"], start=1)
    ]
    run.write_text("".join(lines))
    by_call = score("py:mine:perfect", "--json")
    by_process = score(f"cmd:{sys.executable} mine.py", "--json")
    by_file = score("trec:run.txt", "--json")
    assert means(by_call) == means(by_process) == means(by_file)
    assert (means(by_call)["MRR"], means(by_call)["R@10"], means(by_call)["file.R@10"]) == (1.0, 1.0, 1.0)
    told = json.loads(by_call.stdout)
    assert [(one["sufficiency_score"], one["source"]) for one in told["queries"]] == [(0.9, "local")] * len(rows)
    assert any(note.startswith("Saturated") and "MRR" in note for note in told["notes"])


def test_the_table_says_intervals_strata_and_what_nobody_judged(score: Score) -> None:
    done = score("bm25", "--measure", "MRR", "--measure", "file.Hit@3", "--measure", "Judged@10")
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()
    assert first[0].startswith("bm25 on ")
    assert any(line.startswith("MRR ") and "[" in line for line in first)
    assert "by task type" in done.stdout
    assert "by cell" in done.stdout
    assert "judged by nobody" in done.stdout
    assert "agent_curated_pending_human_review" in done.stderr


@pytest.mark.parametrize(
    ("retriever", "more", "code", "what"),
    [
        ("py:mine:boom", (), 6, "query q_00001: py:mine:boom: raised KeyError"),
        ("py:mine:nothing", (), 2, "py:mine:nothing: can not be imported"),
        ("cmd:cat", (), 2, "query q_00001: wanted results in a list"),
        ("cmd:sleep 30", ("--timeout", "0.5"), 6, "query q_00001: cmd:sleep 30: no reply within 0.5 seconds"),
        ("cmd:false", (), 6, "query q_00001: cmd:false: ended with exit code 1"),
        ("http://127.0.0.1:9/", (), 6, "query q_00001: http://127.0.0.1:9/"),
        ("trec:none.txt", (), 2, "none.txt: can not be read"),
        ("magic", (), 2, "magic: no retriever; wanted one of bm25, grep"),
        ("bm25", ("--measure", "MAP"), 2, "MAP: no such metric"),
        ("bm25", ("--depth", "0"), 2, "--depth"),
    ],
)
def test_what_is_wrong_with_a_retriever_is_one_line(
    score: Score, retriever: str, more: tuple[str, ...], code: int, what: str
) -> None:
    done = score(retriever, *more)
    assert (done.returncode, done.stdout) == (code, "")
    assert what in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_run_with_a_query_too_many_or_too_few_is_refused(score: Score, dataset: Path, desk: Path) -> None:
    ids = [row["query_id"] for row in json.loads(dataset.read_text())]
    for kept, what in (
        (ids[1:], f"holds no results for {ids[0]}"),
        ([*ids, "q_99999"], "has results for queries that the dataset has not: q_99999"),
    ):
        (desk / "run.txt").write_text("".join(f"{one} Q0 a 1 1 x\n" for one in kept))
        done = score("trec:run.txt")
        assert done.returncode == 2
        assert what in done.stderr.splitlines()[-1]


def copied(dataset: Path, change: Callable[[list[dict[str, Any]]], None]) -> Path:
    """A copy of the dataset with a mistake in it and no metadata."""
    rows = json.loads(dataset.read_text())
    change(rows)
    path = dataset.with_name("wrong.json")
    path.write_text(json.dumps(rows))
    return path


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda rows: rows.append(rows[0]), "stands twice"),
        (lambda rows: rows[0]["expected_entities"][0].update(entity_id="shop/none.py::f"), "which is no entity of"),
        (lambda rows: rows[1].update(schema_version="9.0.0"), "record 1: schema_version"),
        (lambda rows: rows[0].pop("query_text"), "record 0: query_text"),
        (lambda rows: rows.clear(), "holds no record"),
    ],
)
def test_what_is_wrong_with_a_dataset_is_one_line(
    score: Score, dataset: Path, change: Callable[[list[dict[str, Any]]], None], what: str
) -> None:
    done = score("bm25", path=copied(dataset, change))
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr.splitlines()[-1]


def test_changed_sources_end_it_unless_they_are_allowed(score: Score, dataset: Path, repository: Path) -> None:
    cited = json.loads(dataset.read_text())[0]["expected_files"][0]
    with (repository / cited).open("a") as file:
        file.write("\n# one more line\n")
    git(repository, "commit", "--quiet", "-am", "change")
    done = score("bm25")
    assert (done.returncode, done.stdout) == (1, "")
    assert cited in done.stderr
    assert "--allow-drift" in done.stderr
    allowed = score("bm25", "--allow-drift", "--json")
    assert allowed.returncode == 0, allowed.stderr
    told = json.loads(allowed.stdout)
    assert told["drifted"] == [cited]
    assert told["notes"][0].startswith(f"Drift was allowed: {cited} changed")


def test_a_dataset_that_is_not_what_its_metadata_name_is_refused(score: Score, dataset: Path, desk: Path) -> None:
    other = desk / "other"
    other.mkdir()
    for path in (dataset, dataset.with_name("golden_v1.0.draft.meta.json")):
        shutil.copy(path, other / path.name)
        (other / path.name).chmod(0o644)
    (other / dataset.name).write_text(dataset.read_text().replace("shop", "Shop", 1))
    done = score("bm25", path=other / dataset.name)
    assert done.returncode == 1
    assert "where golden_v1.0.draft.meta.json names" in done.stderr


def test_two_evaluations_are_compared_measure_by_measure(score: Score, goldwright: Command, desk: Path) -> None:
    for name, retriever in (("lexical.json", "bm25"), ("perfect.json", "py:mine:perfect")):
        (desk / name).write_text(score(retriever, "--json").stdout)
    done = goldwright("compare", "lexical.json", "perfect.json", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["before"], told["after"]) == ("bm25", "py:mine:perfect")
    found = {one["measure"]: one for one in told["measures"]}
    assert found["MRR"]["after"] == 1.0
    assert found["MRR"]["difference"]["losses"] == 0
    assert all(one["adjusted_p"] >= one["difference"]["p_value"] for one in found.values())
    same = goldwright("compare", "lexical.json", "lexical.json")
    assert "No difference is shown. That is no proof that there is none" in same.stdout


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda told: told.update(dataset_sha256="sha256:other"), "dataset_sha256: "),
        (lambda told: told.update(depth=10), "depth: 100 in the one, 10 in the other"),
        (lambda told: told["queries"].pop(0), "q_00001: was asked in one of the two evaluations only"),
        (lambda told: told["queries"].append(told["queries"][0]), "names a query twice"),
        (lambda told: told["queries"][1]["values"].pop("MRR"), "MRR: is missing for some query"),
        (lambda told: told["queries"][1]["values"].update(MRR="high"), "no evaluation: queries.1.values.MRR"),
        (lambda told: told.clear(), "no evaluation: "),
    ],
)
def test_evaluations_that_can_not_be_compared_are_refused_in_one_line(
    score: Score, goldwright: Command, desk: Path, shelf: Path, change: Callable[[dict[str, Any]], None], what: str
) -> None:
    if not (shelf / "told.json").exists():
        (shelf / "told.json").write_text(score("bm25", "--json").stdout)
    told = json.loads((shelf / "told.json").read_text())
    (desk / "before.json").write_text(json.dumps(told))
    change(told)
    (desk / "after.json").write_text(json.dumps(told))
    done = goldwright("compare", "before.json", "after.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr.splitlines()[-1]
