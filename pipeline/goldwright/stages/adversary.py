"""The Adversary's stage: a verdict on every claim of an answer that has passed the gate."""

from dataclasses import replace

from goldwright.agents.roles import Adversary, AdversaryWork
from goldwright.agents.toolset import Toolset
from goldwright.records import AdversaryReport, ReportDraft
from goldwright.stages.case_state import CaseState, id_field
from goldwright.stages.context import StageContext, tools_for, without_authorship
from goldwright.stages.role_stage import RoleStage
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.stage_graph import ADVERSARY

AdversaryStage = RoleStage[ReportDraft, AdversaryReport]


def adversary_stage(
    adversary: Adversary, context: StageContext, files: StageFiles
) -> AdversaryStage:
    """Make the stage in which an Adversary plays."""

    async def attack(case: CaseState, toolset: Toolset) -> ReportDraft:
        answer = without_authorship(case.known_answer())
        work = AdversaryWork(case.candidate, answer)
        return await adversary.play(work, toolset)

    return RoleStage(
        stage=ADVERSARY,
        identity=adversary.identity,
        play=attack,
        tools=tools_for,
        fields=id_field,
        record_type=AdversaryReport,
        log=files.reports,
        keep=lambda case, record: replace(case, report=record),
        context=context,
    )
