"""Texts taken apart, as the literal matcher compares them: code, numbers, stems of words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
# Code: in back ticks; with an underscore, digit, dot or call inside; or in camelCase.
_CODE: Final = re.compile(
    r"`([^`]+)`|\b(?=\w*(?:[_\d]|\.\w|\(\)))[\w.]*\w(?:\(\))?|\b\w*[a-z][A-Z]\w*"
)
_WHITE_SPACE: Final = re.compile(r"\s+")
_WORD: Final = re.compile(r"[^\W\d_]+")
# The first that fits is cut off, so "es" must come before "s".
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


@dataclass(frozen=True, slots=True)
class Passage:
    """A text taken apart.

    Attributes:
        code: Its code and numbers, in the order of the text.
        stems: The stems of its other words, but for stop words and negations.
        is_negated: Whether it is denied: a sentence by an odd number of negations, since two
            cancel out.
        names_order: Whether it holds a word for order, such as "before".
    """

    code: tuple[str, ...]
    stems: frozenset[str]
    is_negated: bool
    names_order: bool


def parse_passage(text: str) -> Passage:
    """Take a text apart."""
    code = map(_code_token, _CODE.finditer(text))
    spelled_out = text.replace("n't", " not")
    plain_text = _CODE.sub(" ", spelled_out)
    written_words = _WORD.findall(plain_text)
    words = list(map(str.lower, written_words))
    content_words = set(words) - _STOP_WORDS - _NEGATIONS
    negations = list(filter(_NEGATIONS.__contains__, words))
    return Passage(
        code=tuple(code),
        stems=frozenset(map(_stem, content_words)),
        is_negated=len(negations) % 2 == 1,
        names_order=not _ORDER_WORDS.isdisjoint(words),
    )


def split_sentences(text: str) -> Iterator[Passage]:
    """Yield the sentences of a text, each taken apart."""
    for sentence in _SENTENCE_END.split(text):
        if sentence.strip():
            yield parse_passage(sentence)


def join_passages(first: Passage, second: Passage) -> Passage:
    """Join two sentences, whose negations do not cancel out: either may deny a fact."""
    return Passage(
        code=(*first.code, *second.code),
        stems=first.stems | second.stems,
        is_negated=first.is_negated or second.is_negated,
        names_order=first.names_order or second.names_order,
    )


def _code_token(match: re.Match[str]) -> str:
    """Normalise what writers vary: call parentheses, ``self.``, white space and capitals."""
    quoted: str | None = match[1]
    spelling = quoted or match[0]
    token = _WHITE_SPACE.sub("", spelling)
    name = token.removesuffix("()").removeprefix("self.")
    return name.lower()


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            return stem
    return word
