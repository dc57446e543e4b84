"""Completeness as a stage: a pool of searches against the labels of an answer."""

from dataclasses import replace
from functools import partial
from typing import Final

from goldwright.agents.toolset import Toolset
from goldwright.agents.unreadable_files import decline_unreadable
from goldwright.offline_agents.completeness import has_rule, rule_on
from goldwright.records import (
    AnswerDraft,
    CompletenessDraft,
    CompletenessReport,
    PooledEntity,
    QueryCandidate,
)
from goldwright.snapshot import Snapshot
from goldwright.stages.case_state import CaseState, id_field
from goldwright.stages.catalog import COMPLETENESS
from goldwright.stages.context import NO_TOOLS, StageContext
from goldwright.stages.label_pool import INDEPENDENT, is_covered, label_pool
from goldwright.stages.role_stage import RoleStage
from goldwright.stages.stage_files import StageFiles

CompletenessStage = RoleStage[CompletenessDraft, CompletenessReport]

IDENTITY: Final = "agent:completeness:offline-1"


def completeness_stage(context: StageContext, files: StageFiles) -> CompletenessStage:
    """Make the stage in which rules judge what a pool brings and an answer does not expect."""

    async def judge_pool(case: CaseState, _toolset: Toolset) -> CompletenessDraft:
        snapshot, candidate = context.snapshot, case.candidate
        judge = partial(completeness_of, snapshot, candidate, case.known_answer())
        return decline_unreadable(snapshot, candidate, "judging the pool", judge)

    return RoleStage(
        stage=COMPLETENESS,
        identity=IDENTITY,
        play=judge_pool,
        tools=_no_tools,
        fields=id_field,
        record_type=CompletenessReport,
        log=files.completeness,
        keep=lambda case, record: replace(case, completeness=record),
        context=context,
    )


def completeness_of(
    snapshot: Snapshot, candidate: QueryCandidate, answer: AnswerDraft
) -> CompletenessDraft:
    """Set a pool of searches against the labels of an answer."""
    expected = frozenset(answer.entity_ids)
    intent = candidate.intent
    pooled: list[PooledEntity] = []
    recaptured: list[str] = []
    for entity_id, sources in label_pool(snapshot, candidate, answer).items():
        if entity_id in expected and not INDEPENDENT.isdisjoint(sources):
            recaptured.append(entity_id)
        if is_covered(entity_id, expected):
            continue
        ruling = rule_on(snapshot, intent, entity_id)
        entity = PooledEntity(
            entity_id=entity_id, sources=sources, verdict=ruling.verdict, reason=ruling.reason
        )
        pooled.append(entity)
    return CompletenessDraft(
        pooled=tuple(pooled), recaptured=tuple(recaptured), has_rule=has_rule(intent)
    )


def missing_labels(report: CompletenessReport) -> tuple[str, ...]:
    """Say which entities a right answer expects beside those that are labelled, each in a line."""
    return tuple(
        f"labels_incomplete: {entity.entity_id}: {entity.reason}"
        for entity in report.pooled
        if entity.verdict == "belongs"
    )


def equal_entities(report: CompletenessReport | None) -> tuple[str, ...]:
    """Give the entities that answer as well as an expected one."""
    if report is None:
        return ()
    return tuple(entity.entity_id for entity in report.pooled if entity.verdict == "equal")


def _no_tools(_candidate: QueryCandidate) -> frozenset[str]:
    """The pool is made of searches without limits of their own, so nothing is shown to anybody."""
    return NO_TOOLS
