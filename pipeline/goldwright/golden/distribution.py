"""Whether a batch is like the golden dataset: measures declared beforehand, tested together, with their power."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

from goldwright.records import GoldenLabel
from goldwright.stats.multiple import holm
from goldwright.stats.permutation import compare_means

ALPHA: Final = 0.05
POWER: Final = 0.8
LEAST_SHIFT: Final = 0.25

Measure = Callable[[GoldenLabel], float]


@dataclass(frozen=True, slots=True)
class Shift:
    """One measure of a batch against the golden dataset.

    ``difference`` is of means within cells, weighted by the batch; ``p_value`` of a permutation test within
    cells, adjusted for the number of measures (Holm); ``smallest_detectable`` what one measure alone would show
    with a power of 80 %. ``is_shifted`` wants both: significance, and a quarter of a standard deviation.
    """

    measure: str
    batch_mean: float
    golden_mean: float
    difference: float
    p_value: float
    smallest_detectable: float
    is_shifted: bool


@dataclass(frozen=True, slots=True)
class BatchDrift:
    """All measures of a batch; ``left_out`` are cells that only one side has records in."""

    batch: int
    golden: int
    shifts: tuple[Shift, ...]
    left_out: tuple[str, ...]

    @property
    def shifted(self) -> tuple[Shift, ...]:
        """The measures in which the batch differs."""
        return tuple(one for one in self.shifts if one.is_shifted)


def compare_batch(batch: Sequence[GoldenLabel], golden: Sequence[GoldenLabel], *, seed: int) -> BatchDrift:
    """Compare a batch with the golden dataset on every measure.

    Raises:
        ValueError: No cell holds records of both.
    """
    compared = {
        name: compare_means(_values(batch, measure), _values(golden, measure), seed=seed, power=POWER, alpha=ALPHA)
        for name, measure in MEASURES
    }
    adjusted = holm({name: one.p_value for name, one in compared.items()})
    shared = {_cell(one) for one in batch} & {_cell(one) for one in golden}
    shifts = []
    for name, measure in MEASURES:
        found = compared[name]
        values = [measure(one) for one in golden if _cell(one) in shared]
        far = abs(found.difference) >= LEAST_SHIFT * pstdev(values) and found.difference != 0
        shifts.append(
            Shift(
                measure=name,
                batch_mean=fmean(measure(one) for one in batch if _cell(one) in shared),
                golden_mean=fmean(values),
                difference=found.difference,
                p_value=adjusted[name],
                smallest_detectable=found.smallest_detectable,
                is_shifted=far and adjusted[name] < ALPHA,
            )
        )
    left_out = tuple(sorted({cell for one in compared.values() for cell in one.left_out}))
    return BatchDrift(len(batch), len(golden), tuple(shifts), left_out)


def sentences(drift: BatchDrift) -> Iterator[str]:
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
