"""Whether conditions in prose have lost or gained a ``not``."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.records import FileRange
from goldwright.stats.jaccard import jaccard
from goldwright.trust_card.entity_names import called_by
from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial, StatedFact
from goldwright.trust_card.measure import NO_FAULT, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.sentences import code_marks, sentences
from goldwright.trust_card.prose.stated_conditions import (
    StatedCondition,
    stated_conditions,
    tests_said_in_words,
)
from goldwright.trust_card.prose.words import stand_in_order, words
from goldwright.trust_card.source.conditions import source_of
from goldwright.trust_card.source.modules import parse_source

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
        for sentence in sentences(record.prose):
            yield from _observe_text(record, sentence, record.facts, material)
            yield from _observe_spoken(record, sentence, material)


def _observe_text(
    record: AnsweredQuery, text: str, facts: Sequence[StatedFact], material: CardMaterial
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
        known_tests = condition.tests & (tests_at_lines | opposite_tests)
        inverted_tests = known_tests - tests_at_lines
        problem = ""
        if inverted_tests and not _tells_another_line(record, text, condition, material):
            source = min(test.source for test in inverted_tests)
            problem = f"`{source}` stands the other way round: {text}"
        # What the lines do not test cannot be told.
        if known_tests:
            yield Observation.of_fault(record.query_id, problem)


def _tells_another_line(
    record: AnsweredQuery, text: str, condition: StatedCondition, material: CardMaterial
) -> bool:
    """Whether a text tells of a line of the answer that no fact cites, as it stands there.

    The line holds what the text names beside entities and conditions, under the condition as told.
    """
    other_marks = [mark for mark in code_marks(text) if mark != condition.code]
    outcomes = [_plain(mark) for mark in other_marks if not called_by(mark, record.entity_ids)]
    if not outcomes:
        return False
    for statement in material.statements.at(record.answer.expected_line_ranges):
        statement_code = ast.unparse(_with_result(statement.node))
        is_told = outcomes[0] in _plain(statement_code)
        if is_told and not condition.tests.isdisjoint(statement.tests):
            return True
    return False


def _with_result(node: ast.stmt) -> ast.stmt:
    """A bare ``return`` gives back None, and is told so."""
    if isinstance(node, ast.Return) and node.value is None:
        return ast.Return(ast.Constant(None))
    return node


def _plain(code: str) -> str:
    """Code as it is written out again, without blanks."""
    tree = parse_source(code)
    normal_form = ast.unparse(tree) if tree is not None else code
    return re.sub(r"\s", "", normal_form).replace('"', "'")


def _observe_spoken(
    record: AnsweredQuery, sentence: str, material: CardMaterial
) -> Iterator[Observation]:
    """Look for the conditions that a sentence tells as quoted words."""
    sources = list(_condition_sources(record, material))
    for match in _SPOKEN.finditer(sentence):
        spoken_words = words(match[1])
        matching = [source for source in sources if _is_spoken_by(spoken_words, source)]
        if not matching:
            continue
        problem = ""
        if all(map(_NEGATION.search, matching)):
            problem = f"`{matching[0]}` lost its negation: {sentence}"
        yield Observation.of_fault(record.query_id, problem)


def _condition_sources(record: AnsweredQuery, material: CardMaterial) -> Iterator[str]:
    """Yield the conditions that hold on the paths to the cited lines, as they stand there."""
    for fact in record.facts:
        for statement in material.statements.at(fact.citations):
            for condition in statement.conditions:
                if condition.holds and condition.node is not None:
                    yield source_of(condition.node)


def _is_spoken_by(spoken_words: Sequence[str], source: str) -> bool:
    """Whether the words stand in a condition in their order and are at least half of its words."""
    source_words = words(source)
    if len(spoken_words) * 2 < len(source_words):
        return False
    return stand_in_order(spoken_words, source_words)


def _citations_behind(
    text: str, condition: StatedCondition, facts: Sequence[StatedFact]
) -> tuple[FileRange, ...]:
    """The lines of the facts that share most code marks with a text and test the same as it.

    A test in words has the mark of its code, as facts state it: else a fact about another test of
    the same name would share more.
    """
    marks = _marks(text)
    overlaps = {
        fact: jaccard(marks, _marks(fact.text))
        for fact in facts
        if _tests_the_same(fact.text, condition)
    }
    most = max((_LEAST_OVERLAP, *overlaps.values()))
    nearest_facts = [fact for fact, overlap in overlaps.items() if overlap == most]
    return tuple(citation for fact in nearest_facts for citation in fact.citations)


def _marks(text: str) -> frozenset[str]:
    return frozenset((*code_marks(text), *tests_said_in_words(text)))


def _tests_the_same(text: str, condition: StatedCondition) -> bool:
    """Whether a text states a condition on the same expression, whichever way round."""
    sources = {test.source for test in condition.tests}
    stated_sources: set[str] = set()
    for stated in stated_conditions(text):
        stated_sources.update(test.source for test in stated.tests)
    return not sources.isdisjoint(stated_sources)


MEASURES: Final = (
    FigureMeasure(
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
