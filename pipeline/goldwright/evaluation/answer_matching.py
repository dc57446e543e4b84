"""Whether an answer is correct: it says every fact that it must, and nothing that is known to be
false.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from goldwright.records import GoldenLabel

LITERAL: Final = "a literal matcher"
# The share of a fact's words, beside its code and numbers, that a passage must hold to say the
# fact.
ENOUGH: Final = 0.75

_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_CODE: Final = re.compile(
    r"`([^`]+)`|\b(?=\w*(?:[_\d]|\.\w|\(\)))[\w.]*\w(?:\(\))?|\b\w*[a-z][A-Z]\w*"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_ASIDE: Final = re.compile(r"\s*\((?:it|they|this|that)\b[^()]*\)\s*\.?$", re.IGNORECASE)
_ENDINGS: Final = ("ing", "ed", "es", "s", "ly")
_LEAST_STEM: Final = 4
_SMALL: Final = frozenset(
    "a an and are as at be been but by do does for from has have in into is it its of on or so than that the their "
    "then there these they this to was were what when where which while will with".split()
)
_NOT: Final = frozenset(
    "not no never none nothing neither nor without cannot false wrong incorrect untrue contrary mistaken".split()
)
_ORDER: Final = frozenset("before after until then first".split())
# Of an answer that is longer, the rest is not read.
MOST_READ: Final = 50_000
_OPPOSITES: Final = (
    ("truthy", "falsy"), ("true", "false"), ("before", "after"), ("first", "last"), ("always", "sometimes"),
    ("more", "less"), ("most", "least"), ("above", "below"), ("same", "different"), ("accept", "reject"),
    ("include", "exclude"), ("enable", "disable"), ("start", "end"), ("open", "close"), ("raise", "return"),
    ("equal", "differ"), ("hold", "lack"), ("empty", "full"), ("only", "also"), ("some", "all"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LiteralJudgement:
    """What a matcher makes of an answer: the facts that it lacks, and the falsehoods that it says."""

    lacking: tuple[str, ...]
    false: tuple[str, ...]

    @property
    def is_correct(self) -> bool:
        """Tell whether nothing is lacking and nothing false."""
        return not self.lacking and not self.false


@dataclass(frozen=True, slots=True)
class _AnswerText:
    """A text in parts: its code and numbers in order, its other words by their stems, whether it
    denies or orders.
    """

    order: tuple[str, ...]
    words: frozenset[str]
    denies: bool
    is_ordered: bool

    @property
    def code(self) -> frozenset[str]:
        """Its code and numbers as a set."""
        return frozenset(self.order)


def judge_answer(label: GoldenLabel, answer: str) -> LiteralJudgement | None:
    """Hold an answer against the facts of a label, word by word; None where the label has no fact
    that must be said.

    A fact is said by a passage of one or two sentences that holds all its code and numbers, at
    least three quarters of its other words (by their stems), none of their opposites, and denies as
    the fact does. A falsehood is said by one sentence that holds all of its words. That is strict:
    an answer in wholly other words counts as lacking the fact, so the share of correct answers is a
    lower bound.
    """
    if not label.must_mention_facts:
        return None
    sentences = [_said(one) for one in _SENTENCE.split(answer[:MOST_READ]) if one.strip()]
    passages = [*sentences, *(_together(*pair) for pair in pairwise(sentences))]
    return LiteralJudgement(
        lacking=tuple(
            one for one in label.must_mention_facts if not _is_said(one, passages, ENOUGH)
        ),
        false=tuple(
            one
            for one in label.must_not_mention_facts
            if _is_said(_ASIDE.sub("", one), sentences, 1.0)
        ),
    )


def _together(one: _AnswerText, other: _AnswerText) -> _AnswerText:
    return _AnswerText(
        (*one.order, *other.order),
        one.words | other.words,
        one.denies or other.denies,
        one.is_ordered or other.is_ordered,
    )


def _is_said(fact: str, passages: Sequence[_AnswerText], enough: float) -> bool:
    wanted = _said(fact)
    return any(_says(one, wanted, enough) for one in passages)


def _says(passage: _AnswerText, wanted: _AnswerText, enough: float) -> bool:
    if passage.denies != wanted.denies or not wanted.code <= passage.code | passage.words:
        return False
    if wanted.is_ordered and not _in_order(wanted.order, passage.order):
        return False
    missing = wanted.words - passage.words - passage.code
    opposed = any(
        (one in missing and other in passage.words) or (other in missing and one in passage.words)
        for one, other in _OPPOSITES
    )
    return not opposed and len(missing) <= (1 - enough) * len(wanted.words)


def _in_order(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Tell whether the first mentions of some code stand in the wanted order."""
    places = [
        found.index(one) for one in dict.fromkeys(wanted) if one in found and not one[0].isdigit()
    ]
    return places == sorted(places)


def _said(text: str) -> _AnswerText:
    code = tuple(_bare(found[1] or found[0]) for found in _CODE.finditer(text))
    rest = [word.lower() for word in _WORD.findall(_CODE.sub(" ", text.replace("n't", " not")))]
    words = frozenset(_stem(word) for word in rest if word not in _SMALL and word not in _NOT)
    return _AnswerText(
        code, words, sum(word in _NOT for word in rest) % 2 == 1, not _ORDER.isdisjoint(rest)
    )


def _bare(code: str) -> str:
    """Leave out what people write or not: parentheses of a call, ``self``, and capitals of names."""
    return re.sub(r"\s+", "", code).removesuffix("()").removeprefix("self.").lower()


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word
