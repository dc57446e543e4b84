"""The canary stage: Adversary and judge are given falsified answers unmarked.

Canaries stay out of the stage files, so none can reach a dataset.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from goldwright.agents.roles import (
    Adversary,
    AdversaryWork,
    Judge,
    JudgeWork,
    RoleRefusedError,
)
from goldwright.agents.toolset import Toolset
from goldwright.canaries.caught_by_adversary import is_caught
from goldwright.canaries.kinds import CANARY_MARK, KINDS, MEANING_KINDS
from goldwright.canaries.mutations import (
    AnsweredCandidate,
    FalsifiedAnswer,
    falsify,
)
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.scheduler import CaseFailure, work_through
from goldwright.engine.work import Executor
from goldwright.records import (
    AnswerDraft,
    CanaryKind,
    CanaryOutcome,
    NarrativeVerdictDraft,
    OracleAnswer,
    QueryCandidate,
    ReportDraft,
)
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.file_guard import guarded
from goldwright.stages.agreement import compare_structure
from goldwright.stages.context import (
    NO_TOOLS,
    RoleOutput,
    StageContext,
    tools_for,
    without_authorship,
)
from goldwright.stages.evidence_rules import EvidenceRules, unread_citations
from goldwright.stages.stage_files import StageFiles

GATE_IDENTITY: Final = "gate"
"""Stands for the author of an outcome that no agent had a part in."""


@dataclass(frozen=True, slots=True)
class Canary:
    """A falsified answer on its way to the Adversary.

    Attributes:
        candidate: The query, under an id of the canary's own; its targets lack what the answer
            leaves out, as if its Author had overlooked it too.
        parent: The id of the record whose answer was falsified.
        falsified: The false answer.
    """

    candidate: QueryCandidate
    parent: str
    falsified: FalsifiedAnswer

    @property
    def query_id(self) -> str:
        """The canary's own id."""
        return self.candidate.query_id

    @property
    def answer(self) -> AnswerDraft:
        """What the Adversary is given."""
        return without_authorship(self.falsified.answer)


@dataclass(frozen=True, slots=True)
class CanaryReading:
    """What was made of a canary.

    Attributes:
        report: What the Adversary handed back; None where the gate stopped the canary.
        judgement: What the judge handed back; None where it was not asked, or declined.
    """

    report: RoleOutput[ReportDraft] | None = None
    judgement: RoleOutput[NarrativeVerdictDraft] | None = None


class CanaryStage:
    """Falsifies answers that passed the gate and records who catches them."""

    def __init__(
        self,
        adversary: Adversary,
        judge: Judge,
        context: StageContext,
        stage_files: StageFiles,
        outcomes: OrderedLog[CanaryOutcome],
        *,
        executor: Executor,
        seed: int,
    ) -> None:
        self._stage_files = stage_files
        self._snapshot = context.snapshot
        self._transcript = context.transcript
        self._executor = executor
        self._seed = seed
        self._attack = _CanaryAttack(adversary, judge, context, outcomes)

    async def release(self, count: int, *, limit: int) -> tuple[CaseFailure, ...]:
        """Send out canaries of all kinds in turn.

        Args:
            count: How many to send to the Adversary; fewer go out where the answers give no ground
                for more. What the gate stops on the way does not count.
            limit: How many the Adversary works on at a time.

        Returns:
            Those that could not be finished.
        """
        canaries = tuple(self._canaries(count))
        return await work_through(canaries, self._attack, executor=self._executor, limit=limit)

    def _canaries(self, count: int) -> Iterator[Canary]:
        """Choose answers and kinds by the seed.

        Every answer serves one kind before any answer serves a second, and none a kind twice.
        """
        chance = Random(self._seed)  # noqa: S311  # draws a sample, no secret
        answers = self._answers()
        chance.shuffle(answers)
        canary_count = sent_count = 0
        for turn in range(len(answers) * len(KINDS)):
            if sent_count == count:
                return
            lap, index = divmod(turn, len(answers))
            candidate, answer = answers[index]
            # One kind further with each lap, so that no answer meets a kind twice.
            kind_index = (index + lap) % len(KINDS)
            kind = KINDS[kind_index]
            record = AnsweredCandidate(candidate, answer)
            falsified = self._falsify(record, kind, chance)
            if falsified is None:
                continue
            canary_count += 1
            sent_count += not falsified.gate_failures
            own_id = f"{candidate.query_id}{CANARY_MARK}{canary_count}"
            own_candidate = _candidate_of(candidate, own_id, falsified)
            yield Canary(own_candidate, candidate.query_id, falsified)

    def _falsify(
        self, record: AnsweredCandidate, kind: CanaryKind, chance: Random
    ) -> FalsifiedAnswer | None:
        path, _ = split_entity_id(record.candidate.target_entity_ids[0])
        make = partial(falsify, record, self._snapshot, kind, chance)
        return guarded(self._snapshot, path, "falsifying an answer", make, None)

    def _answers(self) -> list[tuple[QueryCandidate, OracleAnswer]]:
        candidates = self._stage_files.candidates.done
        answers = self._stage_files.answers.done
        answered = []
        for query_id in self._draw():
            candidate = candidates[query_id]
            # What people decide later must not change the draw, so it takes no second attempts, and
            # first attempts that were dropped since.
            if candidate.parent is None:
                answered.append((candidate, answers[query_id]))
        return answered

    def _draw(self) -> tuple[str, ...]:
        """The records that canaries are made of: those of the first time.

        A record that comes later, as of an Author that was set aside, would give every canary
        another number, and have all of them attacked again.
        """
        draw = self._transcript.canary_draw()
        if draw is None:
            # Only answers that passed the gate have a report.
            draw = tuple(sorted(self._stage_files.reports.done))
            self._transcript.record_canary_draw(draw)
        return draw


