"""``goldwright convert``: a dataset in another format, or records of another format in ours."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from goldwright.app.datasets.convert import (
    BackConversion,
    Conversion,
    ConvertRequest,
    convert_back,
    convert_dataset,
)
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.printing import folded_lines, print_json
from goldwright.interchange.catalog import BY_NAME
from goldwright.interchange.format import Loss
from goldwright.text import counted, make_visible

format_type: Final = click.Choice(list(BY_NAME))


@click.command("convert")
@options.dataset_argument
@click.option(
    "--to", type=format_type, help="Write DATASET in this format, and say what it cannot hold."
)
@click.option(
    "--from",
    "from_format",
    type=format_type,
    help="Read DATASET, a file or folder of this format, as records of ours.",
)
@click.option(
    "--out",
    type=options.path_type,
    required=True,
    metavar="PATH",
    help="Where to write; must be free.",
)
@click.option(
    "--repo",
    type=options.path_type,
    metavar="DIR",
    help="The codebase, for beir and mteb, which hold it.",
)
@options.rev
@options.allow_dirty
@options.as_json
def command(
    dataset: str,
    to: str | None,
    from_format: str | None,
    out: Path,
    repo: Path | None,
    rev: str | None,
    *,
    allow_dirty: bool,
    as_json: bool,
) -> None:
    """Write DATASET, a file or a version in golden/ (or latest), in another format; or read one
    with --from.

    Says which pieces of a record the format has no place for, and how many records have them. beir,
    mteb, inspect_ai, promptfoo and deepeval carry whole records along, so --from gives the very
    dataset back. A place that is taken is never written over.
    """
    # Each direction has options that mean nothing in the other; those are refused, not ignored.
    if to is not None and from_format is None:
        _refuse_pin_without_repo(repo, rev, allow_dirty=allow_dirty)
        request = ConvertRequest(dataset, to, out, repo, rev, allow_dirty)
        conversion = convert_dataset(request, current_environment())
        lines = _conversion_lines(conversion, out)
        _print(_conversion_json(conversion), lines, as_json=as_json)
    elif from_format is not None and to is None:
        if repo is not None or rev or allow_dirty:
            raise click.UsageError("--repo, --rev and --allow-dirty go with --to")
        back = convert_back(Path(dataset), from_format, out)
        lines = _back_lines(back, from_format, out)
        _print(_back_json(back), lines, as_json=as_json)
    else:
        raise click.UsageError("wanted either --to FORMAT or --from FORMAT")


def _refuse_pin_without_repo(repo: Path | None, rev: str | None, *, allow_dirty: bool) -> None:
    if repo is None and (rev or allow_dirty):
        raise click.UsageError("--rev and --allow-dirty go with --repo")


def _print(document: dict[str, object], lines: Iterable[str], *, as_json: bool) -> None:
    if as_json:
        print_json(document)
        return
    for line in lines:
        click.echo(make_visible(line))


def _conversion_json(conversion: Conversion) -> dict[str, object]:
    losses = [asdict(loss) for loss in conversion.losses]
    return {
        "taken": conversion.source,
        "format": conversion.format,
        "shape": conversion.shape,
        "records": conversion.records,
        "documents": conversion.documents,
        "losses": losses,
        "remarks": conversion.remarks,
    }


def _back_json(back: BackConversion) -> dict[str, object]:
    return {
        "records": back.records,
        "whole": back.full_records,
        "fields": back.fields,
        "notes": back.notes,
    }


def _conversion_lines(conversion: Conversion, out: Path) -> Iterator[str]:
    name = conversion.format
    content = counted(conversion.records, "record")
    if conversion.documents is not None:
        documents = counted(conversion.documents, "document")
        content = f"{content} and {documents}"
    yield f"{out}: {content} as {name}, {conversion.shape}"
    yield f"from {conversion.source}"
    carried = [loss for loss in conversion.losses if loss.returns]
    if carried:
        yield f"carried along, out of sight of tools for {name}; --from {name} brings it back:"
        yield from _loss_lines(carried, conversion.records)
    lost = [loss for loss in conversion.losses if not loss.returns]
    if lost:
        yield f"lost, for {name} has no place for it:"
        yield from _loss_lines(lost, conversion.records)
    for remark in conversion.remarks:
        yield from folded_lines("note:", remark, width=6)


def _loss_lines(losses: Iterable[Loss], total: int) -> Iterator[str]:
    """Put pieces that as many records have on one line, the most records first."""
    pieces: dict[int, list[str]] = {}
    for loss in losses:
        pieces.setdefault(loss.records, []).append(loss.piece)
    for count in sorted(pieces, reverse=True):
        names = ", ".join(pieces[count])
        heading = f"{count:>6} of {total} records: "
        yield from folded_lines(heading.rstrip(), names, width=len(heading))


def _back_lines(back: BackConversion, from_format: str, out: Path) -> Iterator[str]:
    full_count = back.full_records
    records = counted(back.records, "record")
    yield f"{out}: {records} from {from_format}, {full_count} of them in full"
    if full_count < back.records:
        fields = ", ".join(back.fields)
        yield f"the others hold {fields}: verify, eval and adopt read such a file as it is"
    for note in back.notes:
        yield f"note: {note}"
