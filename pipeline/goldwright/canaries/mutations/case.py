"""An answer under falsification, and what a change to it is."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from goldwright.canaries.mutations.code_text import FactCode, has_word
from goldwright.canaries.mutations.definition_extent import (
    contains_lines,
    line_count,
    touches_lines,
)
from goldwright.canaries.mutations.facts_under_mutation import FactUnderMutation
from goldwright.offline_agents.code_context import CodeContext
from goldwright.records import FileRange, OracleAnswer, QueryCandidate
from goldwright.snapshot import Entity, Snapshot
from goldwright.snapshot.languages.language_catalog import WORDS

_DEFINITION_USE: Final = re.compile(r"([^\W\d]\w*)\(|\b(?:raise|except|class)\s+([^\W\d]\w*)")
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change that makes one claim false, or lets an answer miss its question.

    Attributes:
        claim_id: The claim.
        before: What it said.
        after: What it says now.
        fields: The fields of the answer that change, with their new values.
        other_claims: Further claims that are wrong for the same reason.
        left_out: The id of an entity that the answer no longer expects; empty for none.
    """

    claim_id: str
    before: str
    after: str
    fields: Mapping[str, object]
    other_claims: tuple[str, ...] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class AnsweredCandidate:
    """A query with its answer, which holds."""

    candidate: QueryCandidate
    answer: OracleAnswer


@dataclass
class MutationCase:
    """An answer under falsification, with the code that it is about.

    The order of every draw from ``chance`` counts: the same seed must give the same canaries.
    """

    candidate: QueryCandidate
    answer: OracleAnswer
    snapshot: Snapshot
    chance: random.Random

    @cached_property
    def code(self) -> FactCode:
        """The code of the snapshot."""
        return FactCode(self.snapshot)

    @cached_property
    def context(self) -> CodeContext:
        """The syntax trees of the snapshot, and its closed sets."""
        return CodeContext(self.snapshot)

    @cached_property
    def expected(self) -> tuple[Entity, ...]:
        """The definitions that the answer lists, as far as the snapshot has them."""
        entities = map(self.snapshot.entity, self.answer.entity_ids)
        return tuple(entity for entity in entities if entity)

    @cached_property
    def facts(self) -> tuple[FactUnderMutation, ...]:
        """The facts whose lines lie in a definition, in a random order."""
        grounded = []
        for number, text in enumerate(self.answer.must_mention_facts, start=1):
            fact = self._fact(number, text)
            if fact.entities:
                grounded.append(fact)
        return tuple(self.shuffled(grounded))

    @cached_property
    def definitions_on_lines(self) -> frozenset[str]:
        """The names that are called, raised, caught or defined on the lines of the answer."""
        names: set[str] = set()
        for cited in (*self.answer.expected_line_ranges, *self.answer.fact_citations):
            for match in _DEFINITION_USE.finditer(self.code.text_at(cited)):
                names.update(name for name in match.groups() if name)
        return frozenset(names - WORDS.names)

    def spell(self, entity: Entity) -> str:
        """The longest name by which the answer may speak of a definition.

        The gate takes the qualified name of what is expected, or what the lines themselves say.
        """
        lines = (*self.answer.expected_line_ranges, *self.answer.fact_citations)
        if entity in self.expected or any(
            has_word(entity.name, self.code.text_at(cited)) for cited in lines
        ):
            return entity.name
        return entity.simple_name

    def shuffled(self, items: Iterable[_Item]) -> list[_Item]:
        """Put items into a random order."""
        order = list(items)
        self.chance.shuffle(order)
        return order

    def is_new(self, text: str) -> bool:
        """Whether no fact of the answer, true or false, says the same."""
        answer = self.answer
        facts = (*answer.must_mention_facts, *answer.must_not_mention_facts)
        return _normalize(text) not in map(_normalize, facts)

    def last_read(self, file: str, start: int, end: int) -> int:
        """The last line of a range up to which the Oracle read every line.

        Returns:
            A line number; ``start - 1`` when not even the first line was read.
        """
        line = start
        while line <= end and (file, line) in self._read_lines:
            line += 1
        return line - 1

    @cached_property
    def _read_lines(self) -> frozenset[tuple[str, int]]:
        return frozenset(_lines_of(self.answer.source_evidence))

    def _fact(self, number: int, text: str) -> FactUnderMutation:
        citations = []
        # A dictionary keeps the order of the citations and each definition once.
        entities: dict[Entity, None] = {}
        for citation in self.answer.fact_citations:
            if citation.claim_id == f"fact-{number}":
                citations.append(citation)
                around = self._entities_around(citation)
                entities.update(dict.fromkeys(around))
        return FactUnderMutation(number, text, tuple(citations), tuple(entities))

    def _entities_around(self, cited: FileRange) -> list[Entity]:
        """The expected definitions that lines touch, or else the shortest one around them."""
        if not self.snapshot.has_text(cited.file):
            return []
        touched = [entity for entity in self.expected if touches_lines(entity, cited)]
        if touched:
            return touched
        entities = self.snapshot.entities_in(cited.file)
        around = [entity for entity in entities if contains_lines(entity, cited)]
        return sorted(around, key=line_count)[:1]


def _lines_of(ranges: Iterable[FileRange]) -> Iterator[tuple[str, int]]:
    for file_range in ranges:
        for line in range(file_range.start, file_range.end + 1):
            yield file_range.file, line


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())
