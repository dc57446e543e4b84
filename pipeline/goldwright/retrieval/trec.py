"""TREC files: what is relevant (qrels), and what a system found (a run).

Columns are told apart by white space, so an id that holds some is written percent-encoded, and read
back so.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import IO, Final

from goldwright.errors import InputError
from goldwright.retrieval.column_ids import decoded, encoded
from goldwright.retrieval.hit_order import Scored

Qrels = dict[str, dict[str, int]]

RUN_COLUMNS: Final = "query Q0 document rank score name"
QRELS_COLUMNS: Final = "query 0 document relevance"
LARGEST_GRADE: Final = 1_000_000
_RUN_WIDTH: Final = 6
# Characters that are read at once; the lists of a few queries.
_BLOCK: Final = 1 << 18
_LONGEST_SHOWN: Final = 60


def read_qrels(path: Path) -> Qrels:
    """Read judgements: for every query the grade of each document, 0 and below for what is not
    relevant.

    Raises:
        InputError: The file cannot be read, or a line is none; the text names it.
    """
    qrels: Qrels = {}
    with _lines(path) as lines:
        for number, line in enumerate(lines, start=1):
            parts = line.split()
            if not parts:
                continue
            try:
                query, _, document, grade = map(decoded, parts) if "%" in line else parts
                judged = qrels.setdefault(query, {})
                if abs(int(grade)) > LARGEST_GRADE:
                    raise _bad(path, number, line, f"{QRELS_COLUMNS} (up to {LARGEST_GRADE})")
                if judged.setdefault(document, int(grade)) != int(grade):
                    raise InputError(
                        f"{path}, line {number}: {document!r} is judged twice for {query!r}"
                    )
            except ValueError as error:
                raise _bad(path, number, line, QRELS_COLUMNS) from error
    return qrels


def read_run(path: Path) -> Iterator[tuple[str, list[Scored]]]:
    """Read a run query by query, each with its hits, as ``read_columns`` does."""
    for query, documents, scores in read_columns(path):
        yield query, list(zip(documents, scores, strict=True))


def read_columns(path: Path) -> Iterator[tuple[str, Sequence[str], Sequence[float]]]:
    """Read a run query by query, its documents and their scores, as its lines stand; a few queries
    are held at a time.

    The lines of a query stand together, as every tool writes them. The column of ranks is not read:
    the order is that of the scores.

    Raises:
        InputError: The file cannot be read, a line is none, a score is not finite, a query names a
            document twice, or its lines do not stand together; the text names the line.
    """
    seen: set[str] = set()
    now, end = "", 0
    names, values = list[str](), list[float]()
    for numbers, queries, documents, scores in _blocks(path):
        start = 0
        for query, lines in groupby(queries):
            stop = start + len(list(lines))
            if query != now:
                if names:
                    yield _checked(path, end, now, names, values)
                if query in seen:
                    raise InputError(
                        f"{path}, line {numbers[start]}: the lines of {query!r} do not stand together; sort it"
                    )
                seen.add(query)
                now, names, values = query, [], []
            names.extend(documents[start:stop])
            values.extend(scores[start:stop])
            start, end = stop, numbers[stop - 1]
    if names:
        yield _checked(path, end, now, names, values)


Block = tuple[Sequence[int], Sequence[str], Sequence[str], Sequence[float]]


def _blocks(path: Path) -> Iterator[Block]:
    """Read a run block by block: the numbers of its lines, and their queries, documents and scores."""
    number, rest = 1, ""
    with _lines(path) as file:
        while text := file.read(_BLOCK):
            whole, newline, rest = (rest + text).rpartition("\n")
            if newline:
                yield _block(path, number, whole)
                number += whole.count("\n") + 1
        if rest:
            yield _block(path, number, rest)


def _block(path: Path, number: int, text: str) -> Block:
    """Cut lines into columns: all at once where each has its six, else one by one, to find the line
    that has not.
    """
    words = text.split()
    count = text.count("\n") + 1
    # The second column tells: where a line is short and another long, something else would stand in
    # it.
    if len(words) == _RUN_WIDTH * count and words[1::_RUN_WIDTH].count("Q0") == count:
        queries, documents, scores = words[::_RUN_WIDTH], words[2::_RUN_WIDTH], words[4::_RUN_WIDTH]
        try:
            values = list(map(float, scores))
        except ValueError:
            return _slowly(path, number, text)
        # A sum is finite where all that it adds up is; where it is not, the lines are looked at one
        # by one.
        if math.isfinite(sum(values)):
            return range(number, number + count), queries, _plain(documents, text), values
    return _slowly(path, number, text)


def _slowly(path: Path, number: int, text: str) -> Block:
    numbers: list[int] = []
    queries: list[str] = []
    documents: list[str] = []
    scores: list[float] = []
    for place, line in enumerate(text.split("\n"), start=number):
        if not line.strip():
            continue
        try:
            query, _, document, _, score, _ = line.split()
            scores.append(float(score))
        except ValueError as error:
            raise _bad(path, place, line, RUN_COLUMNS) from error
        if not math.isfinite(scores[-1]):
            raise InputError(f"{path}, line {place}: a score of {query!r} is no finite number")
        numbers.append(place)
        queries.append(query)
        documents.append(document)
    return numbers, queries, _plain(documents, text), scores


def _plain(documents: Sequence[str], text: str) -> Sequence[str]:
    return list(map(decoded, documents)) if "%" in text else documents


def run_lines(run: Iterable[tuple[str, Iterable[str]]], *, name: str) -> Iterator[str]:
    """Write a run of ordered ids as lines, with scores that fall strictly, so that every tool keeps
    the order.
    """
    for query, ranked in run:
        ids = list(ranked)
        for place, document in enumerate(ids, start=1):
            yield f"{encoded(query)} Q0 {encoded(document)} {place} {len(ids) - place + 1} {name}\n"


def _checked(
    path: Path, number: int, query: str, names: list[str], scores: list[float]
) -> tuple[str, Sequence[str], Sequence[float]]:
    if len(set(names)) < len(names):
        raise InputError(f"{path}, line {number} or before: {query!r} names a document twice")
    return decoded(query), names, scores


def _bad(path: Path, number: int, line: str, columns: str) -> InputError:
    return InputError(
        f"{path}, line {number}: wanted {columns!r}; found {line.strip()[:_LONGEST_SHOWN]!r}"
    )


@contextmanager
def _lines(path: Path) -> Iterator[IO[str]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield file
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text") from error
