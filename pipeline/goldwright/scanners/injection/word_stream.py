"""A text as a stream of words: lower case, without accents, comment marks, markup or line ends."""

import re
from dataclasses import dataclass
from typing import Final

from goldwright.scanners.injection.disguises import normalize_word
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.text import make_visible, shorten

LONGEST_EXCERPT: Final = 160
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class WordStream:
    """A legible text and its words.

    Attributes:
        text: The text.
        words: Its words, normalized.
        starts: For each word, where it starts in the text.
    """

    text: str
    words: list[str]
    starts: list[int]

    def suspect_text(self, rule: str, start: int, end: int) -> Suspicion:
        """Make a suspicion of the text between two offsets."""
        line = self.text.count("\n", 0, start) + 1
        excerpt = " ".join(self.text[start:end].split())
        return Suspicion(line, rule, shorten(make_visible(excerpt), LONGEST_EXCERPT))

    def suspect_words(self, rule: str, first: int, last: int) -> Suspicion:
        """Make a suspicion of the words from one index to another, inclusive."""
        start, end = self.span(first, last)
        return self.suspect_text(rule, start, end)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Give the offsets where one word starts and another, or the last there is, ends."""
        last = min(last, len(self.words) - 1)
        return self.starts[first], self.starts[last] + len(self.words[last])


def split_words(text: str) -> WordStream:
    """Split a legible text into its words."""
    matches = list(_WORD.finditer(text))
    words = [normalize_word(match[0]) for match in matches]
    starts = [match.start() for match in matches]
    return WordStream(text, words, starts)
