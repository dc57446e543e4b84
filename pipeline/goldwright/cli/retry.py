"""``goldwright retry``: another attempt at a record, with a person's hint."""

import json

import click

from goldwright.app.environment import current_environment
from goldwright.app.record_decisions import retry_record
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.cli.summary import tell_failures


@click.command("retry")
@options.a_run
@click.argument("query_id")
@click.option(
    "--hint", required=True, metavar="TEXT", help="What the Oracle should know or look at."
)
@options.as_json
def command(run: str, query_id: str, hint: str, *, as_json: bool) -> int:
    """Try a record that failed the gate or is queued again. The new attempt names the old one."""
    with watching() as progress:
        attempt, report = retry_record(
            run, query_id, hint=hint, environment=current_environment(), progress=progress
        )
    fate = next(one.fate for one in report.standings if one.query_id == attempt)
    if as_json:
        click.echo(
            json.dumps({"run": report.name, "query_id": attempt, "parent": query_id, "fate": fate})
        )
    else:
        click.echo(f"{attempt}: {fate}")
    if report.failed:
        return tell_failures(report)
    return 0 if fate in {"pending", "reserve"} else 1
