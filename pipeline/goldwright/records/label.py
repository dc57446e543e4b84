"""The record that a dataset is made of."""

from typing import Literal

from goldwright.records.answer import AnswerDraft
from goldwright.records.base import Celled, Record, TaskType


class Provenance(Record):
    """Who wrote, answered, attacked and reviewed a record; digests name the prompts they played by."""

    query_author: str
    oracle: str
    adversary: str
    judge: str
    human_reviewed: bool = False
    human_reviewer: str | None = None
    reviewed_at: str | None = None
    prompt_digests: dict[str, str] = {}


class GoldenLabel(AnswerDraft, Celled):
    """One query of a golden dataset with its canonical answer.

    ``baseline_answerable`` tells whether a plain lexical search (BM25 over entities) shows
    a primary entity among its first ten results.
    """

    query_text: str
    focus_area: str | None
    difficulty_rationale: str | None
    classifier_expectation: TaskType | None
    identifier_in_query: bool
    baseline_answerable: bool
    provenance: Provenance
    schema_version: Literal["1.0.0"] = "1.0.0"
