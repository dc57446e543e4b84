"""What people have yet to do before a batch can be blessed."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.plan import Plan
from goldwright.records import ReviewPass
from goldwright.review.outside_the_sample import needing_a_look
from goldwright.review.passes import FIRST, SECOND
from goldwright.review.review_state import ReviewState
from goldwright.review.settlement import Settlements
from goldwright.stages.fates import RecordFate
from goldwright.text import counted

_REVIEWERS: Final[dict[ReviewPass, str]] = {
    FIRST: "a first reviewer",
    SECOND: "a second, independent reviewer",
}
# So many ids of records are named in a phrase; the others are only counted.
_NAMED_IDS: Final = 3


def missing_reviews(
    plan: Plan,
    review_state: ReviewState,
    settlements: Settlements,
    fates: Sequence[RecordFate],
) -> Iterator[str]:
    """List what is missing, one phrase each.

    Args:
        plan: The plan of the run.
        review_state: The records and the review events about them.
        settlements: How far people are with each record of the sample.
        fates: The fates of all records by the events so far.
    """
    if review_state.events.sample is None:
        yield (
            "no sample was drawn yet, so there are no verdicts of a first reviewer or a second, "
            "independent one"
        )
        return
    yield from _records_without_answer(settlements)
    yield from _missing_verdicts(review_state, settlements)
    yield from _emptied_sample(plan, review_state, settlements)
    disputed = disputed_ids(settlements)
    if disputed:
        count = _count_of(disputed)
        names = _first_of(disputed)
        yield f"{count} on which the reviewers differ ({names})"
    unseen = list(_unseen_ids(review_state, fates))
    if unseen:
        count = _count_of(unseen)
        names = _first_of(unseen)
        yield f"{count} outside the sample to be looked at ({names})"


def disputed_ids(settlements: Settlements) -> list[str]:
    """The ids of the records on which two reviewers differ and no adjudicator has decided."""
    disputed = []
    for query_id, settlement in settlements.items():
        if settlement is not None and settlement.stage == "disputed":
            disputed.append(query_id)
    return disputed


def _records_without_answer(settlements: Settlements) -> Iterator[str]:
    query_ids = [query_id for query_id in settlements if settlements[query_id] is None]
    if query_ids:
        count = counted(len(query_ids), "record")
        names = _first_of(query_ids)
        yield f"{count} of the sample without an answer ({names})"


def _missing_verdicts(review_state: ReviewState, settlements: Settlements) -> Iterator[str]:
    rejected = review_state.stage_files.rejected.done
    # A record that a person took out meanwhile is not shown any more.
    standing = [query_id for query_id in settlements if query_id not in rejected]
    to_judge = [*standing, *review_state.events.canaries]
    total = len(to_judge)
    for review_pass, reviewer in _REVIEWERS.items():
        verdicts = [review_state.verdict(query_id, review_pass) for query_id in to_judge]
        missing = verdicts.count(None)
        if missing:
            yield f"{missing} of {total} verdicts of {reviewer} on the sample"


def _emptied_sample(
    plan: Plan, review_state: ReviewState, settlements: Settlements
) -> Iterator[str]:
    """A sample that people took out entirely shows nothing about the batch."""
    rejected = review_state.stage_files.rejected.done
    # A run of returned records may have no sample: people decide on each of them by itself.
    if plan.is_return or not rejected.keys() >= settlements.keys():
        return
    amount = "all of" if settlements else "nothing in"
    yield f"{amount} the sample was taken out, so two people have confirmed nothing"


def _unseen_ids(review_state: ReviewState, fates: Sequence[RecordFate]) -> Iterator[str]:
    """The records outside the sample that still wait for a look at their present content."""
    for query_id in needing_a_look(review_state, fates):
        if review_state.verdict(query_id, FIRST) is None:
            yield query_id


def _count_of(query_ids: Sequence[str]) -> str:
    return counted(len(query_ids), "record")


def _first_of(query_ids: Sequence[str]) -> str:
    return ", ".join(query_ids[:_NAMED_IDS])
