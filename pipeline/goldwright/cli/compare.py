"""``goldwright compare``: two evaluations of one dataset."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from goldwright.app.compare_reports import ReportComparison, compare_report_files
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines
from goldwright.evaluation.report_comparison import MeasureComparison
from goldwright.text import make_visible

INTERVAL: Final = "95 % interval"


@click.command("compare")
@click.argument("before", type=options.path_type, metavar="BEFORE")
@click.argument("after", type=options.path_type, metavar="AFTER")
@options.as_json
def command(before: Path, after: Path, *, as_json: bool) -> None:
    """Show whether AFTER differs from BEFORE by more than chance; both were written by goldwright
    eval --json.

    For every measure: the difference of means with its 95 % interval, the p-value of a paired
    permutation test after Holm, and the smallest difference that these queries could have shown.
    """
    comparison = compare_report_files(before, after)
    if as_json:
        print_json(_as_json(comparison))
    else:
        print_lines(_lines(comparison))


def _as_json(comparison: ReportComparison) -> dict[str, object]:
    rows = [{**asdict(row), "is_shown": row.is_shown} for row in comparison.measures]
    return {
        "before": comparison.before.retriever,
        "after": comparison.after.retriever,
        "measures": rows,
    }


def _lines(comparison: ReportComparison) -> Iterator[str]:
    before = comparison.before
    after = comparison.after
    rows = comparison.measures
    yield f"before  {make_visible(before.retriever)}"
    yield f"after   {make_visible(after.retriever)}"
    if before.commit != after.commit:
        yield f"the codebase is another: {before.commit[:12]} before, {after.commit[:12]} after"
    if before.blank_docstrings:
        yield "both searched code without docstrings"
    yield f"{len(before.queries)} queries; p by sign flips, after Holm over {len(rows)} measures"
    yield ""
    yield (
        f"{'':<16}{'before':>8}{'after':>8}{'differs':>9}   "
        f"{INTERVAL:<18}{'p':>8}{'could show':>12}  won/tied/lost"
    )
    for row in rows:
        yield _row_text(row)
    if not any(row.is_shown for row in rows):
        yield ""
        yield (
            "No difference is shown. "
            "That is no proof that there is none: see what each could have shown."
        )


def _row_text(row: MeasureComparison) -> str:
    difference = row.difference
    interval = "-"
    if difference.interval is not None:
        low, high = difference.interval
        interval = f"[{low:+.3f}, {high:+.3f}]"
    could_show = "-"
    if difference.smallest_detectable is not None:
        could_show = f"{difference.smallest_detectable:.3f}"
    mark = ""
    if row.is_shown:
        mark = "  SHOWN"
    means = f"{row.measure:<16}{row.before:>8.3f}{row.after:>8.3f}{difference.mean:>+9.3f}"
    test = f"{interval:<18}{row.adjusted_p:>8.4f}{could_show:>12}"
    counts = f"{difference.wins}/{difference.ties}/{difference.losses}"
    return f"{means}   {test}  {counts}{mark}"
