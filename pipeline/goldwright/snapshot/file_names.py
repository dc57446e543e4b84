"""Definitions that the list of files gives away: alone in a file that is named after them."""

from pathlib import PurePosixPath

from goldwright.snapshot.entities import Entity
from goldwright.snapshot.snapshot import Snapshot


def is_told_by_file_name(target: Entity, snapshot: Snapshot) -> bool:
    """Whether a definition stands under the only public name of a file that is called like it."""
    file_stem = PurePosixPath(target.path).stem
    top_level_name = target.name.partition(".")[0]
    if _letters(file_stem) != _letters(top_level_name):
        return False
    for entity in snapshot.entities_in(target.path):
        if _is_public_symbol(entity) and entity.name != top_level_name:
            return False
    return True


def _is_public_symbol(entity: Entity) -> bool:
    is_top_level = "." not in entity.name
    is_private = entity.name.startswith("_")
    is_definition = entity.kind in {"class", "function"}
    return is_top_level and not is_private and is_definition


def _letters(name: str) -> str:
    """Fold the spellings of a name: ``BasketItem`` stands in ``basket_item.py``."""
    return name.replace("_", "").lower()
