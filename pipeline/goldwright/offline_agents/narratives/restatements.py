"""Docstrings and comments that only say again what the name, or the question, says already."""

import re
from collections.abc import Iterable
from typing import Final

from goldwright.offline_agents.narratives.narrative_context import human_words
from goldwright.offline_agents.statements.statement import Finding

# With so large a share of its words known before, a sentence tells nothing.
KNOWN_SHARE: Final = 0.7
# Words with so many letters in common are forms of one: "dict" and "dictionary", "returns".
_SAME_LETTERS: Final = 4
_MOST_ENDING: Final = 2

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
# What any docstring may say, whatever it is about.
_EMPTY_WORDS: Final = frozenset(
    """
    a an and are as at be by call called class can do does for from function get gets give gives
    given if in into is it its make makes method of on or return returns returned set sets should
    that the this to used uses value when which will with
    """.split()
)


def is_restatement(finding: Finding, asked: str) -> bool:
    """Find out whether somebody's words tell nothing to a reader of the question.

    Args:
        finding: A statement; one that quotes nobody is never a restatement.
        asked: The question.
    """
    text = human_words(finding.statement)
    if not text:
        return False
    words = _content_words(text)
    name = finding.entity_id.rpartition("::")[2]
    known = _content_words(f"{asked} {name}")
    known_count = sum(_is_among(word, known) for word in words)
    return known_count >= KNOWN_SHARE * len(words)


def _content_words(text: str) -> set[str]:
    words = {word.lower() for word in _WORD.findall(text)}
    return words - _EMPTY_WORDS


def _is_among(word: str, known: Iterable[str]) -> bool:
    return any(word == other or _are_forms_of_one(word, other) for other in known)


def _are_forms_of_one(word: str, other: str) -> bool:
    shorter = min(len(word), len(other))
    beginning = word[: shorter - 1]
    if shorter < _SAME_LETTERS or not other.startswith(beginning):
        return False
    difference = abs(len(word) - len(other))
    is_one_longer = word.startswith(other) or other.startswith(word)
    return is_one_longer or difference <= _MOST_ENDING
