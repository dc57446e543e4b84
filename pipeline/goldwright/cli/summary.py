"""What a run came to, in a few lines that are pleasant to read."""

from collections.abc import Iterator
from typing import Final

import click

from goldwright.app.environment import Environment
from goldwright.app.export_suggestion import suggest_export_command
from goldwright.app.run_report import RunReport, canary_rates
from goldwright.cli.exit_codes import gate_exit_code
from goldwright.cli.printing import print_lines
from goldwright.cli.wording import counted
from goldwright.engine.scheduler import is_given_up
from goldwright.errors import EXIT_BUG, ProviderError
from goldwright.llm.budget import dollars
from goldwright.llm.spend import Spend
from goldwright.plan import Cell
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.stages.fates import Fate
from goldwright.text import make_visible
from goldwright.trust_card.presentation import card_summary_lines

FATE_SENTENCES: Final[tuple[tuple[Fate, str], ...]] = (
    ("blessed", "blessed by people"),
    ("pending", "selected, waiting for people"),
    ("reserve", "in reserve"),
    ("queued", "queued for a person's decision"),
    ("failed_gate", "failed the gate"),
    ("rejected", "rejected"),
    ("open", "unfinished"),
)

SHORT_OFFLINE: Final = "This codebase does not hold enough material for them"
SHORT_LIVE: Final = "Too few of their records were written, or came through the gate and agreement"


def print_summary(report: RunReport, environment: Environment) -> int:
    """Print the summary on stderr and give the exit code that goes with it."""
    print_lines(summary_lines(report, environment), to_stderr=True)
    if report.failed:
        return print_failures(report)
    return gate_exit_code(passes=report.is_complete_enough)


def print_failures(report: RunReport) -> int:
    """Print the first of the cases that could not be finished; gives the exit code."""
    first = report.failed[0]
    kind = type(first.error).__name__
    text = f"{len(report.failed)} cases could not be finished; {first.case}: {kind}: {first.error}"
    click.echo(make_visible(text), err=True)
    for failure in report.failed:
        if getattr(failure.error, "exit_code", None) != ProviderError.exit_code:
            return EXIT_BUG
    return ProviderError.exit_code


def summary_lines(report: RunReport, environment: Environment) -> Iterator[str]:
    """Write the cells, the fates, where the files are and what to do next."""
    plan = report.plan
    yield ""
    yield (f"{report.selected} of {plan.total} records selected  ({report.name}, plan {plan.name})")
    yield ""
    yield from _matrix(report)
    yield ""
    yield from _fate_lines(report)
    yield from _cost_lines(report)
    yield from _canary_lines(report)
    yield from _trust_card_lines(report)
    for note in report.notes:
        yield f"note: {note}"
    yield ""
    yield f"files   {report.path}"
    yield from _next_steps(report, environment)


def _matrix(report: RunReport) -> Iterator[str]:
    heading = "".join(f"{difficulty:>9}" for difficulty in DIFFICULTIES)
    yield f"{'':<10}{heading}"
    for task_type in TASK_TYPES:
        cells = [Cell(task_type, difficulty) for difficulty in DIFFICULTIES]
        row = "".join(f"{_cell_text(report, cell):>9}" for cell in cells)
        yield f"{task_type:<10}{row}"


def _cell_text(report: RunReport, cell: Cell) -> str:
    target = report.plan.target(cell)
    if not target:
        return "-"
    text = f"{report.filled(cell)}/{target}"
    if cell in report.short_cells:
        return f"{text} !"
    return text


def _fate_lines(report: RunReport) -> Iterator[str]:
    for fate, sentence in FATE_SENTENCES:
        count = report.fates[fate]
        if fate == "rejected" and count:
            yield f"{count:>4} {sentence}{_rejection_reasons(report)}"
        elif count:
            yield f"{count:>4} {sentence}"
    yield f"{len(report.record_fates):>4} emitted in all"
    if report.low_confidence:
        yield (
            f"{report.low_confidence:>4} answers of low confidence, "
            "to be read by a person in any case"
        )


