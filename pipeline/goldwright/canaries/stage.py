"""The canary stage: an Adversary is given falsified answers unmarked, to see what it lets through.

Canaries skip the gate and stay out of the stage files, so none can reach a dataset.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from goldwright.agents.roles import Adversary, AdversaryWork, RoleRefusedError
from goldwright.agents.toolset import Toolset
from goldwright.canaries.mutations import KINDS, FalsifiedAnswer, falsify
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.scheduler import CaseFailure, work_through
from goldwright.engine.work import Executor
from goldwright.records import (
    AnswerDraft,
    CanaryKind,
    CanaryOutcome,
    OracleAnswer,
    QueryCandidate,
    ReportDraft,
)
from goldwright.stages.agreement import compare_structure
from goldwright.stages.context import RoleOutput, StageContext, tools_for, without_authorship
from goldwright.stages.evidence_rules import EvidenceRules, unread_citations
from goldwright.stages.stage_files import StageFiles


@dataclass(frozen=True, slots=True)
class Canary:
    """A falsified answer on its way to the Adversary.

    Attributes:
        candidate: The query, under an id of the canary's own.
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


class CanaryStage:
    """Falsifies answers that passed the gate and records what the Adversary says of them."""

    def __init__(
        self,
        adversary: Adversary,
        context: StageContext,
        stage_files: StageFiles,
        outcomes: OrderedLog[CanaryOutcome],
        *,
        executor: Executor,
        seed: int,
    ) -> None:
        self._stage_files = stage_files
        self._snapshot = context.snapshot
        self._executor = executor
        self._seed = seed
        self._attack = _CanaryAttack(adversary, context, outcomes)

    async def release(self, count: int, *, limit: int) -> tuple[CaseFailure, ...]:
        """Send out canaries of all kinds in turn.

        Args:
            count: How many to send; fewer go out where the answers give no ground for more.
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
        canary_count = 0
        for turn in range(len(answers) * len(KINDS)):
            if canary_count == count:
                return
            lap, index = divmod(turn, len(answers))
            candidate, answer = answers[index]
            # One kind further with each lap, so that no answer meets a kind twice.
            kind_index = (turn + lap) % len(KINDS)
            kind = KINDS[kind_index]
            falsified = falsify(answer, self._snapshot, kind, chance)
            if falsified is None:
                continue
            canary_count += 1
            own_id = f"{candidate.query_id}-canary{canary_count}"
            own_candidate = candidate.model_copy(update={"query_id": own_id})
            yield Canary(own_candidate, candidate.query_id, falsified)

    def _answers(self) -> list[tuple[QueryCandidate, OracleAnswer]]:
        candidates = self._stage_files.candidates.done
        answers = self._stage_files.answers.done
        answered = []
        # Only answers that passed the gate have a report.
        for query_id in sorted(self._stage_files.reports.done):
            candidate = candidates[query_id]
            # What people decide later must not change the draw, so it takes no second attempts, and
            # first attempts that were dropped since.
            if candidate.parent is None:
                answered.append((candidate, answers[query_id]))
        return answered


class _CanaryAttack:
    """The work of the Adversary on canaries: one piece each."""

    def __init__(
        self, adversary: Adversary, context: StageContext, outcomes: OrderedLog[CanaryOutcome]
    ) -> None:
        self._adversary = adversary
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

    async def compute(self, canary: Canary) -> RoleOutput[ReportDraft] | None:
        """Give the report; None where a model declines, which says nothing about the falsehood."""

        async def attack(toolset: Toolset) -> ReportDraft:
            work = AdversaryWork(canary.candidate, canary.answer)
            return await self._adversary.play(work, toolset)

        identity = self._adversary.identity
        tools = tools_for(canary.candidate)
        try:
            return await self._context.play(identity, attack, tools)
        except RoleRefusedError:
            return None

    def write(self, place: int, canary: Canary, output: RoleOutput[ReportDraft] | None) -> None:
        query_id = canary.query_id
        self._attacked.add(query_id)
        if output is None:
            return
        self._context.record("adversary", query_id, output)
        falsified = canary.falsified
        caught = is_caught(falsified.claim_id, output.draft)
        stopped = self._is_stopped(canary, output)
        item = f"adversary:{query_id}"
        stamp = self._context.stamp(item, output)
        fields = {
            "query_id": query_id,
            "parent": canary.parent,
            "kind": falsified.kind,
            "claim_id": falsified.claim_id,
            "what": falsified.what,
            "answer": canary.answer,
            "report": output.draft,
            "caught": caught,
            "stopped": stopped,
            **stamp,
        }
        self._outcomes.settle(place, CanaryOutcome.model_validate(fields))

    def release(self, place: int) -> None:
        self._outcomes.settle(place, None)

    def _is_stopped(self, canary: Canary, output: RoleOutput[ReportDraft]) -> bool:
        """Whether agreement would object to the record, on whatever ground."""
        answer, report = canary.falsified.answer, output.draft
        # The judge is not asked: every kind of canary leaves the narrative as it was.
        objections = list(compare_structure(answer, report).objections)
        objections += unread_citations(report, output.shown_lines)
        objections += self._evidence.prose_only(answer, report)
        return bool(objections)


def is_caught(claim_id: str, report: ReportDraft) -> bool:
    """Whether a report refuses the falsified claim; its other claims do not count."""
    on_claim = [verdict for verdict in report.claim_verdicts if verdict.claim_id == claim_id]
    verdicts = {verdict.verdict for verdict in on_claim}
    # A report without a verdict on the claim has not looked at it.
    return bool(verdicts) and "supported" not in verdicts


def catches_by_kind(outcomes: Sequence[CanaryOutcome]) -> dict[CanaryKind, tuple[int, int]]:
    """Count the caught and all canaries of each kind that was released."""
    counts: dict[CanaryKind, tuple[int, int]] = {}
    for kind in KINDS:
        of_kind = [outcome for outcome in outcomes if outcome.kind == kind]
        if of_kind:
            caught = sum(outcome.caught for outcome in of_kind)
            counts[kind] = (caught, len(of_kind))
    return counts
