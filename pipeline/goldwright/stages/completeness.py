"""Completeness as a stage: a pool of searches against the labels of an answer."""

from dataclasses import replace
from functools import partial

from goldwright.agents.declined_cases import decline_unreadable
from goldwright.agents.roles import CompletenessReader, CompletenessWork, PoolJudgement
from goldwright.agents.toolset import Toolset
from goldwright.records import (
    BUILT_IN_POOL,
    AnswerDraft,
    CompletenessDraft,
    CompletenessReport,
    PooledEntity,
    PoolSystem,
    QueryCandidate,
)
from goldwright.stages.case_state import CaseState, id_field
from goldwright.stages.context import NO_TOOLS, StageContext, tools_for
from goldwright.stages.label_pool import Pool, is_covered, label_pool
from goldwright.stages.pooled_labels import INDEPENDENT
from goldwright.stages.role_stage import RoleStage
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.stage_graph import COMPLETENESS

CompletenessStage = RoleStage[CompletenessDraft, CompletenessReport]


def completeness_stage(
    reader: CompletenessReader, context: StageContext, files: StageFiles
) -> CompletenessStage:
    """Make the stage in which what a pool brings and an answer does not expect is judged."""

    async def judge_pool(case: CaseState, toolset: Toolset) -> CompletenessDraft:
        return await judge_completeness(
            reader, context, case.candidate, case.known_answer(), toolset
        )

    def tools(candidate: QueryCandidate) -> frozenset[str]:
        return tools_for(candidate) if reader.has_tools else NO_TOOLS

    return RoleStage(
        stage=COMPLETENESS,
        identity=reader.identity,
        play=judge_pool,
        tools=tools,
        fields=id_field,
        record_type=CompletenessReport,
        log=files.completeness,
        keep=lambda case, record: replace(case, completeness=record),
        context=context,
    )


async def judge_completeness(
    reader: CompletenessReader,
    context: StageContext,
    candidate: QueryCandidate,
    answer: AnswerDraft,
    toolset: Toolset,
) -> CompletenessDraft:
    """Set a pool of searches against the labels of an answer.

    Raises:
        RoleRefusedError: The reader declines.
        QuarantineError: The reader cannot finish now.
    """
    expected = frozenset(answer.entity_ids)
    snapshot = context.snapshot
    search = partial(label_pool, snapshot, candidate, answer, context.dense)
    pool = decline_unreadable(snapshot, candidate, "searching for more labels", search)
    unlabelled: Pool = {}
    recaptured = []
    for entity_id, systems in pool.items():
        if entity_id in expected and not INDEPENDENT.isdisjoint(systems):
            recaptured.append(entity_id)
        if not is_covered(entity_id, expected):
            unlabelled[entity_id] = systems
    work = CompletenessWork(candidate, answer.entity_ids, _most_found_first(unlabelled))
    judgement = await reader.play(work, toolset)
    pooled_entities = _pooled_entities(unlabelled, judgement)
    return CompletenessDraft(
        systems=_systems(context),
        pooled=pooled_entities,
        recaptured=tuple(recaptured),
        is_judged=judgement.is_judged,
    )


def _systems(context: StageContext) -> tuple[PoolSystem, ...]:
    if context.dense is None:
        return BUILT_IN_POOL
    return (*BUILT_IN_POOL, "dense")


def _most_found_first(pool: Pool) -> tuple[str, ...]:
    """Order a pool so that a reader who cannot go through all of it takes the likeliest."""

    def count_of_systems(entity_id: str) -> int:
        return len(pool[entity_id])

    # A stable sort: among those of as many systems, paths and names decide.
    return tuple(sorted(pool, key=count_of_systems, reverse=True))


def _pooled_entities(pool: Pool, judgement: PoolJudgement) -> tuple[PooledEntity, ...]:
    rulings = {ruling.entity_id: ruling for ruling in judgement.rulings}
    entities = []
    for entity_id, systems in pool.items():
        entities.append(PooledEntity(sources=systems, **dict(rulings[entity_id])))
    return tuple(entities)
