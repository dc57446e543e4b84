"""Finding entities of a codebase by the partial dotted names that people write."""

from collections.abc import Collection
from functools import lru_cache

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.languages.language_catalog import language_of


def entities_named(codebase: Codebase, dotted: str) -> tuple[Entity, ...]:
    """Find the entities whose full name, module included, ends with a dotted name."""
    simple_name = dotted.rpartition(".")[2]
    entities = codebase.named(simple_name)
    return tuple(entity for entity in entities if _has_dotted_name(entity, dotted))


def entities_below(codebase: Codebase, paths: Collection[str], dotted: str) -> tuple[Entity, ...]:
    """Find entities by qualified name in files, or anywhere below directories.

    Directories end in slashes. A package may hand on the names of all modules inside it.
    """
    prefixes = tuple(paths)
    simple_name = dotted.rpartition(".")[2]
    namesakes = codebase.named(simple_name)
    entities = (entity for entity in namesakes if entity.name == dotted)
    return tuple(entity for entity in entities if entity.path.startswith(prefixes))


def _has_dotted_name(entity: Entity, dotted: str) -> bool:
    name = entity.name
    if len(dotted) <= len(name):
        return dotted == name or name.endswith(f".{dotted}")
    if not dotted.endswith(f".{name}"):
        return False
    module_ending = dotted.removesuffix(f".{name}")
    module = _module_name(entity.path)
    # The dots make both begin at a complete part.
    return f".{module}".endswith(f".{module_ending}")


@lru_cache(maxsize=1 << 16)
def _module_name(path: str) -> str:
    language = language_of(path)
    if language is None:
        return ""
    return language.module_name(path)
