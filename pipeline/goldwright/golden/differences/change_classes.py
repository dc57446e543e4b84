"""In which class a record belongs that two versions of a dataset hold."""

from typing import Literal

from goldwright.golden.differences.reanchoring import carry_overs_since, is_in_place, is_only_moved
from goldwright.records import GoldenLabel

ChangeClass = Literal["unchanged", "changed", "reanchored", "restamped"]


def change_class_of(old: GoldenLabel, new: GoldenLabel) -> ChangeClass:
    """Say whether a record is unchanged, or what has changed about it."""
    # What a rebase calls unchanged is unchanged here, too, so that both count the same.
    if old == new or is_in_place(old, new):
        return "unchanged"
    was_carried_over = bool(carry_overs_since(old.provenance, new.provenance))
    if was_carried_over and is_only_moved(old, new):
        return "reanchored"
    if new == old.model_copy(update={"provenance": new.provenance}):
        return "restamped"
    return "changed"
