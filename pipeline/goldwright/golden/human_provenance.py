"""People's part in a dataset: what its metadata and its records say of it."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from goldwright.golden.catch_rates import CatchRate
from goldwright.golden.reviewer_summaries import PaceSummary, TrainingSummary
from goldwright.golden.spot_check_summaries import Limit, SpotCheckSummary
from goldwright.records import Edit, EditEvent, VerdictEvent
from goldwright.review.caught_by_reviewers import CaughtCanaries
from goldwright.review.record_content import RecordContent
from goldwright.review.review_state import ReviewState
from goldwright.review.sample_statements import sample_statements
from goldwright.review.settlement import Settlement
from goldwright.review.spot_check import SpotCheck

_NO_CANARIES: Final = CaughtCanaries(planted=0, noticed=0, kept_out=0, interval=(0.0, 1.0))


def spot_check_summary(check: SpotCheck, *, reviews_sha256: str) -> SpotCheckSummary | None:
    """Write a finished spot check as metadata.

    Returns:
        The summary; None where people decided every record one by one, without a sample.
    """
    bounds = check.bounds
    agreement = check.agreement
    canaries = check.canaries or _NO_CANARIES
    # Both are missing where no sample was drawn, as in the run of a rebase.
    if bounds is None or agreement is None:
        return None
    verdicts = {str(verdict): count for verdict, count in check.counts.items()}
    paces = [PaceSummary(**asdict(pace)) for pace in check.paces]
    trainings = [TrainingSummary(**asdict(training)) for training in check.trainings]
    return SpotCheckSummary(
        round=check.round,
        population=check.population,
        sampled=check.sampled,
        verdicts=verdicts,
        limits=tuple(_limits(check)),
        confidence=bounds.confidence,
        upper_bound=bounds.simple,
        upper_bound_stratified=bounds.stratified,
        upper_bound_corrected=bounds.corrected,
        agreeing=agreement.agreeing,
        pairs=agreement.pairs,
        kappa=agreement.kappa,
        kappa_interval=agreement.kappa_interval,
        ac1=agreement.ac1,
        ac1_interval=agreement.ac1_interval,
        canaries_planted=canaries.planted,
        canaries_noticed=canaries.noticed,
        canaries_kept_out=_catch_rate(check.canaries),
        paces=tuple(paces),
        trainings=tuple(trainings),
        own_adjudications=check.own_adjudications,
        reviews_sha256=reviews_sha256,
        claims=tuple(sample_statements(check)),
    )


def reviewed_content(
    query_id: str, review_state: ReviewState
) -> tuple[RecordContent, Settlement | None]:
    """Give the content of a record that people settled on, else what the agents wrote.

    Returns:
        The content, and the settlement of the reviewers; None where they have not settled.

    Raises:
        ValueError: The record has no answer.
    """
    # Verdicts on a canary are about the falsified answer and not about the record behind it.
    if query_id in review_state.events.canaries:
        return _agents_content(query_id, review_state.without_canary(query_id)), None
    original = _agents_content(query_id, review_state.original(query_id))
    is_sampled = query_id in review_state.events.sampled
    settlement = review_state.settlement(query_id, twice=is_sampled)
    if settlement is not None and settlement.stage == "settled":
        return settlement.content, settlement
    # A single reviewer decides what waits in the queue, in the first review pass.
    if query_id in review_state.rulings.reinstated:
        edited = review_state.seen_by(query_id, "first")
        return edited or original, None
    return original, None


def people_behind(
    query_id: str,
    content: RecordContent,
    settlement: Settlement | None,
    review_state: ReviewState,
) -> dict[str, object]:
    """Give the fields of a provenance that say which people stand behind a record."""
    edits = tuple(map(_edit, content.edits))
    if settlement is not None and settlement.first is not None:
        first = settlement.first
        final = settlement.adjudication or settlement.second or first
        second_reviewer = _reviewer(settlement.second)
        adjudicator = _reviewer(settlement.adjudication)
        return {
            "human_reviewed": True,
            "human_reviewer": first.reviewer,
            "second_reviewer": second_reviewer,
            "adjudicator": adjudicator,
            "verdict": settlement.verdict,
            "reviewed_at": final.reviewed_at,
            "edits": edits,
        }
    if query_id in review_state.rulings.reinstated:
        decision = review_state.events.decisions[query_id]
        return {
            "human_reviewed": True,
            "human_reviewer": decision.reviewer,
            "reviewed_at": decision.reviewed_at,
            "edits": edits,
        }
    return {}


def _limits(check: SpotCheck) -> Iterator[Limit]:
    for ceiling in check.ceilings:
        yield Limit(name=ceiling.name, found=ceiling.found, most=ceiling.most)


def _catch_rate(canaries: CaughtCanaries | None) -> CatchRate | None:
    if canaries is None:
        return None
    return CatchRate(
        caught=canaries.kept_out, released=canaries.planted, interval=canaries.interval
    )


def _agents_content(query_id: str, content: RecordContent | None) -> RecordContent:
    if content is None:
        raise ValueError(f"{query_id} has no answer")
    return content


def _edit(event: EditEvent) -> Edit:
    return Edit(
        field=event.field,
        before=event.before,
        after=event.after,
        reviewer=event.reviewer,
        reviewed_at=event.reviewed_at,
    )


def _reviewer(verdict: VerdictEvent | None) -> str | None:
    if verdict is None:
        return None
    return verdict.reviewer
