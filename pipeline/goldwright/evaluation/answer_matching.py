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

from goldwright.records import GoldenLabel

LITERAL: Final = "a literal matcher"
# The share of a fact's plain words that a passage must hold: of four words, one may be missing.
FACT_WORD_SHARE: Final = 0.75
# A falsehood counts against an answer, so no word of it may be missing.
FALSEHOOD_WORD_SHARE: Final = 1.0
# Characters of an answer that are read, which bounds the time that a runaway answer takes.
MOST_READ: Final = 50_000

_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
# Code: in back ticks; with an underscore, digit, dot or call inside; or in camelCase.
_CODE: Final = re.compile(
    r"`([^`]+)`|\b(?=\w*(?:[_\d]|\.\w|\(\)))[\w.]*\w(?:\(\))?|\b\w*[a-z][A-Z]\w*"
)
_WHITE_SPACE: Final = re.compile(r"\s+")
_WORD: Final = re.compile(r"[^\W\d_]+")
# Labels add to a falsehood why it is false, as in "(it is not, the session holds it)".
_EXPLANATION: Final = re.compile(r"\s*\((?:it|they|this|that)\b[^()]*\)\s*\.?$", re.IGNORECASE)
_ENDINGS: Final = ("ing", "ed", "es", "s", "ly")
# Letters that must remain of a word whose ending is cut off; "uses" and "less" stay whole.
_SHORTEST_STEM: Final = 4
_STOP_WORDS: Final = frozenset(
    "a an and are as at be been but by do does for from has have in into is it its of on or so "
    "than that the their then there these they this to was were what when where which while will "
    "with".split()
)
_NEGATIONS: Final = frozenset(
    "not no never none nothing neither nor without cannot false wrong incorrect untrue contrary "
    "mistaken".split()
)
_ORDER_WORDS: Final = frozenset("before after until then first".split())
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


@dataclass(frozen=True, slots=True)
class _Passage:
    """A text in parts, for matching.

    Attributes:
        code: Its code and numbers, in the order of the text.
        stems: The stems of its other words, but for stop words and negations.
        is_negated: Whether it holds an odd number of negations; two cancel out.
        names_order: Whether it holds a word for order, such as "before".
    """

    code: tuple[str, ...]
    stems: frozenset[str]
    is_negated: bool
    names_order: bool


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
    sentences = list(_sentences(answer[:MOST_READ]))
    missing_facts = _missing_facts(label, sentences)
    stated_falsehoods = _stated_falsehoods(label, sentences)
    return LiteralJudgement(tuple(missing_facts), tuple(stated_falsehoods))


def _sentences(text: str) -> Iterator[_Passage]:
    for sentence in _SENTENCE_END.split(text):
        if sentence.strip():
            yield _parse(sentence)


def _missing_facts(label: GoldenLabel, sentences: Sequence[_Passage]) -> Iterator[str]:
    pairs = starmap(_join, pairwise(sentences))
    passages = [*sentences, *pairs]
    for fact in label.must_mention_facts:
        if not _is_stated(_parse(fact), passages, FACT_WORD_SHARE):
            yield fact


def _stated_falsehoods(label: GoldenLabel, sentences: Sequence[_Passage]) -> Iterator[str]:
    for falsehood in label.must_not_mention_facts:
        claim = _EXPLANATION.sub("", falsehood)
        if _is_stated(_parse(claim), sentences, FALSEHOOD_WORD_SHARE):
            yield falsehood


def _join(first: _Passage, second: _Passage) -> _Passage:
    # Negations of two sentences do not cancel out: either may deny the fact.
    return _Passage(
        code=(*first.code, *second.code),
        stems=first.stems | second.stems,
        is_negated=first.is_negated or second.is_negated,
        names_order=first.names_order or second.names_order,
    )


def _is_stated(fact: _Passage, passages: Iterable[_Passage], word_share: float) -> bool:
    return any(_states(passage, fact, word_share) for passage in passages)


def _states(passage: _Passage, fact: _Passage, word_share: float) -> bool:
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


def _parse(text: str) -> _Passage:
    code = map(_code_token, _CODE.finditer(text))
    spelled_out = text.replace("n't", " not")
    plain_text = _CODE.sub(" ", spelled_out)
    written_words = _WORD.findall(plain_text)
    words = list(map(str.lower, written_words))
    content_words = set(words) - _STOP_WORDS - _NEGATIONS
    negations = list(filter(_NEGATIONS.__contains__, words))
    return _Passage(
        code=tuple(code),
        stems=frozenset(map(_stem, content_words)),
        is_negated=len(negations) % 2 == 1,
        names_order=not _ORDER_WORDS.isdisjoint(words),
    )


def _code_token(match: re.Match[str]) -> str:
    """Normalise what writers vary: call parentheses, ``self.``, white space and capitals."""
    quoted: str | None = match[1]
    token = _WHITE_SPACE.sub("", quoted or match[0])
    name = token.removesuffix("()").removeprefix("self.")
    return name.lower()


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            return stem
    return word
