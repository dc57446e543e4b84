"""Trials of several tasks at a time."""

import asyncio
from pathlib import Path

import pytest

from goldwright.app.relevance.relevance_pools import PoolMaker, PoolSettings
from goldwright.app.relevance.relevance_trials import TrialLogs, TrialRun, TrialSettings
from goldwright.engine.progress import SilentProgress
from goldwright.journal.stage_file import StageFile
from goldwright.relevance.control_trials import ControlRecord
from goldwright.relevance.fixed_design import FixedRule
from goldwright.relevance.solvers import Solution
from goldwright.relevance.task_search import TrialRecord
from goldwright.relevance.tasks import ExactCheck, RelevanceTask
from goldwright.relevance.validation import Validator
from goldwright.sandbox.layers import NO_LAYER
from goldwright.snapshot import open_snapshot


class _Counting:
    """A solver that yields to others before it answers, and counts who is asked at once."""

    name = "counting"

    def __init__(self) -> None:
        self.under_way = 0
        self.most_under_way = 0

    async def solve(self, query: str, context: str, *, seed: int) -> Solution:  # noqa: ARG002
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await asyncio.sleep(0)
        self.under_way -= 1
        return Solution("no")


def _never(answer: str, must: object, must_not: object) -> bool:
    raise AssertionError(answer, must, must_not)


@pytest.mark.parametrize("concurrency", [1, 2])
def test_tasks_take_turns_and_no_more_trials_are_under_way_than_wanted(
    tmp_path: Path, concurrency: int
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("def f(x):\n    return x\n\n\ndef g(x):\n    return x + 1\n")
    snapshot = open_snapshot(code, rev=None, cache=tmp_path / "cache")
    tasks = [RelevanceTask(id=name, query="f", check=ExactCheck(text="x")) for name in "abc"]
    solver = _Counting()
    logs = TrialLogs(
        StageFile.open(tmp_path / "trials.jsonl", TrialRecord, writable=True),
        StageFile.open(tmp_path / "controls.jsonl", ControlRecord, writable=True),
    )
    settings = TrialSettings(FixedRule(trials=6), 1, 0, concurrency)
    validator = Validator(tmp_path, NO_LAYER, _never)
    run = TrialRun(settings, validator, solver, logs, SilentProgress())
    findings, disqualified = asyncio.run(
        run.play(tasks, PoolMaker(snapshot, PoolSettings(), seed=0))
    )
    assert (len(findings), disqualified, run.asked) == (3, (), 3 * (6 + 1))
    assert solver.most_under_way == concurrency
    ids = [record.task_id for record in logs.search.records]
    # The last task begins before the first one ends.
    assert ids.index("c") < len(ids) - 1 - ids[::-1].index("a")
    for name in "abc":
        numbers = [record.number for record in logs.search.records if record.task_id == name]
        assert numbers == [1, 2, 3, 4, 5, 6]
