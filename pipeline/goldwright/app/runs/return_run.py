"""Records that are made already, as a run of their own: each waits for a person to decide on it.

A rebase returns the records that it could not carry; an adoption hands over all of them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_writing
from goldwright.app.runs.run_inputs import read_run_inputs
from goldwright.app.runs.run_manifest import new_manifest
from goldwright.engine.clock import timestamp
from goldwright.plan import Plan
from goldwright.records import (
    DIFFICULTIES,
    TASK_TYPES,
    AnswerDraft,
    ChangedClaim,
    CheckFailure,
    Difficulty,
    GateFailure,
    GoldenLabel,
    OracleAnswer,
    QueryCandidate,
    QueuedRecord,
    TaskType,
)
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate

Origin = Literal["rebase", "adopt"]
"""What makes such runs; it is the name of their plans, too."""


@dataclass(frozen=True, slots=True)
class ReturnedRecord:
    """A record that people have to decide on, and why.

    Attributes:
        label: The record, at the commit to which the run is pinned.
        reasons: Why people have to look, and where, a sentence each.
        changed_claims: What somebody has to look at before the record can be kept.
    """

    label: GoldenLabel
    reasons: tuple[str, ...]
    changed_claims: tuple[ChangedClaim, ...] = ()


def create_return_run(
    origin: Origin,
    returned: Sequence[ReturnedRecord],
    snapshot: Snapshot,
    repo: Path,
    environment: Environment,
) -> str:
    """Make a run of records that are made; people keep, drop or send back each of them.

    Args:
        origin: What returns them.
        returned: The records.
        snapshot: The codebase at the commit to which the run is pinned.
        repo: Where the codebase is.
        environment: Where runs are made.

    Returns:
        The name of the run.
    """
    labels = [record.label for record in returned]
    plan = _plan(origin, labels)
    # No model is asked for now; people may have the Oracle try a record again later.
    inputs = read_run_inputs(None, environment, needs_keys=False)
    config = inputs.config
    directory = environment.new_run_directory(plan.name)
    manifest = new_manifest(
        directory.name,
        plan=plan,
        config=config,
        prompts=inputs.prompts,
        model_setup=inputs.model_setup,
        repo=repo,
        snapshot=snapshot,
        seed=config.run.seed,
        environment=environment,
    )
    directory.begin(manifest)
    with run_for_writing(directory) as run:
        # Nothing is asked of the Authors: the records that came back are all there is.
        run.transcript.record_round(0, (), accepted=(), rejected=())
        _write(run, origin, returned, snapshot, timestamp(environment.clock))
        run.seal()
    return directory.name


def _plan(origin: Origin, labels: Sequence[GoldenLabel]) -> Plan:
    counts = Counter((label.task_type, label.difficulty) for label in labels)
    cells: dict[TaskType, dict[Difficulty, int]] = {}
    for task_type in TASK_TYPES:
        cells[task_type] = {}
        for difficulty in DIFFICULTIES:
            cells[task_type][difficulty] = counts[task_type, difficulty]
    return Plan(
        schema_version="1.0.0",
        name=origin,
        total=len(labels),
        cells=cells,
        # Nothing is emitted, and a cell may be left short: people may drop every record.
        over_emission=1.0,
        top_up_rounds=0,
        minimum_total=0,
        minimum_cell_share=0.0,
        is_return=True,
    )


def _write(
    run: OpenRun,
    origin: Origin,
    returned: Sequence[ReturnedRecord],
    snapshot: Snapshot,
    created_at: str,
) -> None:
    stage_files = run.stage_files
    for record in returned:
        candidate = _candidate(record.label, created_at)
        stage_files.candidates.add(candidate)
        answer = _answer(record.label, created_at)
        stage_files.answers.add(answer)
        failures = tuple(run_gate(answer, snapshot))
        if failures:
            failure = _gate_failure(origin, record, failures, created_at)
            stage_files.failures.add(failure)
        else:
            stage_files.queue.add(_queued(record, created_at))


def _candidate(label: GoldenLabel, created_at: str) -> QueryCandidate:
    primary_entities = [entity for entity in label.expected_entities if entity.role == "primary"]
    primary_ids = tuple(entity.entity_id for entity in primary_entities)
    return QueryCandidate(
        query_id=label.query_id,
        task_type=label.task_type,
        difficulty=label.difficulty,
        query_text=label.query_text,
        # A label does not say what its query was written about; its primary entities come closest.
        target_entity_ids=primary_ids or label.entity_ids,
        focus_area=label.focus_area,
        difficulty_rationale=label.difficulty_rationale,
        classifier_expectation=label.classifier_expectation,
        identifier_in_query=label.identifier_in_query,
        authored_by=label.provenance.query_author,
        created_at=created_at,
        strata=label.strata,
    )


def _answer(label: GoldenLabel, created_at: str) -> OracleAnswer:
    # A label holds every field of an answer under the same name.
    draft = {name: getattr(label, name) for name in AnswerDraft.model_fields}
    return OracleAnswer(
        query_id=label.query_id,
        task_type=label.task_type,
        difficulty=label.difficulty,
        authored_by=label.provenance.oracle,
        created_at=created_at,
        **draft,
    )


def _queued(record: ReturnedRecord, created_at: str) -> QueuedRecord:
    """Queue a record that passes the gate, for only such a one can be kept as it is."""
    label = record.label
    return QueuedRecord(
        query_id=label.query_id,
        task_type=label.task_type,
        difficulty=label.difficulty,
        reasons=record.reasons,
        # No Adversary has looked at the record at this commit.
        entity_jaccard=None,
        file_jaccard=None,
        narrative_verdict=None,
        created_at=created_at,
        changed_claims=record.changed_claims,
    )


def _gate_failure(
    origin: Origin, record: ReturnedRecord, failures: tuple[CheckFailure, ...], created_at: str
) -> GateFailure:
    """Put the reasons why a person has to look before the checks that it fails."""
    label = record.label
    reasons = [
        CheckFailure(check=origin, claim="record", message=reason) for reason in record.reasons
    ]
    return GateFailure(
        query_id=label.query_id,
        task_type=label.task_type,
        difficulty=label.difficulty,
        failures=(*reasons, *failures),
        created_at=created_at,
        changed_claims=record.changed_claims,
    )
