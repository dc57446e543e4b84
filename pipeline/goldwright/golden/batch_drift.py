"""Whether a batch is like the golden dataset, by measures that are tested together."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

from goldwright.golden.batch_measures import MEASURES, PLAIN_SEARCH, Measure
from goldwright.records import GoldenLabel
from goldwright.stats.multiple_testing import holm
from goldwright.stats.stratified_permutation import PermutationComparison, compare_means

ALPHA: Final = 0.05
POWER: Final = 0.8
# In standard deviations of the golden dataset. Less is no shift, however significant it is.
SMALLEST_SHIFT: Final = 0.25


@dataclass(frozen=True, slots=True)
class MeasureShift:
    """One measure of a batch against the golden dataset, in the unit of the measure.

    Attributes:
        measure: The name of the measure.
        batch_mean: The mean of the batch.
        golden_mean: The mean of the golden dataset.
        difference: The difference of means within cells, weighted by the batch.
        p_value: The p-value of a permutation test within cells, in 0..1, adjusted for the number of
            measures (Holm).
        smallest_detectable: The true difference, either way, that would be reported as a shift of
            this measure in 80 % of such batches, if no other measure differed: significant at the
            first step of Holm, 0.05 over the number of measures, and observed as a quarter of a
            standard deviation or more. Where others differ too it is reported more often. None
            where the measure is the same for all records of each cell, or where the records are
            too few to tell.
        is_shifted: Whether the p-value is below 0.05 and the difference is a quarter of the golden
            dataset's standard deviation or more.
    """

    measure: str
    batch_mean: float
    golden_mean: float
    difference: float
    p_value: float
    smallest_detectable: float | None
    is_shifted: bool


@dataclass(frozen=True, slots=True)
class BatchDrift:
    """All measures of a batch against the golden dataset.

    Attributes:
        batch: How many records the batch holds.
        golden: How many records the golden dataset holds.
        shifts: The measures, in their declared order.
        left_out: The cells that only one side has records in.
        not_compared: The measures that different programs took on the two sides.
    """

    batch: int
    golden: int
    shifts: tuple[MeasureShift, ...]
    left_out: tuple[str, ...]
    not_compared: tuple[str, ...] = ()

    @property
    def shifted(self) -> tuple[MeasureShift, ...]:
        """The measures in which the batch differs."""
        return tuple(shift for shift in self.shifts if shift.is_shifted)


def compare_batch(
    batch: Sequence[GoldenLabel], golden: Sequence[GoldenLabel], *, seed: int, draws: int = 9999
) -> BatchDrift:
    """Compare a batch with the golden dataset on every measure that both were taken by alike.

    Args:
        batch: The records of the batch.
        golden: The records of the golden dataset.
        seed: Settles the draws of the permutation tests.
        draws: How many draws a test makes; enough for a p-value well below 0.05 over the number of
            measures.

    Raises:
        ValueError: No cell holds records of both.
    """
    not_compared = _unlike_measures((*batch, *golden))
    comparisons: dict[str, _MeasureMeans] = {}
    p_values: dict[str, float] = {}
    for name, measure in MEASURES:
        if name in not_compared:
            continue
        compared = _compare_measure(measure, batch, golden, seed=seed, draws=draws)
        comparisons[name] = compared
        p_values[name] = compared.test.p_value
    adjusted = holm(p_values)
    shifts: list[MeasureShift] = []
    left_out: set[str] = set()
    for name, compared in comparisons.items():
        shift = _shift(name, compared, p_value=adjusted[name])
        shifts.append(shift)
        left_out.update(compared.test.left_out)
    return BatchDrift(
        batch=len(batch),
        golden=len(golden),
        shifts=tuple(shifts),
        left_out=tuple(sorted(left_out)),
        not_compared=not_compared,
    )


def is_of_batch(golden: Sequence[GoldenLabel], batch: Sequence[GoldenLabel]) -> bool:
    """Return whether a golden dataset holds the text of every query of a batch that is not empty.

    Comparing these would compare records with themselves: that they are alike shows nothing.
    """
    batch_texts = {label.query_text for label in batch}
    golden_texts = {label.query_text for label in golden}
    return bool(batch) and batch_texts <= golden_texts


def drift_sentences(drift: BatchDrift) -> Iterator[str]:
    """Say in plain words in what a batch differs, or that nothing was shown."""
    yield from shift_sentences(drift)
    for measure in drift.not_compared:
        yield f"{measure}: not compared, for two versions of it judged these records"
    if not drift.shifted:
        count = len(drift.shifts)
        yield f"no measure of {count} differs significantly; see what each could have shown"


def shift_sentences(drift: BatchDrift) -> Iterator[str]:
    """Say in plain words in what a batch differs."""
    for shift in drift.shifted:
        direction = "more" if shift.difference > 0 else "less"
        amount = abs(shift.difference)
        size = f"{amount:.2f} {direction}"
        batch_mean = f"{shift.batch_mean:.2f} in the batch"
        golden_mean = f"{shift.golden_mean:.2f} in the golden dataset"
        p_value = f"p = {shift.p_value:.4f} after Holm"
        yield f"{shift.measure}: {batch_mean}, {golden_mean}, {size} within cells ({p_value})"


@dataclass(frozen=True, slots=True)
class _MeasureMeans:
    """One measure of both sides.

    Attributes:
        batch_mean: The mean of the batch over the cells that both sides have records in.
        golden_mean: The same of the golden dataset.
        smallest_shift: The smallest difference that counts as a shift.
        test: The permutation test within cells; its p-value is not adjusted yet.
    """

    batch_mean: float
    golden_mean: float
    smallest_shift: float
    test: PermutationComparison


def _unlike_measures(labels: Iterable[GoldenLabel]) -> tuple[str, ...]:
    """Name the measures that do not mean the same in all records."""
    retrievers = {label.baseline_retriever for label in labels}
    if len(retrievers) > 1:
        return (PLAIN_SEARCH,)
    return ()


def _compare_measure(
    measure: Measure,
    batch: Sequence[GoldenLabel],
    golden: Sequence[GoldenLabel],
    *,
    seed: int,
    draws: int,
) -> _MeasureMeans:
    batch_cells = set(map(_cell, batch))
    shared_cells = batch_cells.intersection(map(_cell, golden))
    golden_values = _values_in(shared_cells, golden, measure)
    smallest_shift = 0.0
    if golden_values:
        smallest_shift = SMALLEST_SHIFT * pstdev(golden_values)
    # Raises where no cell is shared, so the means below are of one value at least.
    batch_values_by_cell = _values_by_cell(batch, measure)
    golden_values_by_cell = _values_by_cell(golden, measure)
    test = compare_means(
        batch_values_by_cell,
        golden_values_by_cell,
        seed=seed,
        draws=draws,
        power=POWER,
        # The level of the first step of Holm, at which a single shift would have to show.
        alpha=ALPHA / len(MEASURES),
        least=smallest_shift,
    )
    batch_values = _values_in(shared_cells, batch, measure)
    return _MeasureMeans(
        batch_mean=fmean(batch_values),
        golden_mean=fmean(golden_values),
        smallest_shift=smallest_shift,
        test=test,
    )


def _shift(name: str, compared: _MeasureMeans, *, p_value: float) -> MeasureShift:
    difference = compared.test.difference
    # Where all golden values are equal the smallest shift is 0, and no difference is still none.
    is_large = difference != 0 and abs(difference) >= compared.smallest_shift
    return MeasureShift(
        measure=name,
        batch_mean=compared.batch_mean,
        golden_mean=compared.golden_mean,
        difference=difference,
        p_value=p_value,
        smallest_detectable=compared.test.smallest_detectable,
        is_shifted=is_large and p_value < ALPHA,
    )


def _values_in(
    cells: AbstractSet[str], labels: Iterable[GoldenLabel], measure: Measure
) -> list[float]:
    return [measure(label) for label in labels if _cell(label) in cells]


def _values_by_cell(labels: Iterable[GoldenLabel], measure: Measure) -> list[tuple[str, float]]:
    return [(_cell(label), measure(label)) for label in labels]


def _cell(label: GoldenLabel) -> str:
    return f"{label.task_type}/{label.difficulty}"
