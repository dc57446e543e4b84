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
from goldwright.interchange.embedded_record import packed, unpacked
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import placed_rows, write_lines
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.retrieval.column_ids import decoded, encoded

HEADER: Final = "query-id\tcorpus-id\tscore"
CORPUS: Final = "corpus.jsonl"
QUERIES: Final = "queries.jsonl"
QRELS: Final = "qrels"


class BeirFormat:
    """Ids are percent-encoded where they hold white space or quotes; records travel in the queries'
    metadata.
    """

    name = "beir"
    shape = "a folder of corpus.jsonl, queries.jsonl and qrels/test.tsv"
    shown = judgements.SHOWN
    carries_record = True
    holds_corpus = True

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the folder."""
        (out / QRELS).mkdir(parents=True)
        write_lines(
            out / CORPUS,
            (
                {"_id": encoded(one.document_id), "title": one.title, "text": one.text}
                for one in dataset.documents
            ),
        )
        write_lines(
            out / QUERIES,
            (
                {
                    "_id": encoded(one.query_id),
                    "text": one.query_text,
                    "metadata": packed(one, dataset),
                }
                for one in dataset.labels
            ),
        )
        lines = (
            f"{encoded(query)}\t{encoded(document)}\t{judgements.RELEVANT}\n"
            for query, document in judgements.relevant_pairs(dataset.labels)
        )
        with (out / QRELS / "test.tsv").open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"{HEADER}\n")
            file.writelines(lines)

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the folder; every split of the judgements counts, and a corpus that is there is
        checked against.
        """
        tables = sorted((path / QRELS).glob("*.tsv"))
        if not tables:
            raise InputError(f"{path}: wanted {self.shape}; found no {QRELS}/*.tsv")
        judged = Judgements()
        for table in tables:
            judgements.read_table(table, judged, separator="\t", header=HEADER)
        if (path / CORPUS).exists():
            judgements.check_documents(judged, _documents(path / CORPUS))
        return judgements.joined(map(_asked, placed_rows(path / QUERIES, what="queries")), judged)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives, of queries without an answer, and of ids with white
        space.
        """
        return judgements.remarks(dataset, encodes=True, drops=True)


def _asked(row: LocatedRow) -> JudgedQuery:
    return JudgedQuery(
        row.place,
        decoded(
            fields.required_text(row.row, "_id", place=row.place, longest=fields.LONGEST_QUERY)
        ),
        fields.required_text(row.row, "text", place=row.place),
        unpacked(row.row.get("metadata"), place=row.place),
    )


def _documents(corpus: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for row in placed_rows(corpus, what="corpus"):
        name = decoded(
            fields.required_text(row.row, "_id", place=row.place, longest=fields.LONGEST_QUERY)
        )
        if name in found:
            raise InputError(
                f"{row.place}: the document {name!r} stands there a second time; first at {found[name]}"
            )
        found[name] = row.place
    return found
