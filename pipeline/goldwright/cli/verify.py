"""``goldwright verify``: a finished dataset against a codebase."""

import json
from pathlib import Path

import click

from goldwright.app.datasets import Verified, verify
from goldwright.app.surroundings import here
from goldwright.cli import options


@click.command("verify")
@click.argument("dataset", type=options.a_path, metavar="DATASET")
@options.repo
@options.rev
@click.option("--allow-drift", is_flag=True, help="Do not mind that cited files changed since.")
@options.allow_dirty
@options.as_json
def command(dataset: Path, repo: Path, rev: str | None, *, allow_drift: bool, allow_dirty: bool, as_json: bool) -> int:
    """Check a dataset: the gate on every record, and the hashes of the files it cites.

    Prints one JSON line for each failing record. Exits with 1 when anything is found.
    """
    found = verify(dataset, repo=repo, rev=rev, allow_drift=allow_drift, allow_dirty=allow_dirty, around=here())
    if as_json:
        click.echo(json.dumps(_as_json(found), indent=2))
        return 0 if found.is_sound else 1
    for one in found.failing:
        click.echo(
            json.dumps({"query_id": one.query_id, "failures": [failure.model_dump() for failure in one.failures]})
        )
    for path in found.drifted:
        click.echo(f"drift: {path} is not the file the dataset was made from", err=True)
    hashes = "hashes compared" if found.has_metadata else "no metadata, so no hashes compared"
    passed = found.records - len(found.failing)
    click.echo(f"{passed} of {found.records} records pass the gate at {found.commit[:12]}; {hashes}", err=True)
    return 0 if found.is_sound else 1


def _as_json(found: Verified) -> dict[str, object]:
    return {
        "records": found.records,
        "commit": found.commit,
        "failing": [
            {"query_id": one.query_id, "failures": [failure.model_dump() for failure in one.failures]}
            for one in found.failing
        ],
        "drifted": list(found.drifted),
        "has_metadata": found.has_metadata,
        "sound": found.is_sound,
    }
