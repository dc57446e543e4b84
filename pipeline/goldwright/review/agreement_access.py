"""Who may see how far two reviewers agree: nobody who could still be swayed by it."""

from goldwright.records import ReviewPass
from goldwright.review.passes import ADJUDICATION, INDEPENDENT_PASSES
from goldwright.review.person_names import same_person
from goldwright.review.remaining_work import open_passes
from goldwright.review.review_state import ReviewState


def may_see_agreement(review_state: ReviewState, review_pass: ReviewPass, reviewer: str) -> bool:
    """Whether this person may see the verdicts of both reviewers side by side.

    Everybody may once both blind passes are done; it closes again when a verdict is taken back.
    Until then an adjudicator may, who sees the differences anyhow, unless they have spoken in one
    of the two passes themselves.
    """
    if review_state.events.sample is None:
        return False
    if not open_passes(review_state):
        return True
    if review_pass != ADJUDICATION:
        return False
    events = review_state.events.undoable
    independent = [event for event in events if event.sitting in INDEPENDENT_PASSES]
    return not any(same_person(event.reviewer, reviewer) for event in independent)
