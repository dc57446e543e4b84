"""Which records outside the sample people have to look at all the same."""

from collections.abc import Sequence

from goldwright.review.review_state import ReviewState
from goldwright.stages.fates import RecordFate


def needing_a_look(review_state: ReviewState, fates: Sequence[RecordFate]) -> dict[str, str]:
    """The selected records outside the sample that one reviewer has to look at, with the reason.

    These are the records an Oracle was unsure of and those that came in after the sample was
    drawn. Whether somebody has looked at them makes no difference here.
    """
    events = review_state.events
    answers = review_state.stage_files.answers.done
    population = _population(review_state)
    # The person who kept a record has looked at it.
    exempt = review_state.rulings.reinstated.union(events.sampled)
    reasons: dict[str, str] = {}
    for record in fates:
        query_id = record.query_id
        if record.fate not in {"pending", "blessed"} or query_id in exempt:
            continue
        if answers[query_id].confidence == "low":
            reasons[query_id] = "the Oracle was not sure of its answer"
        elif events.sample is not None and query_id not in population:
            # The sample says nothing about it, for it had no chance of being drawn.
            reasons[query_id] = "it came in after the sample was drawn"
    return reasons


def _population(review_state: ReviewState) -> set[str]:
    sample = review_state.events.sample
    if sample is None:
        return set()
    return {record.query_id for record in sample.population}
