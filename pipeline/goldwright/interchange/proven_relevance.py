"""``retrieval_dataset.yaml``: for each query, which documents trials have shown to matter.

`goldwright relevance run` writes it, and so does whatever follows the same rule: a candidate whose
``empirical_relevance`` is YES is relevant, NO is not; of an undecided one nothing is known.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row, kind_of
from goldwright.interchange.judgements import reading_of
from goldwright.interchange.reader_protocols import Reading
from goldwright.interchange.row_locations import LocatedRow

_GRADES: Final = {"YES": 1, "NO": 0}
_UNDECIDED: Final = "UNDECIDED"


class ProvenRelevanceFormat:
    """Documents that matter are expected, those that do not are judged irrelevant."""

    name = "proven-relevance"
    shape = "pairs of {id, query, candidates: [{fqn, empirical_relevance}]}"

    def claims(self, row: Row) -> bool:
        """Tell by the candidates of a query."""
        return "candidates" in row and "query" in row

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the pairs; those without a relevant candidate are left out, and said so."""
        return reading_of(self.name, map(_query, rows))


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    query_id = fields.required_text(row, "id", place=place, longest=fields.LONGEST_NAME)
    query_text = fields.required_text(row, "query", place=place)
    grades = dict(_judged(row, place))
    relevant = [document for document, grade in grades.items() if grade]
    strata = fields.strata(row, place=place)
    return DatasetQuery(
        query_id=query_id,
        query_text=query_text,
        expected_ids=tuple(relevant),
        grades=grades,
        strata=strata,
        place=place,
    )


def _judged(row: Row, place: str) -> Iterator[tuple[str, int]]:
    candidates = row["candidates"]
    if not isinstance(candidates, list):
        raise InputError(f"{place}: candidates: wanted a list, found {kind_of(candidates)}")
    for position, candidate in enumerate(candidates):
        where = f"{place}: candidates.{position}"
        if not isinstance(candidate, dict):
            raise InputError(f"{where}: wanted an object, found {kind_of(candidate)}")
        document = fields.required_text(candidate, "fqn", place=where, longest=fields.LONGEST_NAME)
        verdict = candidate.get("empirical_relevance")
        if verdict in _GRADES:
            yield document, _GRADES[str(verdict)]
        elif verdict != _UNDECIDED:
            raise InputError(f"{where}: empirical_relevance: wanted YES, NO or UNDECIDED")
