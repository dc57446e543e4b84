"""Arms over several repositories as text."""

from collections.abc import Collection, Iterator, Sequence

from goldwright.evaluation.arms.arm_text import table_lines
from goldwright.evaluation.arms.promotion import Promotion
from goldwright.evaluation.arms.repository_tables import Aggregate, RepositoryComparison
from goldwright.evaluation.text_columns import aligned
from goldwright.stats.macro_mean import Interval, MacroMean
from goldwright.text import counted, make_visible


def repository_lines(comparison: RepositoryComparison) -> Iterator[str]:
    """Write the tables of each repository, the averages over all, and who may be promoted."""
    for name, of_repository in comparison.repositories.items():
        count = len(of_repository.tables[0].bench.report.queries)
        size = counted(count, "query")
        yield f"== {make_visible(name)}: {size}, level {of_repository.level}"
        for table in of_repository.tables:
            yield ""
            yield from table_lines(table)
        if of_repository.unchanged:
            names = ", ".join(of_repository.unchanged)
            yield f"checked: {names} came to the same on every query with every model"
        yield ""
    for place, aggregate in enumerate(comparison.aggregates):
        total = len(comparison.repositories)
        yield f"== all {total} repositories: {aggregate.title}"
        yield from _aggregate_lines(aggregate)
        if comparison.learned_weights:
            weights = comparison.learned_weights[place]
            texts = [f"{name} {weight:g}" for name, weight in weights.items()]
            chosen = make_visible(", ".join(texts))
            yield f"learned: the dense weight that the others chose: {chosen}"
        yield ""


def average_rows(aggregate: Aggregate) -> Sequence[Sequence[str]]:
    """Write a row for each arm: its mean on each repository, and the averages."""
    names = list(aggregate.by_repository)
    shown_names = list(map(make_visible, names))
    header = [aggregate.measure, *shown_names, "macro", "these", "others", "micro", "leave one out"]
    rows = [header]
    for arm, average in aggregate.averages.items():
        means = [f"{aggregate.by_repository[name][arm]:.3f}" for name in names]
        span = _span_text(average.leave_one_out.values())
        cells = average_cells(average)
        rows.append([arm, *means, *cells, span])
    return rows


def average_cells(average: MacroMean) -> tuple[str, str, str, str]:
    """Write the macro mean, its two intervals, and the micro mean."""
    macro = f"{average.mean:.3f}"
    within = _interval_text(average.within)
    between = _interval_text(average.between)
    micro = f"{average.micro:.3f}"
    return macro, within, between, micro


def promotion_rows(aggregate: Aggregate) -> Sequence[Sequence[str]]:
    """Write a row for each candidate."""
    header = ["candidate", "macro", "these", "others", "p", "over all", "could show", "verdict"]
    return [header, *map(_promotion_row, aggregate.promotions)]


def _aggregate_lines(aggregate: Aggregate) -> Iterator[str]:
    yield from aligned(average_rows(aggregate))
    yield "95 % intervals: of these repositories (their queries are a sample), and of others such"
    yield "as these (the repositories are the sample)."
    if not aggregate.promotions:
        return
    yield ""
    yield f"instead of {aggregate.promotions[0].default}:"
    yield from aligned(promotion_rows(aggregate))
    for promotion in aggregate.promotions:
        reasons = "; ".join(promotion.reasons())
        yield f"{promotion.verdict}: {promotion.candidate}: {reasons}"


def _promotion_row(promotion: Promotion) -> list[str]:
    difference = promotion.difference
    within = _interval_text(difference.within, sign="+")
    between = _interval_text(difference.between, sign="+")
    p_value = f"{promotion.p_value:.4f}"
    adjusted_p = f"{promotion.adjusted_p:.4f}"
    could_show = "-"
    if promotion.smallest_detectable is not None:
        could_show = f"{promotion.smallest_detectable:.3f}"
    mean = f"{difference.mean:+.3f}"
    figures = [mean, within, between, p_value, adjusted_p, could_show]
    return [promotion.candidate, *figures, promotion.verdict]


def _span_text(means: Collection[float]) -> str:
    if not means:
        return "-"
    smallest, largest = min(means), max(means)
    return f"{smallest:.3f}-{largest:.3f}"


def _interval_text(interval: Interval | None, *, sign: str = "") -> str:
    if interval is None:
        return "-"
    low, high = interval
    return f"{low:{sign}.3f}..{high:{sign}.3f}"