def _rejection_reasons(report: RunReport) -> str:
    """List the reasons, the most frequent first, those of one count by the alphabet."""
    by_name = sorted(report.rejections.items())
    by_count = sorted(by_name, key=_count_of, reverse=True)
    reasons = ", ".join(f"{count} {reason}" for reason, count in by_count)
    return f" ({reasons})"


def _count_of(rejection: tuple[str, int]) -> int:
    return rejection[1]


def _cost_lines(report: RunReport) -> Iterator[str]:
    total = report.spend
    if not total.calls and not total.micro_usd:
        return
    yield ""
    for role, spend in report.costs.items():
        yield _spend_line(role, spend)
    yield _spend_line("in all", total)
    if total.presumed_micro_usd:
        presumed = dollars(total.presumed_micro_usd)
        yield f"          {presumed} of it presumed: sent, and no bill seen"
    if report.survivors:
        cost = dollars(total.micro_usd // report.survivors)
        tokens = report.total_tokens // report.survivors
        yield f"          {cost} and {tokens:,} tokens a surviving record"


def _spend_line(role: str, spend: Spend) -> str:
    cached = ""
    if spend.input_tokens:
        cached = f" ({spend.cached_tokens / spend.input_tokens:.0%} cached)"
    tokens = f"{spend.input_tokens:,} tokens in{cached}, {spend.output_tokens:,} out"
    return f"{role:<10}{dollars(spend.micro_usd):>9}  {spend.calls} calls, {tokens}"


def _canary_lines(report: RunReport) -> Iterator[str]:
    rates = canary_rates(report.canaries)
    if not rates:
        return
    yield ""
    yield "canaries caught by the Adversary (exact 95 % interval)"
    for kind, rate in rates.items():
        low, high = rate.interval
        name = kind.replace("_", " ")
        yield f"  {name:<24}{rate.caught:>3} of {rate.released:<4}[{low:.2f}, {high:.2f}]"


def _trust_card_lines(report: RunReport) -> Iterator[str]:
    if report.trust_card is None:
        return
    yield ""
    first, *others = card_summary_lines(report.trust_card.figures)
    yield f"trust card  {first}"
    for line in others:
        yield f"            {line}"


def _next_steps(report: RunReport, environment: Environment) -> Iterator[str]:
    if report.state != "complete":
        yield f"next    goldwright resume {report.name}"
        if any(is_given_up(failure) for failure in report.failed):
            yield f"        or  goldwright drop {report.name} QUERY_ID  for what cannot be finished"
        return
    yield from _short_cell_lines(report)
    yield from _open_record_lines(report)
    if report.check.outcome == "holds":
        yield f"next    {suggest_export_command(report, environment)}"
    elif any(report.check.judged.values()):
        yield f"next    goldwright spot-check {report.name}"
    else:
        yield f"next    goldwright review {report.name} --reviewer NAME"
        yield f"        or  goldwright export {report.name} --version 1.0 --draft"


def _short_cell_lines(report: RunReport) -> Iterator[str]:
    if not report.short_cells:
        return
    cells = [
        f"{cell} ({report.filled(cell)} of {report.plan.target(cell)})"
        for cell in report.short_cells
    ]
    # Static analysis writes all that it can; only models may have written too little.
    reason = SHORT_LIVE if report.spend.calls else SHORT_OFFLINE
    yield f"short   {', '.join(cells)}"
    yield f"        {reason}; nothing was padded."


def _open_record_lines(report: RunReport) -> Iterator[str]:
    """Say which records wait for a runner, and which for a person."""
    if report.retries:
        records = "the record"
        if report.retries > 1:
            records = f"the {report.retries} records"
        yield f"next    goldwright resume {report.name}   ({records} to be tried again)"
    waiting = report.fates["queued"] + report.fates["failed_gate"] - report.retries
    if waiting > 0:
        yield (
            f"next    decide on {counted(waiting, 'record')} in review, "
            f"or: goldwright retry or drop {report.name} QUERY_ID"
        )
