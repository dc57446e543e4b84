"""The search for what may be addressed to a model, through all of its disguises."""

from collections.abc import Iterator
from typing import Final

from goldwright.scanners.injection.disguises import TAGS, legible
from goldwright.scanners.injection.encoded_text import coded_runs, decoded
from goldwright.scanners.injection.evaluation_talk import talked
from goldwright.scanners.injection.matching import phrased, torn
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.template_marks import marked
from goldwright.scanners.injection.word_stream import LONGEST_EXCERPT, WordStream, read
from goldwright.text import shorten

DEEPEST_CODE: Final = 2


def suspicions(text: str) -> tuple[Suspicion, ...]:
    """Find what may be addressed to a model in a text of unknown origin.

    Returns:
        At most one suspicion per line and rule, in the order of the lines.
    """
    first: dict[tuple[int, str], Suspicion] = {}
    for suspicion in _found(text, DEEPEST_CODE):
        first.setdefault((suspicion.line, suspicion.rule), suspicion)
    return tuple(first[place] for place in sorted(first))


def _found(text: str, depth: int) -> Iterator[Suspicion]:
    yield from _hidden_letters(text)
    reading = read(legible(text))
    yield from marked(reading)
    yield from phrased(reading)
    yield from torn(reading)
    yield from talked(reading)
    if depth:
        yield from _coded(reading, depth - 1)


def _hidden_letters(text: str) -> Iterator[Suspicion]:
    for match in () if text.isascii() else TAGS.finditer(text):
        yield WordStream(text, [], []).suspicion("hidden", match.start(), match.end())


def _coded(reading: WordStream, depth: int) -> Iterator[Suspicion]:
    """Read what stands in Base64 or hexadecimal digits."""
    for start, end, code in coded_runs(reading.text):
        for plain in decoded(code):
            for inner in _found(plain, depth):
                place = reading.suspicion(inner.rule, start, end)
                yield Suspicion(
                    place.line, place.rule, shorten(f"{inner.excerpt} (decoded)", LONGEST_EXCERPT)
                )
