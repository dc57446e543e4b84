"""``goldwright export``: the dataset of a run."""

import json
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.export import ExportRequest, export
from goldwright.cli import options
from goldwright.cli.progress_bars import watching


@click.command("export")
@options.a_run
@click.option("--version", required=True, metavar="X.Y", help="The version to write, as in 1.0.")
@click.option(
    "--draft", is_flag=True, help="Write what there is, marked as not yet reviewed by people."
)
@click.option("--base", metavar="X.Y|FILE", help="Add the batch to this blessed version.")
@click.option("--out", type=options.a_path, metavar="DIR", help="Where to. [default: golden/]")
@options.as_json
def command(
    run: str, version: str, base: str | None, out: Path | None, *, draft: bool, as_json: bool
) -> None:
    """Write golden_vX.Y.json and its metadata, or name everything that is missing for it."""
    with watching() as progress:
        request = ExportRequest(run, version, draft=draft, base=base, out=out)
        done = export(request, current_environment(), progress)
    if as_json:
        content = {
            "dataset": str(done.dataset),
            "metadata": str(done.metadata),
            "records": done.records,
            "new": done.is_new,
            "added": done.added,
            "left_out": list(done.left_out),
        }
        click.echo(json.dumps(content))
        return
    click.echo(str(done.dataset))
    word = f"{done.records} records" if done.is_new else f"unchanged, {done.records} records"
    click.echo(f"{word}; metadata in {done.metadata.name}", err=True)
    if done.added is not None:
        batch = done.added + len(done.left_out)
        repeats = (
            f"; {len(done.left_out)} left out, for they repeat records of it"
            if done.left_out
            else ""
        )
        click.echo(
            f"{done.added} of the batch's {batch} records were added to {base}{repeats}", err=True
        )
    for note in done.notes:
        click.echo(f"note: {note}", err=True)
