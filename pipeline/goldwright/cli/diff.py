"""``goldwright diff``: what changed between two versions of a dataset."""

import json

import click

from goldwright.app.diff import diff_datasets
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.golden.difference_text import as_lines
from goldwright.golden.differences import differences_json as differences_as_json
from goldwright.golden.versions import DatasetFile


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.as_json
def command(old: str, new: str, *, as_json: bool) -> None:
    """Tell which records were added, removed, changed or re-anchored between two datasets, and why.

    OLD and NEW are versions under golden/ (1.0, or latest) or paths. Prints Markdown, fit for a
    pull request.
    """
    done = diff_datasets(old, new, current_environment())
    if as_json:
        found = differences_as_json(done.differences)
        click.echo(
            json.dumps({"old": _as_json(done.old), "new": _as_json(done.new), **found}, indent=2)
        )
        return
    click.echo(f"old: {done.old.description}", err=True)
    click.echo(f"new: {done.new.description}", err=True)
    for line in as_lines(done.differences):
        click.echo(line)


def _as_json(found: DatasetFile) -> dict[str, object]:
    version = str(found.version) if found.version else None
    return {
        "path": str(found.path),
        "version": version,
        "sha256": found.sha256,
        "newest": found.is_newest,
    }
