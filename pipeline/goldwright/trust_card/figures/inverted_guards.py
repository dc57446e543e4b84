"""Whether conditions in prose have lost or gained a ``not``."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.records import FileRange
from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial, CitedFact
from goldwright.trust_card.measure import NO_FAULT, FigureText, Measure, Observation
from goldwright.trust_card.prose.sentences import code_marks, sentences
from goldwright.trust_card.prose.stated_conditions import StatedCondition, stated_conditions
from goldwright.trust_card.prose.words import words
from goldwright.trust_card.source.conditions import source_of

# A condition told as quoted words: “dev fd is fdescfs” for ``not _dev_fd_is_fdescfs()``.
_SPOKEN: Final = re.compile(
    r"\b(?:when|if|as long as|and)\s+“([^“”]+)”\s+(?:holds|is truthy|is true)\b", re.IGNORECASE
)
_NEGATION: Final = re.compile(r"\bnot\b|!=")
# Of the code marks of a sentence and a fact together: the least share that both have where the
# sentence may tell the fact.
_LEAST_OVERLAP: Final = 0.5


def _observe(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for fact in record.facts:
            yield from _observe_text(record, fact.text, (fact,), material)
        for sentence in sentences(record.narrative):
            yield from _observe_text(record, sentence, record.facts, material)
            yield from _observe_spoken(record, sentence, material)


def _observe_text(
    record: AnsweredQuery, text: str, facts: Sequence[CitedFact], material: CardMaterial
) -> Iterator[Observation]:
    """Compare each condition of a text with the path to the lines behind it.

    Args:
        record: The record.
        text: A fact, or a sentence of the narrative.
        facts: The facts that it may tell; the lines of those that it does are the lines behind it.
        material: The codebase.
    """
    for condition in stated_conditions(text):
        citations = _citations_behind(text, condition, facts)
        tests_at_lines = material.statements.tests_at(citations)
        opposite_tests = {test.opposite for test in tests_at_lines}
        inverted = condition.tests & opposite_tests - tests_at_lines
        if inverted:
            source = min(test.source for test in inverted)
            note = f"`{source}` stands the other way round: {text}"
            yield Observation(record.query_id, 1.0, note)
        elif condition.tests & tests_at_lines:
            yield Observation(record.query_id, 0.0)


def _observe_spoken(
    record: AnsweredQuery, sentence: str, material: CardMaterial
) -> Iterator[Observation]:
    """Look for the conditions that a sentence tells as quoted words."""
    for match in _SPOKEN.finditer(sentence):
        spoken_words = words(match[1])
        told = [
            source
            for source in _condition_sources(record, material)
            if _is_told_by(source, spoken_words)
        ]
        if not told:
            continue
        is_dropped = all(_NEGATION.search(source) for source in told)
        note = f"`{told[0]}` lost its negation: {sentence}" if is_dropped else ""
        yield Observation(record.query_id, float(is_dropped), note)


def _condition_sources(record: AnsweredQuery, material: CardMaterial) -> Iterator[str]:
    """Yield the conditions that hold on the paths to the cited lines, as they stand there."""
    for fact in record.facts:
        for statement in material.statements.at(fact.citations):
            for condition in statement.conditions:
                if condition.holds and condition.node is not None:
                    yield source_of(condition.node)


def _is_told_by(source: str, spoken_words: Sequence[str]) -> bool:
    """Whether the words stand in a condition in their order and are at least half of its words."""
    source_words = words(source)
    remaining = iter(source_words)
    if not all(word in remaining for word in spoken_words):
        return False
    return len(spoken_words) * 2 >= len(source_words)


def _citations_behind(
    text: str, condition: StatedCondition, facts: Sequence[CitedFact]
) -> tuple[FileRange, ...]:
    """The lines of the facts that share most code marks with a text and test the same as it."""
    marks = frozenset(code_marks(text))
    citations: list[FileRange] = []
    for fact in facts:
        fact_marks = frozenset(code_marks(fact.text))
        overlap = len(marks & fact_marks) / max(len(marks | fact_marks), 1)
        if overlap >= _LEAST_OVERLAP and _tests_the_same(fact.text, condition):
            citations.extend(fact.citations)
    return tuple(citations)


def _tests_the_same(text: str, condition: StatedCondition) -> bool:
    sources = {test.source for test in condition.tests}
    for stated in stated_conditions(text):
        if any(test.source in sources for test in stated.tests):
            return True
    return False


MEASURES: Final = (
    Measure(
        FigureText(
            "guards_inverted",
            "conditions that stand the other way round",
            "Of the conditions in code marks that facts and narratives state and that the path to "
            "the cited lines tests, too: those that it tests the other way round, as where a "
            "`not` was dropped.",
            goal=NO_FAULT,
        ),
        _observe,
        share,
    ),
)
