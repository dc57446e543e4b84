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
        words = self.text[start:end].split()
        excerpt = shorten(make_visible(" ".join(words)), LONGEST_EXCERPT)
        return Suspicion(line, rule, excerpt)

    def suspect_words(self, rule: str, first_word: int, last_word: int) -> Suspicion:
        """Make a suspicion of the words from one index to another, inclusive."""
        start, end = self.span(first_word, last_word)
        return self.suspect_text(rule, start, end)

    def span(self, first_word: int, last_word: int) -> tuple[int, int]:
        """Give the offsets where one word starts and another, or the last there is, ends."""
        index = min(last_word, len(self.words) - 1)
        # A word may change its length when it is normalized; the end is then a letter or two off.
        end = self.starts[index] + len(self.words[index])
        return self.starts[first_word], end


def split_words(text: str) -> WordStream:
    """Split a legible text into its words."""
    words: list[str] = []
    starts: list[int] = []
    for match in _WORD.finditer(text):
        words.append(normalize_word(match[0]))
        starts.append(match.start())
    return WordStream(text, words, starts)
