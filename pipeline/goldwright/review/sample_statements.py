"""What a sample can and cannot show, in plain sentences."""

from collections.abc import Iterator

from goldwright.review.disagreement_counts import difference_sentences, parting_sentence
from goldwright.review.pace import pace_sentences
from goldwright.review.spot_check import SpotCheck
from goldwright.review.training import training_sentences
from goldwright.text import counted


def sample_statements(check: SpotCheck) -> Iterator[str]:
    """Say what a sample shows, a sentence each; nothing where no sample is drawn.

    The metadata of a published dataset hold these sentences.
    """
    sampled = check.sampled
    if not sampled:
        return
    counts = check.counts
    judged = sum(counts.values())
    bad = counts["major_issue"] + counts["wrong"]
    verb = "is" if bad == 1 else "are"
    drawn = "was" if sampled == 1 else "were"
    minor = counts["minor_issue"]
    findings = f"{bad} {verb} major or wrong and {minor} minor"
    records = counted(check.population, "record")
    yield f"Of {records} {sampled} {drawn} drawn; of {judged} judged ones {findings}."
    yield from _bound_statements(check)
    yield from _agreement_statements(check)
    yield from _canary_statements(check)
    yield from training_sentences(check.trainings)
    yield from pace_sentences(check.paces)
    if check.late_changes:
        verb = "was" if check.late_changes == 1 else "were"
        verdicts = counted(check.late_changes, "verdict")
        yield (
            f"{verdicts} {verb} changed after both blind passes had been done and their results "
            "could be seen."
        )
    if check.own_adjudications:
        names = ", ".join(check.own_adjudications)
        yield f"Somebody settled a difference that they were one side of: {names}."


def _bound_statements(check: SpotCheck) -> Iterator[str]:
    bounds = check.bounds
    if bounds is None:
        return
    simple = _share(bounds.simple, check)
    claim = f"With confidence {bounds.confidence:.4g}, at most {simple} are major or wrong"
    # Only a draw from the whole batch leaves cells out, so in that case the claim needs no "if".
    if bounds.stratified is None:
        yield f"{claim}."
    else:
        yield f"{claim} if the sample were drawn from the batch as a whole (hypergeometric)."
        stratified = _share(bounds.stratified, check)
        yield f"Drawn cell by cell, as it was, it shows at most {stratified}."
    if bounds.corrected is not None:
        corrected = _share(bounds.corrected, check)
        yield f"With what reviewers may have missed, judging by the canaries, at most {corrected}."
    # Without a finding, a sample of this size would show that fewer than 5 % are bad.
    records = bounds.five_percent_takes
    if records is not None and records > check.sampled:
        wanted = counted(records, "reviewed record")
        yield (
            f"It cannot show that fewer than 5 % are bad: that takes {wanted} without a finding."
        )
    if check.round > 1:
        risk = f"{1 - bounds.confidence:.3g}"
        yield f"This is look number {check.round} at the batch, so its risk of error is {risk}."


def _agreement_statements(check: SpotCheck) -> Iterator[str]:
    agreement = check.agreement
    if agreement is None:
        return
    agreeing = f"{agreement.agreeing} of {agreement.pairs}"
    yield f"Two reviewers gave the same verdict on {agreeing} records."
    if agreement.kappa is not None and agreement.kappa_interval is not None:
        kappa = f"{agreement.kappa:.2f}"
        interval = _interval_text(agreement.kappa_interval)
        yield f"Cohen's kappa is {kappa}, {interval}."
    if agreement.ac1 is not None and agreement.ac1_interval is not None:
        ac1 = f"{agreement.ac1:.2f}"
        interval = _interval_text(agreement.ac1_interval)
        yield f"Gwet's AC1 is {ac1}, {interval}."
    explanation = parting_sentence(agreement.kappa, agreement.ac1)
    if explanation:
        yield explanation
    yield from difference_sentences(check.differences)
    if agreement.remark:
        yield agreement.remark


def _interval_text(interval: tuple[float, float]) -> str:
    """Word an interval of a measure of agreement."""
    low, high = interval
    return f"95 % interval {low:.2f} to {high:.2f}"


def _canary_statements(check: SpotCheck) -> Iterator[str]:
    canaries = check.canaries
    if canaries is None:
        return
    low, high = canaries.interval
    kept_out = f"{canaries.kept_out} (95 % interval {low:.0%} to {high:.0%})"
    planted = counted(canaries.planted, "falsified answer")
    yield (
        f"Of {planted} hidden in the sample "
        f"reviewers would have kept out {kept_out} and noticed {canaries.noticed}."
    )
    # With one kind there is nothing to tell apart.
    if len(canaries.by_kind) > 1:
        counts = []
        for kind, count in sorted(canaries.by_kind.items()):
            words = kind.replace("_", " ")
            tally = f"{count.kept_out} of {count.judged}"
            counts.append(f"{tally} {words}")
        yield f"Kept out by kind: {', '.join(counts)}."


def _share(count: int, check: SpotCheck) -> str:
    share = count / check.population
    return f"{count} of the {check.population} records ({share:.0%})"
