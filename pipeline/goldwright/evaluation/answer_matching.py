"""Whether an answer is correct: it states every fact that it must, and no known falsehood.

Facts are matched literally, by the words of a passage. A passage states a fact when it holds the
fact's code and numbers, most of its plain words and none of their opposites, and is negated as the
fact is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import Final

from goldwright.evaluation.answer_passages import (
    Passage,
    join_passages,
    parse_passage,
    split_sentences,
)
from goldwright.records import GoldenLabel

LITERAL: Final = "a literal matcher"
# The share of a fact's plain words that a passage must hold: of four words, one may be missing.
FACT_WORD_SHARE: Final = 0.75
# A falsehood counts against an answer, so no word of it may be missing.
FALSEHOOD_WORD_SHARE: Final = 1.0
# Characters of an answer that are read, which bounds the time that a runaway answer takes.
MOST_READ: Final = 50_000

# Labels add to a falsehood why it is false, as in "(it is not, the session holds it)".
_EXPLANATION: Final = re.compile(r"\s*\((?:it|they|this|that)\b[^()]*\)\s*\.?$", re.IGNORECASE)
_OPPOSITE_PAIRS: Final = (
    ("truthy", "falsy"),
    ("true", "false"),
    ("before", "after"),
    ("first", "last"),
    ("always", "sometimes"),
    ("more", "less"),
    ("most", "least"),
    ("above", "below"),
    ("same", "different"),
    ("accept", "reject"),
    ("include", "exclude"),
    ("enable", "disable"),
    ("start", "end"),
    ("open", "close"),
    ("raise", "return"),
    ("equal", "differ"),
    ("hold", "lack"),
    ("empty", "full"),
    ("only", "also"),
    ("some", "all"),
)
_OPPOSITE: Final = dict(_OPPOSITE_PAIRS)
_OPPOSITE.update({opposite: word for word, opposite in _OPPOSITE_PAIRS})


@dataclass(frozen=True, slots=True)
class LiteralJudgement:
    """The judgement of the literal matcher on one answer.

    Attributes:
        missing_facts: The facts of the label that the answer does not state.
        stated_falsehoods: The falsehoods of the label that the answer states.
    """

    missing_facts: tuple[str, ...]
    stated_falsehoods: tuple[str, ...]

    @property
    def is_correct(self) -> bool:
        """Whether no fact is missing and no falsehood is stated."""
        return not self.missing_facts and not self.stated_falsehoods


def judge_answer(label: GoldenLabel, answer: str) -> LiteralJudgement | None:
    """Match an answer against the facts and falsehoods of a label.

    A fact may be spread over two adjacent sentences; a falsehood counts within one sentence only.
    The matcher is strict: an answer in entirely other words counts as missing the fact, so the
    share of correct answers is a lower bound.

    Returns:
        None where the label has no fact that must be stated.
    """
    if not label.must_mention_facts:
        return None
    sentences = list(split_sentences(answer[:MOST_READ]))
    missing_facts = _missing_facts(label, sentences)
    stated_falsehoods = _stated_falsehoods(label, sentences)
    return LiteralJudgement(tuple(missing_facts), tuple(stated_falsehoods))


def _missing_facts(label: GoldenLabel, sentences: Sequence[Passage]) -> Iterator[str]:
    pairs = starmap(join_passages, pairwise(sentences))
    passages = [*sentences, *pairs]
    for fact in label.must_mention_facts:
        if not _is_stated(parse_passage(fact), passages, FACT_WORD_SHARE):
            yield fact


def _stated_falsehoods(label: GoldenLabel, sentences: Sequence[Passage]) -> Iterator[str]:
    for falsehood in label.must_not_mention_facts:
        claim = _EXPLANATION.sub("", falsehood)
        if _is_stated(parse_passage(claim), sentences, FALSEHOOD_WORD_SHARE):
            yield falsehood


def _is_stated(fact: Passage, passages: Iterable[Passage], word_share: float) -> bool:
    return any(_states(passage, fact, word_share) for passage in passages)


def _states(passage: Passage, fact: Passage, word_share: float) -> bool:
    code = frozenset(passage.code)
    if passage.is_negated != fact.is_negated:
        return False
    if not code | passage.stems >= frozenset(fact.code):
        return False
    if fact.names_order and not _is_in_order(passage.code, fact.code):
        return False
    missing = fact.stems - passage.stems - code
    if _has_opposite(missing, passage.stems):
        return False
    most_missing = (1 - word_share) * len(fact.stems)
    return len(missing) <= most_missing


def _is_in_order(code: Sequence[str], fact_code: Sequence[str]) -> bool:
    """Whether a passage first mentions the code of a fact in the order of the fact."""
    places = []
    for token in dict.fromkeys(fact_code):
        # Only names are ordered: a number does not say what comes first.
        is_number = token[:1].isdigit()
        if token in code and not is_number:
            places.append(code.index(token))
    return places == sorted(places)


def _has_opposite(words: frozenset[str], stems: frozenset[str]) -> bool:
    opposites = map(_OPPOSITE.get, words)
    return not stems.isdisjoint(opposites)
