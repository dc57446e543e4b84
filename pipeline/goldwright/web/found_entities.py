"""What searches found beside the expected entities, for a person to say whether it is right too."""

from dataclasses import dataclass
from typing import Final

from goldwright.records import CompletenessReport, PooledEntity
from goldwright.review.record_content import RecordContent
from goldwright.snapshot import Snapshot

# More of them are no longer looked at one by one.
MOST_FOUND: Final = 6
# What a judge of the pool is sure of stands first.
_ORDER: Final = {"belongs": 0, "equal": 1, "open": 2}
_SEARCHES: Final = {"bm25": "BM25", "grep": "grep", "calls": "the call graph", "dense": "meaning"}
_REASONS: Final = {
    "belongs": "A right answer needs it too.",
    "equal": "It answers as well.",
    "open": "It answers as well.",
}


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity that searches brought and the answer does not expect.

    Attributes:
        entity_id: The entity.
        file: Its file.
        line: Its first line.
        searches: Which searches brought it, and what was said of it there.
        reason: Why it may be expected, for the person to put right.
    """

    entity_id: str
    file: str
    line: int
    searches: str
    reason: str


def found_entities(
    report: CompletenessReport | None, content: RecordContent, snapshot: Snapshot
) -> tuple[FoundEntity, ...]:
    """Give what is not known to be wrong, the likeliest first; nothing where no pool was made."""
    expected = {entity.entity_id for entity in content.answer.expected_entities}
    pooled = report.pooled if report is not None else ()
    likely = [entity for entity in pooled if entity.verdict in _ORDER]
    candidates = [entity for entity in likely if entity.entity_id not in expected]
    candidates.sort(key=lambda entity: (_ORDER[entity.verdict], -len(entity.sources)))
    shown_entities = (_shown(entity, snapshot) for entity in candidates)
    return tuple(entity for entity in shown_entities if entity is not None)[:MOST_FOUND]


def _shown(pooled: PooledEntity, snapshot: Snapshot) -> FoundEntity | None:
    entity = snapshot.entity(pooled.entity_id)
    if entity is None:
        return None
    searches = "found by " + ", ".join(_SEARCHES[source] for source in pooled.sources)
    if pooled.verdict != "open":
        searches = f"{searches}: {pooled.reason}"
    line = entity.spans[0].first
    return FoundEntity(pooled.entity_id, entity.path, line, searches, _REASONS[pooled.verdict])
