"""The gate as a stage of a run: what it lets pass, writes down, and takes from an earlier run."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from goldwright.records import AdversaryReport, CheckFailure
from goldwright.stages.case_state import CaseState
from goldwright.stages.context import StageContext
from goldwright.stages.gate.examples import BASKET, evidence
from goldwright.stages.gate.stage import GateStage
from goldwright.stages.stage_files import StageFiles
from units.review.batches import EASY, NOW, STAMP, Made, answer, candidate
from units.stages import cases

GOOD_CASE = CaseState(candidate("q1", EASY), answer=answer("q1", EASY))
UNREAD = CheckFailure(
    check="evidence_read",
    claim="evidence-1",
    message=f"{BASKET}:1-15: not all of these lines were shown to the Oracle",
)


@pytest.fixture
def context(tmp_path: Path) -> StageContext:
    return cases.shop_context(tmp_path)


@pytest.fixture
def files() -> StageFiles:
    return Made({"q1": EASY}).stage_files()


def gate_stage(context: StageContext, files: StageFiles) -> GateStage:
    return GateStage(context, files.failures, files.reports)


def test_an_answer_whose_oracle_read_its_evidence_passes_without_a_record(
    context: StageContext, files: StageFiles
) -> None:
    stage = gate_stage(context, files)
    cases.record_reading(context, "oracle", "q1", *evidence(BASKET, 1, 15))
    failures = asyncio.run(stage.compute(GOOD_CASE))
    assert failures == ()
    case = stage.write(0, GOOD_CASE, failures)
    assert case == replace(GOOD_CASE, passed_gate=True)
    assert files.failures.done == {}


def test_evidence_that_only_another_role_or_case_was_shown_does_not_pass(
    context: StageContext, files: StageFiles
) -> None:
    """The proof of reading is the Oracle's own, and for this very case."""
    cases.record_reading(context, "adversary", "q1", *evidence(BASKET, 1, 15))
    cases.record_reading(context, "oracle", "q2", *evidence(BASKET, 1, 15))
    assert asyncio.run(gate_stage(context, files).compute(GOOD_CASE)) == (UNREAD,)


def test_a_failure_is_written_with_its_cell_and_ends_the_case(
    context: StageContext, files: StageFiles
) -> None:
    case = gate_stage(context, files).write(0, GOOD_CASE, (UNREAD,))
    assert case.ending == "failed_gate"
    assert not case.passed_gate
    record = files.failures.done["q1"]
    assert (record.task_type, record.difficulty) == (EASY.task_type, EASY.difficulty)
    assert record.failures == (UNREAD,)
    assert record.created_at == cases.NOW


def test_a_failure_of_an_earlier_process_is_not_checked_again(
    context: StageContext, files: StageFiles
) -> None:
    stage = gate_stage(context, files)
    assert stage.recall(GOOD_CASE) is None
    stage.write(0, GOOD_CASE, (UNREAD,))
    assert gate_stage(context, files).recall(GOOD_CASE) == replace(GOOD_CASE, ending="failed_gate")


def test_an_answer_that_was_attacked_in_an_earlier_process_has_passed(
    context: StageContext, files: StageFiles
) -> None:
    """A pass leaves no record; the report of the next stage shows it."""
    report = AdversaryReport.model_validate(
        {
            "query_id": "q1",
            "claim_verdicts": (),
            "overall_verdict": "supported",
            "blocking_issues": (),
            "missed_entities": (),
            "findings": "It stores.",
            **STAMP,
            "created_at": NOW,
        }
    )
    files.reports.add(report)
    recalled = gate_stage(context, files).recall(GOOD_CASE)
    assert recalled == replace(GOOD_CASE, passed_gate=True)
