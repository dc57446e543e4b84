"""Exact upper bounds on the bad records of a batch, given what a sample of it has shown."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.records import HumanVerdict, SampleEvent
from goldwright.review.caught_canaries import CaughtCanaries
from goldwright.review.ceilings import largest_allowed
from goldwright.review.review_state import REJECTING_VERDICTS
from goldwright.stages.stage_files import StageFiles
from goldwright.stats.binomial import clopper_pearson
from goldwright.stats.hypergeometric import (
    SampledStratum,
    smallest_sample,
    stratified_upper_bound,
    upper_bound,
)

ALPHA: Final = 0.05
"""The risk that a batch holds more bad records than the bound, when it is looked at once."""

PROMISED_SHARE: Final = 0.05
"""The share of bad records that readers ask about: how large a sample shows there are fewer?"""


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


def bound_errors(
    stage_files: StageFiles,
    sample: SampleEvent,
    verdicts: Mapping[str, HumanVerdict],
    canaries: CaughtCanaries | None,
) -> Bounds:
    """Bound the number of bad records in the population of a sample that is judged completely."""
    population = len(sample.population)
    bad = sum(verdict in REJECTING_VERDICTS for verdict in verdicts.values())
    # Looking again until a sample passes would be no test, so each further round may take only half
    # the risk of the round before.
    alpha = ALPHA / 2 ** (sample.round - 1)
    whole_batch = SampledStratum(size=population, sampled=len(verdicts), bad=bad)
    strata = _strata(stage_files, sample, verdicts)
    is_every_cell_sampled = all(stratum.sampled for stratum in strata)
    cells = strata if is_every_cell_sampled else None
    return Bounds(
        confidence=1 - alpha,
        simple=upper_bound(bad, len(verdicts), population, alpha=alpha),
        stratified=None if cells is None else stratified_upper_bound(cells, alpha=alpha),
        corrected=_corrected(whole_batch, cells, alpha, canaries),
        five_percent_takes=smallest_sample(
            population, largest_allowed(PROMISED_SHARE, population), alpha=alpha
        ),
    )


def _corrected(
    whole_batch: SampledStratum,
    cells: tuple[SampledStratum, ...] | None,
    alpha: float,
    canaries: CaughtCanaries | None,
) -> int | None:
    if canaries is None:
        return None
    # The lower end of a two-sided interval at 1 - alpha is a bound at risk alpha / 2. So half of
    # the risk goes to the catch rate being lower still, and half to the batch.
    catch_rate, _ = clopper_pearson(canaries.kept_out, canaries.planted, confidence=1 - alpha)
    if catch_rate <= 0:
        return whole_batch.size
    simple = upper_bound(
        whole_batch.bad,
        whole_batch.sampled,
        whole_batch.size,
        alpha=alpha / 2,
        sensitivity=catch_rate,
    )
    if cells is None:
        return simple
    stratified = stratified_upper_bound(cells, alpha=alpha / 2, sensitivity=catch_rate)
    return max(simple, stratified)


def _strata(
    stage_files: StageFiles, sample: SampleEvent, verdicts: Mapping[str, HumanVerdict]
) -> tuple[SampledStratum, ...]:
    sizes = Counter(stage_files.cell_of(record.query_id) for record in sample.population)
    sampled = Counter(stage_files.cell_of(query_id) for query_id in verdicts)
    bad_ids = [query_id for query_id, verdict in verdicts.items() if verdict in REJECTING_VERDICTS]
    bad = Counter(stage_files.cell_of(query_id) for query_id in bad_ids)
    return tuple(
        SampledStratum(size=size, sampled=sampled[cell], bad=bad[cell])
        for cell, size in sorted(sizes.items())
    )