class _CanaryAttack:
    """The work of Adversary and judge on canaries: one piece each."""

    def __init__(
        self,
        adversary: Adversary,
        judge: Judge,
        context: StageContext,
        outcomes: OrderedLog[CanaryOutcome],
    ) -> None:
        self._adversary = adversary
        self._judge = judge
        self._context = context
        self._outcomes = outcomes
        self._evidence = EvidenceRules(context.snapshot)
        self._attacked: set[str] = set(outcomes.done)

    def name(self, canary: Canary) -> str:
        return canary.query_id

    def next_piece(self, _place: int, canary: Canary) -> Canary | None:
        if canary.query_id in self._attacked:
            return None
        return canary

    async def compute(self, canary: Canary) -> CanaryReading | None:
        """Ask whom the gate leaves to ask; None where the Adversary declines, which says nothing.

        The judge is asked where the narrative was changed, even if the Adversary has objections:
        in a run it would not be, but here it is measured too.
        """
        if canary.falsified.gate_failures:
            return CanaryReading()
        try:
            report = await self._attack(canary)
        except RoleRefusedError:
            return None
        if canary.falsified.kind not in MEANING_KINDS:
            return CanaryReading(report)
        try:
            judgement = await self._judge_narrative(canary, report.draft)
        except RoleRefusedError:
            return CanaryReading(report)
        return CanaryReading(report, judgement)

    def write(self, place: int, canary: Canary, reading: CanaryReading | None) -> None:
        query_id = canary.query_id
        self._attacked.add(query_id)
        if reading is None:
            return
        falsified = canary.falsified
        fields = {
            "query_id": query_id,
            "parent": canary.parent,
            "kind": falsified.kind,
            "claim_id": falsified.claim_id,
            "what": falsified.what,
            "answer": canary.answer,
            "gate_failures": falsified.gate_failures,
            **self._reading_fields(canary, reading),
        }
        self._outcomes.settle(place, CanaryOutcome.model_validate(fields))

    def release(self, place: int) -> None:
        self._outcomes.settle(place, None)

    async def _attack(self, canary: Canary) -> RoleOutput[ReportDraft]:
        async def attack(toolset: Toolset) -> ReportDraft:
            work = AdversaryWork(canary.candidate, canary.answer)
            return await self._adversary.play(work, toolset)

        tools = tools_for(canary.candidate)
        return await self._context.play(self._adversary.identity, attack, tools)

    async def _judge_narrative(
        self, canary: Canary, report: ReportDraft
    ) -> RoleOutput[NarrativeVerdictDraft]:
        async def compare(_toolset: Toolset) -> NarrativeVerdictDraft:
            work = JudgeWork(
                query_id=canary.query_id,
                query_text=canary.candidate.query_text,
                narrative=canary.answer.canonical_narrative,
                findings=report.findings,
            )
            return await self._judge.play(work)

        return await self._context.play(self._judge.identity, compare, NO_TOOLS)

    def _reading_fields(self, canary: Canary, reading: CanaryReading) -> Mapping[str, object]:
        report, judgement = reading.report, reading.judgement
        if report is None:
            return {
                "caught": False,
                "stopped": True,
                "authored_by": GATE_IDENTITY,
                "created_at": self._context.now(),
            }
        self._context.record("adversary", canary.query_id, report)
        stamp = self._context.stamp(f"adversary:{canary.query_id}", report)
        verdict = None if judgement is None else judgement.draft
        is_refused = verdict is not None and verdict.verdict != "equivalent"
        draft = report.draft
        is_stopped = is_refused or self._is_stopped(canary, report)
        return {
            "report": draft,
            "narrative_verdict": verdict,
            "caught": is_caught(canary.falsified, draft),
            "stopped": is_stopped,
            **stamp,
        }

    def _is_stopped(self, canary: Canary, output: RoleOutput[ReportDraft]) -> bool:
        """Whether agreement would object to the record before the judge is asked."""
        answer, report = canary.falsified.answer, output.draft
        objections = list(compare_structure(answer, report).objections)
        objections += unread_citations(report, output.shown_lines)
        objections += self._evidence.prose_only(answer, report)
        return bool(objections)


def _candidate_of(
    candidate: QueryCandidate, own_id: str, falsified: FalsifiedAnswer
) -> QueryCandidate:
    targets = tuple(
        target for target in candidate.target_entity_ids if target != falsified.left_out
    )
    return candidate.model_copy(update={"query_id": own_id, "target_entity_ids": targets})
