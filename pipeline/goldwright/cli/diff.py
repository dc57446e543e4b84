"""``goldwright diff``: what changed between two versions of a dataset."""

import click

from goldwright.app.datasets.diff import DatasetDiff, diff_datasets
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines
from goldwright.golden.difference_text import as_lines
from goldwright.golden.differences import differences_json
from goldwright.golden.versions import DatasetFile


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.as_json
def command(old: str, new: str, *, as_json: bool) -> None:
    """Show which records were added, removed, changed or re-anchored between two datasets, and why.

    OLD and NEW are versions under golden/ (1.0, or latest) or paths. Prints Markdown, fit for a
    pull request.
    """
    diff = diff_datasets(old, new, current_environment())
    if as_json:
        print_json(_as_json(diff))
        return
    click.echo(f"old: {diff.old.description}", err=True)
    click.echo(f"new: {diff.new.description}", err=True)
    print_lines(as_lines(diff.differences))


def _as_json(diff: DatasetDiff) -> dict[str, object]:
    document: dict[str, object] = {}
    document["old"] = _file_json(diff.old)
    document["new"] = _file_json(diff.new)
    document.update(differences_json(diff.differences))
    return document


def _file_json(file: DatasetFile) -> dict[str, object]:
    # A dataset that was not published, such as a user's own file, has no version.
    version = str(file.version) if file.version else None
    return {
        "path": str(file.path),
        "version": version,
        "sha256": file.sha256,
        "newest": file.is_newest,
    }
