"""Exact upper bounds on the bad records of a batch, given what a sample of it has shown."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.plan import Cell
from goldwright.records import HumanVerdict, SampleEvent
from goldwright.review.caught_by_reviewers import CaughtCanaries
from goldwright.review.ceilings import largest_allowed
from goldwright.review.review_state import REJECTING_VERDICTS
from goldwright.stages.stage_files import StageFiles
from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.hypergeometric import (
    SampledStratum,
    smallest_sample,
    upper_bound,
)
from goldwright.stats.stratified_bound import stratified_upper_bound

ALPHA: Final = 0.05
"""The risk that a batch holds more bad records than its bound, when it is looked at once."""

PROMISED_SHARE: Final = 0.05
"""The share of bad records that readers ask about: which sample would show that there are fewer?"""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many records of a batch may be major or wrong.

    Attributes:
        confidence: The confidence of each bound, in 0..1.
        simple: The bound for a sample drawn from the whole batch at random (hypergeometric).
        stratified: The bound for a sample drawn cell by cell; None when a cell gave no record.
        corrected: The larger of both when reviewers catch as few bad records as the canaries
            suggest; None without judged canaries.
        five_percent_takes: The number of clean records that would show that fewer than 5 % are
            bad; None where no number would.
    """

    confidence: float
    simple: int
    stratified: int | None
    corrected: int | None
    five_percent_takes: int | None


@dataclass(frozen=True, slots=True)
class SampledBatch:
    """The counts that bounds are computed from.

    Attributes:
        total: The whole batch as one stratum.
        cells: Its cells, each a stratum; None when a cell gave no record, since nothing bounds
            the bad records of such a cell.
    """

    total: SampledStratum
    cells: tuple[SampledStratum, ...] | None


def bound_errors(
    stage_files: StageFiles,
    sample: SampleEvent,
    verdicts: Mapping[str, HumanVerdict],
    canaries: CaughtCanaries | None,
) -> Bounds:
    """Bound the number of bad records in the population of a sample that is judged completely."""
    return bounds_of(count_batch(stage_files, sample, verdicts), canaries, look=sample.round)


def bounds_of(batch: SampledBatch, canaries: CaughtCanaries | None, *, look: int) -> Bounds:
    """Bound the number of bad records of a batch by the counts of its sample.

    Args:
        batch: The counts.
        canaries: What the reviewers made of falsified answers; None where none were planted.
        look: The number of this look at the batch, from 1.
    """
    # Looking again until a sample passes would be no test, so each further round may take only half
    # the risk of the round before.
    alpha = ALPHA / 2 ** (look - 1)
    population = batch.total.size
    few_bad = largest_allowed(PROMISED_SHARE, population)
    five_percent_takes = smallest_sample(population, few_bad, alpha=alpha)
    confidence = 1 - alpha
    return Bounds(
        confidence=confidence,
        simple=_simple_bound(batch, alpha),
        stratified=_stratified_bound(batch, alpha),
        corrected=_corrected_bound(batch, alpha, canaries),
        five_percent_takes=five_percent_takes,
    )


def _simple_bound(batch: SampledBatch, alpha: float, *, catch_rate: float = 1.0) -> int:
    total = batch.total
    return upper_bound(total.bad, total.sampled, total.size, alpha=alpha, sensitivity=catch_rate)


def _stratified_bound(batch: SampledBatch, alpha: float, *, catch_rate: float = 1.0) -> int | None:
    if batch.cells is None:
        return None
    return stratified_upper_bound(batch.cells, alpha=alpha, sensitivity=catch_rate)


def _corrected_bound(
    batch: SampledBatch, alpha: float, canaries: CaughtCanaries | None
) -> int | None:
    """Bound the bad records when reviewers miss as many of them as they missed canaries."""
    if canaries is None:
        return None
    # The lower end of a two-sided interval at 1 - alpha is a bound at risk alpha / 2. So half of
    # the risk goes to the catch rate being lower still, and half to the batch.
    confidence = 1 - alpha
    catch_rate, _ = clopper_pearson(canaries.kept_out, canaries.planted, confidence=confidence)
    if catch_rate <= 0:
        # Reviewers who may miss everything have shown nothing.
        return batch.total.size
    simple = _simple_bound(batch, alpha / 2, catch_rate=catch_rate)
    stratified = _stratified_bound(batch, alpha / 2, catch_rate=catch_rate)
    return max(simple, stratified or 0)


def count_batch(
    stage_files: StageFiles, sample: SampleEvent, verdicts: Mapping[str, HumanVerdict]
) -> SampledBatch:
    """Count a batch, what was drawn of it, and what of that was found bad, cell by cell."""
    sizes: Counter[Cell] = Counter()
    for record in sample.population:
        sizes[stage_files.cell_of(record.query_id)] += 1
    sampled: Counter[Cell] = Counter()
    bad: Counter[Cell] = Counter()
    for query_id, verdict in verdicts.items():
        cell = stage_files.cell_of(query_id)
        sampled[cell] += 1
        bad[cell] += verdict in REJECTING_VERDICTS
    total = SampledStratum(sizes.total(), sampled.total(), bad.total())
    strata = []
    for cell in sorted(sizes):
        if not sampled[cell]:
            return SampledBatch(total, None)
        stratum = SampledStratum(sizes[cell], sampled[cell], bad[cell])
        strata.append(stratum)
    return SampledBatch(total, tuple(strata))
