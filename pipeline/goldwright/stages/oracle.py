"""The Oracle's stage: one answer to each candidate, from the source alone."""

from dataclasses import replace
from functools import partial

from goldwright.agents.declined_cases import decline_unreadable
from goldwright.agents.roles import Findings, Oracle, OracleWork, Shown
from goldwright.agents.toolset import Toolset
from goldwright.records import AnswerDraft, OracleAnswer
from goldwright.stages.case_state import CaseState, cell_fields
from goldwright.stages.context import StageContext, tools_for
from goldwright.stages.gate.gate import run_gate
from goldwright.stages.role_stage import RoleStage
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.stage_graph import ORACLE

OracleStage = RoleStage[AnswerDraft, OracleAnswer]


def oracle_stage(oracle: Oracle, context: StageContext, files: StageFiles) -> OracleStage:
    """Make the stage in which an Oracle plays."""

    async def answer(case: CaseState, toolset: Toolset) -> AnswerDraft:
        candidate = case.candidate

        def check(draft: AnswerDraft, shown_ranges: Shown) -> Findings:
            run = partial(run_gate, draft, context.snapshot, shown_ranges, intent=candidate.intent)
            return decline_unreadable(context.snapshot, candidate, "checking by the gate", run)

        work = OracleWork(candidate, check)
        return await oracle.play(work, toolset)

    return RoleStage(
        stage=ORACLE,
        identity=oracle.identity,
        play=answer,
        tools=tools_for,
        fields=cell_fields,
        record_type=OracleAnswer,
        log=files.answers,
        keep=lambda case, record: replace(case, answer=record),
        context=context,
    )
