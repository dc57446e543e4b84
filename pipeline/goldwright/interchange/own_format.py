"""Goldwright's own datasets."""

from collections.abc import Sequence
from typing import Final

from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.loading import id_in_brackets
from goldwright.golden.queries import DatasetQuery, query_of
from goldwright.interchange.fields import Row
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow
from goldwright.records import GoldenLabel
from goldwright.records.validation_problems import first_validation_problem
from goldwright.text import make_visible

# KnowCode's rows have a query id and sometimes a provenance, but no lines beside their facts.
_DISTINCTIVE_FIELDS: Final = frozenset({"query_id", "fact_citations", "provenance"})


class OwnFormat:
    """A list of golden labels; nothing is tolerated here, for the program wrote them."""

    name = "goldwright"
    shape = "what goldwright export writes"

    def claims(self, row: Row) -> bool:
        """Tell our rows from KnowCode's by fields that only ours have together."""
        return row.keys() >= _DISTINCTIVE_FIELDS

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read every label in full."""
        return read_each(self.name, rows, _query)


def _query(located: LocatedRow) -> DatasetQuery:
    place = located.place
    try:
        row_json = canonical_json(dict(located.row))
        return query_of(GoldenLabel.model_validate_json(row_json), place=place)
    except ValidationError as error:
        problem = make_visible(first_validation_problem(error))
        shown_id = id_in_brackets(located.row)
        raise InputError(f"{place}{shown_id}: {problem}") from error
    except RecursionError as error:
        raise InputError(f"{place}: nested too deep for a golden label") from error
