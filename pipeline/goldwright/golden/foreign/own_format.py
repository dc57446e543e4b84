"""Goldwright's own datasets, read as if somebody else had made them."""

from typing import Final

from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.foreign.fields import Row
from goldwright.golden.foreign.records import DatasetFormat, ForeignRecord
from goldwright.records import GoldenLabel
from goldwright.records.strict_json import first_validation_problem
from goldwright.text import make_visible

# KnowCode's rows have a query id and sometimes a provenance, but no lines beside their facts.
_DISTINCTIVE_FIELDS: Final = frozenset({"query_id", "fact_citations", "provenance"})


class OwnFormatReader:
    """A list of golden labels; nothing is tolerated here, for the program wrote them."""

    format: DatasetFormat = "goldwright"
    shape = "what goldwright export writes"

    def claims(self, row: Row) -> bool:
        """Tell our rows from KnowCode's by fields that only ours have together."""
        return row.keys() >= _DISTINCTIVE_FIELDS

    def record(self, row: Row, *, place: str) -> ForeignRecord:
        """Read a label in full and keep what can be compared."""
        try:
            row_json = canonical_json(row)
            return from_label(GoldenLabel.model_validate_json(row_json))
        except ValidationError as error:
            problem = make_visible(first_validation_problem(error))
            raise InputError(f"{place}: {problem}") from error
        except RecursionError as error:
            raise InputError(f"{place}: nested too deep for a golden label") from error


def from_label(label: GoldenLabel) -> ForeignRecord:
    """Give a golden label as a record of any dataset."""
    return ForeignRecord(
        query_id=label.query_id,
        query_text=label.query_text,
        task_type=label.task_type,
        difficulty=label.difficulty,
        entities=label.entity_ids,
        files=label.expected_files,
        must_mention_facts=label.must_mention_facts,
        must_not_mention_facts=label.must_not_mention_facts,
        line_ranges=label.expected_line_ranges,
        carries_facts=True,
    )
