"""Agreement as a stage: the comparison of sets first, and only then the judge on the narrative."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from goldwright.agents.roles import Judge, JudgeWork
from goldwright.agents.toolset import Toolset
from goldwright.engine.ordered_log import OrderedLog
from goldwright.records import NarrativeVerdict, NarrativeVerdictDraft, QueuedRecord
from goldwright.stages.agreement import StructuralAgreement, compare_structure, narrative_objection
from goldwright.stages.case_state import CaseState, cell_fields, id_field
from goldwright.stages.catalog import AGREEMENT, Stage
from goldwright.stages.context import NO_TOOLS, RoleOutput, StageContext
from goldwright.stages.evidence_rules import EvidenceRules, repeated_secrets, unread_citations
from goldwright.stages.role_stage import RoleStage
from goldwright.stages.stage_files import StageFiles

JudgeStage = RoleStage[NarrativeVerdictDraft, NarrativeVerdict]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of an answer with its report.

    Attributes:
        structure: The overlap of the sets.
        objections: Everything that stands against agreement before the judge is asked.
        judgement: What the judge handed back; None where it was not asked.
    """

    structure: StructuralAgreement
    objections: tuple[str, ...]
    judgement: RoleOutput[NarrativeVerdictDraft] | None


@dataclass(frozen=True, slots=True)
class AgreementStage:
    """Lets a record through, or puts it into the queue for people with every objection."""

    judge: JudgeStage
    context: StageContext
    evidence: EvidenceRules
    verdicts: OrderedLog[NarrativeVerdict]
    queue: OrderedLog[QueuedRecord]
    stage: Stage = AGREEMENT

    def recall(self, case: CaseState) -> CaseState | None:  # noqa: ARG002  # as every stage
        """Compare again each time: that costs nothing, and no verdict is asked for twice."""
        return None

    async def compute(self, case: CaseState) -> Comparison:
        """Compare, and ask the judge only where nothing else stands against agreement."""
        structure = compare_structure(case.known_answer(), case.known_report())
        objections = (*structure.objections, *self._evidence_objections(case))
        is_judged = case.query_id in self.verdicts.done
        judgement = None if objections or is_judged else await self.judge.compute(case)
        return Comparison(structure, objections, judgement)

    def write(self, place: int, case: CaseState, comparison: Comparison) -> CaseState:
        """Write the judge's verdict, and the record of the queue where something was objected."""
        if comparison.judgement is not None:
            case = self.judge.write(place, case, comparison.judgement)
        elif not comparison.objections:
            case = self.judge.recall(case) or case
        objections = list(comparison.objections)
        if case.verdict is not None and (objection := narrative_objection(case.verdict)):
            objections.append(objection)
        if not objections:
            return replace(case, ending="agreed")
        self.put_in_queue(place, case, tuple(objections), comparison.structure)
        return replace(case, ending="queued")

    def put_in_queue(
        self,
        place: int,
        case: CaseState,
        reasons: tuple[str, ...],
        structure: StructuralAgreement | None = None,
    ) -> None:
        """Write a record for people to decide on."""
        entity_jaccard = round(structure.entity_jaccard, 4) if structure else None
        file_jaccard = round(structure.file_jaccard, 4) if structure else None
        fields = {
            **cell_fields(case.candidate),
            "reasons": reasons,
            "entity_jaccard": entity_jaccard,
            "file_jaccard": file_jaccard,
            "narrative_verdict": case.verdict.verdict if case.verdict else None,
            "created_at": self.context.now(),
        }
        self.queue.settle(place, QueuedRecord.model_validate(fields))

    def _evidence_objections(self, case: CaseState) -> Iterator[str]:
        answer, report = case.known_answer(), case.known_report()
        transcript = self.context.transcript
        yield from unread_citations(report, transcript.shown("adversary", case.query_id))
        yield from self.evidence.prose_only(answer, report)
        yield from repeated_secrets(case.candidate, answer, report)
        for role in ("oracle", "adversary"):
            for flag in transcript.flags(role, case.query_id):
                yield f"injection_suspected: {role}: {flag}"


def agreement_stage(judge: Judge, context: StageContext, files: StageFiles) -> AgreementStage:
    """Make the stage in which code compares and a judge plays."""
    return AgreementStage(
        judge=_judge_stage(judge, context, files),
        context=context,
        evidence=EvidenceRules(context.snapshot),
        verdicts=files.verdicts,
        queue=files.queue,
    )


def _judge_stage(judge: Judge, context: StageContext, files: StageFiles) -> JudgeStage:
    async def compare(case: CaseState, _toolset: Toolset) -> NarrativeVerdictDraft:
        narrative = case.known_answer().canonical_narrative
        findings = case.known_report().findings
        query_text = case.candidate.query_text
        return await judge.play(JudgeWork(case.query_id, query_text, narrative, findings))

    return RoleStage(
        stage=AGREEMENT,
        identity=judge.identity,
        play=compare,
        tools=lambda _candidate: NO_TOOLS,
        fields=id_field,
        record_type=NarrativeVerdict,
        log=files.verdicts,
        keep=lambda case, record: replace(case, verdict=record),
        context=context,
    )
