"""What differs in the fields of two records of one kind."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from goldwright.golden.differences.item_texts import item_texts, raw_json
from goldwright.golden.differences.rewording import (
    PairSimilarity,
    have_same_subject,
    pair_reworded,
    pairs_in_order,
    share_words,
    subject_of,
)
from goldwright.records import ExpectedEntity, Record

_COLLECTIONS: Final = (tuple, dict, Record)
# The items of these are sentences; those of all other lists begin with what they are about.
_SENTENCE_LISTS: Final = ("must_mention_facts", "must_not_mention_facts", "known_limits")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """What differs in one field; a single value is a list of one.

    Attributes:
        field: The name of the field.
        removed: The items that only the old record has.
        added: The items that only the new record has.
        reworded: The items that were reworded, each as the old and the new text.
        reordered: Whether the items that both have are in another order.
    """

    field: str
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    reworded: tuple[tuple[str, str], ...] = ()
    reordered: bool = False


def field_changes(
    old: Record, new: Record, *, skipped: Container[str] = ()
) -> Iterator[FieldChange]:
    """Compare two records of one kind; each field that differs has at least one change.

    Args:
        old: The old record.
        new: The new record.
        skipped: Names of fields that are not compared.
    """
    for name in type(old).model_fields:
        if name in skipped:
            continue
        old_value = getattr(old, name)
        new_value = getattr(new, name)
        if old_value != new_value:
            yield from _changes_of_field(name, old_value, new_value)


def _changes_of_field(name: str, old_value: object, new_value: object) -> Iterator[FieldChange]:
    similarity = _similarity_for(name, old_value, new_value)
    old_items = item_texts(old_value)
    new_items = item_texts(new_value)
    item_change = _list_change(name, old_items, new_items, similarity)
    # A rationale is too long for the text of its entity, and is compared on its own.
    rationale_field = f"{name}.rationale"
    old_rationales = _rationales(old_value)
    new_rationales = _rationales(new_value)
    rationale_change = _list_change(
        rationale_field, old_rationales, new_rationales, have_same_subject
    )
    changes = list(filter(None, (item_change, rationale_change)))
    if changes:
        yield from changes
    else:
        # The texts of the items leave something out in which the values differ.
        texts = (raw_json(old_value), raw_json(new_value))
        yield FieldChange(name, reworded=(texts,))


def _similarity_for(name: str, old_value: object, new_value: object) -> PairSimilarity | None:
    """Choose what decides which items are rewordings; None for values that are no lists."""
    if not isinstance(old_value, _COLLECTIONS) and not isinstance(new_value, _COLLECTIONS):
        return None
    if name in _SENTENCE_LISTS:
        return share_words
    return have_same_subject


def _rationales(value: object) -> Iterator[str]:
    """Yield the rationales of expected entities, each with its id; of other values nothing."""
    if not isinstance(value, tuple):
        return
    for item in value:
        if isinstance(item, ExpectedEntity):
            yield f"{item.entity_id} = {item.rationale}"


def _list_change(
    field: str,
    old_items: Iterable[str],
    new_items: Iterable[str],
    similarity: PairSimilarity | None,
) -> FieldChange | None:
    """Compare two lists; None where they are the same."""
    old_texts = list(old_items)
    new_texts = list(new_items)
    in_order: list[tuple[str, str]] = []
    if similarity is have_same_subject:
        paired = pairs_in_order(old_texts, new_texts)
        paired_texts = chain.from_iterable(paired.values())
        in_order = list(filter(_is_reworded, paired_texts))
        old_texts = [text for text in old_texts if subject_of(text) not in paired]
        new_texts = [text for text in new_texts if subject_of(text) not in paired]
    # Counters, because an item may occur several times.
    only_old = Counter(old_texts) - Counter(new_texts)
    only_new = Counter(new_texts) - Counter(old_texts)
    removed = list(only_old.elements())
    added = list(only_new.elements())
    reworded = tuple(pair_reworded(removed, added, similarity))
    for old_text, new_text in reworded:
        removed.remove(old_text)
        added.remove(new_text)
    changed = only_old.keys() | only_new.keys()
    old_common = [text for text in old_texts if text not in changed]
    new_common = [text for text in new_texts if text not in changed]
    change = FieldChange(
        field=field,
        removed=tuple(removed),
        added=tuple(added),
        reworded=(*in_order, *reworded),
        reordered=old_common != new_common,
    )
    if change == FieldChange(field):
        return None
    return change


def _is_reworded(pair: tuple[str, str]) -> bool:
    """Find out whether the two texts of a pair differ."""
    old_text, new_text = pair
    return old_text != new_text
