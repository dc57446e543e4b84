"""``goldwright rebase``: a dataset carried to a newer commit."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

import click

from goldwright.app.datasets.rebase import RebaseRequest, RebaseResult, rebase_dataset
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.golden.rebase import RebasedKind, RebasedRecord
from goldwright.text import make_visible

KINDS: Final[tuple[RebasedKind, ...]] = get_args(RebasedKind)


@click.command("rebase", cls=SettingsCommand)
@options.dataset_argument
@options.repo
@options.rev
@click.option(
    "--version", metavar="X.Y", help="The version to write. [default: the next minor one]"
)
@click.option("--out", type=options.path_type, metavar="DIR", help="Where to. [default: golden/]")
@options.decisions
@options.allow_dirty
@options.as_json
def command(
    dataset: str,
    repo: Path,
    rev: str | None,
    version: str | None,
    out: Path | None,
    decisions: Path | None,
    *,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Carry DATASET, a file or a version in golden/ (or latest), to the commit REV.

    Records whose code is unchanged or only moved are re-anchored and keep their blessing. The
    others return to people in a run of their own. Exits with 1 when no record came along.
    """
    request = RebaseRequest(dataset, repo, rev, version, out, allow_dirty, decisions)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        result = rebase_dataset(request, environment, progress)
    if as_json:
        print_json(_as_json(result))
    else:
        print_lines(_lines(result), to_stderr=True)
        if result.dataset is not None:
            click.echo(str(result.dataset))
    # At the same commit no version is written, and that is no failure.
    has_nothing_to_do = result.old_commit == result.new_commit
    return gate_exit_code(passes=has_nothing_to_do or result.dataset is not None)


def _lines(result: RebaseResult) -> Iterator[str]:
    old_commit = result.old_commit[:12]
    new_commit = result.new_commit[:12]
    yield f"from {result.source}"
    if result.old_commit == result.new_commit:
        yield f"it stands at {new_commit} already; nothing to do"
        return
    counts = result.counts
    counts_by_kind = [f"{counts[kind]} {kind}" for kind in KINDS]
    kinds = ", ".join(counts_by_kind)
    yield f"{old_commit} to {new_commit}: {kinds}"
    for record in result.records:
        # A record that came along has its new label; people need to know of the others only.
        if record.label is None:
            yield _returned_record_line(record)
        decision = result.dropped.get(record.query_id)
        if decision is not None:
            reason = make_visible(decision.sentence)
            yield f"  {record.query_id}: left out: {reason}"
    if result.returned_to:
        yield (
            f"next    goldwright review {result.returned_to} --reviewer NAME   "
            "(the records that did not come along)"
        )


def _returned_record_line(record: RebasedRecord) -> str:
    sentences = "; ".join((*record.reasons, *record.hints))
    explanation = make_visible(sentences)
    return f"  {record.query_id}: {record.kind}: {explanation}"


def _as_json(result: RebaseResult) -> dict[str, object]:
    records = [_record_json(record) for record in result.records]
    return {
        "from": result.source,
        "old_commit": result.old_commit,
        "new_commit": result.new_commit,
        "dataset": _path_json(result.dataset),
        "metadata": _path_json(result.metadata),
        "returned_to": result.returned_to,
        "counts": dict(result.counts),
        "dropped": sorted(result.dropped),
        "records": records,
    }


def _path_json(path: Path | None) -> str | None:
    if path is None:
        return None
    return str(path)


def _record_json(record: RebasedRecord) -> dict[str, object]:
    return {
        "query_id": record.query_id,
        "kind": record.kind,
        "reasons": list(record.reasons),
        "hints": list(record.hints),
    }
