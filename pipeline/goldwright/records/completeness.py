"""What independent searches bring for a query and its answer does not expect."""

from typing import Final, Literal

from goldwright.records.base import FileRange, QueryRecord, Record, WorkStamp

PoolSystem = Literal["bm25", "grep", "calls", "dense"]
# ``belongs``: a right answer expects it too. ``equal``: it answers as well as an expected one.
# ``no``: it is none of what is asked for. ``open``: nobody could tell.
PoolVerdict = Literal["belongs", "equal", "no", "open"]

# The systems that need nothing but the program itself.
BUILT_IN_POOL: Final[tuple[PoolSystem, ...]] = ("bm25", "grep", "calls")


class PoolRuling(Record):
    """A verdict on one entity of a pool.

    Attributes:
        entity_id: The entity.
        verdict: Whether it is part of a right answer.
        reason: Why, in a few words.
        citation: The lines that decided; None where a rule decided, or nothing did.
    """

    entity_id: str
    verdict: PoolVerdict
    reason: str
    citation: FileRange | None


class PooledEntity(Record):
    """An entity that a search brought and the answer does not expect.

    Attributes:
        entity_id: The entity.
        sources: The searches that brought it.
        verdict: Whether it is part of a right answer.
        reason: Why, in a few words.
        citation: The lines that decided; None where a rule decided, or nothing did.
    """

    entity_id: str
    sources: tuple[PoolSystem, ...]
    verdict: PoolVerdict
    reason: str
    citation: FileRange | None = None


class CompletenessDraft(Record):
    """What a pool of searches says about the labels of one answer.

    Attributes:
        systems: The searches that filled the pool, whether they brought anything or not.
        pooled: Every entity that the pool brought beside the expected ones.
        recaptured: The expected entities that a search brought which knows nothing of the answer.
        is_judged: Whether somebody could say what belongs to the answer: a rule for the reason of
            the question, or a model.
    """

    systems: tuple[PoolSystem, ...]
    pooled: tuple[PooledEntity, ...]
    recaptured: tuple[str, ...]
    is_judged: bool


class CompletenessReport(WorkStamp, CompletenessDraft, QueryRecord):
    """The completeness of the labels of one answer, as far as a pool shows it."""
