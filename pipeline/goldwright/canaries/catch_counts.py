"""How many canaries were caught, by kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from goldwright.canaries.kinds import KINDS, MEANING_KINDS
from goldwright.records import CanaryKind, CanaryOutcome


@dataclass(frozen=True, slots=True)
class CatchCounts:
    """How many canaries somebody caught, of how many that came before it."""

    caught: int
    total: int


@dataclass(frozen=True, slots=True)
class KindCatches:
    """Who caught the canaries of one kind, or of all kinds.

    Attributes:
        gate: Of those that were made; kinds whose canaries all pass the gate by their making are
            not counted.
        adversary: Of those that passed the gate.
        judge: Of those that the judge was asked about.
        stopped: Those of all that were made which nobody let through, on whatever ground.
    """

    gate: CatchCounts
    adversary: CatchCounts
    judge: CatchCounts
    stopped: CatchCounts


def catches_by_kind(outcomes: Sequence[CanaryOutcome]) -> dict[CanaryKind, KindCatches]:
    """Count who caught the canaries of each kind that was made."""
    catches: dict[CanaryKind, KindCatches] = {}
    for kind in KINDS:
        of_kind = [outcome for outcome in outcomes if outcome.kind == kind]
        if of_kind:
            catches[kind] = count_catches(of_kind)
    return catches


def count_catches(outcomes: Sequence[CanaryOutcome]) -> KindCatches:
    """Count who caught some canaries."""
    before_gate = [outcome for outcome in outcomes if outcome.kind in MEANING_KINDS]
    attacked = [outcome for outcome in outcomes if outcome.report is not None]
    judged = [outcome for outcome in outcomes if outcome.narrative_verdict is not None]
    stopped_by_gate = sum(bool(outcome.gate_failures) for outcome in before_gate)
    caught = sum(outcome.caught for outcome in attacked)
    refused = sum(map(_is_refused_by_judge, judged))
    stopped = sum(outcome.stopped for outcome in outcomes)
    gate = CatchCounts(stopped_by_gate, len(before_gate))
    adversary = CatchCounts(caught, len(attacked))
    judge = CatchCounts(refused, len(judged))
    return KindCatches(gate, adversary, judge, stopped=CatchCounts(stopped, len(outcomes)))


def _is_refused_by_judge(outcome: CanaryOutcome) -> bool:
    verdict = outcome.narrative_verdict
    return verdict is not None and verdict.verdict != "equivalent"
