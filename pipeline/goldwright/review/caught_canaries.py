"""How many of the falsified answers in a sample its reviewers caught."""

from dataclasses import dataclass

from goldwright.records import HumanVerdict
from goldwright.review.passes import INDEPENDENT_PASSES
from goldwright.review.review_state import REJECTING_VERDICTS, ReviewState
from goldwright.stats.binomial import clopper_pearson


@dataclass(frozen=True, slots=True)
class CaughtCanaries:
    """What reviewers made of the canaries; one of two reviewers is enough to catch one.

    Attributes:
        planted: The canaries that somebody has judged.
        noticed: Those of them that a reviewer did not call correct.
        kept_out: Those of them that a reviewer would have kept out of the dataset.
        interval: The exact 95 % interval of the share kept out.
    """

    planted: int
    noticed: int
    kept_out: int
    interval: tuple[float, float]


def count_caught_canaries(review_state: ReviewState) -> CaughtCanaries | None:
    """Count the canaries that were caught; None as long as nobody has judged one."""
    judged = []
    for query_id in review_state.events.canaries:
        verdicts = _verdicts(review_state, query_id)
        if verdicts:
            judged.append(verdicts)
    if not judged:
        return None
    noticed = kept_out = 0
    for verdicts in judged:
        # A comparison adds 1 where it is true.
        noticed += verdicts != {"correct"}
        kept_out += not verdicts.isdisjoint(REJECTING_VERDICTS)
    interval = clopper_pearson(kept_out, len(judged))
    return CaughtCanaries(len(judged), noticed, kept_out, interval)


def _verdicts(review_state: ReviewState, query_id: str) -> set[HumanVerdict]:
    verdicts: set[HumanVerdict] = set()
    # Adjudicators see disputed records alone, and canaries are never settled.
    for review_pass in INDEPENDENT_PASSES:
        event = review_state.verdict(query_id, review_pass)
        if event is not None:
            verdicts.add(event.verdict)
    return verdicts
