"""``goldwright relevance``: from a registry of tasks to a dataset of proven relevance."""

import json
import os
from pathlib import Path

import pytest
import yaml

from benchmarks.relevance_kills import make_work, repeated, trials_of
from effort import first_of
from goldwright.relevance.solvers import extract_answer
from goldwright.sandbox.detection import look
from goldwright.sandbox.layers import LAYERS
from journeys.conftest import Command
from journeys.live import GPT, Live, Settings
from journeys.starting import call
from scripted.server import serve_in_thread
from scripted.wire import Heard, Say

_SOURCE = '''
def fold(words):
    """Put words together."""
    return _joiner(words).upper()

def _joiner(words):
    return "-".join(words)

def unrelated(number):
    return number + 1
'''
_TESTS = """
from answer import fold

def test_two():
    assert fold(["a", "b"]) == "A-B"

def test_none():
    assert fold([]) == ""
"""
_TASKS = """
tasks:
  - id: fold
    query: Write `fold`, which puts words together.
    check:
      kind: pytest
      tests: test_fold.py
      node_ids: ["test_fold.py::test_two", "test_fold.py::test_none"]
    seeded: ["text.py::fold"]
    gold: |
      def fold(words): return "-".join(words).upper()
  - id: name
    query: Which function puts words together?
    check: {kind: qualified_name, qualified_name: text.fold}
  - id: hollow
    query: Write anything.
    check: {kind: pytest, tests: test_hollow.py, node_ids: ["test_hollow.py::test_it"]}
"""

pytestmark = pytest.mark.skipif(
    all(look(layer) is not None for layer in LAYERS), reason="no sandbox works here"
)


@pytest.fixture
def directory(workplace: Path) -> Path:
    code = workplace / "code"
    code.mkdir()
    (code / "text.py").write_text(_SOURCE)
    others = "\n\n".join(f"def other_{n}(x):\n    return x - {n}\n" for n in range(4))
    (code / "numbers.py").write_text(others)
    (workplace / "test_fold.py").write_text(_TESTS)
    (workplace / "test_hollow.py").write_text("def test_it(): pass\n")
    (workplace / "tasks.yaml").write_text(_TASKS)
    return workplace


def test_documents_that_need_one_another_are_proven_together(
    directory: Path, goldwright: Command
) -> None:
    arguments = ["relevance", "run", "tasks.yaml", "--repo", "code", "--out", "out"]
    first = goldwright(*arguments)
    assert first.returncode == 0, first.stderr
    assert "enough: text.py::_joiner + text.py::fold" in first.stdout
    assert "enough: text.py::fold\n" in first.stdout
    assert "hollow: left out, its check passes without an answer" in first.stdout
    dataset = (directory / "out" / "retrieval_dataset.yaml").read_text()
    (pair, _) = yaml.safe_load(dataset)["pairs"]
    proven = {c["fqn"] for c in pair["candidates"] if c["empirical_relevance"] == "YES"}
    assert proven == {"text.py::fold", "text.py::_joiner"}
    assert sum(c["empirical_relevance"] == "NO" for c in pair["candidates"]) >= 4
    # Neither is enough by itself, neither can be spared, and no sham stands in for one.
    for candidate in pair["candidates"]:
        if candidate["empirical_relevance"] == "YES":
            assert (candidate["sufficiency"], candidate["necessity"]) == (0, 1)
            assert (candidate["over_placebo"], candidate["over_mutated"]) == (1, 1)
    assert pair["metadata"]["base_success_rate"] == 0
    assert pair["metadata"]["base_success_interval"][1] < 0.75

    # The same again: no trial is repeated, and nothing in the dataset changes.
    again = goldwright(*arguments)
    assert again.returncode == 0, again.stderr
    assert ", 0 of them made now" in again.stdout
    assert (directory / "out" / "retrieval_dataset.yaml").read_text() == dataset

    other_seed = goldwright(*arguments, "--seed", "1")
    assert (other_seed.returncode, other_seed.stdout) == (2, "")
    assert "name another directory" in other_seed.stderr


