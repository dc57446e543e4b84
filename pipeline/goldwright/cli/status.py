"""``goldwright status``: the funnel of a run."""

import json

import click

from goldwright.app.environment import current_environment
from goldwright.app.run import run_status
from goldwright.cli import options
from goldwright.cli.summary import summary_lines


@click.command("status")
@click.argument("run", metavar="[RUN]", default="latest")
@options.as_json
def command(run: str, *, as_json: bool) -> None:
    """Show every cell's target and the fate of each record of RUN (latest, when none is named)."""
    report = run_status(run, current_environment())
    if as_json:
        click.echo(json.dumps(report.as_json(), indent=2))
        return
    for line in summary_lines(report):
        click.echo(line)
