"""An answer under falsification, and what a change to it is."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from goldwright.canaries.mutations.code_text import FactCode
from goldwright.canaries.mutations.definition_extent import holds, length
from goldwright.canaries.mutations.fact_entities import FactUnderMutation
from goldwright.records import FileRange, OracleAnswer
from goldwright.snapshot import Entity, Snapshot

_Item = TypeVar("_Item")


class Mutation(NamedTuple):
    """What makes one claim false: its id, the words before and after, and the fields of the answer
    that change.
    """

    claim_id: str
    before: str
    after: str
    fields: Mapping[str, object]


@dataclass
class MutationCase:
    """An answer under falsification, with the code that it is about."""

    answer: OracleAnswer
    snapshot: Snapshot
    chance: random.Random

    @cached_property
    def code(self) -> FactCode:
        """The code of the snapshot."""
        return FactCode(self.snapshot)

    @cached_property
    def expected(self) -> tuple[Entity, ...]:
        """The definitions that the answer lists, as far as the snapshot has them."""
        found = (self.snapshot.entity(identifier) for identifier in self.answer.entity_ids)
        return tuple(entity for entity in found if entity)

    @cached_property
    def facts(self) -> tuple[FactUnderMutation, ...]:
        """The facts whose lines lie in a definition, in a random order."""
        found = [
            self._fact(number, text)
            for number, text in enumerate(self.answer.must_mention_facts, start=1)
        ]
        grounded = [fact for fact in found if fact.around]
        return tuple(self.mixed(grounded))

    def _fact(self, number: int, text: str) -> FactUnderMutation:
        citations = tuple(
            cited for cited in self.answer.fact_citations if cited.claim_id == f"fact-{number}"
        )
        around = (entity for cited in citations for entity in self._around(cited))
        return FactUnderMutation(number, text, citations, tuple(dict.fromkeys(around)))

    def _around(self, cited: FileRange) -> tuple[Entity, ...]:
        """Find the expected definitions that lines belong to, or else the narrowest definition
        around them.
        """
        if not self.snapshot.has_text(cited.file):
            return ()
        near = tuple(
            e for e in self.expected if e.path == cited.file and e.touches(cited.start, cited.end)
        )
        if near:
            return near
        holding = [e for e in self.snapshot.entities_in(cited.file) if holds(e, cited)]
        return tuple(sorted(holding, key=length)[:1])

    def mixed(self, items: Iterable[_Item]) -> list[_Item]:
        """Put items into a random order."""
        order = list(items)
        self.chance.shuffle(order)
        return order

    def is_new(self, text: str) -> bool:
        """Tell whether no fact of the answer, true or false, says the same."""
        said = (*self.answer.must_mention_facts, *self.answer.must_not_mention_facts)
        return _words(text) not in {_words(fact) for fact in said}

    def last_read(self, file: str, start: int, end: int) -> int:
        """Find the last line of a range up to which every line of it was read; the line before it
        when none was.
        """
        line = start
        while line <= end and (file, line) in self._read:
            line += 1
        return line - 1

    @cached_property
    def _read(self) -> frozenset[tuple[str, int]]:
        read = self.answer.source_evidence
        return frozenset(
            (seen.file, line) for seen in read for line in range(seen.start, seen.end + 1)
        )


def _words(text: str) -> str:
    return " ".join(text.casefold().split())
