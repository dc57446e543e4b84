"""The search for text that may be addressed to a model, through all of its disguises."""

from collections.abc import Iterator

from goldwright.scanners.injection.disguises import HIDDEN_LETTERS, make_legible
from goldwright.scanners.injection.encoded_text import (
    MOST_LAYERS_OF_CODE,
    decode,
    find_encoded_runs,
)
from goldwright.scanners.injection.evaluation_talk import find_evaluation_talk
from goldwright.scanners.injection.matching import match_phrases, match_torn_words
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.template_marks import match_template_marks
from goldwright.scanners.injection.word_stream import LONGEST_EXCERPT, WordStream, split_words
from goldwright.text import shorten


def find_suspicions(text: str) -> tuple[Suspicion, ...]:
    """Find what may be addressed to a model in a text of unknown origin.

    Returns:
        At most one suspicion per line and rule, in the order of the lines.
    """
    first_by_place: dict[tuple[int, str], Suspicion] = {}
    for suspicion in _scan(text, MOST_LAYERS_OF_CODE):
        place = (suspicion.line, suspicion.rule)
        first_by_place.setdefault(place, suspicion)
    return tuple(first_by_place[place] for place in sorted(first_by_place))


def _scan(text: str, layers: int) -> Iterator[Suspicion]:
    """Yield every suspicion; the first of a line and rule is the one that is kept."""
    yield from _find_hidden_letters(text)
    # Lines keep their numbers: no disguise is undone by adding or dropping a line end.
    stream = split_words(make_legible(text))
    yield from match_template_marks(stream)
    yield from match_phrases(stream)
    yield from match_torn_words(stream)
    yield from find_evaluation_talk(stream)
    if layers:
        yield from _scan_encoded_text(stream, layers - 1)


def _find_hidden_letters(text: str) -> Iterator[Suspicion]:
    if text.isascii():
        return
    stream = WordStream(text, [], [])
    for match in HIDDEN_LETTERS.finditer(text):
        yield stream.suspect_text("hidden", *match.span())


def _scan_encoded_text(stream: WordStream, layers: int) -> Iterator[Suspicion]:
    for run in find_encoded_runs(stream.text):
        for plain in decode(run.code):
            for inner in _scan(plain, layers):
                outer = stream.suspect_text(inner.rule, run.start, run.end)
                excerpt = shorten(f"{inner.excerpt} (decoded)", LONGEST_EXCERPT)
                yield Suspicion(outer.line, outer.rule, excerpt)
