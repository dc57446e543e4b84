"""What independent searches bring for a query and its answer does not expect."""

from typing import Literal

from goldwright.records.base import QueryRecord, Record, WorkStamp

PoolSource = Literal["bm25", "grep", "calls"]
# ``belongs``: a right answer expects it too. ``equal``: it answers as well as an expected one.
# ``no``: it is none of what is asked for. ``open``: no rule can tell.
PoolVerdict = Literal["belongs", "equal", "no", "open"]


class PooledEntity(Record):
    """An entity that a search brought and the answer does not expect.

    Attributes:
        entity_id: The entity.
        sources: The searches that brought it.
        verdict: Whether it is part of a right answer.
        reason: Why, in a few words.
    """

    entity_id: str
    sources: tuple[PoolSource, ...]
    verdict: PoolVerdict
    reason: str


class CompletenessDraft(Record):
    """What a pool of searches says about the labels of one answer.

    Attributes:
        pooled: Every entity that the pool brought beside the expected ones.
        recaptured: The expected entities that a search brought which knows nothing of the answer.
        has_rule: Whether the reason of the question says what belongs to its answer.
    """

    pooled: tuple[PooledEntity, ...]
    recaptured: tuple[str, ...]
    has_rule: bool


class CompletenessReport(WorkStamp, CompletenessDraft, QueryRecord):
    """The completeness of the labels of one answer, as far as a pool shows it."""
