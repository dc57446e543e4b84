"""``goldwright gate``: the mechanical gate alone."""

import json
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.verify import gate_answers
from goldwright.cli import options


@click.command("gate")
@click.argument("answers", type=options.a_path, metavar="ANSWERS.jsonl")
@options.repo
@options.rev
@options.allow_dirty
@options.as_json
def command(answers: Path, repo: Path, rev: str | None, *, allow_dirty: bool, as_json: bool) -> int:
    """Check every answer of a file against a codebase; no model, no judgement.

    Prints one JSON line for each failing record. Exits with 1 when there is one.
    """
    checked = failing = 0
    for query_id, failures in gate_answers(
        answers, repo=repo, rev=rev, allow_dirty=allow_dirty, environment=current_environment()
    ):
        checked += 1
        if failures:
            failing += 1
            click.echo(
                json.dumps(
                    {"query_id": query_id, "failures": [one.model_dump() for one in failures]}
                )
            )
    if not as_json:
        click.echo(f"{checked - failing} of {checked} answers pass the gate", err=True)
    return 1 if failing else 0
