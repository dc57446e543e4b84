"""Matching the phrases: forwards, backwards, through rot13 and torn apart."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from string import ascii_lowercase
from typing import Final, NamedTuple

from goldwright.scanners.injection.harmless_code import is_plain_name
from goldwright.scanners.injection.phrase_patterns import (
    KEY_LENGTH,
    PhraseIndex,
    all_phrases,
    english_phrases,
    torn_phrases,
    unspaced_patterns,
)
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.word_stream import WordStream

_ROTATED: Final = ascii_lowercase[13:] + ascii_lowercase[:13]
_ROT13: Final = str.maketrans(ascii_lowercase, _ROTATED)


class PhraseMatch(NamedTuple):
    """A phrase in a row of words: its rule, the index of its first word and their number."""

    rule: str
    first_word: int
    length: int


def match_phrases(stream: WordStream) -> Iterator[Suspicion]:
    """Match the phrases forwards in every language, in English through rot13 and backwards too."""
    yield from _match_forwards(stream)
    yield from _match_rot13(stream)
    yield from _match_backwards(stream)


def match_torn_words(stream: WordStream) -> Iterator[Suspicion]:
    """Match without spaces: words that were torn apart, and scripts that write no spaces."""
    letters = "".join(stream.words)
    # Where each word ends among the letters: a match is traced back to its words by these.
    ends = list(accumulate(map(len, stream.words)))
    yield from _match_letters(stream, letters, ends, torn_phrases())
    if not letters.isascii():
        yield from _match_letters(stream, letters, ends, unspaced_patterns())


def find_phrases(words: Sequence[str], index: PhraseIndex) -> Iterator[PhraseMatch]:
    """Yield every phrase that starts at a word, in the order of the words."""
    text = " ".join(words) + " "
    offset = 0
    for position, word in enumerate(words):
        # Of more than three hundred phrases, few can start with any one word.
        for rule, pattern in index.get(word[:KEY_LENGTH], ()):
            match = pattern.match(text, offset)
            if match:
                length = match[0].count(" ")
                yield PhraseMatch(rule, position, length)
        offset += len(word) + 1


def _match_forwards(stream: WordStream) -> Iterator[Suspicion]:
    for rule, first_word, length in find_phrases(stream.words, all_phrases()):
        last_word = first_word + length - 1
        start, end = stream.span(first_word, last_word)
        # Names stand in code as they are, and neither in rot13 nor backwards.
        if not is_plain_name(stream.text, start, end):
            yield stream.suspect_text(rule, start, end)


def _match_rot13(stream: WordStream) -> Iterator[Suspicion]:
    words = [word.translate(_ROT13) for word in stream.words]
    for rule, first_word, length in find_phrases(words, english_phrases()):
        last_word = first_word + length - 1
        yield stream.suspect_words(rule, first_word, last_word)


def _match_backwards(stream: WordStream) -> Iterator[Suspicion]:
    words = [word[::-1] for word in reversed(stream.words)]
    for rule, first_word, length in find_phrases(words, english_phrases()):
        # The first word of a phrase that stands backwards comes last in the text.
        end = len(words) - first_word
        start = max(0, end - length)
        yield stream.suspect_words(rule, start, end - 1)


def _match_letters(
    stream: WordStream, letters: str, ends: Sequence[int], pattern: re.Pattern[str]
) -> Iterator[Suspicion]:
    for match in pattern.finditer(letters):
        rule = match.lastgroup or ""
        first_word = bisect_right(ends, match.start())
        last_word = bisect_right(ends, match.end() - 1)
        yield stream.suspect_words(rule, first_word, last_word)
