"""The record that a dataset is made of."""

from typing import Literal

from goldwright.records.answer import AnswerDraft
from goldwright.records.base import CellRecord, Record, TaskType

HumanVerdict = Literal["correct", "minor_issue", "major_issue", "wrong"]
EditedField = Literal["must_mention_facts", "must_not_mention_facts", "canonical_narrative"]
CarriedAs = Literal["unchanged", "moved"]


class Edit(Record):
    """What a person changed in one field of a record; facts are lists, the narrative is one text."""

    field: EditedField
    before: str | tuple[str, ...]
    after: str | tuple[str, ...]
    reviewer: str
    reviewed_at: str


class CarryOver(Record):
    """From which commit a record was carried over when the code moved on, and whether its lines
    moved with it.
    """

    from_commit: str
    kind: CarriedAs


class Provenance(Record):
    """Who wrote, answered, attacked and reviewed a record; digests name the prompts they played by.

    ``adversary`` and ``judge`` are missing where a person kept a record that did not get as far as
    them. ``verdict`` is what people settled on, and ``edits`` what they changed, oldest first;
    ``carried`` has one entry for each time the record was re-anchored to a newer commit.
    """

    query_author: str
    oracle: str
    adversary: str | None
    judge: str | None
    human_reviewed: bool = False
    human_reviewer: str | None = None
    second_reviewer: str | None = None
    adjudicator: str | None = None
    verdict: HumanVerdict | None = None
    reviewed_at: str | None = None
    edits: tuple[Edit, ...] = ()
    carried: tuple[CarryOver, ...] = ()
    prompt_digests: dict[str, str] = {}


class GoldenLabel(AnswerDraft, CellRecord):
    """One query of a golden dataset with its canonical answer.

    ``baseline_answerable`` tells whether a plain lexical search (BM25 over entities) shows
    a primary entity among its first ten results. ``alternatives`` maps an expected entity to others
    that are the same code and answer as well.
    """

    query_text: str
    focus_area: str | None
    difficulty_rationale: str | None
    classifier_expectation: TaskType | None
    identifier_in_query: bool
    baseline_answerable: bool
    alternatives: dict[str, tuple[str, ...]] = {}
    provenance: Provenance
    schema_version: Literal["1.0.0"] = "1.0.0"
