"""``goldwright convert``: a dataset in another format, or records of another format in ours."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from goldwright.app.convert import BackConversion, Conversion, ConvertRequest, convert, convert_back
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.interchange import BY_NAME
from goldwright.text import make_visible

a_format = click.Choice(list(BY_NAME))


@click.command("convert")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--to", type=a_format, help="Write DATASET in this format, and say what it cannot hold."
)
@click.option(
    "--from",
    "source",
    type=a_format,
    help="Read DATASET, a file or folder of this format, as records of ours.",
)
@click.option(
    "--out",
    type=options.a_path,
    required=True,
    metavar="PATH",
    help="Where to write; must be free.",
)
@click.option(
    "--repo",
    type=options.a_path,
    metavar="DIR",
    help="The codebase, for beir and mteb, which hold it.",
)
@options.rev
@options.allow_dirty
@options.as_json
def command(
    dataset: str,
    to: str | None,
    source: str | None,
    out: Path,
    repo: Path | None,
    *,
    as_json: bool,
    **pin: bool | str,
) -> None:
    """Write DATASET, a file or a version in golden/ (or latest), in another format; or read one
    with --from.

    Says which pieces of a record the format has no place for, and how many records have them. beir,
    mteb, inspect_ai, promptfoo and deepeval carry whole records along, so --from gives the very
    dataset back. A place that is taken is never written over.
    """
    if (to is None) == (source is None):
        raise click.UsageError("wanted either --to FORMAT or --from FORMAT")
    if source is not None:
        if repo is not None or any(pin.values()):
            raise click.UsageError("--repo, --rev and --allow-dirty go with --to")
        back = convert_back(Path(dataset), source, out)
        _tell(asdict(back), _lines_back(back, source, out), as_json=as_json)
    elif to is not None:
        done = convert(_request(dataset, to, out, repo, pin), current_environment())
        _tell(asdict(done), _lines(done, out), as_json=as_json)


def _request(
    dataset: str, to: str, out: Path, repo: Path | None, pin: dict[str, bool | str]
) -> ConvertRequest:
    rev = pin["rev"]
    if repo is None and any(pin.values()):
        raise click.UsageError("--rev and --allow-dirty go with --repo")
    return ConvertRequest(
        dataset, to, out, repo, rev if isinstance(rev, str) else None, bool(pin["allow_dirty"])
    )


def _tell(found: dict[str, object], lines: Iterator[str], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for line in lines:
        click.echo(make_visible(line))


def _lines(done: Conversion, out: Path) -> Iterator[str]:
    corpus = "" if done.documents is None else f" and {done.documents} documents"
    yield f"{out}: {done.records} records{corpus} as {done.format}, {done.shape}"
    yield f"from {done.taken}"
    for returns, title in (
        (
            True,
            f"carried along, out of sight of tools for {done.format}; --from {done.format} brings it back:",
        ),
        (False, f"lost, for {done.format} has no place for it:"),
    ):
        pieces: dict[int, list[str]] = {}
        for one in done.losses:
            if one.returns == returns:
                pieces.setdefault(one.records, []).append(one.piece)
        if pieces:
            yield title
        for count in sorted(pieces, reverse=True):
            yield f"{count:>6} of {done.records} records: {', '.join(pieces[count])}"
    yield from (f"note: {remark}" for remark in done.remarks)


def _lines_back(back: BackConversion, source: str, out: Path) -> Iterator[str]:
    yield f"{out}: {back.records} records from {source}, {back.whole} of them in full"
    if back.whole < back.records:
        yield f"the others hold {', '.join(back.fields)}: verify audits such a file, eval wants records in full"
