"""Which cell to deploy: the rule, whether it is more than chance, what could have been shown."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from goldwright.cells.labels import JudgeQuality
from goldwright.cells.measures import MEASURES, NDCG, RECALL, CellMeasures
from goldwright.evaluation.strata import mean_of
from goldwright.records import Record
from goldwright.stats.max_t import max_t
from goldwright.stats.paired_comparison import LEVEL, PairedDifference, compare_pairs

SMALLEST_GAIN: Final = 0.02
"""What a cell has to gain in nDCG@10 to replace the baseline."""

LARGEST_LOSS: Final = 0.02
"""What it may lose in recall@10."""

# Differences are sums of floats: .02 that was rounded down is .02.
_ROUNDING: Final = 1e-9


class CellDifference(Record):
    """A cell less the baseline, on the same queries.

    Attributes:
        mean: The mean difference.
        interval: Its 95 % interval, for this cell alone.
        p_value: Two-sided, by sign flips, for this cell alone.
        smallest_detectable: The true difference that these queries show in four of five times,
            over all cells; None where none could be shown.
        wins: Queries on which the cell is better.
        ties: Queries on which both are equal.
        losses: Queries on which the baseline is better.
    """

    mean: float
    interval: tuple[float, float] | None
    p_value: float
    smallest_detectable: float | None
    wins: int
    ties: int
    losses: int


class CellResult(Record):
    """What one cell came to.

    Attributes:
        cell: Its name.
        means: Each measure.
        intervals: Their 95 % intervals.
        judged: The share of its first ten documents that have a label.
        without_own: nDCG@10 without the labels that it alone brought.
        by_origin: nDCG@10 on the queries of each origin.
        ndcg: Against the baseline by nDCG@10; None for the baseline.
        recall: The same by recall@10.
        adjusted_p: The p-value by nDCG@10 over all cells, by max-T.
        is_flagged: Whether it meets the rule: .02 more nDCG@10, and .02 less recall@10 at most.
        is_shown: Whether its nDCG@10 is above the baseline by more than chance, over all cells.
    """

    cell: str
    means: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float] | None]
    judged: float
    without_own: float
    by_origin: Mapping[str, float]
    ndcg: CellDifference | None = None
    recall: CellDifference | None = None
    adjusted_p: float | None = None
    is_flagged: bool = False
    is_shown: bool = False

    @property
    def replaces(self) -> bool:
        """Whether it replaces the baseline: it meets the rule, and that is no chance."""
        return self.is_flagged and self.is_shown

    @property
    def chance(self) -> str:
        """Say whether chance explains the difference, and where not, to which side it lies."""
        if self.is_shown:
            return "ruled out"
        if self.adjusted_p is not None and self.adjusted_p < 1 - LEVEL:
            return "ruled out: worse"
        return "not ruled out"


class CellDecision(Record):
    """``decision.json``.

    Attributes:
        deployed: The cell to deploy.
        model: Its model.
        chunker: Its chunker.
        baseline: The baseline.
        is_replaced: Whether another cell replaces the baseline.
        is_resolved: Whether chance is ruled out: a cell replaces the baseline, or a gain of .02
            would have been shown.
        rationale: Why, in sentences.
        smallest_gain: The rule's gain in nDCG@10.
        largest_loss: The rule's loss in recall@10.
        queries: How many queries were measured.
        queries_by_origin: The same by who wrote them.
        excluded: Queries without any relevant document.
        queries_needed: How many a gain of .02 would need, by the cell with the widest spread.
        judge: What was measured of the judge.
        cells: Every cell, the baseline first, the others by nDCG@10.
        weaknesses: What is known to be weak.
    """

    deployed: str
    model: str
    chunker: str
    baseline: str
    is_replaced: bool
    is_resolved: bool
    rationale: tuple[str, ...]
    smallest_gain: float
    largest_loss: float
    queries: int
    queries_by_origin: Mapping[str, int]
    excluded: tuple[str, ...]
    queries_needed: int | None
    judge: JudgeQuality
    cells: tuple[CellResult, ...]
    weaknesses: tuple[str, ...]


def compare_cells(
    measured: Sequence[CellMeasures], origin_of: Mapping[str, str], *, seed: int
) -> Sequence[CellResult]:
    """Compare every cell with the baseline as one question.

    Args:
        measured: The cells, the baseline first.
        origin_of: Who wrote each query.
        seed: Settles the draws.

    Returns:
        The baseline, then the others by falling nDCG@10.
    """
    baseline, *other_cells = measured
    columns = {cell.cell: _differences(cell, baseline, NDCG) for cell in other_cells}
    adjusted = max_t(columns, seed=seed) if columns else {}
    alpha = (1 - LEVEL) / max(1, len(other_cells))
    results = []
    for cell in other_cells:
        gain = compare_pairs(columns[cell.cell], seed=seed, alpha=alpha)
        loss = compare_pairs(_differences(cell, baseline, RECALL), seed=seed, alpha=alpha)
        adjusted_p = max(adjusted[cell.cell], gain.p_value)
        gains_enough = gain.mean >= SMALLEST_GAIN - _ROUNDING
        loses_little = loss.mean >= -LARGEST_LOSS - _ROUNDING
        is_shown = gain.mean > 0 and adjusted_p < 1 - LEVEL
        comparison = {
            "ndcg": _record(gain),
            "recall": _record(loss),
            "adjusted_p": adjusted_p,
            "is_flagged": gains_enough and loses_little,
            "is_shown": is_shown,
        }
        result = _result(cell, origin_of).model_copy(update=comparison)
        results.append(result)
    results.sort(key=lambda result: (-result.means[NDCG], result.cell))
    return [_result(baseline, origin_of), *results]


def choose(results: Sequence[CellResult]) -> CellResult:
    """Choose the cell to deploy: the best that replaces the baseline, else the baseline."""
    baseline, *other_results = results
    return next((result for result in other_results if result.replaces), baseline)


def explain(results: Sequence[CellResult]) -> tuple[str, ...]:
    """Say why the chosen cell is chosen, and what the data could have shown."""
    baseline, *other_results = results
    chosen = choose(results)
    query_count = baseline_count(results)
    sentences = []
    if chosen is baseline:
        rule = f"{SMALLEST_GAIN} nDCG@10 at a loss of at most {LARGEST_LOSS} recall@10"
        sentences.append(f"{baseline.cell} stays: no cell gains {rule} beyond chance.")
    elif chosen.ndcg and chosen.recall:
        gain = f"nDCG@10 {chosen.ndcg.mean:+.3f}, recall@10 {chosen.recall.mean:+.3f}"
        p_value = f"p = {chosen.adjusted_p:.4f}"
        sentences.append(
            f"{chosen.cell} replaces {baseline.cell}: {gain}, {p_value} over all cells."
        )
    for result in other_results:
        if result.is_flagged and not result.is_shown and result.ndcg:
            gain = f"{result.ndcg.mean:+.3f}"
            p_value = f"p = {result.adjusted_p:.3f}"
            sentences.append(
                f"{result.cell} meets the rule ({gain}), but chance explains as much ({p_value}): "
                "not shown."
            )
    needed = queries_needed(results, query_count)
    if needed is not None and needed > query_count:
        sentences.append(
            f"These {query_count} queries could not have shown a gain of {SMALLEST_GAIN}; "
            f"that needs about {needed}."
        )
    return tuple(sentences)


def baseline_count(results: Sequence[CellResult]) -> int:
    """Give the number of queries."""
    for result in results:
        if result.ndcg is not None:
            return result.ndcg.wins + result.ndcg.ties + result.ndcg.losses
    return 0


def queries_needed(results: Sequence[CellResult], count: int) -> int | None:
    """Say how many queries a gain of .02 needs, by the largest detectable difference.

    A detectable difference shrinks with the square root of the number of queries.
    """
    detectable = [result.ndcg.smallest_detectable for result in results if result.ndcg]
    sizes = [size for size in detectable if size is not None]
    if not sizes:
        return None
    return ceil(count * (max(sizes) / SMALLEST_GAIN) ** 2)


def _differences(cell: CellMeasures, baseline: CellMeasures, measure: str) -> list[float]:
    baseline_values = baseline.values[measure]
    cell_values = cell.values[measure]
    return [value - baseline_values[query_id] for query_id, value in cell_values.items()]


def _record(difference: PairedDifference) -> CellDifference:
    return CellDifference(
        mean=difference.mean,
        interval=difference.interval,
        p_value=difference.p_value,
        smallest_detectable=difference.smallest_detectable,
        wins=difference.wins,
        ties=difference.ties,
        losses=difference.losses,
    )


def _result(cell: CellMeasures, origin_of: Mapping[str, str]) -> CellResult:
    query_ids = list(cell.values[NDCG])
    by_origin = {}
    for origin in sorted({origin_of[query_id] for query_id in query_ids}):
        chosen = [query_id for query_id in query_ids if origin_of[query_id] == origin]
        by_origin[origin] = cell.mean(NDCG, chosen)
    summaries = {}
    for measure in MEASURES:
        values = list(cell.values[measure].values())
        summaries[measure] = mean_of(values)
    means = {measure: summary.value for measure, summary in summaries.items()}
    intervals = {measure: summary.interval for measure, summary in summaries.items()}
    return CellResult(
        cell=cell.cell,
        means=means,
        intervals=intervals,
        judged=cell.judged,
        without_own=cell.without_own,
        by_origin=by_origin,
    )
