"""Goldwright's own datasets, read as if somebody else had made them."""

from pydantic import ValidationError

from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.golden.foreign.fields import Row
from goldwright.golden.foreign.records import ForeignRecord, Format
from goldwright.records import GoldenLabel
from goldwright.records.strict_json import first_validation_problem
from goldwright.text import make_visible

_OURS_ALONE = frozenset({"query_id", "fact_citations", "provenance"})


class OwnFormatReader:
    """A list of golden labels; here nothing is tolerated, for the program wrote them."""

    format: Format = "goldwright"
    shape = "what goldwright export writes"

    def claims(self, row: Row) -> bool:
        """Tell our rows from KnowCode's, which have no lines beside their facts."""
        return row.keys() >= _OURS_ALONE

    def record(self, row: Row, *, place: str) -> ForeignRecord:
        """Read a label in full and keep what can be compared."""
        try:
            return from_label(GoldenLabel.model_validate_json(canonical_json(row)))
        except ValidationError as error:
            raise InputError(f"{place}: {make_visible(first_validation_problem(error))}") from error
        except RecursionError as error:
            raise InputError(f"{place}: nested too deep for a golden label") from error


def from_label(label: GoldenLabel) -> ForeignRecord:
    """See a golden label as a record of any dataset."""
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
