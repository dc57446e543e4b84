"""The outcome of a run in a few lines: cells, fates, costs and the next steps."""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from typing import Final

import click

from goldwright.app.environment import Environment
from goldwright.app.runs.adversary_power import (
    ALL_KINDS,
    UNKNOWN_POWER,
    catch_phrase,
    power_phrase,
    weak_sentence,
)
from goldwright.app.runs.run_report import RunReport
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.money import presumed_sentence
from goldwright.cli.next_steps import next_step_lines
from goldwright.cli.printing import folded_lines, print_lines
from goldwright.errors import EXIT_BUG, ProviderError
from goldwright.golden.catch_rates import CatchRate
from goldwright.golden.label_recall import label_recall_line
from goldwright.llm.budget import dollars
from goldwright.llm.spend import Spend
from goldwright.plan import Cell
from goldwright.process.crash_reports import report_crash
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.review.training import training_sentences
from goldwright.stages.fates import Fate
from goldwright.text import counted, make_visible
from goldwright.trust_card.presentation import card_summary_lines

# In the order of the summary: what is in the dataset, what waits, what is out.
FATE_SENTENCES: Final[Mapping[Fate, str]] = {
    "blessed": "blessed by people",
    "pending": "selected, waiting for people",
    "reserve": "in reserve",
    "queued": "queued for a person's decision",
    "failed_gate": "failed the gate",
    "rejected": "rejected",
    "open": "unfinished",
}
# A column of the table of cells; it has room for a text such as "12/12 !".
CELL_WIDTH: Final = 9
MOST_UNPARSED: Final = 5
MOST_SLIPS: Final = 5
# With all columns filled, 100 wide at most.
CANARY_ROW: Final = "  {:<22}{:<19}{:<19}{:<19}{}"
SPEND_INDENT: Final = " " * 10


def print_summary(report: RunReport, environment: Environment) -> int:
    """Print the summary on stderr and give the exit code that goes with it."""
    print_lines(summary_lines(report, environment), to_stderr=True)
    if report.failed:
        return print_failures(report)
    return gate_exit_code(passes=report.passes)


def print_failures(report: RunReport) -> int:
    """Print the first of the cases that could not be finished; gives the exit code."""
    first = report.failed[0]
    kind = type(first.error).__name__
    failure_count = len(report.failed)
    example = f"{first.case}: {kind}: {first.error}"
    text = f"{counted(failure_count, 'case')} could not be finished; {example}"
    # One error that is not the provider's is a bug, which no waiting heals.
    errors = [failure.error for failure in report.failed]
    bugs = [error for error in errors if not _is_of_provider(error)]
    if bugs:
        arguments = sys.argv[1:]
        crash = report_crash(bugs[0], arguments, variables=os.environ)
        text = f"{text}; {crash.whereabouts}; please hand it to the maintainers"
    click.echo(make_visible(text), err=True)
    return EXIT_BUG if bugs else ProviderError.exit_code


def _is_of_provider(error: Exception) -> bool:
    return getattr(error, "exit_code", None) == ProviderError.exit_code


def summary_lines(report: RunReport, environment: Environment) -> Iterator[str]:
    """Write the cells, the fates, where the files are and what to do next."""
    plan = report.plan
    yield ""
    run = f"{report.name}, plan {plan.name}"
    so_far = "" if report.state == "complete" else " so far"
    yield f"{report.selected} of {plan.total} records selected{so_far}  ({run})"
    yield ""
    yield from _matrix(report)
    yield ""
    yield from _fate_lines(report)
    yield from _cost_lines(report)
    yield from _canary_lines(report)
    yield from _trust_card_lines(report)
    yield from _label_recall_lines(report)
    yield from _training_lines(report)
    yield from _unparsed_lines(report)
    for note in report.notes:
        yield from folded_lines("note:", note, width=6)
    yield ""
    yield f"files   {report.path}"
    yield from next_step_lines(report, environment)


def _matrix(report: RunReport) -> Iterator[str]:
    heading = [difficulty.rjust(CELL_WIDTH) for difficulty in DIFFICULTIES]
    columns = "".join(heading)
    yield f"{'':<10}{columns}"
    for task_type in TASK_TYPES:
        row = f"{task_type:<10}"
        for difficulty in DIFFICULTIES:
            text = _cell_text(report, Cell(task_type, difficulty))
            row += text.rjust(CELL_WIDTH)
        yield row


def _cell_text(report: RunReport, cell: Cell) -> str:
    target = report.plan.target(cell)
    if not target:
        return "-"
    text = f"{report.filled(cell)}/{target}"
    if cell in report.short_cells:
        return f"{text} !"
    return text


def _fate_lines(report: RunReport) -> Iterator[str]:
    for fate, sentence in FATE_SENTENCES.items():
        count = report.fates[fate]
        text = sentence
        if fate == "blessed" and report.check.scripted:
            text = "passed by a script that played the people"
        if fate == "rejected":
            text = f"{sentence}{_rejection_reasons(report)}"
        if count:
            yield f"{count:>4} {text}"
    emitted = len(report.record_fates)
    yield f"{emitted:>4} emitted in all"
    if report.low_confidence:
        yield (
            f"{report.low_confidence:>4} answers of low confidence, "
            "to be read by a person in any case"
        )


