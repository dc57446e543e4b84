"""One dataset over the codebases of a suite, and beside it where every part comes from."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.suites.suite_checkpoints import SuiteCheckpoint, SuiteDirectory
from goldwright.app.suites.suite_run import SuiteState, suite_state
from goldwright.atomic_files import publish_together
from goldwright.canonical import digest_bytes
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.labels import dataset_bytes
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.versions import Version
from goldwright.records import GoldenLabel

STRATUM: Final = "codebase"


@dataclass(frozen=True, slots=True)
class SuiteExport:
    """The files of a suite's dataset.

    Attributes:
        dataset: The file of the records.
        provenance: The file that says of which codebase, commit and plan each part is.
        records: How many records the dataset holds.
        left_out: Codebases that are not done, where that was allowed.
    """

    dataset: Path
    provenance: Path
    records: int
    left_out: tuple[str, ...]


def export_suite(
    directory: Path, version: str, *, out: Path | None = None, partial: bool = False
) -> SuiteExport:
    """Write the dataset of a suite as a draft.

    The same checkpoints give the same bytes, on whatever machines they were computed.

    Args:
        directory: Of the suite.
        version: The number of the version.
        out: Where the files go; the directory of the suite without one.
        partial: Whether codebases that are not done are left out, and named as such.

    Raises:
        InputError: There is no suite, no record, or another dataset under this name.
        QualityGateError: A codebase is not done.
        DamagedStateError: A checkpoint is not what was written.
    """
    number = Version.parse(version)
    place = SuiteDirectory(directory)
    state = suite_state(place)
    if state.missing and not partial:
        names = ", ".join(state.missing)
        raise QualityGateError(
            f"{state.name}: not exported: not done: {names}; run them, or pass --partial"
        )
    labels = list(suite_labels(place, state))
    if not labels:
        raise InputError(f"{state.name}: no codebase is done")
    data = dataset_bytes(labels)
    target = (out or directory) / f"suite_v{number}.draft.json"
    provenance_file = target.with_name(f"{target.stem}.provenance.json")
    provenance_fields = _provenance(state, str(number), data)
    provenance_json = json.dumps(provenance_fields, indent=2)
    provenance = f"{provenance_json}\n".encode("ascii")
    target.parent.mkdir(parents=True, exist_ok=True)
    _publish(target, data, provenance_file, provenance)
    return SuiteExport(target, provenance_file, len(labels), state.missing)


def suite_labels(place: SuiteDirectory, state: SuiteState) -> Iterator[GoldenLabel]:
    """Give the records of all codebases that are done, with ids and a stratum of the codebase.

    Query ids become ``CODEBASE/ID``. Ids of entities and paths of files stay as they are: they
    are looked up in the codebase that the stratum names.
    """
    for checkpoint in state.done:
        path = place.dataset(checkpoint)
        data = read_bytes(path, content="dataset")
        for label in parse_dataset(data, source=str(path)):
            yield _qualified(label, checkpoint.codebase)


def _qualified(label: GoldenLabel, codebase: str) -> GoldenLabel:
    strata = {**label.strata, STRATUM: codebase}
    query_id = f"{codebase}/{label.query_id}"
    return label.model_copy(update={"query_id": query_id, "strata": strata})


def _provenance(state: SuiteState, version: str, data: bytes) -> dict[str, object]:
    codebases = [_part(checkpoint) for checkpoint in state.done]
    missing = list(state.missing)
    return {
        "schema_version": "1.0.0",
        "suite": state.name,
        "version": version,
        "dataset_status": "draft",
        "dataset_sha256": digest_bytes(data),
        "codebases": codebases,
        "missing": missing,
    }


def _part(checkpoint: SuiteCheckpoint) -> dict[str, object]:
    short_cells = list(checkpoint.short_cells)
    # Without the name of the run: it holds the time, and the file is to be the same everywhere.
    return {
        "codebase": checkpoint.codebase,
        "inputs": checkpoint.inputs,
        "commit": checkpoint.commit,
        "dataset_sha256": checkpoint.dataset_sha256,
        "records": checkpoint.records,
        "short_cells": short_cells,
    }


def _publish(target: Path, data: bytes, provenance_file: Path, provenance: bytes) -> None:
    files = [(provenance_file, provenance), (target, data)]
    if all(path.is_file() and path.read_bytes() == content for path, content in files):
        return
    publish_together(files)
