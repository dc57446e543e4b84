"""Records that agents stop on their way, which the embedded agents hardly ever do on small code."""

from pathlib import Path

from goldwright.app.runs.run_files import stage_files_in
from goldwright.canonical import digest_bytes
from goldwright.records import (
    ChangedClaim,
    CheckFailure,
    CompletenessReport,
    GateFailure,
    QueuedRecord,
    Record,
)
from goldwright.records.seal import Seal
from goldwright.stages.fates import RecordFate, record_fates
from goldwright.workspace import RunDirectory, StageFileName

STOPPED_AT = "2026-01-01T00:00:00Z"


def reserve_of(run: Path) -> list[RecordFate]:
    """The records of a run that its plan has no place for."""
    directory = RunDirectory(run)
    fates = record_fates(directory.manifest().plan, stage_files_in(directory))
    return [record for record in fates if record.fate == "reserve"]


def queue_record(run: Path, record: RecordFate) -> None:
    """Let a record wait for people, as two agents would who do not agree."""
    queued = QueuedRecord(
        query_id=record.query_id,
        task_type=record.cell.task_type,
        difficulty=record.cell.difficulty,
        reasons=("two readers of the source did not agree",),
        entity_jaccard=0.5,
        file_jaccard=1.0,
        narrative_verdict="significant_divergence",
        created_at=STOPPED_AT,
    )
    _add_line(run, StageFileName.HUMAN_REVIEW_QUEUE, queued)


def fail_record(run: Path, record: RecordFate) -> None:
    """Let a record fail the gate."""
    failure = CheckFailure(check="file_exists", claim="file-1", message="there was no such file")
    failed = GateFailure(
        query_id=record.query_id,
        task_type=record.cell.task_type,
        difficulty=record.cell.difficulty,
        failures=(failure,),
        created_at=STOPPED_AT,
    )
    _add_line(run, StageFileName.VALIDATION_FAILURES, failed)


def change_queued_record(run: Path, changes: tuple[ChangedClaim, ...]) -> QueuedRecord:
    """Let the first record that waits be one that a rebase has returned."""
    path = run / StageFileName.HUMAN_REVIEW_QUEUE
    first, *others = path.read_text().splitlines()
    queued = QueuedRecord.model_validate_json(first)
    returned = queued.model_copy(update={"changed_claims": changes})
    path.write_text("\n".join([returned.as_json(), *others]) + "\n")
    _seal(run, StageFileName.HUMAN_REVIEW_QUEUE)
    return returned


def _add_line(run: Path, name: StageFileName, record: Record) -> None:
    with (run / name).open("a") as file:
        file.write(record.as_json() + "\n")
    _seal(run, name)


def leave_pools_open(run: Path) -> None:
    """Let the first entity that searches found for each record be one that nobody decided on.

    Which records a sample holds differs from run to run, and few of them have such an entity.
    """
    path = run / StageFileName.COMPLETENESS
    reports = map(CompletenessReport.model_validate_json, path.read_text().splitlines())
    path.write_text("".join(_with_open_pool(report).as_json() + "\n" for report in reports))
    _seal(run, StageFileName.COMPLETENESS)


def _with_open_pool(report: CompletenessReport) -> CompletenessReport:
    pooled = [
        entity.model_copy(update={"verdict": "open" if place == 0 else entity.verdict})
        for place, entity in enumerate(report.pooled)
    ]
    return report.model_copy(update={"pooled": tuple(pooled)})


def _seal(run: Path, name: StageFileName) -> None:
    data = (run / name).read_bytes()
    seal = Seal(count=data.count(b"\n"), digest=digest_bytes(data))
    directory = RunDirectory(run)
    directory.save(directory.manifest().sealed(name, seal))
