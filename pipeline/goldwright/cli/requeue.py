"""``goldwright requeue``: the whole batch again, after a breach."""

import json

import click

from goldwright.app.environment import current_environment
from goldwright.app.requeue import requeue_run
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.cli.summary import print_summary


@click.command("requeue")
@options.a_run
@click.option(
    "--against",
    metavar="X.Y|FILE",
    help="Do so because the batch differs from this golden dataset.",
)
@options.as_json
def command(run: str, against: str | None, *, as_json: bool) -> int:
    """Start a batch that replaces RUN, whose sample breached a ceiling or which differs from the
    golden dataset.

    It has the same plan and commit. The agents are told what people found, and people draw a fresh
    sample.
    """
    with watching() as progress:
        report = requeue_run(
            run,
            against,
            current_environment(),
            progress,
            lambda name: click.echo(f"run {name}", err=True),
        )
    if as_json:
        click.echo(json.dumps(report.as_json(), indent=2))
    else:
        click.echo(report.name)
    return print_summary(report)
