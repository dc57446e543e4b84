"""The offline Oracle: reads the targets through its desk, and says what their source shows."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.agents.desk import Desk
from goldwright.agents.offline.behaviour import Definition
from goldwright.agents.offline.behaviour_reading import read_definition
from goldwright.agents.offline.facts import FEWEST, Fact, Place, choose_facts
from goldwright.agents.offline.falsehoods import choose_falsehoods
from goldwright.agents.offline.narrative import Matter, tell
from goldwright.agents.offline.pages import read_span
from goldwright.agents.offline.parts import leading, role_of
from goldwright.agents.roles import OracleWork
from goldwright.records import AnswerDraft, Evidence, ExpectedEntity, FactCitation, FileRange, QueryCandidate
from goldwright.snapshot import Snapshot
from goldwright.snapshot.coverage import Ground, uncovered_mentions
from goldwright.snapshot.model import Entity

_MOST_FACTS: Final = {"easy": 5, "medium": 6, "hard": 8}


class OfflineOracle:
    """Answers by static analysis: ``ast`` for what the code does, the call graph for who calls whom."""

    identity = "agent:oracle:offline-1"

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    async def play(self, work: OracleWork, desk: Desk) -> AnswerDraft:
        """Answer one candidate; its targets are the entities of the answer."""
        candidate = work.candidate
        wanted = dict.fromkeys([*candidate.target_entity_ids, *_named_in(candidate.hint or "")])
        entities = [entity for target in wanted if (entity := self._snapshot.entity(target))]
        places = tuple(place for entity in entities for place in _places(entity, desk))
        places = leading(places, candidate, self._snapshot.graph)
        most = max(_MOST_FACTS[candidate.difficulty], min(8, len(entities) + 2))
        many = choose_facts(places, candidate.task_type, candidate.query_text, most=most + 6)
        facts = choose_facts(places, candidate.task_type, candidate.query_text, most=most)
        chosen = frozenset(fact.sentence for fact in facts)
        spare = tuple(fact for fact in many if fact.sentence not in chosen)
        return self._answer(candidate, entities, places, facts, spare, desk)

    def _answer(
        self,
        candidate: QueryCandidate,
        entities: Sequence[Entity],
        places: tuple[Place, ...],
        facts: tuple[Fact, ...],
        spare: tuple[Fact, ...],
        desk: Desk,
    ) -> AnswerDraft:
        falsehoods = choose_falsehoods(facts, places)
        ranges = tuple(one for entity in entities for one in _ranges(entity))
        citations = (*_citations("fact", facts), *_citations("not-fact", falsehoods))
        files = tuple(dict.fromkeys(entity.path for entity in entities))
        ground = Ground(frozenset(entity.entity_id for entity in entities), frozenset(files), (*ranges, *citations))
        matter = Matter(
            candidate.task_type,
            candidate.difficulty,
            _distinct(places),
            facts,
            spare,
            self._links(entities),
            self._callers(entities),
        )
        enough = len(facts) >= FEWEST
        return AnswerDraft(
            expected_entities=tuple(_expected(entity, places, facts, candidate) for entity in entities),
            expected_files=files,
            expected_line_ranges=ranges,
            must_mention_facts=tuple(fact.sentence for fact in facts),
            must_not_mention_facts=tuple(fact.sentence for fact in falsehoods),
            fact_citations=citations,
            canonical_narrative=tell(matter, lambda text: not uncovered_mentions(text, ground, self._snapshot)),
            source_evidence=_evidence(desk, files),
            confidence="high" if enough else "low",
            uncertainty_notes=None
            if enough
            else "The targets show too little behaviour of their own to say more for certain.",
        )

    def _links(self, entities: Sequence[Entity]) -> tuple[tuple[str, str], ...]:
        names = {entity.entity_id: entity.name for entity in entities}
        return tuple(
            dict.fromkeys(
                (entity.name, names[site.entity_id])
                for entity in entities
                for site in self._snapshot.graph.callees(entity.entity_id)
                if site.entity_id in names and site.entity_id != entity.entity_id
            )
        )

    def _callers(self, entities: Sequence[Entity]) -> tuple[tuple[str, int], ...]:
        return tuple((entity.entity_id, len(self._snapshot.graph.callers(entity.entity_id))) for entity in entities)


def _named_in(hint: str) -> list[str]:
    """The words of a person's hint that look like entity ids; what they do not name is no advice to a parser."""
    return [word.strip(".,;()`'\"") for word in hint.split() if "::" in word]


def _places(entity: Entity, desk: Desk) -> Iterator[Place]:
    """Read every span of an entity; one that this interpreter can not parse shows nothing."""
    for span in entity.spans:
        page = read_span(desk, entity.path, span)
        definition = read_definition(page, entity.name) or Definition(entity.name, "variable", span.first, span.last)
        yield Place(entity.entity_id, entity.path, definition)


def _distinct(places: Sequence[Place]) -> tuple[Place, ...]:
    """Give one place for each entity: of several definitions the longest, which is no overload's stub."""
    chosen: dict[str, Place] = {}
    for place in places:
        known = chosen.get(place.entity_id)
        if known is None or _length(place) > _length(known):
            chosen[place.entity_id] = place
    return tuple(chosen.values())


def _length(place: Place) -> int:
    return place.definition.last - place.definition.first


def _ranges(entity: Entity) -> Iterator[FileRange]:
    return (FileRange(file=entity.path, start=span.first, end=span.last) for span in entity.spans)


def _citations(prefix: str, facts: Sequence[Fact]) -> tuple[FactCitation, ...]:
    return tuple(
        FactCitation(
            claim_id=f"{prefix}-{number}", file=fact.place.path, start=fact.behaviour.first, end=fact.behaviour.last
        )
        for number, fact in enumerate(facts, start=1)
    )


def _expected(
    entity: Entity, places: Sequence[Place], facts: Sequence[Fact], candidate: QueryCandidate
) -> ExpectedEntity:
    role = role_of(entity.entity_id, places, candidate)
    own = next(
        (fact.sentence for fact in facts if fact.place.entity_id == entity.entity_id),
        "It is part of what was asked about.",
    )
    return ExpectedEntity(entity_id=entity.entity_id, role=role, rationale=own)


def _evidence(desk: Desk, files: Sequence[str]) -> tuple[Evidence, ...]:
    return tuple(shown for shown in desk.shown if shown.file in files)
