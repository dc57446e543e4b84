"""``goldwright drift``: whether a further batch is like the golden dataset."""

import json
from collections.abc import Iterator
from dataclasses import asdict

import click

from goldwright.app.drifting import DriftReport, drift_of
from goldwright.app.surroundings import here
from goldwright.cli import options
from goldwright.cli.funnel import watching
from goldwright.golden.distribution import sentences


@click.command("drift")
@click.argument("runs", metavar="RUN [RUN ...]", nargs=-1, required=True)
@click.option("--against", metavar="X.Y|FILE", help="The golden dataset. [default: the newest in golden/]")
@options.as_json
def command(runs: tuple[str, ...], against: str | None, *, as_json: bool) -> int:
    """Compare the batch of the first RUN with the golden dataset, and the agents of all RUNs with one another.

    Exits with 1 when the batch differs significantly; such a batch is requeued with --against.
    """
    with watching() as progress:
        report = drift_of(runs, against, here(), progress)
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
    yield ""
    yield f"{'':<30}{'batch':>9}{'golden':>9}{'differs':>9}{'p (Holm)':>10}{'could show':>12}"
    for one in drift.shifts:
        row = (
            f"{one.batch_mean:>9.2f}{one.golden_mean:>9.2f}{round(one.difference, 2) + 0.0:>+9.2f}{one.p_value:>10.4f}"
        )
        yield f"{one.measure:<30}{row}{one.smallest_detectable:>12.2f}{'  SHIFTED' if one.is_shifted else ''}"
    yield ""
    yield "differences within cells; 'could show' is what one measure alone would find with a power of 80 %"
    if drift.left_out:
        yield f"not compared, for only one side has records there: {', '.join(drift.left_out)}"
    yield from sentences(drift)
    yield from _agents(report)
    if drift.shifted:
        yield f"next    goldwright requeue {report.run} --against {report.dataset}"


def _agents(report: DriftReport) -> Iterator[str]:
    for role, agents in report.agents.items():
        for one in agents:
            rate = f"{one.rejected} of {one.total} records turned away"
            if one.p_value is None:
                proof = "too few records of it or of others to compare (20 each)"
            else:
                others = f"{one.others_rejected} of {one.others_total}"
                proof = f"others {others}, Fisher's exact p = {one.p_value:.4f} after Holm"
            retire = "  RETIRE: list it under retired in [agents]" if one.is_to_retire else ""
            yield f"{role:<10}{one.agent}: {rate}; {proof}{retire}"
