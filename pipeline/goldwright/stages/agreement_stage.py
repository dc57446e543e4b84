"""Agreement as a stage: the comparison of sets first, and only then the judge on the narrative."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from goldwright.agents.roles import Judge, JudgeWork
from goldwright.agents.toolset import Toolset
from goldwright.engine.ordered_log import OrderedLog
from goldwright.records import (
    NarrativeVerdict,
    NarrativeVerdictDraft,
    QueryCandidate,
    QueuedRecord,
)
from goldwright.stages.agreement import StructuralAgreement, compare_structure, narrative_objection
from goldwright.stages.case_state import CaseState, cell_fields, id_field
from goldwright.stages.context import NO_TOOLS, RoleOutput, StageContext
from goldwright.stages.evidence_rules import EvidenceRules, repeated_secrets, unread_citations
from goldwright.stages.pooled_labels import missing_labels
from goldwright.stages.role_stage import RoleStage
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.stage_graph import AGREEMENT, Stage

JudgeStage = RoleStage[NarrativeVerdictDraft, NarrativeVerdict]


@dataclass(frozen=True, slots=True)
class JudgedComparison:
    """The comparison of an answer with its report.

    Attributes:
        structure: The overlap of the sets.
        objections: Everything that stands against agreement before the judge is asked.
        judgement: The judge's verdict as it was handed back; None where the judge was not asked.
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
        """Recall nothing: comparing again is cheap, and no verdict is asked for twice."""
        return None

    async def compute(self, case: CaseState) -> JudgedComparison:
        """Compare, and ask the judge only where nothing else stands against agreement."""
        structure = compare_structure(case.known_answer(), case.known_report())
        evidence_objections = self._evidence_objections(case)
        labels = () if case.completeness is None else missing_labels(case.completeness)
        objections = (*structure.objections, *evidence_objections, *labels)
        # The judge comes last: the sets are compared for nothing, and a judge may have to be paid.
        judgement = None
        is_judged = case.query_id in self.verdicts.done
        if not objections and not is_judged:
            judgement = await self.judge.compute(case)
        return JudgedComparison(structure, objections, judgement)

    def write(self, place: int, case: CaseState, comparison: JudgedComparison) -> CaseState:
        """Write the judge's verdict, and a record of the queue if there are objections."""
        if comparison.judgement is not None:
            case = self.judge.write(place, case, comparison.judgement)
        elif not comparison.objections:
            # The verdict is in the file where an earlier process asked the judge.
            case = self.judge.recall(case) or case
        objections = list(comparison.objections)
        if case.verdict is not None:
            objection = narrative_objection(case.verdict)
            if objection is not None:
                objections.append(objection)
        if not objections:
            return replace(case, ending="agreed")
        reasons = tuple(objections)
        self.put_in_queue(place, case, reasons, comparison.structure)
        return replace(case, ending="queued")

    def put_in_queue(
        self,
        place: int,
        case: CaseState,
        reasons: tuple[str, ...],
        structure: StructuralAgreement | None = None,
    ) -> None:
        """Write a record for people to decide on.

        Args:
            place: The place of the case in the run.
            case: The case.
            reasons: Every objection.
            structure: The overlap of the sets; None where they were not compared.
        """
        entity_jaccard = file_jaccard = None
        if structure is not None:
            entity_jaccard = round(structure.entity_jaccard, 4)
            file_jaccard = round(structure.file_jaccard, 4)
        narrative_verdict = None
        if case.verdict is not None:
            narrative_verdict = case.verdict.verdict
        created_at = self.context.now()
        fields = {
            **cell_fields(case.candidate),
            "reasons": reasons,
            "entity_jaccard": entity_jaccard,
            "file_jaccard": file_jaccard,
            "narrative_verdict": narrative_verdict,
            "created_at": created_at,
        }
        record = QueuedRecord.model_validate(fields)
        self.queue.settle(place, record)

    def _evidence_objections(self, case: CaseState) -> Iterator[str]:
        answer = case.known_answer()
        report = case.known_report()
        transcript = self.context.transcript
        shown_lines = transcript.shown("adversary", case.query_id)
        yield from unread_citations(report, shown_lines)
        yield from self.evidence.prose_only(answer, report)
        yield from repeated_secrets(case.candidate, answer, report)
        # What a passage asks of a model may have swayed it, so a person looks at the record.
        for role in ("oracle", "adversary", "completeness"):
            for flag in transcript.flags(role, case.query_id):
                yield f"injection_suspected: {role}: {flag}"


def agreement_stage(judge: Judge, context: StageContext, files: StageFiles) -> AgreementStage:
    """Make the stage in which code compares and a judge plays."""
    judge_stage = _judge_stage(judge, context, files)
    return AgreementStage(
        judge=judge_stage,
        context=context,
        evidence=EvidenceRules(context.snapshot),
        verdicts=files.verdicts,
        queue=files.queue,
    )


def _judge_stage(judge: Judge, context: StageContext, files: StageFiles) -> JudgeStage:
    async def compare(case: CaseState, _toolset: Toolset) -> NarrativeVerdictDraft:
        narrative = case.known_answer().canonical_narrative
        findings = case.known_report().findings
        work = JudgeWork(
            query_id=case.query_id,
            query_text=case.candidate.query_text,
            narrative=narrative,
            findings=findings,
        )
        return await judge.play(work)

    return RoleStage(
        stage=AGREEMENT,
        identity=judge.identity,
        play=compare,
        tools=_no_tools,
        fields=id_field,
        record_type=NarrativeVerdict,
        log=files.verdicts,
        keep=lambda case, record: replace(case, verdict=record),
        context=context,
    )


def _no_tools(_candidate: QueryCandidate) -> frozenset[str]:
    """The tools of a judge: two texts are all it is given."""
    return NO_TOOLS