def _unparsed_lines(report: RunReport) -> Iterator[str]:
    if not report.unparsed:
        return
    yield ""
    files = counted(len(report.unparsed), "file")
    yield f"unread  {files} could not be read, and no record is about them:"
    paths = sorted(report.unparsed)
    for path in paths[:MOST_UNPARSED]:
        reason = report.unparsed[path]
        yield make_visible(f"        {path}: {reason}")
    if len(paths) > MOST_UNPARSED:
        yield f"        and {len(paths) - MOST_UNPARSED} more, in the run's run.json"


def _rejection_reasons(report: RunReport) -> str:
    """List the reasons, the most frequent first, those of one count by the alphabet."""
    by_name = sorted(report.rejections.items())
    # Sorting is stable, in reverse too, so reasons of one count keep the order of their names.
    by_count = sorted(by_name, key=_count_of, reverse=True)
    reasons = [f"{count} {reason}" for reason, count in by_count]
    return f" ({', '.join(reasons)})"


def _count_of(rejection: tuple[str, int]) -> int:
    return rejection[1]


def _cost_lines(report: RunReport) -> Iterator[str]:
    # An offline run asks no model, and need not say that it cost nothing.
    total = report.spend
    if not total.calls and not total.micro_usd:
        return
    yield ""
    for role, spend in report.costs.items():
        yield _spend_line(role, spend)
    yield _spend_line("in all", total)
    if total.presumed_micro_usd:
        yield f"{SPEND_INDENT}{presumed_sentence(total)}"
    if report.in_batches:
        waiting = counted(report.in_batches, "request")
        yield f"{SPEND_INDENT}{waiting} under way in batches; resume fetches the replies"
    if report.survivors:
        cost = dollars(total.micro_usd // report.survivors)
        tokens = report.total_tokens // report.survivors
        yield f"{SPEND_INDENT}{cost} and {tokens:,} tokens a surviving record"
    yield from _slip_lines(report)


def _slip_lines(report: RunReport) -> Iterator[str]:
    """Say what each model had to put right, the most frequent first."""
    for model, slips in report.slips.items():
        by_count = sorted(sorted(slips.items()), key=_count_of, reverse=True)
        commonest = by_count[:MOST_SLIPS]
        kinds = ", ".join(f"{count} {kind}" for kind, count in commonest)
        times = counted(sum(slips.values()), "time")
        yield f"{SPEND_INDENT}{model} was sent back {times} ({kinds})"


def _spend_line(role: str, spend: Spend) -> str:
    tokens_in = f"{spend.input_tokens:,} tokens in"
    if spend.input_tokens:
        cached_share = spend.cached_tokens / spend.input_tokens
        tokens_in = f"{tokens_in} ({cached_share:.0%} cached)"
    tokens_out = f"{spend.output_tokens:,} out"
    cost = dollars(spend.micro_usd)
    calls = counted(spend.calls, "call")
    return f"{role:<10}{cost:>9}  {calls}, {tokens_in}, {tokens_out}"


def _canary_lines(report: RunReport) -> Iterator[str]:
    rates = report.canary_rates
    for weak in report.weak_adversaries:
        yield ""
        yield make_visible(f"before  {weak_sentence(weak)}")
    if report.is_power_unknown:
        yield ""
        yield f"power   {UNKNOWN_POWER}"
    if not rates:
        return
    yield ""
    yield "canaries caught (95 % Wilson interval)"
    header = CANARY_ROW.format("", "gate", "Adversary", "judge", "stopped in all")
    yield header.rstrip()
    for kind, rate in rates.items():
        name = kind.replace("_", " ")
        rates_of_row = (rate.gate, rate, rate.judge, rate.stopped)
        cells = map(_rate_cell, rates_of_row)
        yield CANARY_ROW.format(name, *cells).rstrip()
    if report.power is not None and report.power.counts.total:
        heading = "weak" if report.is_adversary_weak else "power"
        caught = catch_phrase(rates[ALL_KINDS])
        phrase = power_phrase(report.power)
        yield f"{heading:<8}the Adversary caught {caught}: {phrase}"


def _rate_cell(rate: CatchRate | None) -> str:
    if rate is None or not rate.released:
        return "-"
    low, high = rate.interval
    interval = f"[{low:.2f},{high:.2f}]"
    return f"{rate.caught}/{rate.released} {interval}"


def _trust_card_lines(report: RunReport) -> Iterator[str]:
    if report.trust_card is None:
        if report.state == "complete" and report.selected and not any(report.check.judged.values()):
            yield ""
            yield f"trust card  not measured yet: goldwright resume {report.name}"
        return
    yield ""
    first, *further_lines = card_summary_lines(report.trust_card.figures)
    yield f"trust card  {first}"
    for line in further_lines:
        yield from folded_lines("", line)
    repo = shlex.quote(report.repo) if report.repo else "DIR"
    yield f"        all of them: goldwright verify {report.name} --repo {repo} --card"


def _label_recall_lines(report: RunReport) -> Iterator[str]:
    if report.label_recall is not None:
        yield ""
        yield from folded_lines("labels", label_recall_line(report.label_recall))


def _training_lines(report: RunReport) -> Iterator[str]:
    sentences = list(training_sentences(report.check.trainings))
    if sentences:
        yield ""
    for sentence in sentences:
        yield from folded_lines("people", make_visible(sentence))
