"""Where a reading holds a phrase: forwards, backwards, through rot13 and torn apart."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from goldwright.scanners.injection.harmless_code import is_plain_name
from goldwright.scanners.injection.phrases import (
    KEY_LENGTH,
    Index,
    english_phrases,
    every_phrase,
    hearts,
    ideographic,
)
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.word_stream import WordStream

_ROT13: Final = str.maketrans({chr(97 + place): chr(97 + (place + 13) % 26) for place in range(26)})


def phrased(reading: WordStream) -> Iterator[Suspicion]:
    """Match the phrases forwards in every language, in English through rot13 and backwards too."""
    for rule, first, count in _matches(reading.words, every_phrase()):
        start, end = reading.span(first, first + count - 1)
        if not is_plain_name(reading.text, start, end):
            yield reading.suspicion(rule, start, end)
    turned = [word.translate(_ROT13) for word in reading.words]
    for rule, first, count in _matches(turned, english_phrases()):
        yield reading.of_words(rule, first, first + count - 1)
    backwards = [word[::-1] for word in reversed(reading.words)]
    for rule, first, count in _matches(backwards, english_phrases()):
        last = len(backwards) - 1 - first
        yield reading.of_words(rule, max(0, last - count + 1), last)


def torn(reading: WordStream) -> Iterator[Suspicion]:
    """Match without spaces: words torn apart, and scripts that write none."""
    squeezed = "".join(reading.words)
    ends = list(accumulate(len(word) for word in reading.words))
    patterns = (hearts(),) if squeezed.isascii() else (hearts(), ideographic())
    for pattern in patterns:
        for match in pattern.finditer(squeezed):
            yield reading.of_words(
                match.lastgroup or "",
                bisect_right(ends, match.start()),
                bisect_right(ends, match.end() - 1),
            )


def _matches(words: Sequence[str], index: Index) -> Iterator[tuple[str, int, int]]:
    """Yield the rule, the place of the first word and the number of words of each phrase."""
    stream = " ".join(words) + " "
    offset = 0
    for place, word in enumerate(words):
        for rule, pattern in index.get(word[:KEY_LENGTH], ()):
            match = pattern.match(stream, offset)
            if match:
                yield rule, place, match[0].count(" ")
        offset += len(word) + 1
