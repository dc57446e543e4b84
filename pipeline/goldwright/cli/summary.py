"""What a run came to, in a few lines that are pleasant to read."""

from collections.abc import Iterator
from typing import Final

import click

from goldwright.app.environment import current_environment
from goldwright.app.export_suggestion import suggest_export_command
from goldwright.app.run_report import RunReport
from goldwright.canaries.stage import catches_by_kind
from goldwright.engine.scheduler import is_given_up
from goldwright.llm.budget import dollars
from goldwright.plan import Cell
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.stages.fates import Fate
from goldwright.stats.binomial import clopper_pearson
from goldwright.text import make_visible

FATE_WORDS: Final[tuple[tuple[Fate, str], ...]] = (
    ("blessed", "blessed by people"),
    ("pending", "selected, waiting for people"),
    ("reserve", "in reserve"),
    ("queued", "queued for a person's decision"),
    ("failed_gate", "failed the gate"),
    ("rejected", "rejected"),
    ("open", "unfinished"),
)


WHY_SHORT: Final = {
    False: "This codebase does not hold enough material for them",
    True: "Too few of their records were written, or came through the gate and agreement",
}


def print_summary(report: RunReport) -> int:
    """Print the summary on stderr and give the exit code that goes with it."""
    for line in summary_lines(report):
        click.echo(line, err=True)
    if report.failed:
        return tell_failures(report)
    return 0 if report.is_complete_enough else 1


def tell_failures(report: RunReport) -> int:
    """Say on stderr which cases could not be finished, and give the exit code that goes with it."""
    first = report.failed[0]
    kind = type(first.error).__name__
    text = f"{len(report.failed)} cases could not be finished; {first.case}: {kind}: {first.error}"
    click.echo(make_visible(text), err=True)
    return 6 if all(getattr(one.error, "exit_code", None) == 6 for one in report.failed) else 70


def summary_lines(report: RunReport) -> Iterator[str]:
    """The cells, the fates, where the files are and what to do next."""
    yield ""
    yield f"{report.selected} of {report.plan.total} records selected  ({report.name}, plan {report.plan.name})"
    yield ""
    yield from _matrix(report)
    yield ""
    yield from _fates(report)
    yield from _costs(report)
    yield from _canaries(report)
    for note in report.notes:
        yield f"note: {note}"
    yield ""
    yield f"files   {report.path}"
    yield from _next_steps(report)


def _matrix(report: RunReport) -> Iterator[str]:
    yield "          " + "".join(f"{difficulty:>9}" for difficulty in DIFFICULTIES)
    for task_type in TASK_TYPES:
        row = [_filled(report, Cell(task_type, difficulty)) for difficulty in DIFFICULTIES]
        yield f"{task_type:<10}" + "".join(f"{text:>9}" for text in row)


def _filled(report: RunReport, cell: Cell) -> str:
    target = report.plan.target(cell)
    if not target:
        return "-"
    mark = " !" if cell in report.short_cells else ""
    return f"{report.filled(cell)}/{target}{mark}"


def _fates(report: RunReport) -> Iterator[str]:
    for fate, words in FATE_WORDS:
        count = report.fates[fate]
        if count:
            yield f"{count:>4} {words}{_reasons(report) if fate == 'rejected' else ''}"
    yield f"{len(report.standings):>4} emitted in all"
    if report.low_confidence:
        yield f"{report.low_confidence:>4} answers of low confidence, to be read by a person in any case"


def _reasons(report: RunReport) -> str:
    ordered = sorted(report.rejections.items(), key=lambda item: (-item[1], item[0]))
    return f" ({', '.join(f'{count} {reason}' for reason, count in ordered)})"


def _costs(report: RunReport) -> Iterator[str]:
    if not report.spend.calls and not report.spend.micro_usd:
        return
    yield ""
    for role, spend in (*report.costs.items(), ("in all", report.spend)):
        share = (
            f" ({spend.cached_tokens / spend.input_tokens:.0%} cached)"
            if spend.input_tokens
            else ""
        )
        tokens = f"{spend.input_tokens:,} tokens in{share}, {spend.output_tokens:,} out"
        yield f"{role:<10}{dollars(spend.micro_usd):>9}  {spend.calls} calls, {tokens}"
    if report.spend.presumed_micro_usd:
        yield f"          {dollars(report.spend.presumed_micro_usd)} of it presumed: sent, and no bill seen"
    if report.survivors:
        each = report.spend.micro_usd // report.survivors
        yield f"          {dollars(each)} and {report.total_tokens // report.survivors:,} tokens a surviving record"


def _canaries(report: RunReport) -> Iterator[str]:
    counts = catches_by_kind(report.canaries)
    if not counts:
        return
    yield ""
    yield "canaries caught by the Adversary (exact 95 % interval)"
    rows = [
        *counts.items(),
        ("all", (sum(one for one, _ in counts.values()), len(report.canaries))),
    ]
    for kind, (caught, released) in rows:
        low, high = clopper_pearson(caught, released)
        yield f"  {kind.replace('_', ' '):<24}{caught:>3} of {released:<4}[{low:.2f}, {high:.2f}]"


def _next_steps(report: RunReport) -> Iterator[str]:
    if report.state != "complete":
        yield f"next    goldwright resume {report.name}"
        if any(is_given_up(one) for one in report.failed):
            yield f"        or  goldwright drop {report.name} QUERY_ID  for what cannot be finished"
        return
    if report.short_cells:
        cells = ", ".join(
            f"{cell} ({report.filled(cell)} of {report.plan.target(cell)})"
            for cell in report.short_cells
        )
        yield f"short   {cells}"
        yield f"        {WHY_SHORT[bool(report.spend.calls)]}; nothing was padded."
    if report.retries:
        what = "the record" if report.retries == 1 else f"the {report.retries} records"
        yield f"next    goldwright resume {report.name}   ({what} to be tried again)"
    waiting = report.fates["queued"] + report.fates["failed_gate"] - report.retries
    if waiting > 0:
        what = "1 record" if waiting == 1 else f"{waiting} records"
        yield f"next    decide on {what} in review, or: goldwright retry or drop {report.name} QUERY_ID"
    if report.check.outcome == "holds":
        yield f"next    {suggest_export_command(report, current_environment())}"
    elif any(report.check.judged.values()):
        yield f"next    goldwright spot-check {report.name}"
    else:
        yield f"next    goldwright review {report.name} --reviewer NAME"
        yield f"        or  goldwright export {report.name} --version 1.0 --draft"
