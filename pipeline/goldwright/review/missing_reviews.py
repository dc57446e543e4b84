"""What people have yet to do before a batch can be blessed."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.plan import Plan
from goldwright.records import ReviewPass
from goldwright.review.review_state import ReviewState, Settlements
from goldwright.stages.fates import RecordFate

_REVIEWERS: Final[tuple[tuple[ReviewPass, str], ...]] = (
    ("first", "a first reviewer"),
    ("second", "a second, independent reviewer"),
)
_NAMED_IDS: Final = 3


def needing_a_look(review_state: ReviewState, fates: Sequence[RecordFate]) -> dict[str, str]:
    """The selected records outside the sample that one reviewer has to look at, with the reason.

    These are the records an Oracle was unsure of and those that came in after the sample was
    drawn. Whether somebody has looked at them makes no difference here.
    """
    sample = review_state.events.sample
    population = {record.query_id for record in sample.population} if sample else None
    # The person who kept a record has looked at it.
    exempt = {*review_state.events.sampled, *review_state.rulings.kept}
    reasons: dict[str, str] = {}
    for record in fates:
        query_id = record.query_id
        if record.fate not in {"pending", "blessed"} or query_id in exempt:
            continue
        if review_state.stage_files.answers.done[query_id].confidence == "low":
            reasons[query_id] = "the Oracle was not sure of its answer"
        elif population is not None and query_id not in population:
            reasons[query_id] = "it came in after the sample was drawn"
    return reasons


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
    yield from _without_answer(settlements)
    yield from _missing_verdicts(review_state, settlements)
    yield from _emptied_sample(plan, review_state, settlements)
    disputed = disputed_ids(settlements)
    if disputed:
        yield f"{_records(disputed)} on which the reviewers differ ({_first_ids(disputed)})"
    unlooked = [
        query_id
        for query_id in needing_a_look(review_state, fates)
        if review_state.verdict(query_id, "first") is None
    ]
    if unlooked:
        yield f"{_records(unlooked)} outside the sample to be looked at ({_first_ids(unlooked)})"


def disputed_ids(settlements: Settlements) -> list[str]:
    """The ids of the records on which two reviewers differ and no adjudicator has decided."""
    return [
        query_id
        for query_id, settlement in settlements.items()
        if settlement and settlement.stage == "disputed"
    ]


def _without_answer(settlements: Settlements) -> Iterator[str]:
    query_ids = [query_id for query_id, settlement in settlements.items() if settlement is None]
    if query_ids:
        yield f"{len(query_ids)} of the sample have no answer any more ({_first_ids(query_ids)})"


def _missing_verdicts(review_state: ReviewState, settlements: Settlements) -> Iterator[str]:
    rejected = review_state.stage_files.rejected.done
    # A record that a person took out meanwhile is not shown any more.
    standing = [query_id for query_id in settlements if query_id not in rejected]
    shown = [*standing, *review_state.events.canaries]
    for review_pass, who in _REVIEWERS:
        unjudged = [
            query_id for query_id in shown if review_state.verdict(query_id, review_pass) is None
        ]
        if unjudged:
            yield f"{len(unjudged)} of {len(shown)} verdicts of {who} on the sample"


def _emptied_sample(
    plan: Plan, review_state: ReviewState, settlements: Settlements
) -> Iterator[str]:
    """A sample that people took out entirely shows nothing about the batch."""
    rejected = review_state.stage_files.rejected.done
    if plan.is_return or any(query_id not in rejected for query_id in settlements):
        return
    how_much = "all of" if settlements else "nothing in"
    yield f"{how_much} the sample was taken out, so two people have confirmed nothing"


def _records(query_ids: Sequence[str]) -> str:
    return "1 record" if len(query_ids) == 1 else f"{len(query_ids)} records"


def _first_ids(query_ids: Sequence[str]) -> str:
    return ", ".join(query_ids[:_NAMED_IDS])
