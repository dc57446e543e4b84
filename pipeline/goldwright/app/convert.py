"""Taking a dataset into another format, and records of other formats into ours."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.canonical import canonical_json
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.datasets import load_dataset
from goldwright.golden.labels import dataset_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.verification import drifted_files
from goldwright.interchange import (
    BY_NAME,
    Corpus,
    Dataset,
    Fields,
    Format,
    Loss,
    losses,
    refuse_existing,
    write_atomically,
)
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot, open_snapshot

WHOLE = "provenance"


@dataclass(frozen=True, slots=True)
class ConvertRequest:
    """Which dataset to write, by path or version, in which format and where; ``repo`` is the
    codebase it is about.
    """

    dataset: str
    to: str
    out: Path
    repo: Path | None = None
    rev: str | None = None
    allow_dirty: bool = False


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was written, and what it does not say; ``documents`` is ``None`` for formats without a
    corpus.
    """

    taken: str
    format: str
    shape: str
    records: int
    documents: int | None
    losses: tuple[Loss, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BackConversion:
    """What was read: how many records, of them in full, and the fields that any of them has."""

    records: int
    whole: int
    fields: tuple[str, ...]


def convert(request: ConvertRequest, environment: Environment) -> Conversion:
    """Write a dataset in another format.

    Raises:
        InputError: The dataset or the codebase cannot be read, the format cannot hold it, or the
            place is taken.
        QualityGateError: It is not the dataset that its metadata name, or its cited files have
            changed.
    """
    to = BY_NAME[request.to]
    refuse_existing(request.out)
    found = load_dataset(request.dataset, environment.workspace.golden)
    labels = found.labels
    snapshot = _codebase(request, to, environment)
    if snapshot is not None:
        _check_about(labels, found.metadata, snapshot, found.path)
    documents = Corpus(snapshot) if snapshot is not None else ()
    dataset = Dataset(found.path.stem, found.sha256, labels, found.metadata, documents)
    write_atomically(request.out, lambda fresh: to.write(dataset, fresh))
    return Conversion(
        taken=found.description,
        format=to.name,
        shape=to.shape,
        records=len(labels),
        documents=sum(1 for _ in snapshot.entities())
        if snapshot is not None and to.holds_corpus
        else None,
        losses=losses(to, labels),
        remarks=tuple(to.remarks(dataset)),
    )


def convert_back(path: Path, from_format: str, out: Path) -> BackConversion:
    """Read a file or folder of another format and write what it holds as records of ours.

    Records that carry themselves come back in full, and in the very bytes that were taken out; of
    any other, the fields that it has are written.

    Raises:
        InputError: It is not of that format, or the place is taken; the text names the file and the
            line.
    """
    refuse_existing(out)
    rows = BY_NAME[from_format].read(path)
    if not rows:
        raise InputError(f"{path}: holds no record")
    whole = sum(WHOLE in row for row in rows)
    data = _whole(rows) if whole == len(rows) else _parts(rows)
    write_atomically(out, lambda fresh: _write(fresh, data))
    return BackConversion(
        len(rows), whole, tuple(dict.fromkeys(field for row in rows for field in row))
    )


def _codebase(request: ConvertRequest, to: Format, environment: Environment) -> Snapshot | None:
    if request.repo is not None:
        return open_snapshot(
            request.repo, rev=request.rev, cache=environment.cache, allow_dirty=request.allow_dirty
        )
    if to.holds_corpus:
        raise InputError(
            f"{to.name} holds the codebase beside the queries: name it with --repo DIR"
        )
    return None


def _check_about(
    labels: Sequence[GoldenLabel], metadata: DatasetMetadata | None, snapshot: Snapshot, path: Path
) -> None:
    drifted = drifted_files(metadata.source_file_hashes, snapshot) if metadata else ()
    if drifted:
        raise QualityGateError(
            f"{path.name}: {len(drifted)} of its cited files are not what it was made from (first {drifted[0]}); "
            "name the commit it was made from with --rev, or rebase it"
        )
    for label in labels:
        Corpus(snapshot).check_holds(label, source=str(path))


def _whole(rows: Sequence[Fields]) -> bytes:
    return dataset_bytes(GoldenLabel.model_validate_json(canonical_json(row)) for row in rows)


def _parts(rows: Sequence[Fields]) -> bytes:
    return (json.dumps(list(rows), indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode(
        "ascii"
    )


def _write(fresh: Path, data: bytes) -> None:
    fresh.write_bytes(data)
