"""Words by what they mean: their stems, one concept for all synonyms, and whether they deny."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from goldwright.evaluation.answers import answer_vocabulary as vocabulary

# Letters that must remain of a word whose ending is cut off, so that "used" is not "us".
_SHORTEST_STEM: Final = 3
_ENDINGS: Final = ("ing", "ed", "ly")
_VOWELS: Final = frozenset("aeiouy")
# Doubled before an ending ("stopped"), but not the "ll" and "ss" of "call" and "pass".
_UNDOUBLED: Final = frozenset("bdgmnprt")
_DISTINCT_WORDS: Final = 1 << 14


class Meaning(NamedTuple):
    """What a word means.

    Attributes:
        concept: One stem for all synonyms, and for a word and its denial; empty for words that
            carry nothing.
        is_denial: Whether the word denies, by itself or as the denial of its concept.
    """

    concept: str
    is_denial: bool


class Idiom(NamedTuple):
    """Several words that mean the same as one, or nothing.

    Attributes:
        stems: The stems of the words.
        meaning: The words to read in their place.
    """

    stems: tuple[str, ...]
    meaning: tuple[str, ...]


@lru_cache(maxsize=_DISTINCT_WORDS)
def stem(word: str) -> str:
    """Cut the inflection off an English word in lower case: "raises" and "raising" are "rais"."""
    plain = vocabulary.IRREGULAR_FORMS.get(word, word)
    plain = _without_plural(plain)
    for ending in _ENDINGS:
        stem = plain.removesuffix(ending)
        if stem != plain and _can_be_stem(stem):
            plain = _undoubled(stem)
            break
    if len(plain) > _SHORTEST_STEM:
        return plain.removesuffix("e")
    return plain


@lru_cache(maxsize=_DISTINCT_WORDS)
def meaning_of(word: str) -> Meaning:
    """Look up what a word in lower case means."""
    if word in NEGATIONS:
        return Meaning("", is_denial=True)
    if word in STOP_WORDS:
        return Meaning("", is_denial=False)
    word_stem = stem(word)
    if word_stem in _DENIED_BY:
        return Meaning(_DENIED_BY[word_stem], is_denial=True)
    return Meaning(_head_of(word_stem), is_denial=False)


def find_phrase(stems: Sequence[str]) -> Idiom | None:
    """Find the longest phrase that stems begin with."""
    longest: Idiom | None = None
    for phrase in _PHRASES_BY_FIRST.get(stems[0], ()):
        size = len(phrase.stems)
        is_longer = longest is None or size > len(longest.stems)
        if is_longer and tuple(stems[:size]) == phrase.stems:
            longest = phrase
    return longest


def are_opposed(concept: str, concepts: frozenset[str]) -> bool:
    """Return whether one of some concepts cannot hold where another one holds."""
    opposites = _OPPOSITES_OF.get(concept, frozenset())
    return not concepts.isdisjoint(opposites)


def is_verb(word: str) -> bool:
    """Return whether a word in lower case is a verb that is known."""
    return word in _AUXILIARIES or meaning_of(word).concept in _VERBS


def _without_plural(word: str) -> str:
    is_short = len(word) <= _SHORTEST_STEM + 1
    if word.endswith(("ies", "ied")) and not is_short:
        return f"{word[:-3]}y"
    if word.endswith(("ss", "us", "is")) or len(word) <= _SHORTEST_STEM:
        return word
    return word.removesuffix("s")


def _can_be_stem(stem: str) -> bool:
    is_long_enough = len(stem) >= _SHORTEST_STEM
    return is_long_enough and not _VOWELS.isdisjoint(stem)


def _undoubled(word: str) -> str:
    if word[-1] == word[-2] and word[-1] in _UNDOUBLED:
        return word[:-1]
    return word


def _head_of(word_stem: str) -> str:
    return _HEAD_OF.get(word_stem, word_stem)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(map(stem, text.split()))


def _rows(table: str) -> Iterator[tuple[str, ...]]:
    for line in table.strip().splitlines():
        yield _stems(line)


def _concepts(words: str) -> frozenset[str]:
    return frozenset(map(_head_of, _stems(words)))


def _index_synonyms() -> Mapping[str, str]:
    heads: dict[str, str] = {}
    for head, *synonyms in _rows(vocabulary.SYNONYMS):
        heads.update(dict.fromkeys(synonyms, head))
    return heads


def _index_denials() -> Mapping[str, str]:
    denied: dict[str, str] = {}
    for word, denial in _rows(vocabulary.COMPLEMENTS):
        denied[denial] = _head_of(word)
    return denied


def _index_opposites() -> Mapping[str, frozenset[str]]:
    opposites: dict[str, frozenset[str]] = {}
    for pair in _rows(vocabulary.OPPOSITES):
        first, second = map(_head_of, pair)
        for word, opposite in ((first, second), (second, first)):
            known = opposites.get(word, frozenset())
            opposites[word] = known | {opposite}
    return opposites


def _index_phrases() -> Mapping[str, Sequence[Idiom]]:
    by_first: dict[str, list[Idiom]] = {}
    for line in vocabulary.PHRASES.strip().splitlines():
        words, _, meaning = line.partition("=")
        phrase = Idiom(_stems(words), tuple(meaning.split()))
        first_stem = phrase.stems[0]
        by_first.setdefault(first_stem, []).append(phrase)
    return by_first


STOP_WORDS: Final = frozenset(vocabulary.STOP_WORDS.split())
NEGATIONS: Final = frozenset(vocabulary.NEGATIONS.split())
TRUTH_WORDS: Final = frozenset(vocabulary.TRUTH_WORDS.split())
BEING: Final = frozenset(vocabulary.BEING.split())
NUMBER_WORDS: Final = tuple(vocabulary.NUMBER_WORDS.split())
_HEAD_OF: Final = _index_synonyms()
_DENIED_BY: Final = _index_denials()
_OPPOSITES_OF: Final = _index_opposites()
_PHRASES_BY_FIRST: Final = _index_phrases()
# What these say is held against the order of the answer, not against its words.
ORDER_CONCEPTS: Final = _concepts(vocabulary.ORDER_WORDS)
PREDICATES: Final = _concepts(vocabulary.PREDICATES)
_VERBS: Final = PREDICATES | _concepts(vocabulary.OTHER_VERBS)
_AUXILIARIES: Final = BEING | frozenset(vocabulary.AUXILIARIES.split())
