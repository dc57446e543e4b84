"""Entities that are the same code under other names, layouts or docstrings."""

from collections.abc import Iterable

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.languages.language_catalog import LANGUAGES, language_of
from goldwright.snapshot.languages.language_port import Clones, Language


def same_code(codebase: SourceTree, entity_ids: Iterable[str]) -> Clones:
    """Give, for each entity that has clones, the other entities that are the same code, sorted.

    Clones are found within a language. Short code and stubs have none, for there is hardly
    another way to write them; an entity and what stands inside it are no clones of each other.
    """
    requested = tuple(entity_ids)
    clones: Clones = {}
    for language in LANGUAGES:
        in_language = [identifier for identifier in requested if _is_in(identifier, language)]
        clones.update(language.same_code(codebase, in_language))
    return clones


def _is_in(identifier: str, language: Language) -> bool:
    path, _ = split_entity_id(identifier)
    return language_of(path) is language
