"""Forms of English words: persons and gerunds of verbs, plurals of nouns, articles."""

from functools import cache
from typing import Final

from goldwright.offline_agents.author.lexicon import (
    ACRONYMS,
    DOUBLING,
    PARTICIPLES,
    PLURALS,
    SPELLED,
    THIRD_PERSON,
    UNCOUNTABLE,
    VERBS,
)

VOWELS: Final = "aeiou"
SIBILANTS: Final = ("s", "x", "z", "ch", "sh")
SAME_IN_SINGULAR: Final = ("ss", "us", "is", "as", "news", "alias", "canvas", "series", "lens")
VOWEL_SOUNDS: Final = frozenset("aefhilmnorsx")
CONSONANT_STARTS: Final = ("uni", "use", "usa", "one", "eu", "ur", "uti", "ui")


def third_person(verb: str) -> str:
    """Turn ``carry`` into ``carries``; of several words the first one changes."""
    head, space, rest = verb.partition(" ")
    return THIRD_PERSON.get(head, _with_s(head)) + space + rest


def gerund(verb: str) -> str:
    """Turn ``strip`` into ``stripping``; of several words the first one changes."""
    head, space, rest = verb.partition(" ")
    return _gerund_of(head) + space + rest


def participle(verb: str) -> str:
    """Turn ``write`` into ``written``; of several words the first one changes."""
    head, space, rest = verb.partition(" ")
    return _participle_of(head) + space + rest


@cache
def verb_of_third_person(word: str) -> str | None:
    """Find the verb of ``carries``; ``None`` when the word is no third person of a known verb."""
    candidates = (word[:-1], word[:-2], word[:-3] + "y") if word.endswith("s") else ()
    return next((verb for verb in candidates if verb in VERBS and third_person(verb) == word), None)


@cache
def verb_of_gerund(word: str) -> str | None:
    """Find the verb of ``carrying``; ``None`` when the word is no gerund of a known verb."""
    if not word.endswith("ing"):
        return None
    stem = word[:-3]
    candidates = (stem, stem + "e", stem[:-1], stem[:-1] + "ie")
    return next((verb for verb in candidates if verb in VERBS and _gerund_of(verb) == word), None)


def plural(noun_phrase: str) -> str:
    """Put the last word of a noun phrase into the plural; words that have none stay."""
    front, space, last = noun_phrase.rpartition(" ")
    return front + space + _plural_of(last)


def is_plural(word: str) -> bool:
    """Guess whether a noun stands in the plural."""
    lower = word.lower()
    if lower in {"children", "people", "data", "indices", "vertices", "matrices", "criteria"}:
        return True
    return (
        lower.endswith("s")
        and not lower.endswith(SAME_IN_SINGULAR)
        and len(lower) > 3
        and word.upper() != word
    )


@cache
def singular(word: str) -> str:
    """Take a noun back to its singular, roughly."""
    if not is_plural(word):
        return word
    for one, many in PLURALS.items():
        if many == word:
            return one
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word.removesuffix("s")


def has_article(noun_phrase: str) -> str:
    """Choose between ``a`` and ``an`` by sound."""
    word = noun_phrase.split(" ", maxsplit=1)[0]
    if word.isupper() and len(word) > 1 and not _is_pronounceable(word):
        return "an" if word[0].lower() in VOWEL_SOUNDS else "a"
    lower = word.lower()
    if lower.startswith(CONSONANT_STARTS):
        return "a"
    return "an" if lower[:1] in VOWELS or lower.startswith(("hour", "honest")) else "a"


def indefinite(noun_phrase: str) -> str:
    """Put ``a`` or ``an`` before a countable singular; leave plurals and uncountable words alone."""
    last = noun_phrase.split(" of ", maxsplit=1)[0].split(" for ", maxsplit=1)[0].rpartition(" ")[2]
    if is_plural(last) or last.lower() in UNCOUNTABLE:
        return noun_phrase
    return f"{has_article(noun_phrase)} {noun_phrase}"


def spell(word: str) -> str:
    """Write acronyms and proper names as people do."""
    lower = word.lower()
    if lower in SPELLED:
        return SPELLED[lower]
    return lower.upper() if lower in ACRONYMS else word


def capitalised(sentence: str) -> str:
    """Raise the first letter, leave the rest."""
    return sentence[:1].upper() + sentence[1:]


def _is_pronounceable(word: str) -> bool:
    return len(word) > 3 and word[1].lower() in VOWELS and word[0].lower() not in VOWELS


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in VOWELS:
        return word[:-1] + "ies"
    if word.endswith("o") and word[-2:-1] not in VOWELS:
        return word + "es"
    return word + ("es" if word.endswith(SIBILANTS) else "s")


@cache
def _gerund_of(word: str) -> str:
    if word in DOUBLING:
        return word + word[-1] + "ing"
    if word.endswith("ie"):
        return word[:-2] + "ying"
    if word.endswith("e") and not word.endswith(("ee", "oe", "ye")) and word != "be":
        return word[:-1] + "ing"
    return word + "ing"


@cache
def _participle_of(word: str) -> str:
    if word in PARTICIPLES:
        return PARTICIPLES[word]
    if word in DOUBLING:
        return word + word[-1] + "ed"
    if word.endswith("e"):
        return word + "d"
    if word.endswith("y") and word[-2:-1] not in VOWELS:
        return word[:-1] + "ied"
    return word + "ed"


def _plural_of(word: str) -> str:
    if word.lower() in UNCOUNTABLE or is_plural(word):
        return word
    return PLURALS.get(word, word + "s" if word.isupper() else _with_s(word))
