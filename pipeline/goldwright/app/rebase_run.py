"""Records that a rebase could not carry, as a run of their own: every one of them waits for a
person.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.model_setup import set_up_models
from goldwright.app.run_files import OpenRun, run_for_writing
from goldwright.app.run_manifest import new_manifest
from goldwright.config import read_config
from goldwright.engine.clock import timestamp
from goldwright.golden.rebase import RebasedRecord
from goldwright.plan import Plan
from goldwright.prompts import PromptLibrary
from goldwright.records import (
    DIFFICULTIES,
    TASK_TYPES,
    AnswerDraft,
    CheckFailure,
    GateFailure,
    GoldenLabel,
    OracleAnswer,
    QueryCandidate,
    QueuedRecord,
)
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate
from goldwright.workspace import find_prompts

PLAN_NAME = "rebase"


def create_rebase_run(
    returned: Sequence[tuple[RebasedRecord, GoldenLabel]],
    snapshot: Snapshot,
    repo: Path,
    environment: Environment,
) -> str:
    """Make a run of records that changed, at the newer commit; people keep, drop or send back each
    of them.

    Returns:
        The name of the run.
    """
    config, base = read_config(None, root=environment.root)
    prompts = PromptLibrary.load(find_prompts(config.paths.prompts, base))
    model_setup = set_up_models(
        config, environment.variables, source="goldwright.toml", wants_keys=False
    )
    plan = _plan([label for _, label in returned])
    directory = environment.workspace.new_run(plan.name, environment.clock.now, environment.chance)
    manifest = new_manifest(
        directory.name,
        plan=plan,
        config=config,
        prompts=prompts,
        model_setup=model_setup,
        repo=repo,
        snapshot=snapshot,
        seed=config.run.seed,
        environment=environment,
    )
    with directory.lock():
        directory.save(manifest)
    with run_for_writing(directory) as run:
        # Nothing is asked of the Authors: what is here is all there is.
        run.transcript.record_round(0, (), ())
        _write(run, returned, snapshot, timestamp(environment.clock))
        run.seal()
    return directory.name


def _plan(labels: Iterable[GoldenLabel]) -> Plan:
    counts = Counter((one.task_type, one.difficulty) for one in labels)
    cells = {task: {one: counts[task, one] for one in DIFFICULTIES} for task in TASK_TYPES}
    return Plan(
        schema_version="1.0.0",
        name=PLAN_NAME,
        total=counts.total(),
        cells=cells,
        over_emission=1.0,
        top_up_rounds=0,
        minimum_total=0,
        minimum_cell_share=0.0,
        is_return=True,
    )


def _write(
    run: OpenRun,
    returned: Sequence[tuple[RebasedRecord, GoldenLabel]],
    snapshot: Snapshot,
    now: str,
) -> None:
    for one, label in returned:
        draft = {name: getattr(label, name) for name in AnswerDraft.model_fields}
        place = {
            "query_id": label.query_id,
            "task_type": label.task_type,
            "difficulty": label.difficulty,
        }
        run.stage_files.candidates.add(_candidate(label, now))
        stamp = {"authored_by": label.provenance.oracle, "created_at": now}
        answer = OracleAnswer.model_validate({**place, **draft, **stamp})
        run.stage_files.answers.add(answer)
        failures = run_gate(answer, snapshot)
        reasons = tuple(f"{one.kind}: {text}" for text in (*one.reasons, *one.hints))
        if failures:
            why = (CheckFailure(check="rebase", claim="record", message=text) for text in reasons)
            found = {"failures": (*why, *failures), "created_at": now}
            run.stage_files.failures.add(GateFailure.model_validate({**place, **found}))
        else:
            unknown = dict.fromkeys(("entity_jaccard", "file_jaccard", "narrative_verdict"))
            known = {"reasons": reasons, "created_at": now}
            run.stage_files.queue.add(QueuedRecord.model_validate({**place, **unknown, **known}))


def _candidate(label: GoldenLabel, now: str) -> QueryCandidate:
    primary = tuple(one.entity_id for one in label.expected_entities if one.role == "primary")
    return QueryCandidate(
        query_id=label.query_id,
        task_type=label.task_type,
        difficulty=label.difficulty,
        query_text=label.query_text,
        target_entity_ids=primary or label.entity_ids,
        focus_area=label.focus_area,
        difficulty_rationale=label.difficulty_rationale,
        classifier_expectation=label.classifier_expectation,
        identifier_in_query=label.identifier_in_query,
        authored_by=label.provenance.query_author,
        created_at=now,
    )
