"""``goldwright verify``: a finished dataset against a codebase, whoever made it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.verify import Verification, VerifyRequest, verify
from goldwright.cli import options
from goldwright.text import make_visible


@click.command("verify")
@click.argument("dataset", metavar="DATASET")
@options.repo
@options.rev
@click.option("--allow-drift", is_flag=True, help="Do not mind that cited files changed since.")
@options.allow_dirty
@options.as_json
def command(
    dataset: str,
    repo: Path,
    rev: str | None,
    *,
    allow_drift: bool,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Check DATASET, a file or a version in golden/ (or latest).

    Ours: the gate on every record, and the hashes of the files it cites. Anybody's (KnowCode JSON,
    CodeRAG JSONL, VaultMind YAML): an audit that tells how many records each defect hits. Prints
    one JSON line for each record with a finding. Exits with 1 when anything is found.
    """
    found = verify(
        VerifyRequest(dataset, repo, rev, allow_drift, allow_dirty), current_environment()
    )
    if as_json:
        click.echo(json.dumps(_as_json(found), indent=2))
        return 0 if found.is_sound else 1
    for row in _findings(found):
        click.echo(json.dumps(row))
    for line in _summary(found):
        click.echo(line, err=True)
    return 0 if found.is_sound else 1


def _findings(found: Verification) -> Iterator[Mapping[str, object]]:
    """One row for each record: the gate's failures for a dataset of ours, the audit's defects for
    another.
    """
    for one in found.failing:
        yield {
            "query_id": one.query_id,
            "failures": [failure.model_dump() for failure in one.failures],
        }
    if found.format == "goldwright":
        return
    rows: dict[int, list[dict[str, str]]] = {}
    names: dict[int, str] = {}
    for defect in found.audit.defects:
        names[defect.record] = defect.query_id
        rows.setdefault(defect.record, []).append(
            {"check": defect.code, "claim": "record", "message": defect.message}
        )
    for number in sorted(rows):
        yield {"query_id": names[number], "record": number, "failures": rows[number]}


def _summary(found: Verification) -> Iterator[str]:
    yield f"{found.taken}: {found.format}, {found.records} records, at {found.commit[:12]}"
    for path in found.drifted:
        yield f"drift: {make_visible(path)} is not the file the dataset was made from"
    if found.format == "goldwright":
        hashes = "hashes compared" if found.has_metadata else "no metadata, so no hashes compared"
        passed = found.records - len(found.failing)
        yield f"{passed} of {found.records} records pass the gate at {found.commit[:12]}; {hashes}"
    hits = {code: count for code, count in found.audit.counts().items() if count}
    for code, count in hits.items():
        yield f"{count:>6} of {found.records} records  {code}"
    clean = found.records - found.audit.records_hit
    yield f"{clean:>6} of {found.records} records without a defect"
    for note in found.audit.notes:
        yield f"note: {note}"


def _as_json(found: Verification) -> dict[str, object]:
    return {
        "dataset": found.taken,
        "format": found.format,
        "records": found.records,
        "commit": found.commit,
        "failing": [
            {
                "query_id": one.query_id,
                "failures": [failure.model_dump() for failure in one.failures],
            }
            for one in found.failing
        ],
        "drifted": list(found.drifted),
        "has_metadata": found.has_metadata,
        "defects": [
            {
                "query_id": one.query_id,
                "record": one.record,
                "check": one.code,
                "message": one.message,
            }
            for one in found.audit.defects
        ],
        "records_hit": dict(found.audit.counts()),
        "notes": list(found.audit.notes),
        "sound": found.is_sound,
    }
