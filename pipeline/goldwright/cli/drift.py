"""``goldwright drift``: whether a further batch is like the golden dataset."""

import json
from collections.abc import Iterator
from dataclasses import asdict

import click

from goldwright.app.batch_drift import DriftReport, measure_drift
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.golden.agent_retirement import AgentRecord
from goldwright.golden.batch_drift import drift_sentences
from goldwright.golden.judged_records import JudgedRole


@click.command("drift")
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
    with watching() as progress:
        report = measure_drift(runs, against, current_environment(), progress)
    if as_json:
        click.echo(json.dumps(asdict(report), indent=2))
    else:
        for line in lines(report):
            click.echo(line)
    return 1 if report.drift.shifted else 0


def lines(report: DriftReport) -> Iterator[str]:
    """The comparison as a page of text."""
    drift = report.drift
    yield f"{report.run}: {drift.batch} records against {drift.golden} of {report.dataset}"
    if report.is_of_this_batch:
        yield (
            f"{report.dataset} was made of this very batch: it is compared with itself, "
            "so that both are alike proves nothing"
        )
    yield ""
    yield from _table(report)
    yield ""
    yield "differs     how far the means lie apart within cells (task type and difficulty)"
    yield "p (Holm)    how likely chance alone makes any of the measures differ as much, by Holm's adjustment"
    yield "could show  the true difference, either way, that is found in 80 of 100 such batches, if no other differs;"
    yield "            '-': all records of a cell are alike in it, or they are too few to say"
    if drift.left_out:
        yield f"not compared, for only one side has records there: {', '.join(drift.left_out)}"
    yield from drift_sentences(drift)
    for role, agents in report.agents.items():
        for one in agents:
            yield f"{role:<10}{one.agent}: {_rate(role, one)}"
            yield from (f"{'':<10}{said}" for said in _agent(one))
    if drift.shifted:
        yield f"next    goldwright requeue {report.run} --against {report.dataset}"


def _table(report: DriftReport) -> Iterator[str]:
    yield f"{'':<30}{'batch':>9}{'golden':>9}{'differs':>9}{'p (Holm)':>10}{'could show':>12}"
    for one in report.drift.shifts:
        row = f"{one.batch_mean:>9.2f}{one.golden_mean:>9.2f}{round(one.difference, 2) + 0.0:>+9.2f}{one.p_value:>10.4f}"
        could_show = "-" if one.smallest_detectable is None else f"{one.smallest_detectable:.2f}"
        yield f"{one.measure:<30}{row}{could_show:>12}{'  SHIFTED' if one.is_shifted else ''}"


def _rate(role: JudgedRole, one: AgentRecord) -> str:
    runs = "1 run" if one.runs == 1 else f"{one.runs} runs"
    others = f"; others {one.others_rejected} of {one.others_total}" if one.others_total else ""
    if role == "oracle":
        return f"{one.rejected} of {one.total} records turned away, in {runs}{others}"
    return f"people overturned its word on {one.rejected} of {one.total} records, in {runs}{others}"


def _agent(one: AgentRecord) -> Iterator[str]:
    """Say what an agent is compared with, what that proves, and what follows."""
    if one.others_total:
        yield _caution(one)
    if one.p_value is None:
        yield "too few records of it or of others to compare (20 each in the same cells; apart also 3 runs of it)"
    else:
        yield f"p = {one.p_value:.4f} of looking so much worse by chance, over all agents (Holm)"
    if one.is_to_retire:
        yield "RETIRE: list it under retired in [agents]"


def _caution(one: AgentRecord) -> str:
    if one.side_by_side:
        return "compared within runs that others played too"
    met = (
        "too few records in runs with others" if one.shared_runs else "played in no run with others"
    )
    above = f"{one.runs_above} of {one.runs} runs above the others' rate"
    return f"{met}: what differs may be the code; {above}"