@pytest.mark.thorough
def test_the_fixed_design_stands_beside_its_errors(directory: Path, goldwright: Command) -> None:
    arguments = ["relevance", "run", "tasks.yaml", "--repo", "code", "--out", "out"]
    fixed = [*arguments, "--design", "fixed", "--trials", "10", "--threshold", "0.1"]
    estimate = goldwright(*fixed, "--dry-run")
    assert estimate.returncode == 0, estimate.stderr
    assert "0 trials made already" in estimate.stdout
    assert not (directory / "out").exists()

    played = goldwright(*fixed)
    assert played.returncode == 0, played.stderr
    assert "of those it calls relevant are not where one document matters" in played.stdout
    dataset = yaml.safe_load((directory / "out" / "retrieval_dataset.yaml").read_text())
    assert dataset["design"]["trials"] == 10
    (pair, _) = dataset["pairs"]
    assert pair["metadata"]["trials"] == 10
    for candidate in pair["candidates"]:
        assert (candidate["empirical_relevance"] == "YES") == (candidate["delta_p"] > 0.1)
        # A document that the rule calls relevant and that does nothing: its controls say so.
        if candidate["fqn"].startswith("numbers.py"):
            assert candidate.get("necessity", 0) == candidate.get("sufficiency", 0) == 0


class _Reader:
    """A model that answers with what it is shown: the embedded solver behind a wire."""

    def __init__(self) -> None:
        self.answered = 0

    def __call__(self, heard: Heard) -> Say:
        self.answered += 1
        texts = [line for line in heard.turns[-1].text.splitlines() if line.startswith('"')]
        question, documents = texts
        answer = extract_answer(json.loads(question), json.loads(documents))
        return Say(text=json.dumps({"answer": answer}))


@pytest.mark.thorough
def test_a_model_proves_what_the_embedded_solver_proves(directory: Path, live: Live) -> None:
    reader = _Reader()
    arguments = ["relevance", "run", directory / "tasks.yaml", "--repo", directory / "code"]
    arguments += ["--out", "out", "--solver", GPT, "--control-trials", "1"]
    with serve_in_thread(reader) as server:
        Settings(server.url, GPT, GPT, GPT, agents="allow_same_family = true").write(live.workplace)
        estimate = live(*arguments, "--dry-run")
        assert estimate.returncode == 0, estimate.stderr
        assert reader.answered == 0

        stopped = live(*arguments, "--budget-usd", "0.088")
        assert (stopped.returncode, stopped.stdout) == (5, ""), stopped.stderr
        assert "budget" in stopped.stderr
        paid = reader.answered
        assert paid > 0

        finished = live(*arguments, "--budget-usd", "50")
        assert finished.returncode == 0, finished.stderr
        assert "enough: text.py::_joiner + text.py::fold" in finished.stdout
        # Every trial was one call, whichever process made it.
        logs = ("trials.jsonl", "controls.jsonl")
        trials = [
            json.loads(line)
            for log in logs
            for line in (live.workplace / "out" / log).read_text().splitlines()
        ]
        assert reader.answered == len(trials)
        assert all(trial["total_tokens"] > 0 for trial in trials)
        again = live(*arguments, "--budget-usd", "50")
        assert ", 0 of them made now" in again.stdout
        assert reader.answered == len(trials)


def test_replies_that_cannot_be_read_are_no_wrong_answers_and_cost_what_they_cost(
    directory: Path, live: Live
) -> None:
    arguments = ["relevance", "run", directory / "tasks.yaml", "--repo", directory / "code"]
    arguments += ["--out", "out", "--solver", GPT, "--control-trials", "0"]
    arguments += ["--design", "fixed", "--trials", "2"]
    with serve_in_thread(lambda _: Say(text="I would rather not.")) as server:
        Settings(server.url, GPT, GPT, GPT, agents="allow_same_family = true").write(live.workplace)
        done = live(*arguments)
        log = list(server.log)
    assert done.returncode == 0, done.stderr
    lines = (live.workplace / "out" / "trials.jsonl").read_text().splitlines()
    trials = [json.loads(line) for line in lines]
    assert {trial["outcome"] for trial in trials} == {"none"}
    assert "2 trials without a verdict, taken as not passed" in done.stdout
    assert "no trial passed: its gold does" in done.stdout
    paid = [entry.usage for entry in log]
    names = ("fresh", "cached", "written", "output")
    assert sum(trial["total_tokens"] for trial in trials) == sum(
        usage[name] for usage in paid for name in names
    )
    assert all(trial["usd"] > 0 for trial in trials)
    dataset = yaml.safe_load((live.workplace / "out" / "retrieval_dataset.yaml").read_text())
    assert [task["id"] for task in dataset["left_out"]] == ["hollow"]
    # By the names of provider and model, and by no role that it does not play.
    assert dataset["solver"].startswith(f"{GPT} with prompt ")


