"""``goldwright rebase``: a dataset carried to a newer commit."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

import click

from goldwright.app.environment import current_environment
from goldwright.app.rebase import RebaseRequest, RebaseResult, rebase_dataset
from goldwright.cli import options
from goldwright.cli.progress_bars import watching
from goldwright.golden.rebase import RebasedKind
from goldwright.text import make_visible

KINDS: Final[tuple[RebasedKind, ...]] = get_args(RebasedKind)


@click.command("rebase")
@click.argument("dataset", metavar="DATASET")
@options.repo
@options.rev
@click.option(
    "--version", metavar="X.Y", help="The version to write. [default: the next minor one]"
)
@click.option("--out", type=options.a_path, metavar="DIR", help="Where to. [default: golden/]")
@options.allow_dirty
@options.as_json
def command(
    dataset: str,
    repo: Path,
    rev: str | None,
    version: str | None,
    out: Path | None,
    *,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Carry DATASET, a file or a version in golden/ (or latest), to the commit REV.

    Records whose code is unchanged or only moved are re-anchored and keep their blessing. The
    others return to people in a run of their own. Exits with 1 when no record came along.
    """
    with watching() as progress:
        request = RebaseRequest(dataset, repo, rev, version, out, allow_dirty)
        done = rebase_dataset(request, current_environment(), progress)
    if as_json:
        click.echo(json.dumps(_as_json(done), indent=2))
        return _exit_code(done)
    for line in _lines(done):
        click.echo(line, err=True)
    if done.dataset is not None:
        click.echo(str(done.dataset))
    return _exit_code(done)


def _exit_code(done: RebaseResult) -> int:
    return 1 if done.dataset is None and done.old_commit != done.new_commit else 0


def _lines(done: RebaseResult) -> Iterator[str]:
    yield f"from {done.taken}"
    if done.old_commit == done.new_commit:
        yield f"it stands at {done.new_commit[:12]} already; nothing to do"
        return
    counts = done.counts
    told = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)
    yield f"{done.old_commit[:12]} to {done.new_commit[:12]}: {told}"
    for one in done.records:
        if one.label is None:
            yield f"  {one.query_id}: {one.kind}: {make_visible('; '.join((*one.reasons, *one.hints)))}"
    if done.returned_to:
        yield f"next    goldwright review {done.returned_to} --reviewer NAME   (the records that did not come along)"


def _as_json(done: RebaseResult) -> dict[str, object]:
    return {
        "from": done.taken,
        "old_commit": done.old_commit,
        "new_commit": done.new_commit,
        "dataset": str(done.dataset) if done.dataset else None,
        "metadata": str(done.metadata) if done.metadata else None,
        "returned_to": done.returned_to,
        "counts": dict(done.counts),
        "records": [
            {
                "query_id": one.query_id,
                "kind": one.kind,
                "reasons": list(one.reasons),
                "hints": list(one.hints),
            }
            for one in done.records
        ],
    }
