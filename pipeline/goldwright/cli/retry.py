"""``goldwright retry``: another attempt at a record, with a person's hint."""

import click

from goldwright.app.environment import current_environment
from goldwright.app.record_decisions import retry_record
from goldwright.cli import options
from goldwright.cli.exit_codes import gate_exit_code
from goldwright.cli.printing import print_json
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.summary import print_failures


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
        retried = retry_record(run, query_id, hint=hint, environment=environment, progress=progress)
    if as_json:
        document = {
            "run": retried.report.name,
            "query_id": retried.attempt,
            "parent": query_id,
            "fate": retried.fate,
        }
        print_json(document, indent=None)
    else:
        click.echo(f"{retried.attempt}: {retried.fate}")
    if retried.report.failed:
        return print_failures(retried.report)
    return gate_exit_code(passes=retried.fate in {"pending", "reserve"})
