"""What people's part says about a dataset, as its metadata hold it, and what stands in the way of
blessing it.
"""

from collections.abc import Iterator

from goldwright.golden.metadata import CatchRate, Limit, SpotCheckSummary
from goldwright.records import Edit, Provenance, VerdictEvent
from goldwright.review.review_state import ReviewState, Settlement
from goldwright.review.sample_statements import sample_statements
from goldwright.review.record_content import RecordContent
from goldwright.review.spot_check import SpotCheck


def spot_check_summary(check: SpotCheck, *, reviews_sha256: str) -> SpotCheckSummary | None:
    """Write a finished spot check as metadata; None where every record was decided one by one,
    without a sample.
    """
    bounds, agreement, caught = check.bounds, check.agreement, check.canaries
    if bounds is None or agreement is None:
        return None
    kept_out = CatchRate(caught=caught.kept_out, released=caught.planted, interval=caught.interval) if caught else None
    return SpotCheckSummary(
        round=check.round,
        population=check.population,
        sampled=check.sampled,
        verdicts={str(verdict): count for verdict, count in check.counts.items()},
        limits=tuple(Limit(name=one.name, found=one.found, most=one.most) for one in check.ceilings),
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
        canaries_planted=caught.planted if caught else 0,
        canaries_noticed=caught.noticed if caught else 0,
        canaries_kept_out=kept_out,
        reviews_sha256=reviews_sha256,
        claims=tuple(sample_statements(check)),
    )


def blessing_objections(check: SpotCheck) -> Iterator[str]:
    """List everything on people's side that a blessing still lacks."""
    for one in check.breaches:
        yield f"the sample breaches a ceiling: {one.name}: {one.found}, where at most {one.most} pass"
    yield from (f"open: {one}" for one in check.missing)


def reviewed_content(query_id: str, review_state: ReviewState) -> tuple[RecordContent, Settlement | None]:
    """Give the content of a record that people settled on, else what the agents left.

    Raises:
        ValueError: The record has no answer.
    """
    original = review_state.original(query_id) if query_id not in review_state.events.canaries else review_state.without_canary(query_id)
    if original is None:
        raise ValueError(f"{query_id} has no answer")
    if query_id in review_state.events.canaries:
        return original, None
    settled = review_state.settlement(query_id, twice=query_id in review_state.events.sampled)
    if settled is not None and settled.stage == "settled":
        return settled.content, settled
    if query_id in review_state.rulings.kept and (seen := review_state.seen_by(query_id, "first")):
        return seen, None
    return original, None


def people_behind(query_id: str, content: RecordContent, settled: Settlement | None, review_state: ReviewState) -> dict[str, object]:
    """Give the fields of a provenance that say which people stand behind a record."""
    edits = tuple(
        Edit(field=one.field, before=one.before, after=one.after, reviewer=one.reviewer, reviewed_at=one.reviewed_at)
        for one in content.edits
    )
    if settled is not None and settled.first is not None:
        last = settled.adjudication or settled.second or settled.first
        return {
            "human_reviewed": True,
            "human_reviewer": settled.first.reviewer,
            "second_reviewer": _name(settled.second),
            "adjudicator": _name(settled.adjudication),
            "verdict": settled.verdict,
            "reviewed_at": last.reviewed_at,
            "edits": edits,
        }
    if query_id in review_state.rulings.kept:
        decided = review_state.events.decisions[query_id]
        when = {"reviewed_at": decided.reviewed_at, "edits": edits}
        return {"human_reviewed": True, "human_reviewer": decided.reviewer, **when}
    return {}


def with_people(provenance: Provenance, people: dict[str, object]) -> Provenance:
    """Give a provenance that names the people behind the record too."""
    return provenance.model_copy(update=people)


def _name(given: VerdictEvent | None) -> str | None:
    return given.reviewer if given else None
