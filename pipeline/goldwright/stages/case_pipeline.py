"""One candidate's way from the Oracle to agreement, each step written before the next one rests on
it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.agents.roles import AdversaryWork, Cast, JudgeWork, OracleWork, RoleRefusedError
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.progress import Progress
from goldwright.records import (
    AdversaryReport,
    GateFailure,
    NarrativeVerdict,
    OracleAnswer,
    QueryCandidate,
    QueuedRecord,
    RejectedRecord,
)
from goldwright.stages.agreement import StructuralAgreement, compare_structure, narrative_objection
from goldwright.stages.context import StageContext, tools_for, without_authorship
from goldwright.stages.evidence_rules import EvidenceRules, repeated_secrets, unread_citations
from goldwright.stages.gate import run_gate

VERSIONS: Final = {"oracle": 2, "gate": 1, "adversary": 1, "agreement": 2}


@dataclass(frozen=True, slots=True)
class StageFiles:
    """The ledgers of a run, one for each stage file."""

    candidates: OrderedLog[QueryCandidate]
    answers: OrderedLog[OracleAnswer]
    reports: OrderedLog[AdversaryReport]
    failures: OrderedLog[GateFailure]
    queue: OrderedLog[QueuedRecord]
    rejected: OrderedLog[RejectedRecord]
    verdicts: OrderedLog[NarrativeVerdict]

    def release(self, place: int) -> None:
        """Settle a place in every ledger that follows the order of the cases."""
        for ledger in (self.answers, self.failures, self.reports, self.verdicts, self.queue):
            ledger.settle(place, None)


class CasePipeline:
    """Follows candidates through the stages after the screen; what is written already is not done
    again.
    """

    def __init__(
        self, cast: Cast, context: StageContext, stage_files: StageFiles, progress: Progress
    ) -> None:
        self._cast = cast
        self._context = context
        self._stage_files = stage_files
        self._progress = progress
        self._grounds = EvidenceRules(context.snapshot)

    async def follow(self, place: int, candidate: QueryCandidate) -> None:
        """Take a candidate as far as it gets: to the gate's failures, to the queue, or to
        agreement.
        """
        if candidate.query_id in self._stage_files.rejected.done:
            return
        if candidate.query_id in self._stage_files.queue.done:
            self._count_queued()
            return
        try:
            await self._follow(place, candidate)
        except RoleRefusedError as refusal:
            self._queue(place, candidate, (f"refused: {refusal}",), None, None)
            self._progress.advance("agreement", "queued")

    def _count_queued(self) -> None:
        for stage in ("oracle", "gate", "adversary"):
            self._progress.advance(stage, "passed")
        self._progress.advance("agreement", "queued")

    async def _follow(self, place: int, candidate: QueryCandidate) -> None:
        answer = await self._answer(place, candidate)
        self._progress.advance("oracle", "passed")
        if not self._passes_gate(place, candidate, answer):
            self._progress.advance("gate", "failed_gate")
            return
        self._progress.advance("gate", "passed")
        report = await self._report(place, candidate, answer)
        self._progress.advance("adversary", "passed")
        agreed = await self._agree(place, candidate, answer, report)
        self._progress.advance("agreement", "passed" if agreed else "queued")

    async def _answer(self, place: int, candidate: QueryCandidate) -> OracleAnswer:
        known = self._stage_files.answers.done.get(candidate.query_id)
        if known is not None:
            return known
        role, since = self._cast.oracle, self._context.clock.seconds()
        toolset = self._context.toolset(tools_for(candidate))
        draft = await role.play(OracleWork(candidate), toolset)
        self._context.transcript.record("oracle", candidate.query_id, role.identity, toolset)
        stamp = self._context.stamp(
            f"oracle:{candidate.query_id}", role.identity, since=since, toolset=toolset
        )
        place_in_plan = {"task_type": candidate.task_type, "difficulty": candidate.difficulty}
        fields = {"query_id": candidate.query_id, **place_in_plan, **dict(draft), **stamp}
        answer = OracleAnswer.model_validate(fields)
        self._stage_files.answers.settle(place, answer)
        return answer

    def _passes_gate(self, place: int, candidate: QueryCandidate, answer: OracleAnswer) -> bool:
        if candidate.query_id in self._stage_files.failures.done:
            return False
        if candidate.query_id in self._stage_files.reports.done:
            return True
        shown = self._context.transcript.shown("oracle", candidate.query_id)
        failures = run_gate(answer, self._context.snapshot, shown)
        if not failures:
            return True
        failure = GateFailure(
            query_id=candidate.query_id,
            task_type=candidate.task_type,
            difficulty=candidate.difficulty,
            failures=failures,
            created_at=self._context.now(),
        )
        self._stage_files.failures.settle(place, failure)
        return False

    async def _report(
        self, place: int, candidate: QueryCandidate, answer: OracleAnswer
    ) -> AdversaryReport:
        known = self._stage_files.reports.done.get(candidate.query_id)
        if known is not None:
            return known
        role, since = self._cast.adversary, self._context.clock.seconds()
        toolset = self._context.toolset(tools_for(candidate))
        draft = await role.play(AdversaryWork(candidate, without_authorship(answer)), toolset)
        self._context.transcript.record("adversary", candidate.query_id, role.identity, toolset)
        stamp = self._context.stamp(
            f"adversary:{candidate.query_id}", role.identity, since=since, toolset=toolset
        )
        report = AdversaryReport.model_validate(
            {"query_id": candidate.query_id, **dict(draft), **stamp}
        )
        self._stage_files.reports.settle(place, report)
        return report

    async def _agree(
        self, place: int, candidate: QueryCandidate, answer: OracleAnswer, report: AdversaryReport
    ) -> bool:
        structure = compare_structure(answer, report)
        objections = [*structure.objections, *self._ungrounded(candidate, answer, report)]
        verdict = None if objections else await self._judge(place, candidate, answer, report)
        if verdict is not None and (objection := narrative_objection(verdict)):
            objections.append(objection)
        if objections:
            self._queue(place, candidate, tuple(objections), structure, verdict)
        return not objections

    def _ungrounded(
        self, candidate: QueryCandidate, answer: OracleAnswer, report: AdversaryReport
    ) -> Iterator[str]:
        transcript, case = self._context.transcript, candidate.query_id
        yield from unread_citations(report, transcript.shown("adversary", case))
        yield from self._grounds.prose_only(answer, report)
        yield from repeated_secrets(candidate, answer, report)
        for role in ("oracle", "adversary"):
            for flag in transcript.flags(role, case):
                yield f"injection_suspected: {role}: {flag}"

    def _queue(
        self,
        place: int,
        candidate: QueryCandidate,
        reasons: tuple[str, ...],
        structure: StructuralAgreement | None,
        verdict: NarrativeVerdict | None,
    ) -> None:
        queued = QueuedRecord(
            query_id=candidate.query_id,
            task_type=candidate.task_type,
            difficulty=candidate.difficulty,
            reasons=reasons,
            entity_jaccard=round(structure.entity_jaccard, 4) if structure else None,
            file_jaccard=round(structure.file_jaccard, 4) if structure else None,
            narrative_verdict=verdict.verdict if verdict else None,
            created_at=self._context.now(),
        )
        self._stage_files.queue.settle(place, queued)

    async def _judge(
        self, place: int, candidate: QueryCandidate, answer: OracleAnswer, report: AdversaryReport
    ) -> NarrativeVerdict:
        known = self._stage_files.verdicts.done.get(candidate.query_id)
        if known is not None:
            return known
        role, since = self._cast.judge, self._context.clock.seconds()
        work = JudgeWork(
            candidate.query_id, candidate.query_text, answer.canonical_narrative, report.findings
        )
        draft = await role.play(work)
        stamp = self._context.stamp(f"judge:{candidate.query_id}", role.identity, since=since)
        verdict = NarrativeVerdict.model_validate(
            {"query_id": candidate.query_id, **dict(draft), **stamp}
        )
        self._stage_files.verdicts.settle(place, verdict)
        return verdict
