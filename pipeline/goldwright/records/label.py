"""The record that a dataset is made of."""

from typing import Final, Literal

from pydantic import Field

from goldwright.records.answer import AnswerDraft, ExpectedEntity, OracleAnswer
from goldwright.records.base import CellRecord, FileRange, Record, TaskType, is_empty

HumanVerdict = Literal["correct", "minor_issue", "major_issue", "wrong"]
EditedField = Literal[
    "must_mention_facts",
    "must_not_mention_facts",
    "canonical_narrative",
    "query_text",
    "expected_entities",
    "expected_line_ranges",
]
EditedValue = str | tuple[str, ...] | tuple[ExpectedEntity, ...] | tuple[FileRange, ...]
# A record whose text changed is neither: it goes back to people instead of being carried over.
CarriedAs = Literal["unchanged", "moved"]


class Edit(Record):
    """What a person changed in one field; question and narrative are texts, the others lists."""

    field: EditedField
    before: EditedValue
    after: EditedValue
    reviewer: str
    reviewed_at: str


class CarryOver(Record):
    """How a record was carried over to a newer commit.

    Attributes:
        from_commit: The commit that it was anchored to before.
        kind: ``moved`` if its lines moved with the code, else ``unchanged``.
    """

    from_commit: str
    kind: CarriedAs


class Provenance(Record):
    """Who wrote, answered, attacked and reviewed a record.

    Attributes:
        query_author: The agent that wrote the query.
        oracle: The agent that answered it.
        adversary: The agent that attacked the answer; None where a person kept a record that did
            not get that far.
        judge: The agent that compared the narratives; None for the same reason.
        human_reviewed: Whether a person reviewed the record.
        human_reviewer: The first reviewer.
        second_reviewer: The second reviewer, who did not see the first verdict.
        adjudicator: Who decided where the two disagreed.
        verdict: The verdict that people settled on.
        reviewed_at: When the last of them gave it.
        edits: What they changed, oldest first.
        carried: One entry for each time the record was carried over to a newer commit.
        prompt_digests: The digest of each prompt that the agents played by, by its name.
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


ADOPTED: Final = "adopted:"
"""Stands before the name of the dataset that a record was adopted from, where agents stand."""


def is_adopted(answer: AnswerDraft) -> bool:
    """Whether an answer was adopted from a dataset of others, which may lack parts of one."""
    match answer:
        case OracleAnswer():
            return answer.authored_by.startswith(ADOPTED)
        case GoldenLabel():
            return answer.provenance.oracle.startswith(ADOPTED)
        case _:
            return False


class GoldenLabel(AnswerDraft, CellRecord):
    """One query of a golden dataset with its canonical answer.

    Attributes:
        query_text: The query.
        focus_area: The part of the codebase that the run was asked to look at.
        difficulty_rationale: Why the Author holds the query to be this hard.
        classifier_expectation: The task type that a classifier would take the query for.
        identifier_in_query: Whether the query holds an identifier of the code.
        baseline_answerable: Whether a plain lexical search (BM25 over entities) shows a primary
            entity among its first ten results.
        baseline_retriever: Which search that was, as in ``bm25-3``; None in records from before it
            had versions, which are those of BM25 without stop words.
        alternatives: For an expected entity, the others that are the same code and answer as well.
        provenance: Who made and reviewed the record.
        strata: The strata of an adopted query by its dataset's own names; left out where there are
            none, so that other records stay as they were.
        cited_text: The digest of the text of each cited range, by the range as in ``a.py:6-10``;
            ``stages/gate/cited_text.py`` says what of a text counts.
        schema_version: The version of the record's schema.
    """

    query_text: str
    focus_area: str | None
    difficulty_rationale: str | None
    classifier_expectation: TaskType | None
    identifier_in_query: bool
    baseline_answerable: bool
    baseline_retriever: str | None = None
    alternatives: dict[str, tuple[str, ...]] = {}
    provenance: Provenance
    strata: dict[str, str] = Field(default={}, exclude_if=is_empty)
    cited_text: dict[str, str] = {}
    schema_version: Literal["1.0.0"] = "1.0.0"