_LIBRARY = '''
def initials(name: str) -> str:
    """Shorten every word of a text to its first letter."""
    return _glue([word[0] for word in name.split()])

def _glue(letters: list[str]) -> str:
    # It is no task of its own, for it does not say what it does.
    text = ".".join(letters)
    return text.upper()

def restless(name: str) -> str:
    """Return another order of letters each time."""
    letters = set(name)
    return "".join(letters)

def closed() -> None:
    """Return nothing whatever was given."""
    nothing = None
    return nothing
'''


def test_tasks_of_real_functions_hang_on_their_documents(
    directory: Path, goldwright: Command
) -> None:
    (directory / "code" / "names.py").write_text(_LIBRARY)
    arguments = ["relevance", "make", "--repo", "code", "--out", "made"]
    made = goldwright(*arguments)
    assert made.returncode == 0, made.stderr
    assert "1 task, 1 of them with several documents; 3 functions tried" in made.stdout
    assert "1: it returns another value each time" in made.stdout
    assert "1: no two calls with different plain values" in made.stdout
    (task,) = yaml.safe_load((directory / "made" / "tasks.yaml").read_text())["tasks"]
    assert task["seeded"] == ["names.py::initials", "names.py::_glue"]
    assert "initials" not in task["query"]
    assert goldwright(*arguments).returncode == 2

    arguments = ["relevance", "run", "made/tasks.yaml", "--repo", "code", "--out", "out"]
    played = goldwright(*arguments, "--control-trials", "1")
    assert "enough: names.py::_glue + names.py::initials" in played.stdout, played.stderr
    results = "out/retrieval_dataset.yaml"
    scored = goldwright(
        *("relevance", "score", results, "--repo", "code"),
        *("--retriever", "bm25", "--cutoff", "1", "--json"),
    )
    (score,) = json.loads(scored.stdout)
    # One of the two is first at best: that is no sufficient set, and the second one is missed.
    assert score["means"]["Sufficient@1"]["value"] == 0
    assert score["means"]["Success@1"]["value"] == 1
    (failure,) = score["failures"]
    assert failure["document_id"] == "names.py::_glue"
    assert failure["bucket"] == "vocabulary mismatch"
    # The query is the first sentence of a docstring, which neither solver nor retriever was shown.
    assert (score["queries"], score["verbatim_queries"]) == (1, 0)
    (pair,) = yaml.safe_load((directory / results).read_text())["pairs"]
    assert pair["asked_of"] == "names.py::initials"
    assert not any(pair["query"] in candidate["text"] for candidate in pair["candidates"])


_OPEN_TESTS = """
tasks: [{id: a, query: q, readable: [.], check: {kind: pytest, tests: t.py, node_ids: [t]}}]
"""


@pytest.mark.parametrize(
    ("tasks", "problem"),
    [
        ("tasks: []", "tasks"),
        ("tasks: [{id: a, query: q, check: {kind: magic}}]", "magic"),
        (
            "tasks: [{id: a, query: q, check: {kind: exact, text: x}, seeded: [no.py::x]}]",
            "no.py::x",
        ),
        ("- a", "tasks.yaml"),
        (_OPEN_TESTS, "which no answer may see"),
    ],
    ids=["none", "unknown check", "unknown document", "a list", "tests that answers can read"],
)
def test_a_registry_that_is_none_is_refused_in_one_line(
    directory: Path, goldwright: Command, tasks: str, problem: str
) -> None:
    (directory / "tasks.yaml").write_text(tasks)
    ended = goldwright("relevance", "run", "tasks.yaml", "--repo", "code", "--out", "out")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert problem in ended.stderr.splitlines()[-1]


@pytest.mark.parametrize("killed_at", first_of([40, 8, 90], suite=1))
def test_a_killed_run_makes_no_trial_twice(workplace: Path, cache: Path, killed_at: int) -> None:
    make_work(workplace)
    environment = {**os.environ, "GOLDWRIGHT_CACHE": str(cache)}

    def run(out: str, killed_at: int = 0) -> int:
        arguments = ["relevance", "run", "tasks.json", "--repo", "code", "--out", out]
        return call(
            *arguments, cwd=workplace, environment=environment, killed_at=killed_at
        ).returncode

    assert run("reference") == 0
    assert run("out", killed_at) < 0
    assert run("out") == 0
    assert repeated(workplace / "out") == 0
    assert trials_of(workplace / "out") == trials_of(workplace / "reference")
