"""Canaries: falsified answers that an Adversary is given unmarked, to learn what it lets through.

They pass by the gate and stay out of the stage files, so none can reach a dataset.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, get_args

from goldwright.agents.roles import Adversary, AdversaryWork, RoleRefusedError
from goldwright.canaries.mutations import FalsifiedAnswer, falsify
from goldwright.engine.ordered_log import OrderedLog
from goldwright.engine.scheduler import CaseFailure, work_through
from goldwright.records import CanaryKind, CanaryOutcome, OracleAnswer, QueryCandidate, ReportDraft
from goldwright.stages.agreement import compare_structure
from goldwright.stages.case_pipeline import StageFiles
from goldwright.stages.context import StageContext, tools_for, without_authorship
from goldwright.stages.evidence_rules import EvidenceRules, unread_citations

KINDS: Final[tuple[CanaryKind, ...]] = get_args(CanaryKind)


@dataclass(frozen=True, slots=True)
class Canary:
    """A falsified answer on its way to the Adversary, under an id of its own."""

    candidate: QueryCandidate
    parent: str
    kind: CanaryKind
    falsified: FalsifiedAnswer


class CanaryStage:
    """Falsifies answers that passed the gate, and keeps what the Adversary made of them."""

    def __init__(
        self,
        adversary: Adversary,
        context: StageContext,
        stage_files: StageFiles,
        outcomes: OrderedLog[CanaryOutcome],
        *,
        seed: int,
    ) -> None:
        self._adversary = adversary
        self._context = context
        self._stage_files = stage_files
        self._outcomes = outcomes
        self._seed = seed
        self._grounds = EvidenceRules(context.snapshot)

    async def release(self, wanted: int, *, limit: int) -> tuple[CaseFailure, ...]:
        """Send out canaries of all kinds in turn, as many as are wanted and the answers give ground
        for.

        Returns:
            Those that could not be finished.
        """
        canaries = tuple(self._canaries(wanted))
        return await work_through(
            canaries,
            self._try,
            name=lambda canary: canary.candidate.query_id,
            release=lambda place: self._outcomes.settle(place, None),
            limit=limit,
        )

    def _canaries(self, wanted: int) -> Iterator[Canary]:
        """Choose by the seed; an answer may serve several kinds, each once, before any is short of
        ground.
        """
        chance = Random(self._seed)  # noqa: S311  # draws a sample, no secret
        answers = self._answers()
        chance.shuffle(answers)
        made = 0
        for turn in range(len(answers) * len(KINDS)):
            if made == wanted:
                return
            candidate, answer = answers[turn % len(answers)]
            kind = KINDS[(turn + turn // len(answers)) % len(KINDS)]
            falsified = falsify(answer, self._context.snapshot, kind, chance)
            if falsified is not None:
                made += 1
                own = candidate.model_copy(
                    update={"query_id": f"{candidate.query_id}-canary{made}"}
                )
                yield Canary(own, candidate.query_id, kind, falsified)

    def _answers(self) -> list[tuple[QueryCandidate, OracleAnswer]]:
        stage_files = self._stage_files
        # What people decide later must not change the draw: first attempts only, dropped ones too.
        first = (
            one
            for one in sorted(stage_files.reports.done)
            if stage_files.candidates.done[one].parent is None
        )
        return [(stage_files.candidates.done[one], stage_files.answers.done[one]) for one in first]

    async def _try(self, place: int, canary: Canary) -> None:
        candidate, answer = canary.candidate, canary.falsified.answer
        if candidate.query_id in self._outcomes.done:
            return
        since = self._context.clock.seconds()
        toolset = self._context.toolset(tools_for(candidate))
        try:
            report = await self._adversary.play(
                AdversaryWork(candidate, without_authorship(answer)), toolset
            )
        except RoleRefusedError:
            # A model that declines says nothing about the falsehood.
            return
        identity = self._adversary.identity
        self._context.transcript.record("adversary", candidate.query_id, identity, toolset)
        objections = [
            *compare_structure(answer, report).objections,
            *unread_citations(report, toolset.shown),
            *self._grounds.prose_only(answer, report),
        ]
        stamp = self._context.stamp(
            f"adversary:{candidate.query_id}", identity, since=since, toolset=toolset
        )
        fields = {
            "query_id": candidate.query_id,
            "parent": canary.parent,
            "kind": canary.kind,
            "claim_id": canary.falsified.claim_id,
            "what": canary.falsified.what,
            "answer": without_authorship(answer),
            "report": report,
            "caught": is_caught(canary.falsified.claim_id, report),
            "stopped": bool(objections),
            **stamp,
        }
        self._outcomes.settle(place, CanaryOutcome.model_validate(fields))


def is_caught(claim_id: str, report: ReportDraft) -> bool:
    """Tell whether a report refuses the falsified claim; what it says of other claims does not
    count.
    """
    verdicts = [
        verdict.verdict for verdict in report.claim_verdicts if verdict.claim_id == claim_id
    ]
    return bool(verdicts) and all(verdict != "supported" for verdict in verdicts)


def catches_by_kind(outcomes: Sequence[CanaryOutcome]) -> dict[CanaryKind, tuple[int, int]]:
    """Count the caught and all canaries of each kind."""
    counts = {kind: [one.caught for one in outcomes if one.kind == kind] for kind in KINDS}
    return {kind: (sum(caught), len(caught)) for kind, caught in counts.items() if caught}
