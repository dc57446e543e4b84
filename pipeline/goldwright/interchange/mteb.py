"""MTEB, which is a dataset of the Hugging Face Hub: a folder of Parquet tables with a card, and
Croissant beside it.

Source: mteb/abstasks/retrieval_dataset_loaders.py of MTEB 2. Queries without a judgement are
dropped when loaded.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.interchange import judgements
from goldwright.interchange.card import card
from goldwright.interchange.croissant import croissant
from goldwright.interchange.embedded_record import packed, unpacked
from goldwright.interchange.format import CorpusDocument, Dataset, Fields
from goldwright.interchange.hub_tables import CORPUS, QRELS, QUERIES, hashes_in
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.interchange.parquet import read_table, write_table
from goldwright.records.strict_json import strict_json

ID_COLUMNS: Final = ("id", "_id")
CARD: Final = "README.md"
CROISSANT: Final = "croissant.json"


class MtebFormat:
    """Ids stay as they are; records travel as JSON in the column ``metadata`` of the queries."""

    name = "mteb"
    shape = "a folder of corpus, queries and qrels in Parquet, with README.md and croissant.json"
    shown = judgements.SHOWN
    carries_record = True
    holds_corpus = True

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the folder."""
        for table in (CORPUS, QUERIES, QRELS):
            (out / table.path).parent.mkdir(parents=True)
        documents = _TableCount(dataset)
        write_table(
            out / CORPUS.path,
            CORPUS.columns,
            ({"id": one.document_id, "title": one.title, "text": one.text} for one in documents),
        )
        write_table(
            out / QUERIES.path,
            QUERIES.columns,
            (
                {
                    "id": one.query_id,
                    "text": one.query_text,
                    "metadata": canonical_json(packed(one, dataset)),
                }
                for one in dataset.labels
            ),
        )
        write_table(
            out / QRELS.path,
            QRELS.columns,
            (
                {"query-id": query, "corpus-id": document, "score": judgements.RELEVANT}
                for query, document in judgements.relevant_pairs(dataset.labels)
            ),
        )
        hashes = hashes_in(out)
        (out / CARD).write_text(
            card(dataset, hashes, documents=documents.count), encoding="utf-8", newline="\n"
        )
        (out / CROISSANT).write_text(croissant(dataset, hashes), encoding="ascii", newline="\n")

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the folder; several files of one table count as one."""
        judged = Judgements()
        for table in _files(path, QRELS.folder):
            for place, row in read_table(table, tuple(QRELS.columns)):
                query, document = _text(row, "query-id", place), _text(row, "corpus-id", place)
                judged.add(place, query, document, row["score"])
        known = {
            name: place
            for table in _files(path, CORPUS.folder)
            for name, place in _documents(table)
        }
        judgements.check_documents(judged, known)
        return judgements.joined(
            (one for table in _files(path, QUERIES.folder) for one in _asked(table)), judged
        )

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives and of queries without an answer, and what is left to
        the publisher.
        """
        yield from judgements.remarks(dataset, encodes=False, drops=True)
        yield "the license is left unknown: the corpus is source code under the license of its owner"


class _TableCount:
    """The documents of a dataset; ``count`` is how many were taken."""

    def __init__(self, dataset: Dataset) -> None:
        self._documents = dataset.documents
        self.count = 0

    def __iter__(self) -> Iterator[CorpusDocument]:
        for one in self._documents:
            self.count += 1
            yield one


def _files(root: Path, folder: str) -> tuple[Path, ...]:
    found = tuple(sorted((root / folder).glob("*.parquet")))
    if not found:
        raise InputError(f"{root}: wanted {MtebFormat.shape}; found no {folder}/*.parquet")
    return found


def _asked(table: Path) -> Iterator[JudgedQuery]:
    for place, row in _identified(table, ("text",), optional=("metadata",)):
        written = row.get("metadata")
        source = f"{place}: metadata"
        luggage = strict_json(written.encode(), source=source) if isinstance(written, str) else None
        yield JudgedQuery(
            place, str(row["id"]), _text(row, "text", place), unpacked(luggage, place=place)
        )


def _documents(table: Path) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for place, row in _identified(table, ()):
        name = str(row["id"])
        if name in seen:
            raise InputError(f"{place}: the document {name!r} stands there a second time")
        seen.add(name)
        yield name, place


def _identified(
    table: Path, wanted: tuple[str, ...], *, optional: tuple[str, ...] = ()
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield rows whose id is a text under ``id``, whichever of the two names the column has."""
    for place, row in read_table(table, wanted, optional=(*ID_COLUMNS, *optional)):
        name = next((row[column] for column in ID_COLUMNS if column in row), None)
        if not isinstance(name, str | int):
            raise InputError(f"{place}: wanted an id, found none")
        yield place, {**row, "id": str(name)}


def _text(row: object, column: str, place: str) -> str:
    value = row.get(column) if isinstance(row, dict) else None
    if not isinstance(value, str):
        raise InputError(f"{place}: wanted a text as {column}, found {value!r}")
    return value
