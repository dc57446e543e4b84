"""A text as a stream of words: lower case, without accents, comment marks, markup or line ends."""

import re
from dataclasses import dataclass
from typing import Final

from goldwright.scanners.injection.disguises import bare
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.text import make_visible, shorten

LONGEST_EXCERPT: Final = 160
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class WordStream:
    """A legible text with the words in it and where each starts."""

    text: str
    words: list[str]
    starts: list[int]

    def suspicion(self, rule: str, start: int, end: int) -> Suspicion:
        """Name the place between two characters."""
        excerpt = " ".join(self.text[start:end].split())
        return Suspicion(
            self.text.count("\n", 0, start) + 1,
            rule,
            shorten(make_visible(excerpt), LONGEST_EXCERPT),
        )

    def of_words(self, rule: str, first: int, last: int) -> Suspicion:
        """Name the place from one word to another."""
        return self.suspicion(rule, *self.span(first, last))

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where one word starts and another ends, or the last one there is."""
        last = min(last, len(self.words) - 1)
        return self.starts[first], self.starts[last] + len(self.words[last])


def read(legible: str) -> WordStream:
    """Read the words of a text that hides nothing any more."""
    places = list(_WORD.finditer(legible))
    return WordStream(
        legible, [bare(match[0]) for match in places], [match.start() for match in places]
    )
