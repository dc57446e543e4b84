"""``goldwright drop``: a record that a person takes out."""

import click

from goldwright.app.environment import current_environment
from goldwright.app.runs.record_decisions import drop_record
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines


@click.command("drop")
@options.run_argument
@click.argument("query_id")
@click.option("--why", required=True, metavar="TEXT", help="The reason, kept with the record.")
@options.as_json
def command(run: str, query_id: str, why: str, *, as_json: bool) -> None:
    """Take a record out of a run for good; a reserve of its cell takes its place.

    In a sample that was drawn for people, a dropped record counts as a major finding.
    """
    report = drop_record(run, query_id, why=why, environment=current_environment())
    if as_json:
        document = {
            "run": report.name,
            "query_id": query_id,
            "fate": "rejected",
            "fates": report.fates,
        }
        print_json(document, indent=None)
    else:
        count = f"{report.selected} of {report.plan.total} records"
        click.echo(f"{query_id}: dropped; {count} stand")
        notes = (f"note: {note}" for note in report.notes)
        print_lines(notes, to_stderr=True)
