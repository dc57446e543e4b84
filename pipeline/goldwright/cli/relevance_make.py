"""``goldwright relevance make``: tasks from a codebase's own functions."""

from collections.abc import Iterator
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.relevance.relevance_making import (
    REGISTRY_FILE,
    MakingRequest,
    MakingResult,
    make_tasks,
)
from goldwright.cli import options
from goldwright.cli.printing import print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.text import counted


@click.command("make", cls=SettingsCommand, section="relevance")
@options.repo
@options.rev
@click.option(
    "--out",
    type=options.path_type,
    required=True,
    metavar="DIR",
    help="A new directory for the registry and its tests.",
)
@click.option(
    "--tasks",
    type=click.IntRange(1, 10_000),
    default=10,
    show_default=True,
    help="Most tasks.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Settles every draw.")
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Functions that are tried at a time.",
)
@click.option(
    "--unsafe-no-sandbox", is_flag=True, help="Run code unconfined where no sandbox works."
)
@options.config
def command(
    *,
    repo: Path,
    rev: str | None,
    out: Path,
    tasks: int,
    seed: int,
    concurrency: int,
    unsafe_no_sandbox: bool,
    config: Path | None,  # noqa: ARG001  # read by the settings of the command
) -> None:
    """Make tasks from functions of a codebase, and write a registry for `relevance run`.

    A task's tests pass, three times of three, with the source of a function among the documents,
    and fail without it. Functions that make no task are counted by reason.
    """
    request = MakingRequest(
        repo=repo,
        out=out,
        rev=rev,
        tasks=tasks,
        seed=seed,
        workers=concurrency,
        allows_no_sandbox=unsafe_no_sandbox,
    )
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        result = make_tasks(request, environment, progress)
    print_lines(making_lines(result))
    click.echo(out / REGISTRY_FILE)


def making_lines(result: MakingResult) -> Iterator[str]:
    """Say how many tasks were made, of how many functions, and why others made none."""
    pairs = sum(len(task.seeded) > 1 for task in result.tasks)
    tasks = counted(len(result.tasks), "task")
    functions = counted(result.tried, "function")
    yield (
        f"{tasks}, {pairs} of them with several documents; "
        f"{functions} tried; sandbox {result.sandbox}"
    )
    for reason, count in sorted(result.attrition.items()):
        yield f"  {count}: {reason}"
