"""The choice of words for one idea: a phrasing that fits, opens unlike the others and gives nothing
away.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from goldwright.offline_agents.author.context import AuthorContext, QueryIdea
from goldwright.offline_agents.author.inflection import capitalised
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, opening
from goldwright.snapshot.identifier_leaks import leaked_identifiers
from goldwright.task_types import definition_of

FEWEST_WORDS: Final = 5
MOST_WORDS: Final = 32
SAME_OPENING_IN_CELL: Final = 2
SAME_OPENING_IN_BATCH: Final = 5
SAME_FIRST_WORD_SHARE: Final = 0.12
NEAR_REPEAT: Final = 0.66

LONG_CLAUSE: Final = 7
_NESTED: Final = re.compile(r"\b(?:if|whether|that|when|which|where|is|are)\b")
_SLOT: Final = re.compile(r"\{(\w+)\}")


@dataclass
class QueryWording:
    """The words used so far in the batch; it hands out phrasings so that none opens too often.

    ``size`` is how many queries the batch will hold.
    """

    ground: AuthorContext
    size: int
    first_words: Counter[str] = field(default_factory=Counter)
    openings: Counter[tuple[str, ...]] = field(default_factory=Counter)
    cell_openings: Counter[tuple[Cell, tuple[str, ...]]] = field(default_factory=Counter)
    phrasings: Counter[str] = field(default_factory=Counter)
    spoken: list[frozenset[str]] = field(default_factory=list)

    def remember(self, cell: Cell, text: str) -> None:
        """Count a query that already stands."""
        start = opening(text)
        self.first_words[start[0] if start else ""] += 1
        self.openings[start] += 1
        self.cell_openings[cell, start] += 1
        self.spoken.append(_words(text))

    def draft(self, idea: QueryIdea) -> CandidateDraft | None:
        """Word an idea; ``None`` when no phrasing of its table passes."""
        expectations = definition_of(idea.cell.task_type).expectations
        for phrasing, text in self._ranked(idea):
            if self._passes(idea, text):
                self.phrasings[phrasing] += 1
                self.remember(idea.cell, text)
                return CandidateDraft(
                    query_text=text,
                    target_entity_ids=idea.targets,
                    difficulty_rationale=idea.rationale,
                    classifier_expectation=expectations.get(phrasing),
                )
        return None

    def _ranked(self, idea: QueryIdea) -> list[tuple[str, str]]:
        """The phrasings that the slots can fill, the freshest openings first."""
        phrasings = definition_of(idea.cell.task_type).phrasings[idea.pattern]
        filled = list(_filled(idea, phrasings))
        return sorted(
            filled,
            key=lambda pair: (
                *self._wear(idea, *pair),
                self.ground.jitter("phrasing", idea.primary, pair[0]),
            ),
        )

    def _wear(self, idea: QueryIdea, phrasing: str, text: str) -> tuple[int, int]:
        start = opening(text)
        worn = (
            2 * self.phrasings[phrasing]
            + self.openings[start]
            + 2 * self.cell_openings[idea.cell, start]
        )
        return worn + 2 * _clumsiness(idea, phrasing), self.first_words[start[0]] // 2

    def _passes(self, idea: QueryIdea, text: str) -> bool:
        start = opening(text)
        if (
            self.cell_openings[idea.cell, start] >= SAME_OPENING_IN_CELL
            or self.openings[start] >= SAME_OPENING_IN_BATCH
        ):
            return False
        if self.first_words[start[0]] + 1 > max(3, SAME_FIRST_WORD_SHARE * self.size):
            return False
        if not FEWEST_WORDS <= len(text.split()) <= MOST_WORDS or leaked_identifiers(
            text, idea.targets
        ):
            return False
        words = _words(text)
        return all(len(words & other) / len(words | other) < NEAR_REPEAT for other in self.spoken)


def _filled(idea: QueryIdea, phrasings: Iterable[str]) -> Iterator[tuple[str, str]]:
    for phrasing in phrasings:
        names = _SLOT.findall(phrasing)
        if all(_key(name) in idea.slots for name in names):
            text = _SLOT.sub(lambda match: _value(idea, match[1]), phrasing)
            yield phrasing, capitalised(re.sub(r"([.!?])\1+", r"\1", text))


def _clumsiness(idea: QueryIdea, phrasing: str) -> int:
    """Count long or nested clauses that stand in the middle of a sentence."""
    middles = (
        idea.slots[_key(match[1])]
        for match in _SLOT.finditer(phrasing)
        if phrasing[match.end() : match.end() + 2].strip(" ")[:1].isalpha()
    )
    return sum(len(value.split()) > LONG_CLAUSE or bool(_NESTED.search(value)) for value in middles)


def _key(name: str) -> str:
    return name if name == "Kind" else name.lower()


def _value(idea: QueryIdea, name: str) -> str:
    value = idea.slots[_key(name)]
    return capitalised(value) if name[0].isupper() else value


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))
