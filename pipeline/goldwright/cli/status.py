"""``goldwright status``: the funnel of a run."""

import click

from goldwright.app.environment import current_environment
from goldwright.app.runs.latest_run_text import latest_run_text
from goldwright.app.runs.run_status import run_status
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.summary import summary_lines
from goldwright.text import make_visible


@click.command("status")
@click.argument("run", metavar="[RUN]", default="latest", shell_complete=options.complete_run)
@options.as_json
def command(run: str, *, as_json: bool) -> None:
    """Show every cell's target and the fate of each record of RUN (latest, when none is named)."""
    environment = current_environment()
    report = run_status(run, environment)
    chosen = latest_run_text(run, report, environment)
    # On stderr, as eval says which dataset it took.
    if chosen:
        click.echo(make_visible(f"run: {chosen}"), err=True)
    if as_json:
        print_json(report.as_json())
    else:
        print_lines(summary_lines(report, environment))
