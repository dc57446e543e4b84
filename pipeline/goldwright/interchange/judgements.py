"""Relevance judgements, the heart of BEIR, TREC and MTEB: which documents answer which query.

Every expected entity is judged 1, and nothing else is judged: ``goldwright eval`` weighs entities
alike too, so nDCG, recall and the rest come out the same elsewhere. Alternatives (entities that are
the same code as an expected one) are not judged. None of these formats knows classes of equal
answers: judged relevant, each copy would be one more document to be found, and would pull down the
recall of a retriever that misses nothing. Left out, a copy that is found counts as nothing, so what
is measured elsewhere is at most what ``goldwright eval`` measures, never more.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.loading import read_bytes
from goldwright.interchange.embedded_record import in_full
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import distinct
from goldwright.records import GoldenLabel
from goldwright.retrieval.column_ids import decoded, encoded
from goldwright.text import make_visible, shorten

RELEVANT: Final = 1
SMALLEST_GRADE: Final = -(2**31)
LARGEST_GRADE: Final = 2**31 - 1
SHOWN: Final = frozenset({"query_id", "query_text", "expected_entities.entity_id"})
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,10}")
_LONGEST_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query as a file has it, at its place, with the record that travels along, if any."""

    place: str
    query_id: str
    text: str
    record: GoldenLabel | None = None


@dataclass(frozen=True, slots=True)
class Judgements:
    """The grade of each judged document by query, and where each query is judged first."""

    grades: dict[str, dict[str, int]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, query: str, document: str, grade: object) -> None:
        """Take one judgement.

        Raises:
            InputError: The grade is no whole number of 32 bits, or the document is judged twice for
                this query.
        """
        number = _grade(grade)
        if number is None:
            raise InputError(
                f"{place}: wanted a whole number as grade, found {make_visible(repr(grade))}"
            )
        self.places.setdefault(query, place)
        judged = self.grades.setdefault(query, {})
        if document in judged:
            raise InputError(
                f"{place}: {make_visible(document)!r} is judged a second time for {make_visible(query)!r}"
            )
        judged[document] = number


def relevant_pairs(labels: Iterable[GoldenLabel]) -> Iterator[tuple[str, str]]:
    """Yield each query with each of its expected entities, once, in the order of the records."""
    for label in labels:
        yield from ((label.query_id, one) for one in dict.fromkeys(label.entity_ids))


def read_table(
    path: Path, judgements: Judgements, *, separator: str | None, header: str | None
) -> None:
    """Read a text file of judgements, three columns after a header or TREC's four without one.

    Raises:
        InputError: A line is none; the text names it.
    """
    columns = header.split(separator) if header else ["query", "0", "document", "grade"]
    for number, line in enumerate(lines_of(path, what="judgements"), start=1):
        place = f"{path}: line {number}"
        cells = line.split(separator)
        if header and number == 1:
            _check_header(cells, header, place)
        elif line.strip():
            if len(cells) != len(columns) or not all(cells):
                raise InputError(f"{place}: wanted {' '.join(columns)}, found {_shown(line)}")
            judgements.add(place, decoded(cells[0]), decoded(cells[-2]), cells[-1])


def lines_of(path: Path, *, what: str) -> Iterator[str]:
    """Yield the lines of a text file without their ends.

    Raises:
        InputError: It cannot be read, or is not UTF-8.
    """
    data = read_bytes(path, what=what)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: line {line}: wanted UTF-8") from error
    yield from (line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))


def joined(queries: Iterable[JudgedQuery], judgements: Judgements) -> tuple[Fields, ...]:
    """Put queries and judgements together; documents graded above 0 are what a query expects.

    Raises:
        InputError: A query id stands twice, an unknown query is judged, or the judgements are not
            those of the record.
    """
    asked = tuple(queries)
    unknown = judgements.grades.keys() - {one.query_id for one in asked}
    if unknown:
        first = next(one for one in judgements.grades if one in unknown)
        raise InputError(
            f"{judgements.places[first]}: {make_visible(first)!r} is judged, and is none of the queries"
        )
    return distinct((one.place, _fields(one, judgements)) for one in asked)


def check_documents(judgements: Judgements, known: Mapping[str, object]) -> None:
    """Make sure that every judged document is in the corpus.

    Raises:
        InputError: One is not.
    """
    for query, judged in judgements.grades.items():
        for document in judged:
            if document not in known:
                place = judgements.places[query]
                raise InputError(
                    f"{place}: {make_visible(document)!r} is judged, and is no document of the corpus"
                )


def remarks(dataset: Dataset, *, encodes: bool, drops: bool) -> Iterator[str]:
    """Yield what is to be said of a dataset in a format of judgements."""
    copies = sum(bool(label.alternatives) for label in dataset.labels)
    if copies:
        yield (
            f"{copies} records have alternatives (the same code elsewhere), which are not judged: a retriever that "
            "finds a copy gets nothing for it, so figures are at most those of goldwright eval"
        )
    empty = sum(not label.expected_entities for label in dataset.labels)
    if empty:
        yield f"{empty} queries expect no entity, so they have no judgement{' and vanish when loaded' * drops}"
    names = {name for label in dataset.labels for name in (label.query_id, *label.entity_ids)}
    spaced = sum(encoded(name) != name for name in names) if encodes else 0
    if spaced:
        yield f"{spaced} ids hold white space, quotes or %, and are percent-encoded; convert --from takes them back"


def _fields(asked: JudgedQuery, judgements: Judgements) -> Fields:
    grades = judgements.grades.get(asked.query_id, {})
    expected = [document for document, grade in grades.items() if grade > 0]
    record = asked.record
    if record is None:
        return {"query_id": asked.query_id, "query_text": asked.text, "expected_entities": expected}
    if (asked.query_id, asked.text) != (record.query_id, record.query_text):
        raise InputError(
            f"{asked.place}: the record in its metadata has another id or text; change both, or take it out"
        )
    if set(expected) != set(record.entity_ids):
        place = judgements.places.get(asked.query_id, asked.place)
        raise InputError(
            f"{place}: the relevant documents of {make_visible(asked.query_id)!r} are not the expected entities of the "
            "record in its metadata; change both, or take the record out"
        )
    return in_full(record)


def _grade(written: object) -> int | None:
    number = int(written) if isinstance(written, str) and _WHOLE.fullmatch(written) else written
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if SMALLEST_GRADE <= number <= LARGEST_GRADE else None


def _check_header(cells: list[str], header: str, place: str) -> None:
    if cells != header.split("\t"):
        raise InputError(
            f"{place}: wanted the header {header.split()}, found {_shown(' '.join(cells))}; "
            "without one, BEIR skips the first judgement"
        )


def _shown(line: str) -> str:
    return repr(make_visible(shorten(line, _LONGEST_SHOWN)))
