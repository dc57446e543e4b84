"""Texts that a question quotes from code, and the code that holds them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from goldwright.retrieval.lexical_index import lexical_index
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.recent_values import RecentValues

Words = tuple[str, ...]
Quotation = tuple[Words, ...]
"""The parts of a quoted text between its gaps, as words."""

# Fewer words than these may stand anywhere by chance.
FEWEST_QUOTED_WORDS: Final = 3
MOST_CHARACTERS_OF_TEXTS: Final = 8_000_000

_QUOTATION: Final = re.compile(r"“([^“”]+)”|\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)")
_GAP: Final = re.compile(r"…|\.\.\.")
_WORD: Final = re.compile(r"\w+")
# Where a string goes on in the next literal, as in ``"one text " f"of two"``.
_STRING_JOINT: Final = re.compile(r"[\"']\s*(?:[rbfuRBFU]{1,2})?[\"']")


def quotations_in(query_text: str) -> Iterator[Quotation]:
    """Yield what a question quotes, where that is enough to stand nowhere by chance."""
    for match in _QUOTATION.finditer(query_text):
        quoted_text = next(filter(None, match.groups()))
        quotation = quotation_of(quoted_text)
        if sum(map(len, quotation)) >= FEWEST_QUOTED_WORDS:
            yield quotation


def quotation_of(text: str) -> Quotation:
    """Split a quoted text at the gaps where values are put in."""
    parts = [words_of(part) for part in _GAP.split(text)]
    return tuple(part for part in parts if part)


def words_of(text: str) -> Words:
    """Split a text into its words."""
    return tuple(_WORD.findall(text))


def holders_of(quotation: Quotation, snapshot: Snapshot) -> Iterator[Entity]:
    """Yield the functions and classes whose source holds a quotation."""
    words = [word for part in quotation for word in part]
    for entity_id in sorted(lexical_index(snapshot).holding_all(" ".join(words))):
        entity = snapshot.entity(entity_id)
        if entity is not None and holds(quotation, entity, snapshot):
            yield entity


def holds(quotation: Quotation, entity: Entity, snapshot: Snapshot) -> bool:
    """Whether the parts of a quotation stand one behind the other in the source of an entity.

    The words of a part stand side by side, and parts may be apart.
    """
    return any(_holds_in_order(text, quotation) for text in _texts_of(entity, snapshot))


def times_held(quotation: Quotation, entity: Entity, snapshot: Snapshot) -> int:
    """Count how often the longest part of a quotation stands in the source of an entity."""
    longest = max(quotation, key=len, default=())
    # Two that follow one another share the blank between them.
    escaped_words = re.escape(" ".join(longest))
    pattern = re.compile(rf"(?<= ){escaped_words}(?= )")
    return sum(len(pattern.findall(text)) for text in _texts_of(entity, snapshot))


def _texts_of(entity: Entity, snapshot: Snapshot) -> tuple[str, ...]:
    """Give the words of each definition of an entity, with blanks between and around them."""
    texts = _recent_texts(snapshot)
    entity_texts = texts.get(entity.entity_id)
    if entity_texts is None:
        entity_texts = tuple(_read_texts(entity, snapshot))
        size = sum(map(len, entity_texts))
        texts.put(entity.entity_id, entity_texts, size)
    return entity_texts


# The same messages are looked for by the Author, the screen and the Oracle.
@lru_cache(maxsize=2)
def _recent_texts(_snapshot: Snapshot) -> RecentValues[tuple[str, ...]]:
    return RecentValues(MOST_CHARACTERS_OF_TEXTS)


def _read_texts(entity: Entity, snapshot: Snapshot) -> Iterator[str]:
    if not snapshot.has_text(entity.path):
        return
    lines = snapshot.source(entity.path).lines
    for span in entity.spans:
        span_lines = lines[span.first - 1 : span.last]
        text = _STRING_JOINT.sub("", "\n".join(span_lines))
        spaced_words = " ".join(words_of(text))
        yield f" {spaced_words} "


def _holds_in_order(text: str, quotation: Quotation) -> bool:
    place = 0
    for part in quotation:
        words = " ".join(part)
        found_at = text.find(f" {words} ", place)
        if found_at < 0:
            return False
        # The blank behind a part is also that before the next one.
        letter_count = sum(map(len, part))
        place = found_at + letter_count + len(part)
    return True
