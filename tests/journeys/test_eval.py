"""A retriever is scored against the draft of a run, in every way it may be connected, and with
every mistake.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from journeys.conftest import Command, git
from journeys.live import KEYS, Settings
from journeys.starting import call
from journeys.workplace import Workplace
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say

Score = Callable[..., "subprocess.CompletedProcess[str]"]
Suite = Callable[..., "subprocess.CompletedProcess[str]"]
RETRIEVER = """
import json, sys

EXPECTED = {row["query_text"]: [one["entity_id"] for one in row["expected_entities"]]
            for row in json.load(open("golden/golden_v1.0.draft.json"))}

def perfect(query, limit):
    results = EXPECTED[query][:limit]
    return {"results": results, "sufficiency_score": 0.9, "source": "local", "answer": "Here."}

def dotted(query):
    return [f"shop.orders.f{number}" for number in range(20)]

def poor(query):
    return ["shop/__init__.py"]

def boom(query):
    raise KeyError(query)

if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(perfect(asked["query"], asked["limit"])), flush=True)
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a report of one test is kept for others."""
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture
def dataset(finished_shop: Workplace, workplace: Path) -> Path:
    """The draft of a small run on the code of the repository."""
    shutil.copytree(finished_shop.golden, workplace / "golden", dirs_exist_ok=True)
    (workplace / "mine.py").write_text(RETRIEVER)
    return workplace / "golden/golden_v1.0.draft.json"


@pytest.fixture
def score(goldwright: Command, dataset: Path, repository: Path) -> Score:
    """Score a retriever against the draft."""

    def run(
        retriever: str, *more: object, path: Path = dataset, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        return goldwright(
            "eval", path, "--repo", repository, "--retriever", retriever, *more, **environment
        )

    return run


def means(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    """The means over all queries, by measure."""
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = {
        name: one["value"] for name, one in json.loads(done.stdout)["strata"][0]["means"].items()
    }
    return found


def test_our_own_retrievers_find_more_than_nothing_and_less_than_all(score: Score) -> None:
    for name in ("bm25", "grep"):
        found = means(score(name, "--json"))
        assert 0 < found["MRR"] <= 1, name
        assert list(found) == [
            "MRR", "nDCG@10", "R@10", "P@1", "P@5", "Hit@5", "Hit@10", "FileCoverage@5",
            "Judged@10", "file.MRR", "file.R@10",
        ]  # fmt: skip


def test_one_retriever_scores_the_same_however_it_is_connected(
    score: Score, dataset: Path, workplace: Path
) -> None:
    rows = json.loads(dataset.read_text())
    run = workplace / "run.txt"
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
    assert (means(by_call)["MRR"], means(by_call)["R@10"], means(by_call)["file.R@10"]) == (
        1.0,
        1.0,
        1.0,
    )
    told = json.loads(by_call.stdout)
    assert [(one["sufficiency_score"], one["source"]) for one in told["queries"]] == [
        (0.9, "local")
    ] * len(rows)
    assert any(note.startswith("Saturated") and "MRR" in note for note in told["notes"])


def test_the_table_says_intervals_strata_and_what_nobody_judged(score: Score) -> None:
    done = score("bm25", "--measure", "MRR", "--measure", "file.Hit@3", "--measure", "Judged@10")
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()
    assert first[0].startswith("bm25-3 on ")
    assert any(line.startswith("MRR ") and "[" in line for line in first)
    assert "by task type" in done.stdout
    assert "by cell" in done.stdout
    assert "judged by nobody" in done.stdout
    assert "agent_curated_pending_human_review" in done.stderr


@pytest.mark.parametrize(
    ("retriever", "more", "code", "what"),
    [
        ("py:mine:boom", (), 6, "query q_00001: py:mine:boom: raised KeyError"),
        ("py:mine:nothing", (), 2, "py:mine:nothing: cannot be imported"),
        ("cmd:cat", (), 2, "query q_00001: wanted results in a list"),
        (
            "cmd:sleep 30",
            ("--timeout", "0.5"),
            6,
            "query q_00001: cmd:sleep 30: no reply within 0.5 seconds",
        ),
        ("cmd:false", (), 6, "query q_00001: cmd:false: ended with exit code 1"),
        ("http://127.0.0.1:9/", (), 6, "query q_00001: http://127.0.0.1:9/"),
        ("trec:none.txt", (), 2, "none.txt: cannot be read"),
        ("magic", (), 2, "magic: no retriever; wanted one of bm25, grep"),
        ("mine:find", (), 2, "mine:find: no retriever; did you mean py:mine:find?"),
        ("mine.py", (), 2, "mine.py: no retriever; did you mean py:mine:CALLABLE?"),
        ("bm25", ("--measure", "AUC"), 2, "AUC: no such metric"),
        ("bm25", ("--depth", "0"), 2, "--depth"),
        ("bm25", ("--gate", "MRR"), 2, "'MRR': no gate; wanted"),
        ("bm25", ("--timeout", "nan"), 2, "'nan' is no finite number"),
        ("bm25", ("--html", "nowhere/page.html"), 2, "there is no directory nowhere"),
        ("cmd:", (), 2, "wanted cmd:COMMAND"),
        ("py:mine:dotted", (), 2, "look like 'shop.orders.f0'"),
        ("bm25", ("--without-gate", "speed"), 2, "speed: no gate of the profile"),
    ],
)
def test_what_is_wrong_with_a_retriever_is_one_line(
    score: Score, retriever: str, more: tuple[str, ...], code: int, what: str
) -> None:
    done = score(retriever, *more)
    assert (done.returncode, done.stdout) == (code, "")
    assert what in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_docstrings_are_blanked_for_our_own_retrievers_alone(
    score: Score, goldwright: Command, dataset: Path, repository: Path, workplace: Path
) -> None:
    """The report says so, and is compared with none that searched them."""
    assert score("bm25", "--out", "with.json").returncode == 0
    done = score("bm25", "--blank-docstrings", "--out", "without.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].endswith(", without docstrings")
    assert "note: Docstrings were blanked" in done.stdout
    assert json.loads((workplace / "without.json").read_text())["blank_docstrings"] is True
    compared = goldwright("compare", "with.json", "without.json")
    assert compared.returncode == 2
    assert "blank_docstrings: False in the one, True in the other" in compared.stderr
    for retriever in ("py:mine:perfect", "cmd:cat", "http://127.0.0.1:9/", "trec:none.txt"):
        refused = score(retriever, "--blank-docstrings")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "holds an index of its own" in refused.stderr.splitlines()[-1]
    asked = ("baseline.json", dataset, "--repo", repository, "--retriever", "bm25")
    saved = goldwright("baseline", "save", *asked, "--blank-docstrings", "--runs", 1)
    assert saved.returncode == 0, saved.stderr
    checked = goldwright("baseline", "check", *asked)
    assert checked.returncode == 0, checked.stderr
    assert "note: Docstrings were blanked" in checked.stdout
    assert goldwright("baseline", "save", *asked, "--runs", 1, "--replace").returncode == 0
    refused = goldwright("baseline", "check", *asked, "--blank-docstrings")
    assert refused.returncode == 2
    assert "was saved with docstrings" in refused.stderr.splitlines()[-1]


def test_results_in_tests_are_told_of_and_left_out_on_request(
    goldwright: Command, workplace: Path
) -> None:
    """Nothing is expected there, so whoever does not search there would be better for that."""
    for path, name in (("shop/till.py", "close_till"), ("tests/test_till.py", "test_close_till")):
        (workplace / "code" / path).parent.mkdir(parents=True)
        (workplace / "code" / path).write_text(f"def {name}():\n    return 1\n")
    (workplace / "asked.csv").write_text("query,expected\nclose it,shop/till.py::close_till\n")
    (workplace / "both.py").write_text(
        "def find(query):\n"
        "    return ['tests/test_till.py::test_close_till', 'shop/till.py::close_till']\n"
    )
    asked = ("eval", "asked.csv", "--retriever", "py:both:find", "--measure", "MRR")
    here = ("--repo", workplace / "code")
    told = goldwright(*asked, *here, "--out", "all.json")
    assert "MRR             0.500" in told.stdout
    assert "Of the first ten results 50% lie in tests" in " ".join(told.stdout.split())
    left_out = goldwright(*asked, *here, "--product-code", "--out", "product.json")
    assert "MRR             1.000" in left_out.stdout
    assert left_out.stdout.splitlines()[0].endswith(", results in product code alone")
    assert "lie in tests" not in left_out.stdout
    compared = goldwright("compare", "all.json", "product.json")
    assert "product_code: False in the one, True in the other" in compared.stderr
    refused = goldwright(*asked, "--product-code")
    assert (refused.returncode, "--repo" in refused.stderr) == (2, True)


def test_a_run_with_a_query_too_many_or_too_few_is_refused(
    score: Score, dataset: Path, workplace: Path
) -> None:
    ids = [row["query_id"] for row in json.loads(dataset.read_text())]
    for kept, what in (
        (ids[1:], f"holds no results (see --missing-as-zero) for {ids[0]}"),
        ([*ids, "q_99999"], "has results for queries that the dataset has not: q_99999"),
    ):
        (workplace / "run.txt").write_text(
            "".join(f"{one} Q0 shop/till.py 1 1 x\n" for one in kept)
        )
        done = score("trec:run.txt")
        assert done.returncode == 2
        assert what in done.stderr.splitlines()[-1]
    (workplace / "run.txt").write_text("".join(f"{one} Q0 shop/till.py 1 1 x\n" for one in ids[1:]))
    assert score("trec:run.txt", "--missing-as-zero").returncode == 0


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
        (lambda rows: rows.append(rows[0]), "stands there a second time"),
        (
            lambda rows: rows[0]["expected_entities"][0].update(entity_id="shop/none.py::f"),
            "which is no entity of",
        ),
        (lambda rows: rows[1].update(schema_version="9.0.0"), "): schema_version: "),
        (lambda rows: rows[0].pop("query_text"), "): query_text: is missing"),
        (lambda rows: rows.clear(), "holds no record"),
    ],
)
def test_what_is_wrong_with_a_dataset_is_one_line(
    score: Score, dataset: Path, change: Callable[[list[dict[str, Any]]], None], what: str
) -> None:
    done = score("bm25", path=copied(dataset, change))
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr.splitlines()[-1]


def note_origin(dataset: Path, repository: Path) -> None:
    """Have a draft, which was made from an equal directory, come from a repository's commit."""
    metadata_path = dataset.with_name("golden_v1.0.draft.meta.json")
    metadata = json.loads(metadata_path.read_text())
    metadata["repo_origin"] = "git"
    metadata["repo_commit"] = git(repository, "rev-parse", "HEAD").strip()
    metadata_path.chmod(0o644)
    metadata_path.write_text(json.dumps(metadata))


