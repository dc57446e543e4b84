"""TREC: a folder of ``qrels.txt`` and ``queries.tsv``; TREC has no place for anything else.

Runs are read elsewhere: ``goldwright eval --retriever trec:FILE`` takes one.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.interchange import judgements
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.judgement_tables import TableLayout, read_judgements, read_lines
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.interchange.quoting import quote_excerpt
from goldwright.retrieval.column_ids import decoded, encoded

LAYOUT: Final = TableLayout(
    columns=("query", "0", "document", "grade"), separator=None, has_header=False
)
QRELS: Final = "qrels.txt"
QUERIES: Final = "queries.tsv"
# A query is one line and its id ends at a tab. Readers of others may split at any of these.
_LINE_BREAKS: Final = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


class TrecFormat:
    """Ids with white space are percent-encoded; line breaks and tabs in a query become spaces."""

    name = "trec"
    shape = "a folder of qrels.txt and queries.tsv"
    visible_pieces = judgements.VISIBLE_PIECES
    carries_record = False
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the folder."""
        out.mkdir()
        with (out / QRELS).open("w", encoding="utf-8", newline="\n") as file:
            for query_id, document_id in judgements.relevant_pairs(dataset.labels):
                # The second column numbers iterations; by convention it is 0, and nobody reads it.
                cells = (encoded(query_id), "0", encoded(document_id), str(judgements.RELEVANT))
                line = " ".join(cells)
                file.write(f"{line}\n")
        with (out / QUERIES).open("w", encoding="utf-8", newline="\n") as file:
            for label in dataset.labels:
                query_id = encoded(label.query_id)
                text = _LINE_BREAKS.sub(" ", label.query_text)
                file.write(f"{query_id}\t{text}\n")

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the folder: ids, texts and expected entities, for there is no more."""
        if not path.is_dir():
            raise InputError(f"{path}: wanted {self.shape}")
        judged = Judgements()
        read_judgements(path / QRELS, LAYOUT, judged)
        queries = _read_queries(path / QUERIES)
        return judgements.join_queries(queries, judged)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives, unanswered queries, ids and line breaks."""
        yield from judgements.remarks(dataset, encodes=True, drops=False)
        broken = 0
        for label in dataset.labels:
            broken += _LINE_BREAKS.search(label.query_text) is not None
        if broken:
            yield f"{broken} queries hold line breaks or tabs, which become spaces for good"


def _read_queries(path: Path) -> Iterator[JudgedQuery]:
    for number, line in enumerate(read_lines(path, content="queries"), start=1):
        place = f"{path}: line {number}"
        query_id, tab, text = line.partition("\t")
        if query_id and tab:
            yield JudgedQuery(place, decoded(query_id), text)
        elif line.strip():
            excerpt = quote_excerpt(line)
            raise InputError(f"{place}: wanted a query id, a tab and a text; found {excerpt}")
