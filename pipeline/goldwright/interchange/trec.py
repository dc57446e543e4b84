"""TREC: a folder of ``qrels.txt`` and ``queries.tsv``; TREC has no place for anything else.

Runs are read elsewhere: ``goldwright eval --retriever trec:FILE`` takes one.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.loading import read_bytes
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import judgements
from goldwright.interchange.format import Dataset
from goldwright.interchange.judgement_tables import TableLayout, read_judgements, read_lines
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.interchange.quoting import quote_excerpt
from goldwright.interchange.reader_protocols import Reading
from goldwright.interchange.row_locations import decode_text
from goldwright.retrieval.column_ids import decoded, encoded
from goldwright.text import counted

LAYOUT: Final = TableLayout(
    columns=("query", "0", "document", "grade"), separator=None, has_header=False
)
QRELS: Final = "qrels.txt"
QUERIES: Final = "queries.tsv"
# A query is one line and its id ends at a tab. Readers of others may split at any of these.
_TOPIC: Final = re.compile(r"<top\b.*?(?:</top>|(?=<top\b)|\Z)", re.IGNORECASE | re.DOTALL)
_NUMBER: Final = re.compile(r"<num>\s*(?:Number:)?\s*(?P<number>[^\s<]+)", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title>\s*(?:Topic:)?\s*(?P<title>[^<]*?[^\s<][^<]*)", re.IGNORECASE)
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
                relevance = str(judgements.RELEVANT)
                cells = (encoded(query_id), "0", encoded(document_id), relevance)
                line = " ".join(cells)
                file.write(f"{line}\n")
        with (out / QUERIES).open("w", encoding="utf-8", newline="\n") as file:
            for label in dataset.labels:
                query_id = encoded(label.query_id)
                text = _LINE_BREAKS.sub(" ", label.query_text)
                file.write(f"{query_id}\t{text}\n")

    def read(self, path: Path) -> Reading:
        """Read the folder: ids, texts and expected entities, for there is no more."""
        if not path.is_dir():
            raise InputError(f"{path}: wanted {self.shape}")
        queries = _read_pair(path / QUERIES, path / QRELS)
        return Reading(self.name, queries)

    def claims_folder(self, folder: Path) -> bool:
        """Tell by the name of the judgements: ``qrels.txt``, or another."""
        return any(path.is_file() for path in folder.glob("*qrels*"))

    def read_folder(self, folder: Path) -> Reading:
        """Read the one file of judgements and the one of topics, whatever they are called."""
        qrels = _only_file(folder, ("*qrels*",), content="judgements")
        topics = _only_file(folder, ("*topics*", "*queries*"), content="topics")
        return judgements.reading_of(self.name, _read_pair(topics, qrels))

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives, unanswered queries, ids and line breaks."""
        yield from judgements.remarks(dataset, encodes=True, drops=False)
        broken = 0
        for label in dataset.labels:
            broken += _LINE_BREAKS.search(label.query_text) is not None
        if broken:
            queries = counted(broken, "query holds", "queries hold")
            yield f"{queries} line breaks or tabs, which become spaces for good"


def _read_pair(topics: Path, qrels: Path) -> tuple[DatasetQuery, ...]:
    judged = Judgements()
    read_judgements(qrels, LAYOUT, judged)
    return judgements.join_queries(_read_queries(topics), judged)


def _only_file(folder: Path, patterns: Sequence[str], *, content: str) -> Path:
    matches: set[Path] = set()
    for pattern in patterns:
        paths = folder.glob(pattern)
        matches.update(filter(Path.is_file, paths))
    if len(matches) == 1:
        return matches.pop()
    file_names = sorted(path.name for path in matches)
    names = ", ".join(file_names) or "none"
    pattern_list = " or ".join(patterns)
    raise InputError(f"{folder}: wanted one file of {content} called {pattern_list}, found {names}")


def _read_queries(path: Path) -> Iterator[JudgedQuery]:
    """Read topics: a line each, or the tagged blocks of the early TREC conferences."""
    text = decode_text(path, read_bytes(path, content="queries"))
    if text.lstrip().lower().startswith("<top"):
        yield from _tagged_topics(path, text)
    else:
        yield from _topic_lines(path)


def _tagged_topics(path: Path, text: str) -> Iterator[JudgedQuery]:
    """Read ``<top>`` blocks with a number and a title; the longer texts are no queries."""
    for block in _TOPIC.finditer(text):
        lines_before = text.count("\n", 0, block.start())
        line = lines_before + 1
        place = f"{path}: line {line}"
        number = _NUMBER.search(block[0])
        title = _TITLE.search(block[0])
        if number is None or title is None:
            raise InputError(f"{place}: wanted a topic with <num> and <title>")
        words = " ".join(title["title"].split())
        yield JudgedQuery(place, number["number"], words)


def _topic_lines(path: Path) -> Iterator[JudgedQuery]:
    for number, line in enumerate(read_lines(path, content="queries"), start=1):
        place = f"{path}: line {number}"
        query_id, tab, text = line.partition("\t")
        if query_id and tab:
            yield JudgedQuery(place, decoded(query_id), text)
        elif line.strip():
            excerpt = quote_excerpt(line)
            raise InputError(f"{place}: wanted a query id, a tab and a text; found {excerpt}")