def test_changed_sources_end_it_unless_they_are_allowed(
    score: Score, dataset: Path, repository: Path, goldwright: Command, tmp_path: Path
) -> None:
    asked = [dataset, "--repo", repository, "--retriever", "bm25"]
    baseline = tmp_path / "baseline.json"
    assert goldwright("baseline", "save", baseline, *asked, "--runs", 1).returncode == 0
    cited = json.loads(dataset.read_text())[0]["expected_files"][0]
    note_origin(dataset, repository)
    source = repository / cited
    source.write_text("# one line more above all code\n" + source.read_text())
    git(repository, "commit", "--quiet", "-am", "move")
    moved = score("bm25", "--json")
    assert moved.returncode == 0, moved.stderr
    told = json.loads(moved.stdout)
    assert (told["drifted"], len(told["queries"])) == ([cited], 8)
    assert told["notes"][0].startswith(f"{cited} changed since the dataset was made; the code")
    strict = score("bm25", "--strict-drift")
    assert (strict.returncode, strict.stdout) == (1, "")
    assert "1 cited file changed" in strict.stderr

    # The code itself: every line of every body.
    source.write_text(re.sub(r"(?m)^(    +)(\w.*)$", r"\1\2  # changed", source.read_text()))
    git(repository, "commit", "--quiet", "-am", "change")
    done = score("bm25")
    assert (done.returncode, done.stdout) == (1, "")
    assert "records has changed (q_" in done.stderr
    assert "--allow-drift" in done.stderr
    allowed = score("bm25", "--allow-drift", "--json")
    assert allowed.returncode == 0, allowed.stderr
    told = json.loads(allowed.stdout)
    assert 0 < len(told["queries"]) < 8
    assert "were left out" in told["notes"][0]
    # Those that are left out are no falls of the retriever: both sides are without them.
    checked = goldwright("baseline", "check", baseline, *asked, "--allow-drift", "--json")
    held = json.loads(checked.stdout)
    assert {fall["query_id"] for fall in held["regressions"]} <= {
        None,
        *(query["query_id"] for query in told["queries"]),
    }


