"""TREC files: what is relevant (qrels), and what a system retrieved (a run).

Columns are separated by white space, so ids that contain some are written percent-encoded, and
decoded when they are read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import ne
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.column_ids import decoded, encoded
from goldwright.retrieval.hit_order import ScoredId
from goldwright.retrieval.trec_blocks import read_blocks
from goldwright.retrieval.trec_text import QRELS_COLUMNS, malformed_line, open_trec

# For every query the grade of each judged document.
Qrels = dict[str, dict[str, int]]

LARGEST_GRADE: Final = 1_000_000


def read_qrels(path: Path) -> Qrels:
    """Read judgements; grades of 0 and below stand for documents that are not relevant.

    Raises:
        InputError: The file cannot be read, or a line is malformed; the text names it.
    """
    qrels: Qrels = {}
    with open_trec(path) as lines:
        for number, line in enumerate(lines, start=1):
            _add_judgement(qrels, path, number, line)
    return qrels


class ScatteredRunError(InputError):
    """The lines of a query of a run do not stand together, which is legal, and rare."""


def read_run(path: Path) -> dict[str, list[ScoredId]]:
    """Read a whole run, whatever the order of its lines: the hits of each query.

    Queries come in the order of their first lines, and hits in that of theirs. The column of ranks
    is ignored: the order of hits is that of their scores.

    Raises:
        InputError: The file cannot be read, a line is malformed, a score is not finite, or a query
            lists a document twice; the text names the line.
    """
    return {query: list(scores.items()) for query, scores in read_scattered(path)}


def read_scattered(path: Path) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Read a run whose lines may have any order; all of it is in memory at a time.

    Otherwise like ``read_grouped``.
    """
    hits_of: dict[str, _QueryHits] = {}
    for part in _parts(path):
        if part.query in hits_of:
            hits_of[part.query].extend(part)
        else:
            hits_of[part.query] = part
    for hits in hits_of.values():
        yield hits.scores_by_document(path)


def read_grouped(path: Path) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Read a run query by query: the score of each document, in the order of the lines.

    Only a few queries are in memory at a time.

    Raises:
        InputError: The file cannot be read, a line is malformed, a score is not finite, or a query
            lists a document twice; the text names the line.
        ScatteredRunError: The lines of a query do not stand together, as most tools write them.
    """
    queries: set[str] = set()
    hits: _QueryHits | None = None
    for part in _parts(path):
        if hits is not None and part.query == hits.query:
            hits.extend(part)
            continue
        if hits is not None:
            yield hits.scores_by_document(path)
        if part.query in queries:
            raise ScatteredRunError(
                f"{path}, line {part.first_line}: the lines of {part.query!r} do not stand "
                "together; sort it"
            )
        queries.add(part.query)
        hits = part
    if hits is not None:
        yield hits.scores_by_document(path)


def run_lines(run: Iterable[tuple[str, Iterable[str]]], *, name: str) -> Iterator[str]:
    """Write a run of ordered ids as lines.

    Scores are the numbers from the length of a list down to 1, so that every tool keeps the order.
    """
    for query, ranked in run:
        ids = list(ranked)
        query_column = encoded(query)
        for rank, document in enumerate(ids, start=1):
            score = len(ids) - rank + 1
            document_column = encoded(document)
            yield f"{query_column} Q0 {document_column} {rank} {score} {name}\n"


@dataclass(slots=True)
class _QueryHits:
    """The hits of a query in consecutive lines of a run.

    Attributes:
        query: Its id as it is written.
        documents: Ids, decoded.
        scores: Theirs.
        first_line: The number of the first of these lines.
        last_line: The number of the last one.
    """

    query: str
    documents: list[str]
    scores: list[float]
    first_line: int
    last_line: int

    def extend(self, part: "_QueryHits") -> None:
        """Add the hits of the lines that follow."""
        self.documents.extend(part.documents)
        self.scores.extend(part.scores)
        self.last_line = part.last_line

    def scores_by_document(self, path: Path) -> tuple[str, Mapping[str, float]]:
        """Return the decoded id with its hits, if each document is listed once."""
        score_of = dict(zip(self.documents, self.scores, strict=True))
        if len(score_of) < len(self.documents):
            raise InputError(
                f"{path}, line {self.last_line} or before: {self.query!r} names a document twice"
            )
        return decoded(self.query), score_of


def _parts(path: Path) -> Iterator[_QueryHits]:
    """Yield the hits of each query in each block; a query on the border of two is in two parts."""
    for block in read_blocks(path):
        start = 0
        for end in _ends_of_runs(block.queries):
            yield _QueryHits(
                query=block.queries[start],
                documents=block.documents[start:end],
                scores=block.scores[start:end],
                first_line=block.line_numbers[start],
                last_line=block.line_numbers[end - 1],
            )
            start = end


def _ends_of_runs(values: Sequence[str]) -> Iterator[int]:
    """Yield where each run of equal values ends."""
    # A list of which neighbours differ is made and looked through without a step of Python's own.
    next_values = islice(values, 1, None)
    changes = list(map(ne, values, next_values))
    end = 0
    for _ in range(changes.count(True)):
        end = changes.index(True, end) + 1
        yield end
    if values:
        yield len(values)


def _add_judgement(qrels: Qrels, path: Path, number: int, line: str) -> None:
    columns = line.split()
    if not columns:
        return
    if "%" in line:
        columns = list(map(decoded, columns))
    try:
        query, _, document, grade_text = columns
        grade = int(grade_text)
    except ValueError as error:
        raise malformed_line(path, number, line, QRELS_COLUMNS) from error
    if abs(grade) > LARGEST_GRADE:
        columns_with_limit = f"{QRELS_COLUMNS} (up to {LARGEST_GRADE})"
        raise malformed_line(path, number, line, columns_with_limit)
    grades = qrels.setdefault(query, {})
    if grades.setdefault(document, grade) != grade:
        raise InputError(f"{path}, line {number}: {document!r} is judged twice for {query!r}")
