"""``goldwright gate``: the mechanical gate alone."""

from pathlib import Path

import click

from goldwright.app.datasets.verify import gate_answers
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import print_json
from goldwright.cli.settings_command import SettingsCommand


@click.command("gate", cls=SettingsCommand)
@click.argument("answers", type=options.path_type, metavar="ANSWERS.jsonl")
@options.repo
@options.rev
@options.allow_dirty
@options.as_json
def command(answers: Path, repo: Path, rev: str | None, *, allow_dirty: bool, as_json: bool) -> int:
    """Check every answer of a file against a codebase; no model, no judgement.

    Prints one JSON line for each failing record. Exits with 1 when there is one.
    """
    results = gate_answers(
        answers, repo=repo, rev=rev, allow_dirty=allow_dirty, environment=current_environment()
    )
    # One at a time, so that the first failure shows while a long file is still being read.
    checked = 0
    failing = 0
    for query_id, failures in results:
        checked += 1
        if failures:
            failing += 1
            rows = [failure.model_dump() for failure in failures]
            print_json({"query_id": query_id, "failures": rows}, indent=None)
    if not as_json:
        passing = checked - failing
        click.echo(f"{passing} of {checked} answers pass the gate", err=True)
    return gate_exit_code(passes=not failing)
