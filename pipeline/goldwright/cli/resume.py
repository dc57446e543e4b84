"""``goldwright resume``: carry a run on where it stopped, or redo one stage."""

import json
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.run import ResumeRequest, resume_run
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.cli.summary import print_summary


@click.command("resume")
@options.a_run
@click.option(
    "--from",
    "from_stage",
    metavar="STAGE",
    help="Redo author, oracle, gate, adversary or agreement, and what hangs on it.",
)
@click.option(
    "--accept-changes", is_flag=True, help="Redo what changed plans, prompts or stages bear on."
)
@click.option(
    "--budget-usd", type=float, metavar="X", help="A new ceiling for all that the run spends."
)
@click.option(
    "--config",
    type=options.a_path,
    metavar="FILE",
    help="Settings, in place of those it was started with.",
)
@options.as_json
def command(
    run: str,
    from_stage: str | None,
    budget_usd: float | None,
    config: Path | None,
    *,
    accept_changes: bool,
    as_json: bool,
) -> int:
    """Carry RUN on (a name under runs/, a path, or latest). What is finished is not done again."""
    with watching() as progress:
        report = resume_run(
            run,
            ResumeRequest(from_stage, accept_changes, budget_usd, config),
            current_environment(),
            progress,
        )
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else report.name)
    return print_summary(report)
