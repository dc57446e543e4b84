"""What the Author writes: a query with the entities it is about."""

import re

from pydantic import Field

from goldwright.records.base import CellRecord, Record, TaskType, WorkStamp, is_empty
from goldwright.records.intent import Intent

_OPENING_WORDS = 3


class CandidateDraft(Record):
    """A query as its Author words it, before it has an id or a place in a cell."""

    query_text: str = Field(min_length=1, max_length=2000)
    target_entity_ids: tuple[str, ...]
    focus_area: str | None = None
    difficulty_rationale: str | None = None
    classifier_expectation: TaskType | None = None
    intent: Intent | None = None


class QueryCandidate(WorkStamp, CandidateDraft, CellRecord):
    """A candidate of one cell.

    Attributes:
        identifier_in_query: Whether the query holds an identifier of the code.
        parent: The query id of the attempt that this candidate retries, if it is a retry.
        hint: What a person wrote for the retry.
        strata: The strata of an adopted query by its dataset's own names; left out where there are
            none.
    """

    identifier_in_query: bool = False
    parent: str | None = None
    hint: str | None = None
    strata: dict[str, str] = Field(default={}, exclude_if=is_empty)

    @property
    def opening(self) -> tuple[str, ...]:
        """The first three words, in lower case without punctuation."""
        return opening(self.query_text)


def opening(query_text: str) -> tuple[str, ...]:
    """Split off the first three words of a query, in lower case without punctuation."""
    # Both apostrophes count as one, so that "What's" and "What’s" open alike.
    normalised_text = query_text.lower().replace("’", "'")
    words = re.findall(r"[\w']+", normalised_text)
    return tuple(words[:_OPENING_WORDS])
