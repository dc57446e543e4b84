"""``goldwright compare``: two evaluations of one dataset."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from goldwright.app.compare_reports import ReportComparison, compare_report_files
from goldwright.cli import options
from goldwright.evaluation.report_comparison import MeasureComparison
from goldwright.text import make_visible

INTERVAL: Final = "95 % interval"


@click.command("compare")
@click.argument("before", type=options.a_path, metavar="BEFORE")
@click.argument("after", type=options.a_path, metavar="AFTER")
@options.as_json
def command(before: Path, after: Path, *, as_json: bool) -> None:
    """Tell whether AFTER differs from BEFORE by more than chance; both were written by goldwright
    eval --json.

    For every measure: the difference of means with its 95 % interval, the p-value of a paired
    permutation test after Holm, and the smallest difference that these queries could have shown.
    """
    done = compare_report_files(before, after)
    if as_json:
        rows = [{**asdict(row), "is_shown": row.is_shown} for row in done.measures]
        told = {"before": done.before.retriever, "after": done.after.retriever, "measures": rows}
        click.echo(json.dumps(told, indent=2))
        return
    for line in lines(done):
        click.echo(line)


def lines(done: ReportComparison) -> Iterator[str]:
    """The comparison as a page of text."""
    found = done.measures
    yield f"before  {make_visible(done.before.retriever)}"
    yield f"after   {make_visible(done.after.retriever)}"
    if done.before.commit != done.after.commit:
        yield f"the codebase is another: {done.before.commit[:12]} before, {done.after.commit[:12]} after"
    yield f"{len(done.before.queries)} queries; p by sign flips, after Holm over {len(found)} measures"
    yield ""
    yield f"{'':<16}{'before':>8}{'after':>8}{'differs':>9}   {INTERVAL:<18}{'p':>8}{'could show':>12}  won/tied/lost"
    yield from map(_row, found)
    if not any(one.is_shown for one in found):
        yield ""
        yield "No difference is shown. That is no proof that there is none: see what each could have shown."


def _row(one: MeasureComparison) -> str:
    told = one.difference
    interval = f"[{told.interval[0]:+.3f}, {told.interval[1]:+.3f}]" if told.interval else "-"
    least = f"{told.smallest_detectable:.3f}" if told.smallest_detectable is not None else "-"
    values = (
        f"{one.measure:<16}{one.before:>8.3f}{one.after:>8.3f}{told.mean:>+9.3f}   {interval:<18}"
    )
    shown = "  SHOWN" if one.is_shown else ""
    return (
        f"{values}{one.adjusted_p:>8.4f}{least:>12}  {told.wins}/{told.ties}/{told.losses}{shown}"
    )
