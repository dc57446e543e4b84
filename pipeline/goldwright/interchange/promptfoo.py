"""promptfoo: JSON Lines of test cases, for ``tests: file://FILE.jsonl``.

Source: promptfoo/src/types and src/evaluatorHelpers.ts. promptfoo renders variables and assertions
as Nunjucks templates and makes one test of each item of a list among the variables; so what would
open or close a tag is written as a tag that yields it, and every variable is a text.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.foreign import fields
from goldwright.golden.foreign.fields import kind_of
from goldwright.golden.foreign.row_locations import LocatedRow
from goldwright.interchange import judgements
from goldwright.interchange.embedded_record import agreed, packed, unpacked
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.json_records import called, read_rows, write_lines
from goldwright.records import GoldenLabel

# What opens or closes a tag anywhere, and what makes promptfoo read a file at the start.
_SPECIAL: Final = re.compile(r"\{(?=[{%#])|#(?=\})|\Af(?=ile://)|\Ap(?=ackage:)")
_WRITTEN: Final = re.compile(r"\{\{ '([{#fp])' \}\}")


class PromptfooFormat:
    """The query is the variable ``query``; facts are variables for a rubric; entities are asserted
    by their ids.
    """

    name = "promptfoo"
    shape = "JSON Lines of test cases {description, vars, assert, metadata}"
    shown = judgements.SHOWN | {
        "task_type",
        "difficulty",
        "must_mention_facts",
        "must_not_mention_facts",
    }
    carries_record = True
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the file."""
        write_lines(
            out,
            ({**_visible(label), "metadata": packed(label, dataset)} for label in dataset.labels),
        )

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the file; of somebody else's cases the variable ``query``."""
        return read_rows(path, _fields, what="test cases")

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what is asserted, and what is not."""
        del dataset
        yield (
            "each case asserts that the output names every expected entity id; facts are the variables must_mention "
            "and must_not_mention, for a rubric of your own"
        )


def _visible(label: GoldenLabel) -> dict[str, object]:
    variables = {
        "query": label.query_text,
        "must_mention": "\n".join(label.must_mention_facts),
        "must_not_mention": "\n".join(label.must_not_mention_facts),
    }
    expected = [_literal(one) for one in label.entity_ids]
    return {
        "description": label.query_id,
        "vars": {name: _literal(text) for name, text in variables.items()},
        "assert": [{"type": "contains-all", "value": expected, "metric": "entities"}]
        if expected
        else [],
    }


def _literal(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"{{{{ '{match[0]}' }}}}", text)


def _fields(row: LocatedRow) -> Fields:
    label = unpacked(row.row.get("metadata"), place=row.place)
    if label is not None:
        return agreed(row.row, _visible(label), label, place=row.place)
    variables = row.row.get("vars")
    if not isinstance(variables, dict):
        raise InputError(f"{row.place}: vars: wanted an object, found {kind_of(variables)}")
    text = fields.required_text(variables, "query", place=f"{row.place}: vars")
    return {
        "query_id": fields.optional_text(row.row, "description", place=row.place)
        or called(row.place),
        "query_text": _WRITTEN.sub(r"\1", text),
        "expected_entities": (),
    }
