"""``goldwright export``: the dataset of a run."""

from collections.abc import Iterator
from pathlib import Path

import click

from goldwright.app.datasets.export import Export, ExportRequest, export_dataset
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.printing import folded_lines, print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.text import counted


@click.command("export", cls=SettingsCommand)
@options.run_argument
@click.option("--version", required=True, metavar="X.Y", help="The version to write, as in 1.0.")
@click.option(
    "--draft", is_flag=True, help="Write what there is, marked as not yet reviewed by people."
)
@click.option(
    "--base", metavar="X.Y|FILE", help="Add the batch to this version, or with --draft to a draft."
)
@click.option("--out", type=options.path_type, metavar="DIR", help="Where to. [default: golden/]")
@click.option("--replace", is_flag=True, help="Let the draft replace that of another run.")
@options.as_json
def command(
    run: str,
    version: str,
    base: str | None,
    out: Path | None,
    *,
    replace: bool,
    draft: bool,
    as_json: bool,
) -> None:
    """Write golden_vX.Y.json, its metadata and its card, or name everything that is missing."""
    request = ExportRequest(run, version, draft=draft, base=base, out=out, replace=replace)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        export = export_dataset(request, environment, progress)
    if as_json:
        print_json(_as_json(export), indent=None)
        return
    click.echo(str(export.dataset))
    print_lines(_lines(export, base), to_stderr=True)


def _as_json(export: Export) -> dict[str, object]:
    return {
        "dataset": str(export.dataset),
        "metadata": str(export.metadata),
        "card": str(export.card),
        "run": export.run,
        "records": export.records,
        "new": export.is_new,
        "added": export.added,
        "left_out": list(export.left_out),
        "replaced_run": export.replaced_run,
        "other_latest": None if export.other_latest is None else str(export.other_latest),
        "former_latest": None if export.former_latest is None else str(export.former_latest),
    }


def _lines(export: Export, base: str | None) -> Iterator[str]:
    records = counted(export.records, "record")
    if not export.is_new:
        records = f"unchanged, {records}"
    if export.added is None:
        records = f"{records} of {export.run}"
    yield f"{records}; metadata in {export.metadata.name}, for people in {export.card.name}"
    if export.replaced_run is not None:
        yield f"replaces the draft of {export.replaced_run}"
    if export.former_latest is not None:
        yield f"latest means this dataset from now on; it meant {export.former_latest.name}"
    if export.other_latest is not None:
        # A draft is no version, so a number does not name it.
        yield f"latest stays {export.other_latest.name}; name this dataset by its path"
    # None without a base: then the dataset is the batch.
    if export.added is not None:
        yield _addition_line(export.added, len(export.left_out), base)
    for note in export.notes:
        yield from folded_lines("note:", note, width=6)


def _addition_line(added: int, left_out: int, base: str | None) -> str:
    batch_size = added + left_out
    text = f"{added} of the batch's {batch_size} records were added to {base}"
    if left_out:
        return f"{text}; {left_out} left out, for they repeat records of it"
    return text
