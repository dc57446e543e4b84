"""``goldwright resume``: carry a run on where it stopped, or redo one stage."""

from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.runs.resume import ResumeRequest, resume_run
from goldwright.app.runs.run_status import run_status
from goldwright.cli import options
from goldwright.cli.printing import print_json
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.run_in_progress import take_up_run
from goldwright.cli.summary import print_summary
from goldwright.stages.stage_graph import REPEATABLE_STAGES

*_OTHER_NAMES, _LAST_NAME = (stage.name for stage in REPEATABLE_STAGES)


@click.command("resume")
@click.argument("run", metavar="RUN", shell_complete=options.complete_run)
@click.option(
    "--from",
    "from_stage",
    metavar="STAGE",
    help=f"Redo {', '.join(_OTHER_NAMES)} or {_LAST_NAME}, and what rests on it.",
)
@click.option(
    "--accept-changes",
    is_flag=True,
    help="Redo what changed plans, prompts or stages bear on, and what people have judged.",
)
@click.option(
    "--budget-usd", type=float, metavar="X", help="A new ceiling for all that the run spends."
)
@click.option(
    "--config",
    type=options.path_type,
    metavar="FILE",
    help="Settings, in place of those it was started with.",
)
@click.option(
    "--as-filled",
    is_flag=True,
    help="Take what each cell of a finished run holds for what was planned; nothing is redone.",
)
@options.as_json
def command(
    run: str,
    from_stage: str | None,
    budget_usd: float | None,
    config: Path | None,
    *,
    accept_changes: bool,
    as_filled: bool,
    as_json: bool,
) -> int:
    """Carry RUN on (a name under runs/, a path, or latest). What is finished is not done again."""
    request = ResumeRequest(from_stage, accept_changes, budget_usd, config, as_filled)
    environment = current_environment()
    directory = environment.workspace.find_run(run, may_be_empty=True)
    take_up_run(directory.name)
    changes_run = from_stage is not None or as_filled
    is_finished = not changes_run and directory.manifest().state == "complete"
    before = run_status(run, environment) if is_finished else None
    with progress_on_stderr(environment.clock) as progress:
        report = resume_run(run, request, environment, progress)
    if as_json:
        print_json(report.as_json())
    else:
        click.echo(report.name)
    if before is not None and before.as_json() == report.as_json():
        click.echo("nothing was left to do", err=True)
    return print_summary(report, environment)
