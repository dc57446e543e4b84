"""What a run came to, in a few lines that are pleasant to read."""

from collections.abc import Iterator
from typing import Final

import click

from goldwright.app.reporting import RunReport
from goldwright.plan import Cell
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.stages.fates import Fate

FATE_WORDS: Final[tuple[tuple[Fate, str], ...]] = (
    ("blessed", "blessed by people"),
    ("pending", "selected, waiting for people"),
    ("reserve", "in reserve"),
    ("queued", "queued for a person's decision"),
    ("failed_gate", "failed the gate"),
    ("rejected", "rejected"),
    ("open", "unfinished"),
)


def print_summary(report: RunReport) -> int:
    """Print the summary on stderr and give the exit code that goes with it."""
    for line in summary_lines(report):
        click.echo(line, err=True)
    if report.failed:
        first = report.failed[0]
        kind = type(first.error).__name__
        click.echo(f"{len(report.failed)} cases could not be finished; {first.case}: {kind}: {first.error}", err=True)
        return 6 if all(getattr(one.error, "exit_code", None) == 6 for one in report.failed) else 70
    return 0 if report.is_complete_enough else 1


def summary_lines(report: RunReport) -> Iterator[str]:
    """The cells, the fates, where the files are and what to do next."""
    yield ""
    yield f"{report.selected} of {report.plan.total} records selected  ({report.name}, plan {report.plan.name})"
    yield ""
    yield from _matrix(report)
    yield ""
    yield from _fates(report)
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


def _next_steps(report: RunReport) -> Iterator[str]:
    if report.state != "complete":
        yield f"next    goldwright resume {report.name}"
        return
    if report.short_cells:
        cells = ", ".join(
            f"{cell} ({report.filled(cell)} of {report.plan.target(cell)})" for cell in report.short_cells
        )
        yield f"short   {cells}"
        yield "        This codebase does not hold enough material for them; nothing was padded."
    waiting = report.fates["queued"] + report.fates["failed_gate"]
    if waiting:
        yield f"next    decide on {waiting} records: goldwright retry or drop {report.name} QUERY_ID"
    yield f"next    goldwright export {report.name} --version 1.0 --draft"
