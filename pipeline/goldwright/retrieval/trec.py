"""TREC files: what is relevant (qrels), and what a system found (a run).

Columns are told apart by white space, so an id that holds some is written percent-encoded, and read back so.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from goldwright.errors import InputError
from goldwright.retrieval.ids import decoded, encoded
from goldwright.retrieval.order import Scored

Qrels = dict[str, dict[str, int]]

RUN_COLUMNS: Final = "query Q0 document rank score name"
QRELS_COLUMNS: Final = "query 0 document relevance"
_LONGEST_SHOWN: Final = 60


def read_qrels(path: Path) -> Qrels:
    """Read judgements: for every query the grade of each document, 0 and below for what is not relevant.

    Raises:
        InputError: The file can not be read, or a line is none; the text names it.
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
                if judged.setdefault(document, int(grade)) != int(grade):
                    raise InputError(f"{path}, line {number}: {document!r} is judged twice for {query!r}")
            except ValueError as error:
                raise _bad(path, number, line, QRELS_COLUMNS) from error
    return qrels


def read_run(path: Path) -> Iterator[tuple[str, list[Scored]]]:
    """Read a run query by query, as its lines stand, holding one query at a time.

    The lines of a query stand together, as every tool writes them. The column of ranks is not read: the order is
    that of the scores.

    Raises:
        InputError: The file can not be read, a line is none, a score is not finite, a query names a document twice,
            or its lines do not stand together; the text names the line.
    """
    seen: set[str] = set()
    now, number = "", 0
    hits: list[Scored] = []
    with _lines(path) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                query, _, document, _, score, _ = line.split()
                hit = (decoded(document) if "%" in document else document, float(score))
            except ValueError as error:
                if not line.strip():
                    continue
                raise _bad(path, number, line, RUN_COLUMNS) from error
            if query != now:
                if hits:
                    yield decoded(now), _checked(path, number - 1, now, hits)
                if query in seen:
                    raise InputError(f"{path}, line {number}: the lines of {query!r} do not stand together; sort it")
                seen.add(query)
                now, hits = query, []
            hits.append(hit)
    if hits:
        yield decoded(now), _checked(path, number, now, hits)


def write_run(path: Path, run: Iterable[tuple[str, Iterable[str]]], *, name: str) -> None:
    """Write a run of ordered ids, with scores that fall strictly, so that every tool keeps the order.

    Raises:
        InputError: The file can not be written.
    """
    try:
        with path.open("w", encoding="utf-8") as file:
            for query, ranked in run:
                ids = list(ranked)
                for place, document in enumerate(ids, start=1):
                    columns = f"{encoded(query)} Q0 {encoded(document)}"
                    file.write(f"{columns} {place} {len(ids) - place + 1} {name}\n")
    except OSError as error:
        raise InputError(f"{path}: can not be written: {error.strerror}") from error


def _checked(path: Path, number: int, query: str, hits: list[Scored]) -> list[Scored]:
    if not all(map(math.isfinite, (score for _, score in hits))):
        raise InputError(f"{path}, line {number} or before: a score of {query!r} is no finite number")
    if len(dict(hits)) < len(hits):
        raise InputError(f"{path}, line {number} or before: {query!r} names a document twice")
    return hits


def _bad(path: Path, number: int, line: str, columns: str) -> InputError:
    return InputError(f"{path}, line {number}: wanted {columns!r}; found {line.strip()[:_LONGEST_SHOWN]!r}")


@contextmanager
def _lines(path: Path) -> Iterator[IO[str]]:
    try:
        with path.open(encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise InputError(f"{path}: can not be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text") from error