def test_a_clone_without_its_history_is_named_as_what_compares_whole_files(
    goldwright: Command, dataset: Path, repository: Path, tmp_path: Path
) -> None:
    note_origin(dataset, repository)
    cited = json.loads(dataset.read_text())[0]["expected_files"][0]
    (repository / cited).write_text((repository / cited).read_text() + "# a remark\n")
    git(repository, "commit", "--quiet", "-am", "remark")
    shallow = tmp_path / "shallow"
    git(repository, "clone", "--quiet", "--depth", "1", f"file://{repository}", str(shallow))
    asked = ["eval", dataset, "--repo", shallow, "--retriever", "bm25"]
    done = goldwright(*asked)
    assert done.returncode == 1
    assert "is not in this clone" in done.stderr
    assert "fetch-depth: 0" in done.stderr
    assert "is not in this clone" in goldwright(*asked, "--allow-drift").stdout


def test_a_dataset_that_is_not_what_its_metadata_name_is_refused(
    score: Score, dataset: Path, workplace: Path
) -> None:
    other = workplace / "other"
    other.mkdir()
    for path in (dataset, dataset.with_name("golden_v1.0.draft.meta.json")):
        shutil.copy(path, other / path.name)
        (other / path.name).chmod(0o644)
    (other / dataset.name).write_text(dataset.read_text().replace("shop", "Shop", 1))
    done = score("bm25", path=other / dataset.name)
    assert done.returncode == 1
    assert "where golden_v1.0.draft.meta.json names" in done.stderr


