"""What the reports of completeness say of labels; whoever only reads them loads no search."""

from typing import Final

from goldwright.records import CompletenessReport, PoolSystem

INDEPENDENT: Final[frozenset[PoolSystem]] = frozenset({"bm25", "grep", "dense"})
"""What a search brings that knows nothing of the answer can be set against its labels."""


def missing_labels(report: CompletenessReport) -> tuple[str, ...]:
    """Say which entities a right answer expects beside those that are labelled, each in a line."""
    missing = [entity for entity in report.pooled if entity.verdict == "belongs"]
    return tuple(f"labels_incomplete: {entity.entity_id}: {entity.reason}" for entity in missing)


def equal_entities(report: CompletenessReport | None) -> tuple[str, ...]:
    """Give the entities that answer as well as an expected one."""
    if report is None:
        return ()
    equal = [entity for entity in report.pooled if entity.verdict == "equal"]
    return tuple(entity.entity_id for entity in equal)
