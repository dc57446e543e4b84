"""What a run says of itself: how far it is, what it lacks, and what can be typed next."""

import dataclasses
from pathlib import Path
from random import Random

import pytest

from goldwright.app.environment import Environment
from goldwright.app.runs.latest_run_text import latest_run_text
from goldwright.app.runs.run_report import RunReport
from goldwright.cli.next_steps import SHORT_OFFLINE
from goldwright.cli.printing import LINE_WIDTH
from goldwright.cli.summary import summary_lines
from goldwright.engine.clock import SystemClock
from goldwright.errors import InputError
from goldwright.plan import Cell, Plan
from goldwright.review.spot_check import SpotCheck
from goldwright.stages.fates import Fate, RecordFate

NAME = "20261126T080748Z-mine-2630"
EASY = Cell("locate", "easy")
HARD = Cell("debug", "hard")
PLAN = Plan.model_validate(
    {
        "schema_version": "1.0.0",
        "name": "mine",
        "total": 4,
        "cells": {"locate": {"easy": 2}, "debug": {"hard": 2}},
    }
)
NOBODY = SpotCheck(
    outcome="no_sample",
    round=1,
    population=0,
    sampled=0,
    to_judge=0,
    judged={"first": 0, "second": 0, "adjudication": 0},
    disputed=(),
    counts={},
    ceilings=(),
    bounds=None,
    agreement=None,
    differences=(),
    canaries=None,
    reviewers={},
    missing=(),
    unproven=(),
    findings={},
    paces=(),
    own_adjudications=(),
    scripted=0,
)


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Somewhere without a run, in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "100")
    return Environment(tmp_path, {}, tmp_path, SystemClock(), Random(1))


def report(*fates: Fate, state: str = "complete", **fields: object) -> RunReport:
    """Report on a run whose records, all in one cell, have these fates."""
    records = tuple(
        RecordFate(f"q_{number:05}", EASY, fate) for number, fate in enumerate(fates, start=1)
    )
    return RunReport(NAME, Path("runs") / NAME, state, PLAN, records, 0, {}, {}, NOBODY, **fields)  # type: ignore[arg-type]  # named below


def test_a_run_that_was_stopped_says_so(environment: Environment) -> None:
    lines = list(summary_lines(report("pending", state="open"), environment))
    assert f"1 of 4 records selected so far  ({NAME}, plan mine)" in lines
    assert lines[-1] == f"next    goldwright resume {NAME}   (it is not finished)"


def test_records_that_wait_for_a_person_are_named_with_commands_to_type(
    environment: Environment,
) -> None:
    lines = list(summary_lines(report("pending", "queued", "failed_gate"), environment))
    first = lines.index("next    decide on 2 records in review (q_00002, q_00003), or by")
    assert lines[first + 1 : first + 3] == [
        f'        goldwright retry {NAME} QUERY_ID --hint "look at …"',
        f'        goldwright drop {NAME} QUERY_ID --why "…"',
    ]


def test_nobody_is_told_to_try_adopted_records_again(environment: Environment) -> None:
    adopted = PLAN.model_copy(update={"name": "adopt", "is_return": True})
    records = report("pending", "queued", "failed_gate")
    text = "\n".join(summary_lines(dataclasses.replace(records, plan=adopted), environment))
    assert "goldwright retry" not in text
    assert f'goldwright drop {NAME} QUERY_ID --why "…"' in text
    assert "correct the list, then adopt it" in text


def test_latest_says_which_run_it_is(environment: Environment) -> None:
    adopted = PLAN.model_copy(update={"name": "adopt", "is_return": True})
    text = latest_run_text("latest", dataclasses.replace(report(), plan=adopted), environment)
    assert text == f"runs/{NAME} (the newest of 0 runs, of an adopted list)"
    assert not latest_run_text(NAME, report(), environment)


def test_a_short_cell_is_named_once_with_its_reasons(environment: Environment) -> None:
    reasons = {EASY: ("8 leads in 12 files; 7 led to no question for this cell",)}
    lines = list(summary_lines(report("pending", shortfalls=reasons), environment))
    (first,) = [number for number, line in enumerate(lines) if line.startswith("short")]
    assert lines[first : first + 5] == [
        f"short   2 cells (!), below 80% of the target. {SHORT_OFFLINE}; nothing was",
        "        padded.",
        "        locate/easy (1 of 2): 8 leads in 12 files; 7 led to no question for this cell",
        "        debug/hard (0 of 2)",
        "        another --seed deals the questions otherwise, and may fill such a cell",
    ]
    assert all(len(line) <= LINE_WIDTH for line in lines)


def test_a_short_cell_that_was_asked_enough_says_what_became_of_its_questions(
    environment: Environment,
) -> None:
    lost = report("pending", "rejected", "rejected", "queued")
    lost = dataclasses.replace(lost, cell_rejections={EASY: {"file_structure": 2}})
    text = " ".join(line.strip() for line in summary_lines(lost, environment))
    told = "of 4 questions 1 wait for a person, 2 rejected (2 file_structure)"
    assert f"locate/easy (1 of 2): {told}; debug/hard (0 of 2)" in text


def test_a_cell_that_is_nearly_full_passes_and_is_not_marked(environment: Environment) -> None:
    nearly = Plan.model_validate(
        {**PLAN.model_dump(), "total": 7, "cells": {"locate": {"easy": 5}, "debug": {"hard": 2}}}
    )
    four = dataclasses.replace(report("pending", "pending", "pending", "pending"), plan=nearly)
    lines = list(summary_lines(four, environment))
    (row,) = [line for line in lines if line.startswith("locate")]
    assert "4/5" in row
    assert "!" not in row
    (debug,) = [line for line in lines if line.startswith("debug")]
    assert "0/2 !" in debug
    text = " ".join(line.strip() for line in lines)
    assert "1 cell (!), below 80% of the target; 1 more holds less than the target, and eno" in text


def test_a_plan_that_was_not_filled_is_followed_by_one_that_can_be() -> None:
    reduced = PLAN.reduced_to({EASY: 1, HARD: 0})
    assert (reduced.name, reduced.total, list(reduced.filled_cells())) == ("mine-filled", 1, [EASY])
    # As strict as before in all that decides on a blessing.
    assert reduced.major_ceiling == PLAN.major_ceiling
    with pytest.raises(InputError, match="no cell is filled"):
        PLAN.reduced_to({})


def test_a_report_shows_itself_in_a_line() -> None:
    assert repr(report("pending")) == f"<RunReport: 1 of 4 records selected, complete, {NAME}>"
