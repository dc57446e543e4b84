"""``goldwright baseline``: save the scores of a retriever, and fail when they become worse."""

from pathlib import Path
from typing import Any, Final

import click

from goldwright.app.environment import current_environment
from goldwright.app.scoring.baselines import BaselineUpdate, check_baseline, save_baseline
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.atomic_files import replace_report
from goldwright.cli import options
from goldwright.cli.baseline_text import check_as_junit, check_lines
from goldwright.cli.command_group import CommandGroup
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.evaluation import junit
from goldwright.evaluation.baselines.regression_rules import TOLERANCE, Mode
from goldwright.text import counted, make_visible

# Enough to know the spread of a retriever that jitters (decision 14 measures with five).
DEFAULT_RUNS: Final = 5


@click.group("baseline", cls=CommandGroup)
def command() -> None:
    """Keep what a retriever came to, and fail when it becomes worse."""


@command.command("save", cls=SettingsCommand, section="baseline")
@click.argument("file", type=options.path_type, metavar="FILE")
@options.evaluation
@click.option(
    "--runs",
    type=click.IntRange(1, 100),
    default=DEFAULT_RUNS,
    show_default=True,
    help="How often to ask: the spread of the runs tells jitter from change.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Put it in the place of an earlier baseline; prints what changes.",
)
def save(file: Path, *, runs: int, replace: bool, **request_fields: Any) -> None:
    """Ask a retriever every query of DATASET several times, and keep the outcome in FILE.

    Commit FILE, and hold later states of the retriever against it with goldwright baseline check.
    """
    request = EvalRequest(**request_fields)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        update = save_baseline(file, request, environment, progress, runs=runs, replaces=replace)
    retriever = make_visible(update.baseline.retriever)
    query_count = len(update.baseline.queries)
    queries = counted(query_count, "query")
    run_count = counted(runs, "run")
    click.echo(f"{file}: {retriever}, {queries}, {run_count}")
    _print_means(update)


@command.command("check", cls=SettingsCommand, section="baseline")
@click.argument("file", type=options.path_type, metavar="FILE")
@options.evaluation
@click.option(
    "--mode",
    type=click.Choice(["exact", "jitter", "spec"]),
    help="Fail at any fall of any query, at falls that jitter does not explain, or at any beyond"
    " the tolerance.  [default: exact where all runs of the baseline are the same, else jitter]",
)
@click.option(
    "--tolerance",
    type=options.FiniteNumber(0, 1),
    default=TOLERANCE,
    show_default=True,
    help="How far a measure may fall.",
)
@click.option(
    "--runs",
    type=click.IntRange(1, 100),
    help="How often to ask.  [default: as the baseline needs]",
)
@click.option(
    "--junit",
    "junit_xml",
    type=options.path_type,
    metavar="XML",
    help="Write the outcome as JUnit XML.",
)
@options.as_json
def check(
    file: Path,
    *,
    mode: Mode | None,
    tolerance: float,
    runs: int | None,
    junit_xml: Path | None,
    as_json: bool,
    **request_fields: Any,
) -> int:
    """Ask a retriever again, and exit with 1 where it became worse than the baseline in FILE.

    A search whose runs agree fails where any query falls, though its means rise; --mode jitter goes
    by the means. Save the baseline again when a change is meant to stay.
    """
    request = EvalRequest(**request_fields)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        baseline_check = check_baseline(
            file, request, environment, progress, runs=runs, mode=mode, tolerance=tolerance
        )
    if junit_xml is not None:
        replace_report(junit_xml, check_as_junit(baseline_check), head=junit.HEAD)
    if as_json:
        print_json(baseline_check.as_json())
    else:
        print_lines(check_lines(baseline_check))
    return gate_exit_code(passes=baseline_check.verdict.ok)


def _print_means(update: BaselineUpdate) -> None:
    for change in update.changes:
        line = f"{change.measure:<16}{change.after:.3f}"
        values = update.baseline.means[change.measure]
        low = min(values)
        high = max(values)
        if high > low:
            line += f"   runs {low:.3f} to {high:.3f}"
        if change.before is not None:
            line += f"   was {change.before:.3f}"
        click.echo(line)
