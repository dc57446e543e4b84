"""What the Author writes: a query with the entities it is about."""

import re

from pydantic import Field

from goldwright.records.base import CellRecord, Record, TaskType, WorkStamp


class CandidateDraft(Record):
    """A query as its Author words it, before it has an id or a place in a cell."""

    query_text: str = Field(min_length=1, max_length=2000)
    target_entity_ids: tuple[str, ...]
    focus_area: str | None = None
    difficulty_rationale: str | None = None
    classifier_expectation: TaskType | None = None


class QueryCandidate(WorkStamp, CandidateDraft, CellRecord):
    """A candidate of one cell; ``parent`` names the attempt that a person's hint retries."""

    identifier_in_query: bool = False
    parent: str | None = None
    hint: str | None = None

    @property
    def opening(self) -> tuple[str, ...]:
        """The first three words, in lower case without punctuation."""
        return opening(self.query_text)


def opening(query_text: str) -> tuple[str, ...]:
    """Split off the first three words of a query, in lower case without punctuation."""
    return tuple(re.findall(r"[\w']+", query_text.lower().replace("’", "'"))[:3])
