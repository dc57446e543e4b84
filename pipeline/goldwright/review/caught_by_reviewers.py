"""How many of the falsified answers in a sample its reviewers caught."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from goldwright.records import CanaryKind, HumanVerdict
from goldwright.review.passes import INDEPENDENT_PASSES
from goldwright.review.review_state import REJECTING_VERDICTS, ReviewState
from goldwright.stats.binomial import clopper_pearson


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many canaries of one kind were kept out, of those that somebody has judged."""

    kept_out: int
    judged: int

    def with_canary(self, *, is_kept_out: bool) -> "KindCount":
        """Count one more."""
        return KindCount(self.kept_out + is_kept_out, self.judged + 1)


@dataclass(frozen=True, slots=True)
class CaughtCanaries:
    """What reviewers made of the canaries; one of two reviewers is enough to catch one.

    Attributes:
        planted: The canaries that somebody has judged.
        noticed: Those of them that a reviewer did not call correct.
        kept_out: Those of them that a reviewer would have kept out of the dataset.
        interval: The exact 95 % interval of the share kept out.
        by_kind: How many were kept out and how many judged, by how they were falsified.
    """

    planted: int
    noticed: int
    kept_out: int
    interval: tuple[float, float]
    by_kind: Mapping[CanaryKind, KindCount] = field(default_factory=dict)

    @property
    def leave_doubt(self) -> bool:
        """Whether so many were let pass that verdicts on other records prove little."""
        # Half: reviewers who let most falsified answers pass would let most bad records pass.
        return 2 * self.kept_out < self.planted

    def with_more(self, planted: int, kept_out: int) -> "CaughtCanaries":
        """Count further canaries of no kind, as to find out what they would show."""
        return caught(self.planted + planted, self.kept_out + kept_out)


def caught(planted: int, kept_out: int) -> CaughtCanaries:
    """Make the count of canaries of no kind."""
    interval = clopper_pearson(kept_out, planted) if planted else (0.0, 1.0)
    return CaughtCanaries(planted, kept_out, kept_out, interval)


def count_caught_canaries(review_state: ReviewState) -> CaughtCanaries | None:
    """Count the canaries that were caught; None as long as nobody has judged one."""
    judged = []
    by_kind: dict[CanaryKind, KindCount] = {}
    for query_id, canary in sorted(review_state.events.canaries.items()):
        verdicts = _verdicts(review_state, query_id)
        if verdicts:
            judged.append(verdicts)
            is_kept_out = not verdicts.isdisjoint(REJECTING_VERDICTS)
            count = by_kind.get(canary.kind, KindCount(0, 0))
            by_kind[canary.kind] = count.with_canary(is_kept_out=is_kept_out)
    if not judged:
        return None
    # A comparison adds 1 where it is true.
    noticed = sum(verdicts != {"correct"} for verdicts in judged)
    kept_out = sum(count.kept_out for count in by_kind.values())
    interval = clopper_pearson(kept_out, len(judged))
    return CaughtCanaries(len(judged), noticed, kept_out, interval, by_kind)


def _verdicts(review_state: ReviewState, query_id: str) -> set[HumanVerdict]:
    verdicts: set[HumanVerdict] = set()
    # Adjudicators see disputed records alone, and canaries are never settled.
    for review_pass in INDEPENDENT_PASSES:
        event = review_state.verdict(query_id, review_pass)
        if event is not None:
            verdicts.add(event.verdict)
    return verdicts
