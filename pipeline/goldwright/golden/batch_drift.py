"""Whether a batch is like the golden dataset: measures declared beforehand, tested together, with
their power.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

from goldwright.records import GoldenLabel
from goldwright.stats.multiple_testing import holm
from goldwright.stats.stratified_permutation import compare_means

ALPHA: Final = 0.05
POWER: Final = 0.8
LEAST_SHIFT: Final = 0.25

Measure = Callable[[GoldenLabel], float]


@dataclass(frozen=True, slots=True)
class MeasureShift:
    """One measure of a batch against the golden dataset.

    All but the p-value, which lies in 0..1, are in the unit of the measure. ``difference`` is of
    means within cells, weighted by the batch; ``p_value`` of a permutation test within cells,
    adjusted for the number of measures (Holm). ``is_shifted`` wants both: p below 0.05, and a
    quarter of the golden dataset's standard deviation or more. ``smallest_detectable`` is the true
    difference, either way, for which that would be told of this measure in 80 % of such batches, if
    no other measure differed: significant at the first step of Holm, 0.05 over the number of
    measures, and a quarter of a standard deviation observed. Where others differ too it is told
    more often. It is None where the measure is the same for all records of each cell, or where the
    records are too few to say.
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
    """All measures of a batch; ``left_out`` are cells that only one side has records in."""

    batch: int
    golden: int
    shifts: tuple[MeasureShift, ...]
    left_out: tuple[str, ...]

    @property
    def shifted(self) -> tuple[MeasureShift, ...]:
        """The measures in which the batch differs."""
        return tuple(one for one in self.shifts if one.is_shifted)


def compare_batch(
    batch: Sequence[GoldenLabel], golden: Sequence[GoldenLabel], *, seed: int, draws: int = 9999
) -> BatchDrift:
    """Compare a batch with the golden dataset on every measure.

    Args:
        batch: The records of the batch.
        golden: Those of the golden dataset.
        seed: Settles the draws of the permutation tests.
        draws: How many of them; enough for a p-value well below 0.05 over the number of measures.

    Raises:
        ValueError: No cell holds records of both.
    """
    shared = {_cell(one) for one in batch} & {_cell(one) for one in golden}
    least = {
        name: LEAST_SHIFT * pstdev(values) if (values := _shared(golden, measure, shared)) else 0.0
        for name, measure in MEASURES
    }
    compared = {
        name: compare_means(
            _values(batch, measure),
            _values(golden, measure),
            seed=seed,
            draws=draws,
            power=POWER,
            alpha=ALPHA / len(MEASURES),
            least=least[name],
        )
        for name, measure in MEASURES
    }
    adjusted = holm({name: one.p_value for name, one in compared.items()})
    shifts = tuple(
        MeasureShift(
            measure=name,
            batch_mean=fmean(_shared(batch, measure, shared)),
            golden_mean=fmean(_shared(golden, measure, shared)),
            difference=compared[name].difference,
            p_value=adjusted[name],
            smallest_detectable=compared[name].smallest_detectable,
            is_shifted=_is_far(compared[name].difference, least[name]) and adjusted[name] < ALPHA,
        )
        for name, measure in MEASURES
    )
    left_out = tuple(sorted({cell for one in compared.values() for cell in one.left_out}))
    return BatchDrift(len(batch), len(golden), shifts, left_out)


def is_of_batch(golden: Sequence[GoldenLabel], batch: Sequence[GoldenLabel]) -> bool:
    """Tell whether a golden dataset holds a batch: the text of every query of the batch, of which
    there are some.

    Such a comparison is of records with themselves, so that they are alike shows nothing.
    """
    return bool(batch) and {one.query_text for one in batch} <= {one.query_text for one in golden}


def drift_sentences(drift: BatchDrift) -> Iterator[str]:
    """Say in plain words in what a batch differs, or that nothing was shown."""
    yield from shift_sentences(drift)
    if not drift.shifted:
        yield f"no measure of {len(drift.shifts)} differs significantly; see what each could have shown"


def shift_sentences(drift: BatchDrift) -> Iterator[str]:
    """Say in plain words in what a batch differs."""
    for one in drift.shifted:
        more = "more" if one.difference > 0 else "less"
        yield (
            f"{one.measure}: {one.batch_mean:.2f} in the batch, {one.golden_mean:.2f} in the golden dataset, "
            f"{abs(one.difference):.2f} {more} within cells (p = {one.p_value:.4f} after Holm)"
        )


def _is_far(difference: float, least: float) -> bool:
    return difference != 0 and abs(difference) >= least


def _shared(labels: Sequence[GoldenLabel], measure: Measure, cells: AbstractSet[str]) -> list[float]:
    return [measure(one) for one in labels if _cell(one) in cells]


def _values(labels: Sequence[GoldenLabel], measure: Measure) -> list[tuple[str, float]]:
    return [(_cell(one), measure(one)) for one in labels]


def _cell(one: GoldenLabel) -> str:
    return f"{one.task_type}/{one.difficulty}"


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def _mean_words(texts: Sequence[str]) -> float:
    return fmean(_words(text) for text in texts) if texts else 0.0


def _cited_lines(one: GoldenLabel) -> float:
    return float(sum(max(cited.end - cited.start + 1, 0) for cited in one.expected_line_ranges))


MEASURES: Final[tuple[tuple[str, Measure], ...]] = (
    ("expected entities", lambda one: float(len(one.expected_entities))),
    ("expected files", lambda one: float(len(one.expected_files))),
    ("expected lines", _cited_lines),
    ("facts to mention", lambda one: float(len(one.must_mention_facts))),
    ("facts not to mention", lambda one: float(len(one.must_not_mention_facts))),
    ("found by plain search", lambda one: float(one.baseline_answerable)),
    ("words of the query", lambda one: float(_words(one.query_text))),
    ("words of the narrative", lambda one: float(_words(one.canonical_narrative))),
    ("words of a fact", lambda one: _mean_words(one.must_mention_facts)),
    ("code words of the narrative", lambda one: float(one.canonical_narrative.count("`") // 2)),
)
