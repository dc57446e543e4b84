"""Whether a question fits other code as well as its targets: then no answer to it is the answer."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.code_reading.docstrings import content_words, docstring_of
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.product_code import is_product_code

# Fewer words than these may stand anywhere by chance.
FEWEST_QUOTED_WORDS: Final = 3
FEWEST_SHARED_WORDS: Final = 3

_QUOTATION: Final = re.compile(r"“([^“”]+)”|\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)")
_GAP: Final = re.compile(r"…|\.\.\.")
_WORD: Final = re.compile(r"\w+")
# Where a string goes on in the next literal, as in ``"one text " f"of two"``.
_STRING_JOINT: Final = re.compile(r"[\"']\s*(?:[rbfuRBFU]{1,2})?[\"']")
_FIRST_SENTENCE: Final = re.compile(r".*?(?:[.!?](?=\s)|\n\s*\n|$)", re.DOTALL)


def twin_of(query_text: str, targets: Sequence[Entity], snapshot: Snapshot) -> Entity | None:
    """Find product code outside the targets that a query fits as well as them.

    It holds a text that the query quotes from a target, or it is called like a target and its
    docstring begins with all the words that the query has in common with that target's.
    """
    for words in _quoted_words(query_text):
        twin = _other_holder(words, targets, snapshot)
        if twin is not None:
            return twin
    for target in targets:
        twin = _described_alike(query_text, target, targets, snapshot)
        if twin is not None:
            return twin
    return None


def _quoted_words(query_text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each quotation: of its longest part, where it has gaps."""
    for match in _QUOTATION.finditer(query_text):
        quotation = next(filter(None, match.groups()))
        parts = [tuple(_WORD.findall(part)) for part in _GAP.split(quotation)]
        longest = max(parts, key=len)
        if len(longest) >= FEWEST_QUOTED_WORDS:
            yield longest


def _other_holder(
    words: tuple[str, ...], targets: Sequence[Entity], snapshot: Snapshot
) -> Entity | None:
    if not any(_holds(words, target, snapshot) for target in targets):
        # It is no text of the targets, so where else it stands tells nothing.
        return None
    for entity_id in sorted(lexical_index(snapshot).holding_all(" ".join(words))):
        entity = snapshot.entity(entity_id)
        if entity is None or not _is_apart(entity, targets):
            continue
        if _holds(words, entity, snapshot):
            return entity
    return None


def _described_alike(
    query_text: str, target: Entity, targets: Sequence[Entity], snapshot: Snapshot
) -> Entity | None:
    shared = content_words(query_text) & _described_words(target, snapshot)
    if len(shared) < FEWEST_SHARED_WORDS:
        return None
    for entity in snapshot.named(target.simple_name):
        if _is_apart(entity, targets) and shared <= _described_words(entity, snapshot):
            return entity
    return None


def _described_words(entity: Entity, snapshot: Snapshot) -> frozenset[str]:
    sentence = _FIRST_SENTENCE.match(docstring_of(snapshot, entity.entity_id))
    return content_words(sentence[0] if sentence is not None else "")


def _is_apart(entity: Entity, targets: Sequence[Entity]) -> bool:
    """Whether an entity is product code, and neither a target nor around or inside one."""
    if not is_product_code(entity.path):
        return False
    for target in targets:
        names = (f"{entity.entity_id}.", f"{target.entity_id}.")
        if names[0].startswith(names[1]) or names[1].startswith(names[0]):
            return False
    return True


def _holds(words: tuple[str, ...], entity: Entity, snapshot: Snapshot) -> bool:
    """Whether words stand one behind the other in the source of an entity."""
    if not snapshot.has_text(entity.path):
        return False
    lines = snapshot.source(entity.path).lines
    wanted = f" {' '.join(words)} "
    for span in entity.spans:
        text = _STRING_JOINT.sub("", "\n".join(lines[span.first - 1 : span.last]))
        if wanted in f" {' '.join(_WORD.findall(text))} ":
            return True
    return False
