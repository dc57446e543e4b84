"""Taking a dataset into another format, and records of other formats into ours."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.datasets import CorpusDocument, LoadedDataset
from goldwright.golden.labels import dataset_bytes
from goldwright.golden.queries import DatasetQuery
from goldwright.golden.verification import drifted_files
from goldwright.interchange.atomic_output import refuse_existing, write_atomically
from goldwright.interchange.catalog import BY_NAME
from goldwright.interchange.corpus import Corpus
from goldwright.interchange.format import Dataset, Format, Loss, losses
from goldwright.interchange.opening import open_dataset
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.text import counted

Fields = Mapping[str, object]
"""Some or all fields of a record, as JSON types."""


@dataclass(frozen=True, slots=True)
class ConvertRequest:
    """What a user asks of a conversion.

    Attributes:
        dataset: The dataset by path or version.
        to: The name of the format.
        out: Where to write; must be free.
        repo: The codebase, for formats that hold it.
        rev: Its commit; HEAD where there is none.
        allow_dirty: Whether to pin the files of the work tree as they are.
    """

    dataset: str
    to: str
    out: Path
    repo: Path | None = None
    rev: str | None = None
    allow_dirty: bool = False


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was written, and what it cannot say.

    Attributes:
        source: Which dataset it was, why this one was taken, and its hash.
        format: The name of the format.
        shape: What was written, in a few words.
        records: How many records.
        documents: How many documents of the codebase; None for a format without a corpus.
        losses: What the format has no place for.
        remarks: What is said otherwise than in our own datasets, a sentence each.
    """

    source: str
    format: str
    shape: str
    records: int
    documents: int | None
    losses: tuple[Loss, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BackConversion:
    """What was read from another format.

    Attributes:
        records: How many records.
        full_records: How many of them have all fields of ours.
        fields: The fields that any of them has.
        notes: What was not read, a sentence each.
    """

    records: int
    full_records: int
    fields: tuple[str, ...]
    notes: tuple[str, ...]


def convert_dataset(request: ConvertRequest, environment: Environment) -> Conversion:
    """Write a dataset in another format.

    Raises:
        InputError: The dataset or the codebase cannot be read, the format cannot hold it, or the
            place is taken.
        QualityGateError: It is not the dataset that its metadata name, or its cited files have
            changed.
    """
    output_format = BY_NAME[request.to]
    # Before the codebase is read, which may take minutes.
    refuse_existing(request.out)
    loaded = open_dataset(request.dataset, environment.workspace.golden)
    if not loaded.labels:
        raise InputError(
            f"{loaded.path}: is of the format {loaded.format}; only records of ours are written "
            f"in others; make it one of ours first: goldwright adopt {loaded.path} --repo DIR"
        )
    snapshot = _open_codebase(request, output_format, environment)
    documents: Iterable[CorpusDocument] = ()
    if snapshot is not None:
        _check_is_about(loaded, snapshot)
        documents = Corpus(snapshot)
    labels = loaded.labels
    name = loaded.path.stem
    dataset = Dataset(name, loaded.sha256, labels, loaded.metadata, documents)

    def write_dataset(path: Path) -> None:
        output_format.write(dataset, path)

    write_atomically(request.out, write_dataset)
    remarks = tuple(output_format.remarks(dataset))
    document_count = _count_documents(output_format, snapshot)
    return Conversion(
        source=loaded.description,
        format=output_format.name,
        shape=output_format.shape,
        records=len(labels),
        documents=document_count,
        losses=losses(output_format, labels),
        remarks=remarks,
    )


def convert_back(path: Path, from_format: str, out: Path) -> BackConversion:
    """Read a file or folder of another format and write what it holds as records of ours.

    Where all records carry themselves, the very bytes of the dataset come back; otherwise the
    fields that each record has are written.

    Raises:
        InputError: It is not of that format, or the place is taken; the text names the file and the
            line.
    """
    refuse_existing(out)
    reading = BY_NAME[from_format].read(path)
    queries = reading.queries
    if not queries:
        raise InputError(f"{path}: holds no record")
    labels = [query.label for query in queries if query.label is not None]
    records = tuple(map(fields_of, queries))
    data = _field_data(records)
    if len(labels) == len(queries):
        data = dataset_bytes(labels)

    def write_data(target: Path) -> None:
        target.write_bytes(data)

    write_atomically(out, write_data)
    field_names = _fields_of_any(records)
    return BackConversion(len(records), len(labels), field_names, reading.notes)


def _open_codebase(
    request: ConvertRequest, output_format: Format, environment: Environment
) -> Snapshot | None:
    if request.repo is None:
        if output_format.holds_corpus:
            raise InputError(
                f"{output_format.name} holds the codebase beside the queries: "
                "name it with --repo DIR"
            )
        return None
    return open_snapshot(
        request.repo,
        rev=request.rev,
        cache=environment.cache,
        allow_dirty=request.allow_dirty,
        chance=environment.chance,
    )


def _check_is_about(dataset: LoadedDataset, snapshot: Snapshot) -> None:
    """Make sure that a dataset was made from a codebase, so that its documents can be found."""
    if dataset.metadata is not None:
        drifted = drifted_files(dataset.metadata.source_file_hashes, snapshot)
        if drifted:
            changed_files = counted(len(drifted), "cited file")
            change = f"{changed_files} changed since it was made (first {drifted[0]})"
            raise QualityGateError(
                f"{dataset.name}: {change}; "
                "name the commit it was made from with --rev, or rebase it"
            )
    corpus = Corpus(snapshot)
    for label in dataset.labels:
        corpus.check_holds(label, source=str(dataset.path))


def _count_documents(output_format: Format, snapshot: Snapshot | None) -> int | None:
    # A codebase may be named for the check alone, where the format has no corpus.
    if snapshot is None or not output_format.holds_corpus:
        return None
    return sum(1 for _ in snapshot.entities())


def _fields_of_any(records: Iterable[Fields]) -> tuple[str, ...]:
    # A dictionary keeps each name once, in the order in which the file brings them.
    fields: dict[str, None] = {}
    for record in records:
        fields.update(dict.fromkeys(record))
    return tuple(fields)


def fields_of(query: DatasetQuery) -> Fields:
    """Give all fields of a record of ours, or those that a query of others has."""
    if query.label is not None:
        return query.label.model_dump(mode="json")
    # Ids of documents say nothing of files.
    is_opaque = not query.entity_ids and not query.expected_files
    entity_ids = query.expected_ids if is_opaque else query.entity_ids
    named_files = () if is_opaque else query.file_paths
    fields: dict[str, object] = {
        "query_id": query.query_id,
        "query_text": query.query_text,
        "expected_entities": list(entity_ids),
    }
    grades = query.grades if query.is_graded else {}
    optional = {
        "expected_files": list(named_files),
        "canonical_narrative": query.canonical_narrative,
        "must_mention_facts": list(query.must_mention_facts),
        "must_not_mention_facts": list(query.must_not_mention_facts),
        "strata": dict(query.strata),
        "grades": dict(grades),
    }
    stated_fields = {name: value for name, value in optional.items() if value}
    fields.update(stated_fields)
    return fields


def _field_data(records: Sequence[Fields]) -> bytes:
    text = json.dumps(list(records), indent=2, ensure_ascii=True, allow_nan=False)
    return f"{text}\n".encode("ascii")
