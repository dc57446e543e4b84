"""MTEB, which is a dataset of the Hugging Face Hub: Parquet tables with a card and Croissant.

Source: mteb/abstasks/retrieval_dataset_loaders.py of MTEB 2. Queries without a judgement are
dropped when loaded.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.datasets import CorpusDocument
from goldwright.interchange import judgements
from goldwright.interchange.card import card_text
from goldwright.interchange.croissant import croissant_json
from goldwright.interchange.embedded_record import pack_record, unpack_record
from goldwright.interchange.fields import Row
from goldwright.interchange.format import Dataset
from goldwright.interchange.hub_tables import CORPUS, QRELS, QUERIES, TABLES, HubTable, hashes_in
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.interchange.parquet import read_table, write_table
from goldwright.interchange.reader_protocols import Reading
from goldwright.records import GoldenLabel
from goldwright.strict_json import strict_json

# MTEB takes either name.
ID_COLUMNS: Final = ("id", "_id")
CARD: Final = "README.md"
CROISSANT: Final = "croissant.json"


class MtebFormat:
    """Ids stay as they are; records are JSON in the column ``metadata`` of the queries."""

    name = "mteb"
    shape = "a folder of corpus, queries and qrels in Parquet, with README.md and croissant.json"
    visible_pieces = judgements.VISIBLE_PIECES
    carries_record = True
    holds_corpus = True

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the folder."""
        for table in TABLES:
            (out / table.path).parent.mkdir(parents=True)
        documents = _CountedDocuments(dataset)
        _write_table(out, CORPUS, _corpus_rows(documents))
        _write_table(out, QUERIES, _query_rows(dataset))
        _write_table(out, QRELS, _judgement_rows(dataset))
        # The card and Croissant name the hashes of the tables, so they are written last.
        hashes = hashes_in(out)
        card = card_text(dataset, hashes, document_count=documents.count)
        (out / CARD).write_text(card, encoding="utf-8", newline="\n")
        croissant = croissant_json(dataset, hashes)
        (out / CROISSANT).write_text(croissant, encoding="ascii", newline="\n")

    def read(self, path: Path) -> Reading:
        """Read the folder; several files of one table count as one."""
        judged = Judgements()
        for file in _files_of(QRELS, path):
            for place, row in read_table(file, tuple(QRELS.columns)):
                query_id = _text(row, "query-id", place)
                document_id = _text(row, "corpus-id", place)
                judged.add(place, query_id, document_id, row["score"])
        # Only the ids are read: the texts of a codebase would fill the memory for nothing.
        document_ids: set[str] = set()
        for file in _files_of(CORPUS, path):
            document_ids.update(_document_ids(file))
        judgements.check_documents(judged, document_ids)
        queries = judgements.join_queries(_judged_queries(path), judged)
        return Reading(self.name, queries)

    def claims_folder(self, folder: Path) -> bool:
        """Tell by the judgements, which only this format has as such a table."""
        return any((folder / QRELS.folder).glob("*.parquet"))

    def read_folder(self, folder: Path) -> Reading:
        """Read the folder."""
        return judgements.reading_of(self.name, self.read(folder).queries)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives and unanswered queries, and that a license is open."""
        yield from judgements.remarks(dataset, encodes=False, drops=True)
        yield (
            "the license is left unknown: the corpus is source code under the license of its owner"
        )


class _CountedDocuments:
    """The documents of a dataset, which may be produced only while they are written.

    Attributes:
        count: How many have been written so far.
    """

    def __init__(self, dataset: Dataset) -> None:
        self._documents = dataset.documents
        self.count = 0

    def __iter__(self) -> Iterator[CorpusDocument]:
        for document in self._documents:
            self.count += 1
            yield document


def _corpus_rows(documents: _CountedDocuments) -> Iterator[Row]:
    for document in documents:
        yield {"id": document.document_id, "title": document.title, "text": document.text}


def _query_rows(dataset: Dataset) -> Iterator[Row]:
    for label in dataset.labels:
        metadata = canonical_json(pack_record(label, dataset))
        yield {"id": label.query_id, "text": label.query_text, "metadata": metadata}


def _judgement_rows(dataset: Dataset) -> Iterator[Row]:
    for query_id, document_id in judgements.relevant_pairs(dataset.labels):
        yield {"query-id": query_id, "corpus-id": document_id, "score": judgements.RELEVANT}


def _write_table(root: Path, table: HubTable, rows: Iterable[Row]) -> None:
    write_table(root / table.path, table.columns, rows)


def _files_of(table: HubTable, root: Path) -> tuple[Path, ...]:
    folder = root / table.folder
    files = sorted(folder.glob("*.parquet"))
    if not files:
        raise InputError(f"{root}: wanted {MtebFormat.shape}; found no {table.folder}/*.parquet")
    return tuple(files)


def _judged_queries(root: Path) -> Iterator[JudgedQuery]:
    for file in _files_of(QUERIES, root):
        for place, row in _rows_with_id(file, ("text",), optional=("metadata",)):
            query_id = str(row["id"])
            text = _text(row, "text", place)
            yield JudgedQuery(place, query_id, text, _embedded_record(row, place))


def _embedded_record(row: Row, place: str) -> GoldenLabel | None:
    metadata_json = row.get("metadata")
    # The metadata of somebody else's table may be of another type.
    if not isinstance(metadata_json, str):
        return None
    metadata = strict_json(metadata_json.encode(), source=f"{place}: metadata")
    return unpack_record(metadata, place=place)


def _document_ids(file: Path) -> set[str]:
    document_ids: set[str] = set()
    for place, row in _rows_with_id(file, ()):
        document_id = str(row["id"])
        if document_id in document_ids:
            raise InputError(f"{place}: the document {document_id!r} stands there a second time")
        document_ids.add(document_id)
    return document_ids


def _rows_with_id(
    file: Path, required: tuple[str, ...], *, optional: tuple[str, ...] = ()
) -> Iterator[tuple[str, Row]]:
    """Yield places and rows whose id is a text under ``id``, whichever name its column has."""
    for place, row in read_table(file, required, optional=(*ID_COLUMNS, *optional)):
        first_column, second_column = ID_COLUMNS
        row_id = row.get(first_column, row.get(second_column))
        if not isinstance(row_id, str | int):
            raise InputError(f"{place}: wanted an id, found none")
        # An id may be a number, while judgements name it as text.
        yield place, {**row, "id": str(row_id)}


def _text(row: Row, column: str, place: str) -> str:
    value = row.get(column)
    if not isinstance(value, str):
        raise InputError(f"{place}: wanted a text as {column}, found {value!r}")
    return value
