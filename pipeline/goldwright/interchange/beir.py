"""BEIR: a folder of ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/test.tsv``.

Source: beir/datasets/data_loader.py of BEIR 2.2. Its reader takes the first line of the judgements
for a header whatever it holds, reads grades as whole numbers, and drops queries without a
judgement.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.foreign import fields
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.interchange import judgements
from goldwright.interchange.embedded_record import pack_record, unpack_record
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import read_located_rows, write_json_lines
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.retrieval.column_ids import decoded, encoded

HEADER: Final = "query-id\tcorpus-id\tscore"
CORPUS: Final = "corpus.jsonl"
QUERIES: Final = "queries.jsonl"
QRELS: Final = "qrels"


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
            file.write(f"{HEADER}\n")
            for query_id, document_id in judgements.relevant_pairs(dataset.labels):
                ids = f"{encoded(query_id)}\t{encoded(document_id)}"
                file.write(f"{ids}\t{judgements.RELEVANT}\n")

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the folder; every split of the judgements counts.

        Judged documents have to be in the corpus, where there is one.
        """
        tables = sorted((path / QRELS).glob("*.tsv"))
        if not tables:
            raise InputError(f"{path}: wanted {self.shape}; found no {QRELS}/*.tsv")
        judged = Judgements()
        for table in tables:
            judgements.read_judgements(table, judged, separator="\t", header=HEADER)
        corpus = path / CORPUS
        if corpus.exists():
            judgements.check_documents(judged, _document_places(corpus))
        query_rows = read_located_rows(path / QUERIES, what="queries")
        return judgements.join_queries(map(_judged_query, query_rows), judged)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives, of unanswered queries, and of ids with white space."""
        return judgements.remarks(dataset, encodes=True, drops=True)


def _corpus_rows(dataset: Dataset) -> Iterator[dict[str, object]]:
    for document in dataset.documents:
        yield {
            "_id": encoded(document.document_id),
            "title": document.title,
            "text": document.text,
        }


def _query_rows(dataset: Dataset) -> Iterator[dict[str, object]]:
    for label in dataset.labels:
        yield {
            "_id": encoded(label.query_id),
            "text": label.query_text,
            "metadata": pack_record(label, dataset),
        }


def _judged_query(located: LocatedRow) -> JudgedQuery:
    row = located.row
    place = located.place
    return JudgedQuery(
        place=place,
        query_id=_id_of(located),
        text=fields.required_text(row, "text", place=place),
        record=unpack_record(row.get("metadata"), place=place),
    )


def _document_places(corpus: Path) -> dict[str, str]:
    """Give the place of each document, by its id."""
    places: dict[str, str] = {}
    for located in read_located_rows(corpus, what="corpus"):
        document_id = _id_of(located)
        if document_id in places:
            raise InputError(
                f"{located.place}: the document {document_id!r} stands there a second time; "
                f"first at {places[document_id]}"
            )
        places[document_id] = located.place
    return places


def _id_of(located: LocatedRow) -> str:
    # Encoding triples the length of a character, so ids get the longer bound.
    longest = fields.LONGEST_QUERY
    return decoded(fields.required_text(located.row, "_id", place=located.place, longest=longest))
