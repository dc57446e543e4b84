"""What the sample can and cannot claim, in plain words."""

from collections.abc import Iterator

from goldwright.review.spot_check import SpotCheck


def sample_statements(check: SpotCheck) -> Iterator[str]:
    """Say one sentence after the other about a sample, those that hold a number first."""
    if not check.sampled:
        return
    bad = check.counts["major_issue"] + check.counts["wrong"]
    judged = sum(check.counts.values())
    yield (
        f"Of {check.population} records {check.sampled} were drawn; of {judged} judged ones "
        f"{bad} {_are(bad)} major or wrong and {check.counts['minor_issue']} minor."
    )
    yield from _bounds(check)
    yield from _agreement(check)
    yield from _canaries(check)


def _bounds(check: SpotCheck) -> Iterator[str]:
    bounds = check.bounds
    if bounds is None:
        return
    sure = f"{bounds.confidence:.4g}"
    drawn = f"With confidence {sure}, at most {_share(bounds.simple, check)} are major or wrong"
    if bounds.stratified is None:
        yield f"{drawn}."
    else:
        yield f"{drawn} if the sample were drawn from the batch as a whole (hypergeometric)."
        yield f"Drawn cell by cell, as it was, it shows at most {_share(bounds.stratified, check)}."
    if bounds.corrected is not None:
        yield f"With what reviewers missed among the canaries, at most {_share(bounds.corrected, check)}."
    takes = bounds.five_percent_takes
    if takes is not None and takes > check.sampled:
        yield f"It cannot show that fewer than 5 % are bad: that takes {takes} reviewed records without a finding."
    if check.round > 1:
        yield f"This is look number {check.round} at the batch, so its risk of error is {1 - bounds.confidence:.3g}."


def _agreement(check: SpotCheck) -> Iterator[str]:
    agreement = check.agreement
    if agreement is None:
        return
    yield f"Two reviewers gave the same verdict on {agreement.agreeing} of {agreement.pairs} records."
    if agreement.kappa is not None and agreement.kappa_interval is not None:
        low, high = agreement.kappa_interval
        yield f"Cohen's kappa is {agreement.kappa:.2f}, 95 % interval {low:.2f} to {high:.2f}."
    if agreement.remark:
        yield agreement.remark


def _canaries(check: SpotCheck) -> Iterator[str]:
    caught = check.canaries
    if caught is None:
        return
    low, high = caught.interval
    yield (
        f"Of {caught.planted} falsified answers hidden in the sample reviewers would have kept out {caught.kept_out} "
        f"(95 % interval {low:.0%} to {high:.0%}) and noticed {caught.noticed}."
    )


def _share(count: int, check: SpotCheck) -> str:
    return f"{count} of the {check.population} records ({count / check.population:.0%})"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
