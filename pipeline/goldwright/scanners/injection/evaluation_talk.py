"""Talk of an evaluation that is addressed to its reader, whatever the phrase."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from goldwright.scanners.injection.rule_tables import read_table
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.word_stream import WordStream

# Measured on 891,000 lines of 18 packages: two subjects within twelve words, with a word to the
# reader among them or within four words of them, are 8 false alarms.
_LONGEST_DISTANCE: Final = 12
_REACH: Final = 4


@dataclass(frozen=True, slots=True)
class EvaluationWords:
    """The words of talk about an evaluation.

    Attributes:
        subjects: Each word with the first of those that mean the same.
        to_the_reader: Words that are said to whoever reads.
    """

    subjects: Mapping[str, str]
    to_the_reader: frozenset[str]


def find_evaluation_talk(stream: WordStream) -> Iterator[Suspicion]:
    """Find two different subjects near each other, and near them a word to the reader."""
    vocabulary = load_evaluation_words()
    last_position = -_LONGEST_DISTANCE - 1
    last_subject = ""
    for position, word in enumerate(stream.words):
        subject = vocabulary.subjects.get(word)
        if subject is None:
            continue
        # Two words that mean the same, as in "judge, judges", are no talk of an evaluation.
        is_near = position - last_position <= _LONGEST_DISTANCE
        if is_near and subject != last_subject:
            start = max(0, last_position - _REACH)
            end = position + _REACH + 1
            around = stream.words[start:end]
            if not vocabulary.to_the_reader.isdisjoint(around):
                yield stream.suspect_words("address", last_position, position)
        last_position = position
        last_subject = subject


@cache
def load_evaluation_words() -> EvaluationWords:
    """Read the table of these words."""
    table = read_table("evaluation_talk.toml")
    subjects: dict[str, str] = {}
    for group in table["subjects"]:
        synonyms = group.split()
        for word in synonyms:
            subjects[word] = synonyms[0]
    to_the_reader = frozenset(table["to_the_reader"].split())
    return EvaluationWords(subjects, to_the_reader)
