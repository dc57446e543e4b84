"""Opening a dataset of any format: the one way in for all that scores, audits or converts one."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from goldwright.canonical import digest, digest_bytes
from goldwright.errors import InputError
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.loading import metadata_path, parse_dataset, read_bytes, read_metadata
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import DatasetFile, checked_metadata, find_dataset, is_version
from goldwright.interchange.beir import CORPUS, read_corpus
from goldwright.interchange.catalog import OWN
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.interchange.json_records import check_distinct
from goldwright.interchange.reading import read_file, read_folder
from goldwright.text import make_visible, name_some

# A folder is read as a whole only for its digest; its corpus does not count, for it may be large.
_NOT_DIGESTED: Final = frozenset({CORPUS, "corpus"})


def open_dataset(
    selector: str | None, directory: Path, fields: FieldMapping | None = None
) -> LoadedDataset:
    """Find and read a dataset, and check one of ours against its metadata.

    Args:
        selector: A path of a file or folder in any format, or a version; None or ``latest`` for
            the newest blessed version.
        directory: Where versions are published.
        fields: Which field of a list or table holds what, where a reader could not know.

    Raises:
        InputError: There is no such dataset, it is of no known format, a record of it is wrong, or
            it holds none; the text names the file and the place.
        QualityGateError: It is not the file that its metadata name.
    """
    if selector is not None and not is_version(selector) and Path(selector).is_dir():
        if fields is not None:
            raise InputError(f"{selector}: --fields goes with a file of records, not with a folder")
        return _open_folder(Path(selector))
    return _open_file(find_dataset(selector, directory), fields)


def check_scorable(dataset: LoadedDataset) -> None:
    """Make sure that every query can be scored: an id of its own, and something to find.

    Raises:
        InputError: One cannot; the text names its place.
    """
    check_distinct(dataset.queries)
    empty = [query for query in dataset.queries if not query.expected_ids]
    if empty:
        place = empty[0].place or dataset.path
        names = name_some([query.query_id for query in empty])
        total = len(dataset.queries)
        share = f"{len(empty)} of {total} queries"
        raise InputError(f"{place}: expects nothing, so it cannot be scored ({share}: {names})")


def _open_file(file: DatasetFile, fields: FieldMapping | None) -> LoadedDataset:
    path = file.path
    data = read_bytes(path, content="dataset")
    # First, so that a file of ours that was changed by hand is called that, and nothing else.
    metadata, problem = _read_metadata(file, data)
    reading = read_file(path, data, fields)
    if reading.format != OWN.name:
        if metadata is not None:
            raise InputError(
                f"{path}: is of the format {reading.format}, where {metadata_path(path).name} "
                "describes a dataset of Goldwright"
            )
        description = file.description
        names: Mapping[str, str] = {}
        if fields is not None:
            description = f"{description}, {fields}"
            names = fields.names
        documents = reading.documents
        corpus = partial(iter, documents) if documents else None
        return LoadedDataset(
            path,
            description,
            file.sha256,
            reading.queries,
            format=reading.format,
            notes=reading.notes,
            corpus=corpus,
            fields=names,
        )
    if problem is not None:
        raise problem
    labels = parse_dataset(data, source=str(path))
    return LoadedDataset(
        path, file.description, file.sha256, reading.queries, labels=labels, metadata=metadata
    )


def _read_metadata(
    file: DatasetFile, data: bytes
) -> tuple[DatasetMetadata | None, InputError | None]:
    """Read the metadata; what is wrong with them is a problem only where the dataset is ours.

    KnowCode has metadata of its own under the same name.
    """
    try:
        read_metadata(file.path)
    except InputError as error:
        return None, error
    return checked_metadata(file, data), None


def _open_folder(folder: Path) -> LoadedDataset:
    reading = read_folder(folder)
    if not reading.queries:
        notes = " ".join(reading.notes)
        raise InputError(f"{folder}: holds no query that can be scored: {notes}")
    sha256 = digest(_digests_of_files(folder))
    has_corpus = (folder / CORPUS).is_file()
    labels = tuple(query.label for query in reading.queries if query.label is not None)
    is_labelled = len(labels) == len(reading.queries)
    shown_folder = make_visible(str(folder))
    description = f"{shown_folder} ({reading.format}), {sha256}"
    corpus = partial(read_corpus, folder) if has_corpus else None
    return LoadedDataset(
        path=folder,
        description=description,
        sha256=sha256,
        queries=reading.queries,
        labels=labels if is_labelled else (),
        format=reading.format,
        notes=reading.notes,
        corpus=corpus,
    )


def _digests_of_files(folder: Path) -> dict[str, str]:
    digests: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        is_corpus = not _NOT_DIGESTED.isdisjoint(relative.parts)
        if path.is_file() and not is_corpus:
            data = read_bytes(path, content="dataset")
            digests[relative.as_posix()] = digest_bytes(data)
    return digests
