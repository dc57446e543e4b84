"""promptfoo: JSON Lines of test cases, for ``tests: file://FILE.jsonl``.

Source: promptfoo/src/types and src/evaluatorHelpers.ts. promptfoo renders variables and assertions
as Nunjucks templates and makes one test of each item of a list among the variables; so what would
open or close a tag is written as a tag that yields it, and every variable is a text.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields, judgements
from goldwright.interchange.embedded_record import confirm_record, pack_record, unpack_record
from goldwright.interchange.fields import Row, kind_of
from goldwright.interchange.format import Dataset
from goldwright.interchange.json_records import read_records, write_json_lines
from goldwright.interchange.reader_protocols import Reading, read_each
from goldwright.interchange.row_locations import LocatedRow, place_in_file
from goldwright.records import GoldenLabel

# What opens or closes a tag anywhere, and what makes promptfoo read a file at the start.
_SPECIAL: Final = re.compile(r"\{(?=[{%#])|#(?=\})|\Af(?=ile://)|\Ap(?=ackage:)")
_ESCAPED: Final = re.compile(r"\{\{ '([{#fp])' \}\}")


class PromptfooFormat:
    """The query is the variable ``query``, facts are variables for a rubric, ids are asserted."""

    name = "promptfoo"
    shape = "JSON Lines of test cases {description, vars, assert, metadata}"
    visible_pieces = judgements.VISIBLE_PIECES | {
        "task_type",
        "difficulty",
        "must_mention_facts",
        "must_not_mention_facts",
    }
    carries_record = True
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        write_json_lines(out, _test_cases(dataset))

    def read(self, path: Path) -> Reading:
        """Read the file; of somebody else's cases the variable ``query``."""
        return read_records(self.name, path, _query, content="test cases")

    def claims(self, row: Row) -> bool:
        """Tell by the variables."""
        return "vars" in row

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the cases."""
        return read_each(self.name, rows, _query)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what is asserted, and what is not."""
        del dataset
        yield (
            "each case asserts that the output names every expected entity id; facts are the "
            "variables must_mention and must_not_mention, for a rubric of your own"
        )


def _test_cases(dataset: Dataset) -> Iterator[dict[str, object]]:
    for label in dataset.labels:
        row = _visible_fields(label)
        row["metadata"] = pack_record(label, dataset)
        yield row


def _visible_fields(label: GoldenLabel) -> dict[str, object]:
    must_mention = "\n".join(label.must_mention_facts)
    must_not_mention = "\n".join(label.must_not_mention_facts)
    variables = {
        "query": _escape(label.query_text),
        "must_mention": _escape(must_mention),
        "must_not_mention": _escape(must_not_mention),
    }
    return {
        "description": label.query_id,
        "vars": variables,
        "assert": _assertions(label),
    }


def _assertions(label: GoldenLabel) -> list[dict[str, object]]:
    # "contains-all" of nothing would pass whatever the output is.
    if not label.entity_ids:
        return []
    expected = list(map(_escape, label.entity_ids))
    return [{"type": "contains-all", "value": expected, "metric": "entities"}]


def _escape(text: str) -> str:
    return _SPECIAL.sub(_tag_for, text)


def _tag_for(match: re.Match[str]) -> str:
    """Write a character as a Nunjucks tag that renders to it: ``{{ '#' }}``."""
    return f"{{{{ '{match[0]}' }}}}"


def _unescape(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    label = unpack_record(row.get("metadata"), place=place)
    if label is not None:
        return confirm_record(label, row=row, expected=_visible_fields(label), place=place)
    variables = row.get("vars")
    if not isinstance(variables, dict):
        kind = kind_of(variables)
        raise InputError(f"{place}: vars: wanted an object, found {kind}")
    text = fields.required_text(variables, "query", place=f"{place}: vars")
    description = fields.optional_text(row, "description", place=place)
    return DatasetQuery(
        query_id=description or place_in_file(place),
        query_text=_unescape(text),
        place=place,
    )
