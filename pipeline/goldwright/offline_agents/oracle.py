"""The offline Oracle: reads the targets through its desk, and says what their source shows."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.agents.roles import OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.behaviour_reader import read_definition
from goldwright.offline_agents.behaviours import DefinitionReading
from goldwright.offline_agents.entity_roles import leading, role_of
from goldwright.offline_agents.fact_choice import FEWEST, ChosenFact, EntityReading, choose_facts
from goldwright.offline_agents.falsehoods import choose_falsehoods
from goldwright.offline_agents.narrative import NarrativeMaterial, tell
from goldwright.offline_agents.paged_reading import read_span
from goldwright.records import (
    AnswerDraft,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    QueryCandidate,
)
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, Span
from goldwright.snapshot.mention_coverage import MentionScope, uncovered_mentions

_MOST_FACTS: Final = {"easy": 5, "medium": 6, "hard": 8}


class OfflineOracle:
    """Answers by static analysis: ``ast`` for what the code does, the call graph for who calls
    whom.
    """

    identity = "agent:oracle:offline-1"

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    async def play(self, work: OracleWork, toolset: Toolset) -> AnswerDraft:
        """Answer one candidate; its targets are the entities of the answer."""
        candidate = work.candidate
        wanted = dict.fromkeys([*candidate.target_entity_ids, *_named_in(candidate.hint or "")])
        entities = [entity for target in wanted if (entity := self._snapshot.entity(target))]
        places = tuple(place for entity in entities for place in _places(entity, toolset))
        places = leading(places, candidate, self._snapshot.graph)
        most = max(_MOST_FACTS[candidate.difficulty], min(8, len(entities) + 2))
        many = choose_facts(places, candidate.task_type, candidate.query_text, most=most + 6)
        facts = choose_facts(places, candidate.task_type, candidate.query_text, most=most)
        chosen = frozenset(fact.sentence for fact in facts)
        spare = tuple(fact for fact in many if fact.sentence not in chosen)
        return self._answer(candidate, entities, places, facts, spare, toolset)

    def _answer(
        self,
        candidate: QueryCandidate,
        entities: Sequence[Entity],
        places: tuple[EntityReading, ...],
        facts: tuple[ChosenFact, ...],
        spare: tuple[ChosenFact, ...],
        toolset: Toolset,
    ) -> AnswerDraft:
        falsehoods = choose_falsehoods(facts, places)
        ranges = tuple(one for entity in entities for one in _ranges(entity))
        citations = (*_citations("fact", facts), *_citations("not-fact", falsehoods))
        files = tuple(dict.fromkeys(entity.path for entity in entities))
        ground = MentionScope(
            frozenset(entity.entity_id for entity in entities),
            frozenset(files),
            (*ranges, *citations),
        )
        matter = NarrativeMaterial(
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
            expected_entities=tuple(
                _expected(entity, places, facts, candidate) for entity in entities
            ),
            expected_files=files,
            expected_line_ranges=ranges,
            must_mention_facts=tuple(fact.sentence for fact in facts),
            must_not_mention_facts=tuple(fact.sentence for fact in falsehoods),
            fact_citations=citations,
            canonical_narrative=tell(
                matter, lambda text: not uncovered_mentions(text, ground, self._snapshot)
            ),
            source_evidence=_evidence(toolset, files),
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
        return tuple(
            (entity.entity_id, len(self._snapshot.graph.callers(entity.entity_id)))
            for entity in entities
        )


def _named_in(hint: str) -> list[str]:
    """The words of a person's hint that look like entity ids; what they do not name is no advice to
    a parser.
    """
    return [word.strip(".,;()`'\"") for word in hint.split() if "::" in word]


def _places(entity: Entity, toolset: Toolset) -> Iterator[EntityReading]:
    """Read every span of an entity; one that this interpreter can not parse shows nothing."""
    for span in entity.spans:
        page = read_span(toolset, entity.path, span)
        definition = read_definition(page, entity.name) or DefinitionReading(
            entity.name, "variable", span.first, span.last
        )
        yield EntityReading(entity.entity_id, entity.path, definition)


def _distinct(places: Sequence[EntityReading]) -> tuple[EntityReading, ...]:
    """Give one place for each entity: of several definitions the longest, which is no overload's
    stub.
    """
    chosen: dict[str, EntityReading] = {}
    for place in places:
        known = chosen.get(place.entity_id)
        if known is None or _length(place) > _length(known):
            chosen[place.entity_id] = place
    return tuple(chosen.values())


def _length(place: EntityReading) -> int:
    return place.definition.last - place.definition.first


def _ranges(entity: Entity) -> Iterator[FileRange]:
    return (FileRange(file=entity.path, start=span.first, end=span.last) for span in entity.spans)


def _citations(prefix: str, facts: Sequence[ChosenFact]) -> tuple[FactCitation, ...]:
    """Cite the lines of each fact, and of the conditions that it states."""
    citations: list[FactCitation] = []
    for number, fact in enumerate(facts, start=1):
        behaviour = fact.behaviour
        stated = [Span(behaviour.first, behaviour.last)]
        stated += [guard.lines for guard in behaviour.guards if guard.lines]
        for lines in _without_repeats(stated):
            citation = FactCitation(
                claim_id=f"{prefix}-{number}",
                file=fact.place.path,
                start=lines.first,
                end=lines.last,
            )
            citations.append(citation)
    return tuple(citations)


def _without_repeats(spans: Sequence[Span]) -> Iterator[Span]:
    """Leave out spans that lie inside another one."""
    for number, span in enumerate(spans):
        others = [*spans[:number], *(other for other in spans[number + 1 :] if other != span)]
        if not any(other.first <= span.first and span.last <= other.last for other in others):
            yield span


def _expected(
    entity: Entity,
    places: Sequence[EntityReading],
    facts: Sequence[ChosenFact],
    candidate: QueryCandidate,
) -> ExpectedEntity:
    role = role_of(entity.entity_id, places, candidate)
    own = next(
        (fact.sentence for fact in facts if fact.place.entity_id == entity.entity_id),
        "It is part of what was asked about.",
    )
    return ExpectedEntity(entity_id=entity.entity_id, role=role, rationale=own)


def _evidence(toolset: Toolset, files: Sequence[str]) -> tuple[Evidence, ...]:
    return tuple(shown for shown in toolset.shown if shown.file in files)
