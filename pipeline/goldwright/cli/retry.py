"""``goldwright retry``: another attempt at a record, with a person's hint."""

from collections.abc import Iterator
from typing import Final

import click

from goldwright.app.environment import current_environment
from goldwright.app.runs.record_decisions import RetriedRecord, retry_record
from goldwright.cli import options
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import folded_lines, print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.summary import print_failures
from goldwright.stages.fates import Fate
from goldwright.text import make_visible

# The new attempt came through agreement; in reserve it waits for a place in its cell.
SUCCESSFUL_FATES: Final[frozenset[Fate]] = frozenset({"pending", "reserve"})


@click.command("retry")
@options.run_argument
@click.argument("query_id")
@click.option(
    "--hint", required=True, metavar="TEXT", help="What the Oracle should know or look at."
)
@options.as_json
def command(run: str, query_id: str, hint: str, *, as_json: bool) -> int:
    """Try a record that failed the gate or is queued again. The new attempt names the old one."""
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        retry = retry_record(run, query_id, hint=hint, environment=environment, progress=progress)
    report = retry.report
    if as_json:
        document = {
            "run": report.name,
            "query_id": retry.attempt,
            "parent": query_id,
            "fate": retry.fate,
            "why": list(retry.why),
        }
        print_json(document, indent=None)
    else:
        click.echo(f"{retry.attempt}: {retry.fate}")
        print_lines(_lines(retry), to_stderr=True)
    if report.failed:
        return print_failures(report)
    return gate_exit_code(passes=retry.fate in SUCCESSFUL_FATES)


def _lines(retry: RetriedRecord) -> Iterator[str]:
    """Say why the new attempt stopped, and that a hint is lost on static analysis."""
    if retry.fate in SUCCESSFUL_FATES:
        return
    for reason in retry.why:
        yield from folded_lines("", make_visible(reason), width=2)
    if not retry.report.takes_hints:
        yield from folded_lines(
            "note:",
            f"The embedded Oracle takes no hint, so it answers the same again: drop "
            f"{retry.attempt}, or have a model play the Oracle in another run.",
            width=6,
        )