def test_two_evaluations_are_compared_measure_by_measure(
    score: Score, goldwright: Command, workplace: Path
) -> None:
    for name, retriever in (("lexical.json", "bm25"), ("perfect.json", "py:mine:perfect")):
        (workplace / name).write_text(score(retriever, "--json").stdout)
    done = goldwright("compare", "lexical.json", "perfect.json", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["before"], told["after"]) == ("bm25-3", "py:mine:perfect")
    found = {one["measure"]: one for one in told["measures"]}
    assert found["MRR"]["after"] == 1.0
    assert found["MRR"]["difference"]["losses"] == 0
    assert all(one["adjusted_p"] >= one["difference"]["p_value"] for one in found.values())
    same = goldwright("compare", "lexical.json", "lexical.json")
    assert "Nothing differs: each query has the same values before and after." in same.stdout
    (workplace / "poor.json").write_text(score("py:mine:poor", "--json").stdout)
    several = ("compare", "poor.json", "perfect.json")
    assert "SHOWN" in goldwright(*several).stdout


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda told: told.update(dataset_sha256="sha256:other"), "two datasets: "),
        (lambda told: told.update(depth=10), "depth: 100 in the one, 10 in the other"),
        (
            lambda told: told["queries"].pop(0),
            "q_00001: was asked in one of the two evaluations only",
        ),
        (lambda told: told["queries"].append(told["queries"][0]), "names a query twice"),
        (lambda told: told["queries"][1]["values"].pop("MRR"), "MRR: is missing for query q_0"),
        (
            lambda told: told["queries"][1]["values"].update(MRR="high"),
            "no evaluation: queries.1.values.MRR",
        ),
        (lambda told: told.clear(), "no evaluation: "),
    ],
)
def test_evaluations_that_cannot_be_compared_are_refused_in_one_line(
    score: Score,
    goldwright: Command,
    workplace: Path,
    shelf: Path,
    change: Callable[[dict[str, Any]], None],
    what: str,
) -> None:
    if not (shelf / "told.json").exists():
        (shelf / "told.json").write_text(score("bm25", "--json").stdout)
    told = json.loads((shelf / "told.json").read_text())
    (workplace / "before.json").write_text(json.dumps(told))
    change(told)
    (workplace / "after.json").write_text(json.dumps(told))
    done = goldwright("compare", "before.json", "after.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr.splitlines()[-1]


def xml(workplace: Path) -> ET.Element:
    """What was written as JUnit XML."""
    return ET.fromstring((workplace / "out.xml").read_bytes())  # noqa: S314  # we wrote it


def test_gates_of_the_profile_decide_the_exit_code_and_fill_page_and_junit(
    score: Score, workplace: Path
) -> None:
    perfect = score(
        "py:mine:perfect",
        "--gates",
        "--junit",
        "out.xml",
        "--html",
        "out.html",
        "--run-out",
        "out.run",
    )
    assert perfect.returncode == 0, perfect.stderr
    assert perfect.stdout.count("passes") == 6
    suite = xml(workplace)[0]
    assert (suite.get("failures"), len(suite.findall("testcase"))) == (
        "0",
        int(suite.get("tests", "0")),
    )
    page = (workplace / "out.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    again = score("trec:out.run", "--gate", "MRR >= 1", "--json")
    assert json.loads(again.stdout)["gates"][0]["passed"] is True
    poor = score("py:mine:poor", "--gates", "--without-gate", "mrr", "--junit", "out.xml")
    assert poor.returncode == 1
    assert "FAILS   easy-first" in poor.stdout
    assert " mrr " not in poor.stdout
    failed = {case.get("name") for case in xml(workplace).iter("testcase") if len(case)}
    assert {"recall", "easy-first", "q_00001"} <= failed


@pytest.mark.parametrize("option", ["--html", "--junit"])
def test_a_report_never_replaces_what_is_none(score: Score, dataset: Path, option: str) -> None:
    before = dataset.read_bytes()
    done = score("bm25", option, dataset)
    assert (done.returncode, dataset.read_bytes()) == (2, before)
    assert "holds something else, which is not replaced" in done.stderr.splitlines()[-1]


def test_a_baseline_is_kept_checked_and_replaced_on_purpose_alone(
    goldwright: Command, dataset: Path, repository: Path, workplace: Path
) -> None:
    def baseline(what: str, retriever: str, *more: object) -> "subprocess.CompletedProcess[str]":
        return goldwright(
            "baseline",
            what,
            "base.json",
            dataset,
            "--repo",
            repository,
            "--retriever",
            retriever,
            *more,
        )

    saved = baseline("save", "py:mine:perfect", "--runs", "2")
    assert saved.returncode == 0
    assert "run 1 of 2: asking" in saved.stderr
    assert json.loads((workplace / "base.json").read_text())["runs"] == 2
    taken = baseline("save", "py:mine:poor")
    assert (taken.returncode, "--replace" in taken.stderr) == (2, True)
    same = baseline("check", "py:mine:perfect", "--mode", "spec")
    assert same.returncode == 0, same.stderr
    assert "all 2 runs of the baseline are the same" in same.stdout
    assert same.stdout.splitlines()[-1] == "beyond these queries: no difference is shown"
    worse = baseline("check", "py:mine:poor", "--junit", "out.xml")
    assert worse.returncode == 1
    assert "WORSE  all queries: MRR 1.000 -> 0.000" in worse.stdout
    falls = [line for line in worse.stdout.splitlines() if line.startswith("WORSE")]
    assert falls
    assert all(len(line) <= 100 for line in falls), falls
    assert "note: By MRR, 0 of " in worse.stdout
    assert "save the baseline again with --replace" in worse.stdout
    assert int(xml(workplace).get("failures", "0")) > 0
    other_k = baseline("check", "py:mine:perfect", "--measure", "Hit@7")
    assert (other_k.returncode, "another cutoff is another measure" in other_k.stderr) == (2, True)
    assert "was 1.000" in baseline("save", "py:mine:poor", "--runs", "1", "--replace").stdout
    assert baseline("check", "py:mine:perfect").returncode == 0
    (workplace / "base.json").write_text(
        (workplace / "base.json")
        .read_text()
        .replace('"dataset_sha256": "sha256:', '"dataset_sha256": "sha256:0')
    )
    moved = baseline("check", "py:mine:perfect")
    assert (moved.returncode, "is about another dataset" in moved.stderr) == (2, True)
    assert "save a baseline of this one" in moved.stderr
    # The one that it is about lies beside the newest, where a further draft was exported.
    (workplace / "base.json").write_text(
        (workplace / "base.json")
        .read_text()
        .replace('"dataset_sha256": "sha256:0', '"dataset_sha256": "sha256:')
    )
    newer = dataset.with_name("golden_v1.9.draft.json")
    newer.write_text(json.dumps(json.loads(dataset.read_text())[:-1]))
    elsewhere = goldwright(
        "baseline", "check", "base.json", newer, "--repo", repository, "--retriever", "bm25"
    )
    assert (elsewhere.returncode, f"{dataset}: name it" in elsewhere.stderr) == (2, True)


def judging(heard: Heard) -> Say:
    """A judge that takes for stated what stands in the answer word by word, and refuses one
    question.
    """
    role_models = {
        name: part
        for name, _, part in (
            part.partition("\n\n") for part in heard.turns[0].text.split("## ")[1:]
        )
    }
    facts, false = (
        json.loads(role_models["The facts, as a list"]),
        json.loads(role_models["The false statements, as a list"]),
    )
    answer = json.loads(role_models["The answer"])
    if answer == "Refuse.":
        return Say(stop="refused")
    stated = [one in answer for one in facts]
    return Say(
        text=json.dumps({"stated": stated, "asserted": [False for _ in false], "reason": "It is."})
    )


@pytest.mark.thorough
def test_a_model_judges_answers_when_asked_and_is_named(
    score: Score, dataset: Path, workplace: Path
) -> None:
    rows = json.loads(dataset.read_text())
    answers = [" ".join(row["must_mention_facts"]) for row in rows]
    answers[0], answers[1] = "Refuse.", "I do not know."
    lookup = dict(zip([row["query_text"] for row in rows], answers, strict=True))
    reply = '{"results": ["shop/till.py"], "sufficiency_score": 0.9, "answer": ANSWERS[query]}'
    (workplace / "talker.py").write_text(
        f"ANSWERS = {lookup!r}\n\ndef ask(query):\n    return {reply}\n"
    )
    with serve_in_thread(judging) as server:
        Settings(server.url).write(workplace)
        done = score("py:talker:ask", "--judge", "--budget-usd", "1", "--json", **KEYS)
        broke = score("py:talker:ask", "--judge", "--budget-usd", "0.0001", **KEYS)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["judged_by"] == "agent:judge:gemini-3.8-flash"
    assert [one["answer_correct"] for one in told["queries"]] == [
        None,
        False,
        *[True] * (len(rows) - 2),
    ]
    assert f"gave no verdict on 1 of them ({rows[0]['query_id']})" in told["notes"][-1]
    assert (broke.returncode, broke.stdout) == (5, "")
    (workplace / "goldwright.toml").unlink()
    offline = score("py:talker:ask", "--judge")
    assert (offline.returncode, "agents.judge names no model" in offline.stderr) == (2, True)
    by_hand = json.loads(score("py:talker:ask", "--json").stdout)
    assert by_hand["judged_by"] == "a literal matcher"
    assert by_hand["queries"][1]["answer_correct"] is False


HARNESS = """
def test_mean_mrr(golden_report):
    assert golden_report.mean("MRR") >= 0.40

def test_every_easy_query_has_a_correct_entity_first(golden_report):
    for query in golden_report.queries:
        if query.strata["difficulty"] == "easy":
            assert query.values["P@1"] == 1.0, query.query_id

def test_locate_mrr(golden_report):
    assert golden_report.mean("MRR", task_type="locate") >= 0.60

def test_every_query_names_its_dataset(golden, golden_query, golden_score):
    assert golden_query in golden.labels
    assert golden_score.values["R@10"] == 1.0
"""


@pytest.fixture
def suite_directory(dataset: Path, workplace: Path) -> Path:
    """Where somebody has tests beside the datasets."""
    assert dataset.is_relative_to(workplace)
    (workplace / "test_retrieval_quality.py").write_text(HARNESS)
    return workplace


@pytest.fixture
def suite(suite_directory: Path, tmp_path: Path) -> Suite:
    """The pytest of somebody who has no plugin but ours."""
    variables = {
        **os.environ,
        "GOLDWRIGHT_CACHE": str(tmp_path / "cache"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }

    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        plugins = ("-p", "no:cacheprovider", "-p", "goldwright.pytest_plugin")
        return call(
            *plugins, *arguments, cwd=suite_directory, environment=variables, program="pytest"
        )

    return run


@pytest.fixture
def installed_suite(suite_directory: Path) -> Suite:
    """The same with a process of its own and every plugin that is installed, so ours unasked."""

    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        plugins = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
        command = [sys.executable, "-m", "pytest", *plugins, *map(str, arguments)]
        return subprocess.run(
            command,
            cwd=suite_directory,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    return run


def test_pytest_has_a_test_for_every_query_and_every_gate(
    suite: Suite, dataset: Path, repository: Path, workplace: Path
) -> None:
    options = ("--golden", dataset, "--golden-repo", repository)
    good = suite(*options, "--retriever", "py:mine:perfect", "--junitxml", "out.xml")
    check_good_suite(good, dataset, workplace)
    poor = suite(*options, "--retriever", "py:mine:poor", "-k", "q_00001 or gate")
    assert poor.returncode == 1
    assert "Hit@10 is 0.000; wanted each query: Hit@10 >= 1" in poor.stdout
    assert "wanted each easy: P@1 >= 1; 0 of " in poor.stdout
    assert "Traceback" not in poor.stdout
    one = suite(*options, "--retriever", "py:mine:perfect", f"{dataset}::q_00001")
    assert "1 passed" in one.stdout, one.stdout


def test_pytest_leaves_the_tests_of_a_codebase_below_it_alone(
    suite: Suite, dataset: Path, workplace: Path
) -> None:
    broken = workplace / "code" / "tests" / "test_broken.py"
    broken.parent.mkdir(parents=True)
    broken.write_text("import a_package_that_is_not_here\n")
    options = ("--golden", dataset, "--golden-repo", "code", "--retriever", "bm25")
    assert "test_broken" not in suite(*options, "--collect-only").stdout
    # Whoever names them wants them.
    assert "a_package_that_is_not_here" in suite(*options, "--collect-only", "code").stdout


@pytest.mark.thorough
def test_pytest_spreads_queries_and_gates_over_its_workers(
    installed_suite: Suite, dataset: Path, repository: Path, workplace: Path
) -> None:
    options = ("--golden", dataset, "--golden-repo", repository, "-n", "2")
    good = installed_suite(*options, "--retriever", "py:mine:perfect", "--junitxml", "out.xml")
    check_good_suite(good, dataset, workplace)
    misspelt = installed_suite(*options, "--retriever", "bm52")
    assert (misspelt.returncode, "did you mean bm25?" in misspelt.stdout) == (4, True)


def check_good_suite(
    good: "subprocess.CompletedProcess[str]", dataset: Path, workplace: Path
) -> None:
    """Check that a retriever without a fault has passed every test that there is."""
    assert good.returncode == 0, good.stdout + good.stderr
    queries, gates, means = len(json.loads(dataset.read_text())), 6, 3
    assert f"{queries + gates + means + queries} passed" in good.stdout
    names = [case.get("name") for case in xml(workplace).iter("testcase")]
    assert {"q_00001", "gate[mrr]", "test_every_query_names_its_dataset[q_00001]"} <= set(names)


def test_pytest_says_in_one_line_what_is_wrong_and_is_quiet_when_not_asked(
    suite: Suite, installed_suite: Suite, dataset: Path, repository: Path
) -> None:
    quiet = installed_suite()
    assert (
        quiet.returncode,
        "4 skipped" in quiet.stdout,
        "golden" in quiet.stdout.splitlines()[-1],
    ) == (
        0,
        True,
        False,
    )
    for arguments, code, what in (
        (("--golden", "none.json", "--retriever", "bm25"), 4, "none.json"),
        (("--retriever", "bm25"), 4, "--golden DATASET must say what"),
        (("--golden", dataset), 4, "--retriever SPEC must say whom"),
        (
            ("--golden", dataset, "--retriever", "py:mine:boom", "--golden-repo", repository),
            1,
            "raised KeyError",
        ),
        (
            ("--golden", dataset, "--retriever", "bm52", "--golden-repo", repository),
            4,
            "bm52: no retriever; did you mean bm25?",
        ),
        (
            ("--golden", dataset, "--retriever", "bm25", "--golden-each", "all"),
            4,
            "no gate; wanted",
        ),
    ):
        done = suite(*arguments)
        assert done.returncode == code, done.stdout + done.stderr
        assert what in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        # What pytest shows of a failing step would hold the variables of the environment.
        assert "items.py" not in done.stdout


def test_known_failures_of_a_baseline_are_expected_and_new_ones_are_not(
    suite: Suite, goldwright: Command, dataset: Path, repository: Path
) -> None:
    workplace = dataset.parents[1]
    asked = (dataset, "--repo", repository, "--runs", "2", "--retriever")
    assert goldwright("baseline", "save", "bad.json", *asked, "py:mine:poor").returncode == 0
    assert goldwright("baseline", "save", "good.json", *asked, "py:mine:perfect").returncode == 0
    first = json.loads(dataset.read_text())[0]["query_id"]
    options = ("--golden", dataset, "--golden-repo", repository, "-k", "not gate", dataset)
    known = suite(*options, "--retriever", "py:mine:poor", "--golden-baseline", "bad.json")
    assert known.returncode == 0, known.stdout
    assert "8 xfailed" in known.stdout
    found = suite(*options, "--retriever", "py:mine:perfect", "--golden-baseline", "bad.json")
    assert (found.returncode, "8 xpassed" in found.stdout) == (0, True)
    new = suite(*options, "--retriever", "py:mine:poor", "--golden-baseline", "good.json")
    assert (new.returncode, "8 failed" in new.stdout) == (1, True)
    # A gate of its own holds the means against the baseline, whatever single queries reach.
    alone = ("--golden", dataset, "--golden-repo", repository, "-k", "baseline", dataset)
    for name, retriever, outcome in (
        ("bad.json", "py:mine:poor", "1 passed"),
        ("bad.json", "py:mine:perfect", "1 passed"),
        ("good.json", "py:mine:poor", "1 failed"),
    ):
        held = suite(*alone, "--retriever", retriever, "--golden-baseline", name)
        assert outcome in held.stdout, held.stdout
    assert "all queries: MRR 1.000 -> 0.000" in held.stdout
    left_out = suite(
        *alone,
        *("--retriever", "py:mine:poor", "--golden-baseline", "good.json"),
        "--golden-without-gate=baseline",
    )
    assert "no tests ran" in left_out.stdout or "deselected" in left_out.stdout
    # The ids that are printed name the same tests again.
    (node_id,) = re.findall(rf"FAILED (\S+::{first})\b", new.stdout)
    again = suite(
        "--golden", dataset, "--golden-repo", repository, "--retriever", "py:mine:poor", node_id
    )
    assert "1 failed" in again.stdout, again.stdout
    other = workplace / "bad.json"
    other.write_text(other.read_text().replace('"sha256:', '"sha256:0', 1))
    refused = suite(*options, "--retriever", "py:mine:poor", "--golden-baseline", "bad.json")
    assert (refused.returncode, "is about another dataset" in refused.stderr) == (4, True)
    twice = suite(*options, "--retriever", "bm25", "--retriever", "grep")
    assert (twice.returncode, "goldwright bench" in twice.stderr) == (4, True)


def test_a_bench_compares_retrievers_and_names_the_one_that_fails(
    goldwright: Command, dataset: Path, repository: Path, workplace: Path
) -> None:
    def bench(*more: object) -> "subprocess.CompletedProcess[str]":
        systems = ("bm25", "good=py:mine:perfect", "py:mine:poor")
        retrievers = [word for spec in systems for word in ("--retriever", spec)]
        return goldwright("bench", dataset, "--repo", repository, *retrievers, *more)

    files = ("--html", "b.html", "--markdown", "b.md", "--out", "b.json")
    done = bench("--concurrency", "2", *files)
    assert done.returncode == 0, done.stderr
    # On eight queries the word search may be as good as the one that knows the answers.
    assert re.search(r"^Best by MRR: .*\bgood\b", done.stdout, re.MULTILINE)
    document = json.loads((workplace / "b.json").read_text())
    assert list(document["systems"]) == ["bm25-3", "good", "py:mine:poor"]
    assert document["comparison"]["means"]["good"]["value"] == 1.0
    assert document["systems"]["good"]["timing"]["asked"] == 8
    assert (workplace / "b.md").read_text().startswith("<!-- goldwright bench -->\n### 3 systems")
    assert "py:mine:poor" in (workplace / "b.html").read_text()
    # The second time the replies of foreign retrievers are there, until their code changes.
    again = bench("--json")
    assert json.loads(again.stdout)["systems"]["good"]["timing"]["asked"] == 0
    assert json.loads(again.stdout)["comparison"] == document["comparison"]
    (workplace / "mine.py").write_text(RETRIEVER + "\n# changed\n")
    changed = bench("--json", "--retriever", "py:mine:boom")
    assert json.loads(changed.stdout)["systems"]["good"]["timing"]["asked"] == 8
    assert "KeyError" in json.loads(changed.stdout)["failures"]["py:mine:boom"]
    assert changed.returncode == 6
    few = json.loads(bench("--json", "--limit", "3").stdout)
    assert len(few["systems"]["bm25-3"]["report"]["queries"]) == 3


def test_a_second_retriever_is_not_dropped_in_silence(score: Score) -> None:
    done = score("bm25", "--retriever", "grep")
    assert done.returncode == 2
    assert "goldwright bench compares several" in done.stderr
