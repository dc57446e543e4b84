"""``goldwright requeue``: the whole batch again, after a breach."""

import click

from goldwright.app.environment import current_environment
from goldwright.app.runs.requeue import requeue_run
from goldwright.cli import options
from goldwright.cli.printing import print_json
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.run_in_progress import take_up_run
from goldwright.cli.summary import print_summary


@click.command("requeue")
@options.run_argument
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
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        report = requeue_run(run, against, environment, progress, _announce)
    if as_json:
        print_json(report.as_json())
    else:
        click.echo(report.name)
    return print_summary(report, environment)


def _announce(name: str) -> None:
    take_up_run(name)
    # On stderr, because the name follows on stdout when the run is done.
    click.echo(f"run {name}", err=True)
