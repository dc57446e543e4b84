"""A comparison of arms as text: a table for each model and treatment of docstrings."""

from collections.abc import Iterator, Sequence

from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable, saturation_notes
from goldwright.evaluation.strata import mean_of
from goldwright.evaluation.system_comparison import SystemComparison
from goldwright.evaluation.system_text import findings, pair_rows, seconds_text
from goldwright.evaluation.text_columns import aligned
from goldwright.text import counted, make_visible


def arm_lines(comparison: ArmComparison) -> Iterator[str]:
    """Write every table, what it shows, and what it could have shown."""
    first = comparison.tables[0].bench.report
    count = len(first.queries)
    size = counted(count, "query")
    commit = first.commit[:12]
    yield f"{size} at {commit}, level {comparison.level}"
    yield make_visible(first.dataset)
    for table in comparison.tables:
        yield ""
        yield from table_lines(table)
    if comparison.unchanged:
        names = ", ".join(comparison.unchanged)
        yield ""
        yield f"checked: {names} came to the same on every query with every model"
    for note in comparison.tables[0].bench.notes:
        yield f"note: {make_visible(note)}"


def table_lines(table: ArmTable) -> Iterator[str]:
    """Write one table, its groups and pairs, and which measures are saturated."""
    title = make_visible(table.title)
    size = counted(table.document_count, "document")
    duration = seconds_text(table.build_seconds)
    yield f"{title}: {size}, index in {duration}"
    yield from aligned(arm_rows(table))
    bench = table.bench
    if bench.comparison is not None:
        yield from findings(bench.comparison)
        yield could_show_text(bench.comparison)
        yield from aligned(pair_rows(bench.comparison))
    yield from saturation_notes(table)
    for name, error in bench.failures.items():
        reason = make_visible(str(error))
        yield f"LACKS  {name}: {reason}"


def could_show_text(comparison: SystemComparison) -> str:
    """Say how large a difference had to be for these queries to show it."""
    detectable = [pair.difference.smallest_detectable for pair in comparison.pairs]
    sizes = [size for size in detectable if size is not None]
    if not sizes:
        return f"No difference of {comparison.measure} could have been shown by these queries."
    smallest, largest = min(sizes), max(sizes)
    return (
        f"What could have been shown (80 % power): differences of {comparison.measure} from "
        f"{smallest:.3f} to {largest:.3f}, by pair."
    )


def arm_rows(table: ArmTable) -> Sequence[Sequence[str]]:
    """Write a row for each arm, in the order of the request, below a header."""
    measures = list(table.bench.report.measures)
    main, *other_measures = measures
    header = ["", "n", main, "95 %", "group", *other_measures, "a query"]
    rows = [header]
    for name, system in table.bench.systems.items():
        values = [query.values[main] for query in system.report.queries]
        mean = mean_of(values)
        interval = "-"
        if mean.interval is not None:
            low, high = mean.interval
            interval = f"{low:.2f}-{high:.2f}"
        comparison = table.bench.comparison
        letters = "-" if comparison is None else comparison.letters(name)
        figures = [f"{system.report.mean(measure):.3f}" for measure in other_measures]
        seconds = seconds_text(system.timing.percentile(0.5))
        query_count = str(mean.n)
        mean_text = f"{mean.value:.3f}"
        lead = [name, query_count, mean_text, interval, letters]
        rows.append([*lead, *figures, seconds])
    return rows
