"""Entities that are the same code under other names, layouts or docstrings."""

from collections.abc import Iterable

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.languages import LANGUAGES


def same_code(codebase: SourceTree, entity_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Give, for each entity that has clones, the other entities that are the same code, sorted.

    Clones are found within a language. Short code and stubs have none, for there is hardly
    another way to write them; an entity and what stands inside it are no clones of each other.
    """
    asked = tuple(entity_ids)
    clones: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        of_language = [
            entity_id
            for entity_id in asked
            if entity_id.partition("::")[0].endswith(language.suffixes)
        ]
        clones.update(language.same_code(codebase, of_language))
    return clones
