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
from goldwright.interchange.judgement_tables import TableLayout, read_judgements
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.retrieval.column_ids import decoded, encoded

LAYOUT: Final = TableLayout(
    columns=("query-id", "corpus-id", "score"), separator="\t", has_header=True
)
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
            header = "\t".join(LAYOUT.columns)
            file.write(f"{header}\n")
            for query_id, document_id in judgements.relevant_pairs(dataset.labels):
                cells = (encoded(query_id), encoded(document_id), str(judgements.RELEVANT))
                line = "\t".join(cells)
                file.write(f"{line}\n")

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the folder; every split of the judgements counts.

        Judged documents have to be in the corpus, where there is one.
        """
        tables = sorted((path / QRELS).glob("*.tsv"))
        if not tables:
            raise InputError(f"{path}: wanted {self.shape}; found no {QRELS}/*.tsv")
        judged = Judgements()
        for table in tables:
            read_judgements(table, LAYOUT, judged)
        # The records need no corpus, so a folder without one is read too.
        corpus = path / CORPUS
        if corpus.exists():
            judgements.check_documents(judged, _document_places(corpus))
        query_rows = read_located_rows(path / QUERIES, content="queries")
        return judgements.join_queries(map(_judged_query, query_rows), judged)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives, of unanswered queries, and of ids with white space."""
        return judgements.remarks(dataset, encodes=True, drops=True)


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
    return JudgedQuery(place, query_id, text, unpack_record(metadata, place=place))


def _document_places(corpus: Path) -> dict[str, str]:
    """Give the place of each document, by its id."""
    places: dict[str, str] = {}
    for located in read_located_rows(corpus, content="corpus"):
        document_id = _id_of(located)
        if document_id in places:
            raise InputError(
                f"{located.place}: the document {document_id!r} stands there a second time; "
                f"first at {places[document_id]}"
            )
        places[document_id] = located.place
    return places


def _id_of(located: LocatedRow) -> str:
    # An encoded character takes three or more, so ids get the longer bound.
    longest = fields.LONGEST_QUERY
    text = fields.required_text(located.row, "_id", place=located.place, longest=longest)
    return decoded(text)
