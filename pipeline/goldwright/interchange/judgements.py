"""Relevance judgements, the heart of BEIR, TREC and MTEB: which documents answer which query.

Every expected entity is judged 1, and nothing else is judged: ``goldwright eval`` weighs entities
alike too, so nDCG, recall and the rest come out the same elsewhere. Alternatives (entities that are
the same code as an expected one) are not judged. None of these formats knows classes of equal
answers: judged relevant, each copy would be one more document to be found, and would pull down the
recall of a retriever that misses nothing. Left out, a copy that is found counts as nothing, so what
is measured elsewhere is at most what ``goldwright eval`` measures, never more.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery, query_of
from goldwright.interchange.fields import relevant_ids, whole_number
from goldwright.interchange.format import Dataset
from goldwright.interchange.json_records import check_distinct
from goldwright.interchange.quoting import quote
from goldwright.interchange.reader_protocols import Reading
from goldwright.records import GoldenLabel
from goldwright.retrieval.column_ids import encoded
from goldwright.text import counted, make_visible, name_some

# One grade for all expected entities, because goldwright eval weighs them alike.
RELEVANT: Final = 1
VISIBLE_PIECES: Final = frozenset({"query_id", "query_text", "expected_entities.entity_id"})


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query as it is in a file.

    Attributes:
        place: The file and the line.
        query_id: The id of the query.
        text: The query.
        record: The golden record that is embedded beside it, if any.
        strata: Its strata, where the file has any.
    """

    place: str
    query_id: str
    text: str
    record: GoldenLabel | None = None
    strata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements of a file or of several.

    Attributes:
        grades: The grade of each judged document, by query id.
        places: Where each query is judged first.
    """

    grades: dict[str, dict[str, int]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, query_id: str, document_id: str, grade: object) -> None:
        """Add one judgement.

        Raises:
            InputError: The grade is no whole number of 32 bits, or the document is judged twice for
                this query.
        """
        number = whole_number(grade)
        if number is None:
            visible_grade = make_visible(repr(grade))
            raise InputError(f"{place}: wanted a whole number as grade, found {visible_grade}")
        self.places.setdefault(query_id, place)
        judged = self.grades.setdefault(query_id, {})
        if document_id in judged:
            document = quote(document_id)
            query = quote(query_id)
            raise InputError(f"{place}: {document} is judged a second time for {query}")
        judged[document_id] = number


def relevant_pairs(labels: Iterable[GoldenLabel]) -> Iterator[tuple[str, str]]:
    """Yield each query id with each of its expected entities, once, in the order of the records."""
    for label in labels:
        for entity_id in dict.fromkeys(label.entity_ids):
            yield label.query_id, entity_id


def join_queries(
    queries: Iterable[JudgedQuery], judgements: Judgements
) -> tuple[DatasetQuery, ...]:
    """Put queries and judgements together; documents graded above 0 are what a query expects.

    Raises:
        InputError: A query id occurs twice, an unknown query is judged, or the judgements are not
            those of the embedded record.
    """
    all_queries = tuple(queries)
    query_ids = {query.query_id for query in all_queries}
    for query_id in judgements.grades:
        if query_id not in query_ids:
            place = judgements.places[query_id]
            query = quote(query_id)
            raise InputError(f"{place}: {query} is judged, and is none of the queries")
    joined = tuple(_join(query, judgements) for query in all_queries)
    check_distinct(joined)
    return joined


def reading_of(name: str, queries: Iterable[DatasetQuery], notes: Iterable[str] = ()) -> Reading:
    """Leave out the queries of which nothing relevant is known, as other tools do, and say so."""
    judged: list[DatasetQuery] = []
    unjudged: list[str] = []
    for query in queries:
        if query.expected_ids:
            judged.append(query)
        else:
            unjudged.append(query.query_id)
    all_notes = list(notes)
    if unjudged:
        names = name_some(unjudged)
        total = len(judged) + len(unjudged)
        all_notes.append(
            f"{len(unjudged)} of {total} queries have no relevant document "
            f"and are left out: {names}."
        )
    return Reading(name, tuple(judged), tuple(all_notes))


def check_documents(judgements: Judgements, document_ids: Container[str]) -> None:
    """Make sure that every judged document is in the corpus.

    Raises:
        InputError: One is not.
    """
    for query_id, judged in judgements.grades.items():
        unknown = [document_id for document_id in judged if document_id not in document_ids]
        if unknown:
            place = judgements.places[query_id]
            document = quote(unknown[0])
            raise InputError(f"{place}: {document} is judged, and is no document of the corpus")


def remarks(dataset: Dataset, *, encodes: bool, drops: bool) -> Iterator[str]:
    """Yield what is to be said of a dataset in a format of judgements.

    Args:
        dataset: The dataset.
        encodes: Whether the format percent-encodes ids.
        drops: Whether its tools drop queries without a judgement.
    """
    with_copies = sum(bool(label.alternatives) for label in dataset.labels)
    if with_copies:
        yield (
            f"{counted(with_copies, 'record has', 'records have')} alternatives (the same code "
            "elsewhere), which are not judged: a retriever that finds a copy gets nothing for it, "
            "so figures are at most those of goldwright eval"
        )
    empty = sum(not label.expected_entities for label in dataset.labels)
    if empty:
        consequence = "; lost when loaded" if drops else ""
        queries = counted(empty, "query has", "queries have")
        yield f"{queries} no judgement, for no entity is expected{consequence}"
    if encodes:
        yield from _encoding_remarks(dataset)


def _encoding_remarks(dataset: Dataset) -> Iterator[str]:
    ids: set[str] = set()
    for label in dataset.labels:
        ids.update((label.query_id, *label.entity_ids))
    spaced = sum(encoded(identifier) != identifier for identifier in ids)
    if spaced:
        yield (
            f"{counted(spaced, 'id')} with white space, quotes or % written percent-encoded; "
            "convert --from takes this back"
        )


def _join(query: JudgedQuery, judgements: Judgements) -> DatasetQuery:
    grades = judgements.grades.get(query.query_id, {})
    expected = relevant_ids(grades)
    record = query.record
    if record is None:
        return DatasetQuery(
            query_id=query.query_id,
            query_text=query.text,
            expected_ids=expected,
            grades=grades,
            strata=query.strata,
            place=query.place,
        )
    if (query.query_id, query.text) != (record.query_id, record.query_text):
        raise InputError(
            f"{query.place}: the record in its metadata has another id or text; "
            "change both, or take it out"
        )
    # As sets: the order of judgements says nothing.
    if set(expected) != set(record.entity_ids):
        place = judgements.places.get(query.query_id, query.place)
        shown_id = quote(query.query_id)
        raise InputError(
            f"{place}: the relevant documents of {shown_id} are not the expected "
            "entities of the record in its metadata; change both, or take the record out"
        )
    return query_of(record, place=query.place)
