"""Texts that a question quotes from code, and the code that holds them."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.retrieval.lexical_index import lexical_index
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity

Words = tuple[str, ...]

# Fewer words than these may stand anywhere by chance.
FEWEST_QUOTED_WORDS: Final = 3

_QUOTATION: Final = re.compile(r"“([^“”]+)”|\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)")
_GAP: Final = re.compile(r"…|\.\.\.")
_WORD: Final = re.compile(r"\w+")
# Where a string goes on in the next literal, as in ``"one text " f"of two"``.
_STRING_JOINT: Final = re.compile(r"[\"']\s*(?:[rbfuRBFU]{1,2})?[\"']")


def quoted_words(query_text: str) -> Iterator[Words]:
    """Yield the words of each quotation: of its longest part, where it has gaps."""
    for match in _QUOTATION.finditer(query_text):
        quotation = next(filter(None, match.groups()))
        parts = [words_of(part) for part in _GAP.split(quotation)]
        longest = max(parts, key=len)
        if len(longest) >= FEWEST_QUOTED_WORDS:
            yield longest


def words_of(text: str) -> Words:
    """Split a text into its words."""
    return tuple(_WORD.findall(text))


def holders_of(words: Words, snapshot: Snapshot) -> Iterator[Entity]:
    """Yield the functions and classes in whose source words stand one behind the other."""
    for entity_id in sorted(lexical_index(snapshot).holding_all(" ".join(words))):
        entity = snapshot.entity(entity_id)
        if entity is not None and holds(words, entity, snapshot):
            yield entity


def holds(words: Words, entity: Entity, snapshot: Snapshot) -> bool:
    """Tell whether words stand one behind the other in the source of an entity."""
    if not snapshot.has_text(entity.path):
        return False
    lines = snapshot.source(entity.path).lines
    wanted = f" {' '.join(words)} "
    for span in entity.spans:
        text = _STRING_JOINT.sub("", "\n".join(lines[span.first - 1 : span.last]))
        if wanted in f" {' '.join(words_of(text))} ":
            return True
    return False
