"""``goldwright drift``: whether a further batch is like the golden dataset."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

import click

from goldwright.app.datasets.batch_drift import DriftReport, measure_drift
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.number_text import number_or_dash
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.golden.agent_retirement import AgentRecord
from goldwright.golden.batch_drift import MeasureShift, drift_sentences
from goldwright.golden.judged_records import JudgedRole
from goldwright.text import counted

HEADING: Final = "                                  batch   golden  differs  p (Holm)  could show"
ROW: Final = "{:<30}{:>9.2f}{:>9.2f}{:>+9.2f}{:>10.4f}{:>12}"

# As wide as the column of roles.
INDENT: Final = " " * 10

LEGEND: Final = (
    "differs     how far the means lie apart within cells (task type and difficulty)",
    (
        "p (Holm)    how likely chance alone makes any of the measures differ as much, "
        "by Holm's adjustment"
    ),
    (
        "could show  the true difference, either way, that is found in 80 of 100 such batches, "
        "if no other differs;"
    ),
    "            '-': all records of a cell are alike in it, or they are too few to say",
)


@click.command("drift", cls=SettingsCommand)
@click.argument("runs", metavar="RUN [RUN ...]", nargs=-1, required=True)
@click.option(
    "--against", metavar="X.Y|FILE", help="The golden dataset. [default: the newest in golden/]"
)
@options.as_json
def command(runs: tuple[str, ...], against: str | None, *, as_json: bool) -> int:
    """Compare the batch of the first RUN with the golden dataset, and the agents of all RUNs with
    one another.

    Exits with 1 when the batch differs significantly; such a batch is requeued with --against.
    """
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        report = measure_drift(runs, against, environment, progress)
    if as_json:
        print_json(asdict(report))
    else:
        print_lines(_lines(report))
    return gate_exit_code(passes=not report.drift.shifted)


def _lines(report: DriftReport) -> Iterator[str]:
    drift = report.drift
    records = counted(drift.batch, "record")
    sizes = f"{records} against {drift.golden}"
    yield f"{report.run}: {sizes} of {report.dataset}"
    if report.is_of_this_batch:
        yield (
            f"{report.dataset} was made of this very batch: it is compared with itself, "
            "so that both are alike proves nothing"
        )
    yield ""
    yield from _table(report)
    yield ""
    yield from LEGEND
    if drift.left_out:
        cells = ", ".join(drift.left_out)
        yield f"not compared, for only one side has records there: {cells}"
    yield from drift_sentences(drift)
    for role, agents in report.agents.items():
        for agent in agents:
            yield from _agent_lines(role, agent)
    if drift.shifted:
        yield f"next    goldwright requeue {report.run} --against {report.dataset}"


def _table(report: DriftReport) -> Iterator[str]:
    yield HEADING
    for shift in report.drift.shifts:
        yield _table_row(shift)


def _table_row(shift: MeasureShift) -> str:
    # Adding 0.0 turns -0.0 into 0.0, so that no difference is printed as "-0.00".
    difference = round(shift.difference, 2) + 0.0
    could_show = number_or_dash(shift.smallest_detectable, ".2f")
    row = ROW.format(
        shift.measure,
        shift.batch_mean,
        shift.golden_mean,
        difference,
        shift.p_value,
        could_show,
    )
    if shift.is_shifted:
        return f"{row}  SHIFTED"
    return row


def _agent_lines(role: JudgedRole, agent: AgentRecord) -> Iterator[str]:
    rate = _rejection_rate(role, agent)
    yield f"{role:<10}{agent.agent}: {rate}"
    for sentence in _agent_sentences(agent):
        yield f"{INDENT}{sentence}"


def _rejection_rate(role: JudgedRole, agent: AgentRecord) -> str:
    rate = f"{agent.rejected} of {agent.total} records"
    runs = counted(agent.runs, "run")
    comparison = ""
    if agent.others_total:
        comparison = f"; others {agent.others_rejected} of {agent.others_total}"
    if role == "oracle":
        return f"{rate} turned away, in {runs}{comparison}"
    return f"people overturned its word on {rate}, in {runs}{comparison}"


def _agent_sentences(agent: AgentRecord) -> Iterator[str]:
    """Say what an agent is compared with, what that proves, and what follows."""
    if agent.others_total:
        yield _basis_of_comparison(agent)
    if agent.p_value is None:
        yield (
            "too few records of it or of others to compare "
            "(20 each in the same cells; apart also 3 runs of it)"
        )
    else:
        yield (
            f"p = {agent.p_value:.4f} of looking so much worse by chance, over all agents (Holm)"
        )
    if agent.is_to_retire:
        yield "RETIRE: list it under retired in [agents]"


def _basis_of_comparison(agent: AgentRecord) -> str:
    if agent.side_by_side:
        return "compared within runs that others played too"
    reason = "played in no run with others"
    if agent.shared_runs:
        reason = "too few records in runs with others"
    runs_above = f"{agent.runs_above} of {agent.runs} runs above the others' rate"
    return f"{reason}: what differs may be the code; {runs_above}"
