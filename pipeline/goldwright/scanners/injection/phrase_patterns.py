"""The notation of the phrases, and the phrases of the rule tables as regular expressions.

A phrase is a row of elements with a space between them. They match words one after another:

    a|b      one of several words
    a_b      several words in a row
    stem*    any word that starts so
    {model}  one word of a set of the vocabulary
    [a|b]    one of several words, or none
    ~3       up to three words of any kind
    !a|b     no word; what follows must not be one of these
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from goldwright.scanners.injection.rule_tables import RuleGroup, load_rule_tables, load_vocabulary


class PhrasePattern(NamedTuple):
    """A phrase as a pattern for words that each end in a space, and the rule it belongs to."""

    rule: str
    pattern: re.Pattern[str]


PhraseIndex = Mapping[str, Sequence[PhrasePattern]]
"""Phrases by the first ``KEY_LENGTH`` letters of the words that they can start with."""

KEY_LENGTH: Final = 4


@cache
def english_phrases() -> PhraseIndex:
    """The English phrases."""
    return index_phrases(load_rule_tables().english)


@cache
def all_phrases() -> PhraseIndex:
    """The phrases of every language that writes spaces."""
    tables = load_rule_tables()
    return index_phrases((*tables.english, *tables.foreign))


@cache
def torn_phrases() -> re.Pattern[str]:
    """The cores of the English phrases, without spaces; a group of the pattern names its rule."""
    return join_torn_phrases(load_rule_tables().torn)


@cache
def unspaced_patterns() -> re.Pattern[str]:
    """The patterns of scripts without spaces; a group of the pattern names its rule."""
    return join_patterns(load_rule_tables().unspaced)


def index_phrases(groups: Iterable[RuleGroup]) -> PhraseIndex:
    """Index the phrases of some groups; those of one key keep their order."""
    index: defaultdict[str, list[PhrasePattern]] = defaultdict(list)
    for group in groups:
        for phrase in group.entries:
            expression = _translate_phrase(phrase, gap=" ")
            pattern = PhrasePattern(group.rule, re.compile(expression))
            # A phrase stands under each of its keys, and is tried once a word all the same.
            for key in _keys_of(phrase):
                index[key].append(pattern)
    return index


def join_torn_phrases(groups: Iterable[RuleGroup]) -> re.Pattern[str]:
    """Join phrases, each without the spaces between its words, into one pattern."""
    expressions: defaultdict[str, list[str]] = defaultdict(list)
    for group in groups:
        for phrase in group.entries:
            expressions[group.rule].append(_translate_phrase(phrase, gap=""))
    return _compile_named_groups(expressions)


def join_patterns(groups: Iterable[RuleGroup]) -> re.Pattern[str]:
    """Join the patterns of some groups into one."""
    expressions: defaultdict[str, list[str]] = defaultdict(list)
    for group in groups:
        expressions[group.rule].extend(group.entries)
    return _compile_named_groups(expressions)


def is_phrase_word(word: str) -> bool:
    """Return whether a word occurs in an English phrase or in the vocabulary."""
    words = _phrase_words()
    return word in words.complete or word.startswith(words.stems)


def _keys_of(phrase: str) -> set[str]:
    first_element = _elements_of(phrase)[0]
    keys: set[str] = set()
    for choice in first_element.split("|"):
        first_word = choice.partition("_")[0].rstrip("*")
        keys.add(first_word[:KEY_LENGTH])
    return keys


def _translate_phrase(phrase: str, *, gap: str) -> str:
    """Translate a phrase into a regular expression; every word of it ends in the gap."""
    elements = _elements_of(phrase)
    return "".join(_translate_element(element, gap) for element in elements)


def _elements_of(phrase: str) -> list[str]:
    return phrase.format_map(load_vocabulary()).split()


def _translate_element(element: str, gap: str) -> str:
    words = element[1:]
    match element[0]:
        case "~":
            # Lazy, so that an excerpt ends with the first word that completes the phrase.
            return rf"(?:[^ ]++ ){{0,{words}}}?"
        case "!":
            return f"(?!{_one_of(words, gap)})"
        case "[":
            choices = _one_of(words.rstrip("]"), gap)
            return f"(?:{choices})?"
        case _:
            return _one_of(element, gap)


def _one_of(choices: str, gap: str) -> str:
    expressions: list[str] = []
    for choice in choices.split("|"):
        expression = re.escape(choice).replace("_", gap)
        # Possessive: a word is taken whole, and nothing backtracks into it.
        any_ending = expression.replace(r"\*", "[^ ]*+")
        expressions.append(any_ending + gap)
    alternatives = "|".join(expressions)
    return f"(?:{alternatives})"


def _compile_named_groups(expressions: Mapping[str, Iterable[str]]) -> re.Pattern[str]:
    groups: list[str] = []
    for rule, rule_expressions in expressions.items():
        alternatives = "|".join(rule_expressions)
        groups.append(f"(?P<{rule}>{alternatives})")
    return re.compile("|".join(groups))


class _PhraseWords(NamedTuple):
    """The words of the phrases, and the beginnings of words that are written ``stem*``."""

    complete: frozenset[str]
    stems: tuple[str, ...]


@cache
def _phrase_words() -> _PhraseWords:
    phrases: list[str] = []
    for group in load_rule_tables().english:
        phrases.extend(group.entries)
    phrases.extend(load_vocabulary().values())
    text = " ".join(phrases).replace("_", " ")
    # Words that merely begin with a shorter stem are ordinary words.
    stems = re.findall(r"\b([a-z]{5,})\*", text)
    words = re.findall(r"\b[a-z]{2,}\b(?!\*)", text)
    return _PhraseWords(frozenset(words), tuple(stems))
