"""A comparison of two evaluations of one dataset, as text and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from goldwright.cli.number_text import number_or_dash
from goldwright.evaluation.reply_notes import doubt_of_difference
from goldwright.evaluation.report_comparison import (
    ComparableReport,
    MeasureComparison,
    ReportComparison,
)
from goldwright.text import counted, make_visible

# With what is shown marked, 99 columns.
HEADING: Final = (
    "                before  after differs  95 % interval          p over all could show"
    "  won/tied/lost"
)
# The level of a 95 % interval.
_ALONE: Final = 0.05
ROW: Final = "{:<15}{:>7.3f}{:>7.3f}{:>+8.3f}  {:<16}{:>7.4f}{:>9.4f}{:>11}  {}"


def report_comparison_json(comparison: ReportComparison) -> dict[str, object]:
    """Give every measure as a JSON object."""
    rows = []
    for measure in comparison.measures:
        row = asdict(measure)
        row["is_shown"] = measure.is_shown
        rows.append(row)
    return {
        "before": comparison.before.retriever,
        "after": comparison.after.retriever,
        "measures": rows,
    }


def report_comparison_lines(comparison: ReportComparison) -> Iterator[str]:
    """Write a row for each measure, and say where nothing is shown."""
    measures = comparison.measures
    yield from _heading(comparison.before, comparison.after)
    if comparison.before.blank_docstrings:
        yield "both searched code without docstrings"
    if comparison.before.product_code:
        yield "of both, results outside of product code were left out"
    query_count = len(comparison.before.queries)
    measure_count = counted(len(measures), "measure")
    tests = f"p by sign flips, alone and over all {measure_count} (max-T)"
    yield f"{counted(query_count, 'query')}; {tests}"
    yield ""
    yield HEADING
    for measure in measures:
        yield _row_text(measure)
    yield ""
    yield from _conclusion(comparison)
    yield from _notes_on_one(comparison.before, comparison.after)


def _notes_on_one(before: ComparableReport, after: ComparableReport) -> Iterator[str]:
    """Repeat what one evaluation says of its numbers and the other does not: they are unequal."""
    for report, other_report in ((before, after), (after, before)):
        retriever = make_visible(report.retriever)
        for note in report.notes:
            if note not in other_report.notes:
                yield f"note on {retriever}: {note}"


def _conclusion(comparison: ReportComparison) -> Iterator[str]:
    """Say what is shown, and where p-values and intervals seem to contradict each other."""
    measures = comparison.measures
    could_show = [measure.difference.smallest_detectable for measure in measures]
    if any(measure.is_shown for measure in measures):
        yield comparison.finding
        doubt = doubt_of_difference(comparison.before.notes)
        if doubt:
            yield doubt
    elif not any(measure.difference.wins or measure.difference.losses for measure in measures):
        yield "Nothing differs: each query has the same values before and after."
    elif set(could_show) == {None}:
        query_count = len(comparison.before.queries)
        measure_count = counted(len(measures), "measure")
        yield (
            f"No difference is shown. That is no proof that there is none: of {query_count} "
            f"queries by {measure_count}, even a large one is easily missed (-)."
        )
    else:
        yield (
            "No difference is shown. That is no proof that there is none: see what each could "
            "have shown (-: even a large one is easily missed)."
        )
    alone = [measure.measure for measure in measures if _is_shown_alone(measure)]
    if alone:
        names = ", ".join(alone)
        total = len(measures)
        yield (
            f"note: {names}: p alone is below {_ALONE}, p over all {total} measures is not. bench "
            "tests its first measure alone, and would call that one shown; which of them decides "
            "is to be settled before looking."
        )
    at_odds = [measure.measure for measure in measures if measure.difference.is_at_odds]
    if at_odds:
        yield (
            f"note: {', '.join(at_odds)}: p and interval come from different methods, and disagree "
            "where queries are few or unlike; what is shown goes by p over all."
        )


def _is_shown_alone(row: MeasureComparison) -> bool:
    return row.difference.p_value < _ALONE and not row.is_shown


def _heading(before: ComparableReport, after: ComparableReport) -> Iterator[str]:
    yield f"before  {_system(before)}"
    yield f"after   {_system(after)}"
    if before.commit != after.commit:
        commit_before = before.commit[:12] or "none"
        commit_after = after.commit[:12] or "none"
        yield f"the codebase is another: {commit_before} before, {commit_after} after"


def _system(report: ComparableReport) -> str:
    name = make_visible(report.retriever)
    if not report.searched:
        return name
    searched = make_visible(report.searched)
    return f"{name}, among {searched}"


def _row_text(row: MeasureComparison) -> str:
    difference = row.difference
    interval = _interval_text(difference.interval)
    could_show = number_or_dash(difference.smallest_detectable, ".3f")
    counts = f"{difference.wins}/{difference.ties}/{difference.losses}"
    text = ROW.format(
        row.measure,
        row.before,
        row.after,
        difference.mean,
        interval,
        difference.p_value,
        row.adjusted_p,
        could_show,
        counts,
    )
    if row.is_shown:
        return f"{text}  SHOWN"
    return text


def _interval_text(interval: tuple[float, float] | None) -> str:
    # One query alone has no spread to make an interval of.
    if interval is None:
        return "-"
    low, high = interval
    return f"[{low:+.3f}, {high:+.3f}]"
