"""``goldwright suite``: one dataset over many codebases."""

from collections.abc import Iterator
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.piece_executors import executor_forms, executor_named
from goldwright.app.scoring.eval_request import DEFAULT_TIMEOUT, EvalRequest
from goldwright.app.suites.suite_checkpoints import SuiteDirectory
from goldwright.app.suites.suite_dataset import export_suite
from goldwright.app.suites.suite_definition import read_suite
from goldwright.app.suites.suite_eval import SuiteEvalRequest, evaluate_suite
from goldwright.app.suites.suite_run import SuiteState, run_suite, suite_state
from goldwright.cli import options
from goldwright.cli.command_group import CommandGroup
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.engine.shards import Shard
from goldwright.evaluation.suite_report import suite_lines
from goldwright.text import counted, make_visible

_suite_argument = click.argument("suite", type=options.path_type, metavar="SUITE")
_directory_argument = click.argument("directory", type=options.path_type, metavar="DIR")
_shard = options.shard("codebases")


@click.group("suite", cls=CommandGroup)
def command() -> None:
    """Curate and score one dataset over many codebases."""


@command.command("run", cls=SettingsCommand, section="suite")
@_suite_argument
@click.option(
    "--out",
    type=options.path_type,
    required=True,
    metavar="DIR",
    help="Where runs and datasets go; what it holds already is not done again.",
)
@_shard
@click.option(
    "--executor",
    default="local",
    show_default=True,
    metavar="WHERE",
    help=f"{executor_forms()}.",
)
@options.as_json
def run(*, suite: Path, out: Path, shard: Shard | None, executor: str, as_json: bool) -> int:
    """Run every codebase of SUITE (a TOML file) that is not done yet.

    A codebase that fails costs itself only: the others go on, and the exit code is 1.
    """
    definition = read_suite(suite)
    environment = current_environment()
    chosen_executor = executor_named(executor)
    with progress_on_stderr(environment.clock) as progress:
        state = run_suite(definition, out, progress, shard=shard, executor=chosen_executor)
    return print_state(state, as_json=as_json)


@command.command("status", cls=SettingsCommand, section="suite")
@_directory_argument
@options.as_json
def status(*, directory: Path, as_json: bool) -> int:
    """Show which codebases of the suite in DIR are done, failed or missing."""
    return print_state(suite_state(SuiteDirectory(directory)), as_json=as_json)


@command.command("export", cls=SettingsCommand, section="suite")
@_directory_argument
@click.option("--version", required=True, metavar="X.Y", help="The version to write.")
@click.option("--out", type=options.path_type, metavar="DIR", help="Where it goes.  [default: DIR]")
@click.option("--partial", is_flag=True, help="Leave out codebases that are not done.")
def export(*, directory: Path, version: str, out: Path | None, partial: bool) -> int:
    """Write one draft over all codebases of the suite in DIR."""
    result = export_suite(directory, version, out=out, partial=partial)
    if result.left_out:
        names = ", ".join(result.left_out)
        print_lines([f"left out, not done: {names}"], to_stderr=True)
    click.echo(result.dataset)
    return 0


@command.command("eval", cls=SettingsCommand, section="suite")
@_suite_argument
@_directory_argument
@click.option(
    "--retriever",
    required=True,
    metavar="SPEC",
    help=f"{options.RETRIEVER_FORMS} {{repo}} and {{codebase}} stand for each codebase's.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="MRR, R@10, file.P@1 …; may be repeated.",
)
@click.option("--depth", type=click.IntRange(1, options.MAX_DEPTH), help="Results to ask for.")
@click.option(
    "--timeout",
    type=options.FiniteNumber(options.MIN_TIMEOUT_SECONDS, options.MAX_TIMEOUT_SECONDS),
    default=DEFAULT_TIMEOUT,
    show_default=True,
    help="Seconds that one query may take.",
)
@_shard
@options.as_json
def evaluate(
    *,
    suite: Path,
    directory: Path,
    retriever: str,
    measures: tuple[str, ...],
    depth: int | None,
    timeout: float,
    shard: Shard | None,
    as_json: bool,
) -> int:
    """Score a retriever on every codebase of SUITE whose dataset DIR holds.

    Exits with 1 when a codebase could not be scored.
    """
    ask = EvalRequest("", None, retriever, measures=measures, depth=depth, timeout=timeout)
    request = SuiteEvalRequest(read_suite(suite), directory, ask, shard)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        report = evaluate_suite(request, environment, progress)
    if as_json:
        print_json(report.as_json())
    else:
        print_lines(suite_lines(report))
    return 1 if report.failures else 0


def print_state(state: SuiteState, *, as_json: bool) -> int:
    """Print how a suite stands; gives 1 where a codebase is not done."""
    if as_json:
        print_json(state.as_json())
    else:
        print_lines(_state_lines(state))
    return 1 if state.missing else 0


def _state_lines(state: SuiteState) -> Iterator[str]:
    for checkpoint in state.done:
        short = ""
        if checkpoint.short_cells:
            short = f", short of {', '.join(checkpoint.short_cells)}"
        record_count = counted(checkpoint.records, "record")
        commit = checkpoint.commit[:12]
        yield f"{checkpoint.codebase}: {record_count} at {commit}{short}"
    for name in state.missing:
        failure = state.failures.get(name)
        reason = "not done"
        if failure is not None:
            reason = f"failed: {make_visible(failure)}"
        yield f"{name}: {reason}"
    records = sum(checkpoint.records for checkpoint in state.done)
    done_count = len(state.done)
    total = done_count + len(state.missing)
    progress = f"{done_count} of {total} codebases done"
    yield f"{state.name}: {progress}, {counted(records, 'record')}"
