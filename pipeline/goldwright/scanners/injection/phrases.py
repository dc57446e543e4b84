"""The notation of the phrases, and the tables as patterns.

A phrase is written as words a space apart: ``a|b`` is one of several, ``{model}`` one of a set,
``_`` joins what is several words in the text, ``[a|b]`` may be missing, ``~3`` stands for up to
three words of any kind, ``!a|b`` forbids what follows, and ``stem*`` is any word that starts so.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final

from goldwright.scanners.injection.appeals import APPEALS
from goldwright.scanners.injection.commands import COMMANDS
from goldwright.scanners.injection.conclusions import CONCLUSIONS
from goldwright.scanners.injection.key_phrases import HEARTS
from goldwright.scanners.injection.languages import FOREIGN, IDEOGRAPHIC
from goldwright.scanners.injection.vocabulary import WORDS

Index = Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]
KEY_LENGTH: Final = 4
_ENGLISH: Final[Mapping[str, str]] = {**COMMANDS, **APPEALS, **CONCLUSIONS}
_NEXT_PHRASE: Final = re.compile(r"\n {8}(?=\S)")
_WRAPPED: Final = re.compile(r"\s*\n\s*(?=\|)")


@cache
def english_phrases() -> Index:
    """The English phrases, which are looked for in rot13 and backwards too."""
    return _indexed((_ENGLISH,))


@cache
def every_phrase() -> Index:
    """The phrases of every language."""
    return _indexed((_ENGLISH, FOREIGN))


@cache
def hearts() -> re.Pattern[str]:
    """The heart of each rule, written without spaces, as one pattern with a group per rule."""
    choices: defaultdict[str, list[str]] = defaultdict(list)
    for rule, phrase in _ruled(HEARTS):
        choices[rule].append("".join(_elements(phrase, "")))
    return _grouped(choices)


@cache
def ideographic() -> re.Pattern[str]:
    """The patterns of the scripts without spaces, as one with a group per rule."""
    return _grouped({rule: (pattern,) for rule, pattern in IDEOGRAPHIC.items()})


def is_known(word: str) -> bool:
    """Tell whether a word occurs in an English phrase."""
    words, starts = _known()
    return word in words or word.startswith(starts)


def _indexed(tables: Iterable[Mapping[str, str]]) -> Index:
    """Gather the phrases by the first letters of the words they can start with."""
    index: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for rule, phrase in chain.from_iterable(_ruled(table) for table in tables):
        pattern = re.compile("".join(_elements(phrase, " ")))
        for key in {
            _spaced(word).rstrip("*").split()[0][:KEY_LENGTH] for word in phrase[0].split("|")
        }:
            index[key].append((rule, pattern))
    return index


def _ruled(table: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each phrase of a table as its elements, with its rule."""
    sets = {name: "".join(words.split()) for name, words in WORDS.items()}
    for rule, text in table.items():
        for phrase in _NEXT_PHRASE.split(text.strip()):
            yield rule, _WRAPPED.sub("", phrase).format_map(sets).split()


def _elements(phrase: Iterable[str], gap: str) -> Iterator[str]:
    """Translate each element of a phrase into a pattern; a gap stands after every word."""
    for element in phrase:
        if element.startswith("~"):
            yield rf"(?:[^ ]++ ){{0,{element[1:]}}}?"
        elif element.startswith("!"):
            yield f"(?!{_one_of(element[1:], gap)})"
        elif element.startswith("["):
            yield f"(?:{_one_of(element[1:-1], gap)})?"
        else:
            yield _one_of(element, gap)


def _one_of(words: str, gap: str) -> str:
    choices = (
        re.escape(_spaced(word)).replace(r"\ ", gap).replace(r"\*", "[^ ]*+") + gap
        for word in words.split("|")
    )
    return f"(?:{'|'.join(choices)})"


def _spaced(word: str) -> str:
    return word.replace("_", " ")


def _grouped(patterns: Mapping[str, Iterable[str]]) -> re.Pattern[str]:
    return re.compile(
        "|".join(f"(?P<{rule}>{'|'.join(choices)})" for rule, choices in patterns.items())
    )


@cache
def _known() -> tuple[frozenset[str], tuple[str, ...]]:
    """The words of the English phrases, and the starts of words."""
    text = _spaced(" ".join((*_ENGLISH.values(), *WORDS.values())))
    return frozenset(re.findall(r"\b[a-z]{2,}\b(?!\*)", text)), tuple(
        re.findall(r"\b([a-z]{5,})\*", text)
    )
