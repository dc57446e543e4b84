"""Whether a question fits other code as well as its targets: then no answer to it is the answer."""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.code_reading.docstrings import content_words, docstring_of
from goldwright.retrieval.quotations import Quotation, holders_of, holds, quotations_in
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.product_code import is_product_code

# Fewer words than these are common to many docstrings.
FEWEST_SHARED_WORDS: Final = 3

_FIRST_SENTENCE: Final = re.compile(r".*?(?:[.!?](?=\s)|\n\s*\n|$)", re.DOTALL)


def twin_of(query_text: str, targets: Sequence[Entity], snapshot: Snapshot) -> Entity | None:
    """Find product code outside the targets that a query fits as well as them.

    It holds a text that the query quotes from a target, or it is called like a target and its
    docstring begins with all the words that the query has in common with that target's.
    """
    for quotation in quotations_in(query_text):
        twin = _other_holder(quotation, targets, snapshot)
        if twin is not None:
            return twin
    for target in targets:
        twin = _described_alike(query_text, target, targets, snapshot)
        if twin is not None:
            return twin
    return None


def _other_holder(
    quotation: Quotation, targets: Sequence[Entity], snapshot: Snapshot
) -> Entity | None:
    if not any(holds(quotation, target, snapshot) for target in targets):
        # It is no text of the targets, so where else it stands tells nothing.
        return None
    holders = holders_of(quotation, snapshot)
    apart = (entity for entity in holders if _is_apart(snapshot, entity, targets))
    return next(apart, None)


def _described_alike(
    query_text: str, target: Entity, targets: Sequence[Entity], snapshot: Snapshot
) -> Entity | None:
    shared = content_words(query_text) & _described_words(target, snapshot)
    if len(shared) < FEWEST_SHARED_WORDS:
        return None
    for entity in snapshot.named(target.simple_name):
        if _is_apart(snapshot, entity, targets) and shared <= _described_words(entity, snapshot):
            return entity
    return None


def _described_words(entity: Entity, snapshot: Snapshot) -> frozenset[str]:
    sentence = _FIRST_SENTENCE.match(docstring_of(snapshot, entity.entity_id))
    return content_words(sentence[0] if sentence is not None else "")


def _is_apart(snapshot: Snapshot, entity: Entity, targets: Sequence[Entity]) -> bool:
    """Whether an entity is product code, and neither a target nor around or inside one."""
    if not is_product_code(snapshot, entity.path):
        return False
    entity_name = f"{entity.entity_id}."
    for target in targets:
        target_name = f"{target.entity_id}."
        if entity_name.startswith(target_name) or target_name.startswith(entity_name):
            return False
    return True
