"""BEIR: a folder of ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/test.tsv``.

Source: beir/datasets/data_loader.py of BEIR 2.2. Its reader takes the first line of the judgements
for a header whatever it holds, reads grades as whole numbers, and drops queries without a
judgement.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.datasets import CorpusDocument
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields, judgements
from goldwright.interchange.embedded_record import pack_record, unpack_record
from goldwright.interchange.format import Dataset
from goldwright.interchange.json_records import read_located_rows, write_json_lines
from goldwright.interchange.judgement_tables import TableLayout, read_judgements
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.interchange.query_list import find_field
from goldwright.interchange.reader_protocols import Reading
from goldwright.interchange.row_locations import LocatedRow
from goldwright.retrieval.column_ids import decoded, encoded

LAYOUT: Final = TableLayout(
    columns=("query-id", "corpus-id", "score"), separator="\t", has_header=True
)
CORPUS: Final = "corpus.jsonl"
QUERIES: Final = "queries.jsonl"
QRELS: Final = "qrels"
# Where there is one split only, many leave the folder of splits out.
FLAT_QRELS: Final = "qrels.tsv"
TEST_SPLIT: Final = "test"
# The first is BEIR's own; the others are what people write in its place.
ID_NAMES: Final = ("_id", "id", "query_id", "query-id", "qid", "doc_id", "docid")
# Characters; a document of a corpus may be a whole file.
LONGEST_DOCUMENT: Final = 10_000_000


class BeirFormat:
    """Ids with white space or quotes are percent-encoded; records are in the queries' metadata."""

    name = "beir"
    shape = "a folder of corpus.jsonl, queries.jsonl and qrels/test.tsv"
    visible_pieces = judgements.VISIBLE_PIECES
    carries_record = True
    holds_corpus = True

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the folder."""
        (out / QRELS).mkdir(parents=True)
        write_json_lines(out / CORPUS, _corpus_rows(dataset))
        write_json_lines(out / QUERIES, _query_rows(dataset))
        with (out / QRELS / "test.tsv").open("w", encoding="utf-8", newline="\n") as file:
            header = "\t".join(LAYOUT.columns)
            file.write(f"{header}\n")
            for query_id, document_id in judgements.relevant_pairs(dataset.labels):
                relevance = str(judgements.RELEVANT)
                cells = (encoded(query_id), encoded(document_id), relevance)
                line = "\t".join(cells)
                file.write(f"{line}\n")

    def read(self, path: Path) -> Reading:
        """Read the folder; every split of the judgements counts.

        Judged documents have to be in the corpus, where there is one.
        """
        return Reading(self.name, _read_queries(path, _tables(path)))

    def claims_folder(self, folder: Path) -> bool:
        """Tell by the judgements, which only this format has as such a table."""
        return bool(_find_tables(folder))

    def read_folder(self, folder: Path) -> Reading:
        """Read the queries of the test split, or of all splits where there is none."""
        tables = _tables(folder)
        test_tables = [table for table in tables if table.stem == TEST_SPLIT]
        notes = []
        if test_tables and len(tables) > 1:
            other_splits = [table.stem for table in tables if table.stem != TEST_SPLIT]
            splits = ", ".join(other_splits)
            notes.append(f"Only the split {TEST_SPLIT} was read, not {splits}.")
        queries = _read_queries(folder, test_tables or tables)
        return judgements.reading_of(self.name, queries, notes)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives, of unanswered queries, and of ids with white space."""
        return judgements.remarks(dataset, encodes=True, drops=True)


def read_corpus(folder: Path) -> Iterator[CorpusDocument]:
    """Yield the documents of a folder; none where it has no corpus.

    Raises:
        InputError: A document is no document, or stands there twice.
    """
    corpus = folder / CORPUS
    if not corpus.exists():
        return
    _document_places(corpus)
    for located in read_located_rows(corpus, content="corpus"):
        place = located.place
        title = fields.optional_text(located.row, "title", place=place) or ""
        text = fields.required_text(located.row, "text", place=place, longest=LONGEST_DOCUMENT)
        yield CorpusDocument(_id_of(located), title, text)


def _tables(folder: Path) -> list[Path]:
    tables = _find_tables(folder)
    if not tables:
        raise InputError(f"{folder}: wanted {BeirFormat.shape}; found no {QRELS}/*.tsv")
    return tables


def _find_tables(folder: Path) -> list[Path]:
    """Find the judgements: of each split in a folder of their own, or of all beside the queries."""
    tables = sorted((folder / QRELS).glob("*.tsv"))
    flat_table = folder / FLAT_QRELS
    if not tables and flat_table.is_file() and (folder / QUERIES).is_file():
        return [flat_table]
    return tables


def _read_queries(path: Path, tables: Iterable[Path]) -> tuple[DatasetQuery, ...]:
    judged = Judgements()
    for table in tables:
        read_judgements(table, LAYOUT, judged)
    # The records need no corpus, so a folder without one is read too.
    corpus = path / CORPUS
    if corpus.exists():
        judgements.check_documents(judged, _document_places(corpus))
    query_rows = read_located_rows(path / QUERIES, content="queries")
    return judgements.join_queries(map(_judged_query, query_rows), judged)


def _corpus_rows(dataset: Dataset) -> Iterator[dict[str, object]]:
    for document in dataset.documents:
        document_id = encoded(document.document_id)
        yield {"_id": document_id, "title": document.title, "text": document.text}


def _query_rows(dataset: Dataset) -> Iterator[dict[str, object]]:
    for label in dataset.labels:
        query_id = encoded(label.query_id)
        metadata = pack_record(label, dataset)
        yield {"_id": query_id, "text": label.query_text, "metadata": metadata}


def _judged_query(located: LocatedRow) -> JudgedQuery:
    place = located.place
    query_id = _id_of(located)
    text = fields.required_text(located.row, "text", place=place)
    metadata = located.row.get("metadata")
    record = unpack_record(metadata, place=place)
    strata = fields.strata(located.row, place=place)
    return JudgedQuery(place, query_id, text, record, strata)


def _document_places(corpus: Path) -> dict[str, str]:
    """Give the place of each document, by its id."""
    places: dict[str, str] = {}
    for located in read_located_rows(corpus, content="corpus"):
        place = located.place
        document_id = _id_of(located)
        if document_id in places:
            first_place = places[document_id]
            raise InputError(
                f"{place}: the document {document_id!r} stands there a second time; "
                f"first at {first_place}"
            )
        places[document_id] = place
    return places


def _id_of(located: LocatedRow) -> str:
    # An encoded character takes three or more, so ids get the longer bound.
    longest = fields.LONGEST_QUERY
    field = find_field(located.row, ID_NAMES) or ID_NAMES[0]
    text = fields.required_text(located.row, field, place=located.place, longest=longest)
    return decoded(text)
