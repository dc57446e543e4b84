"""The parts of entity ids, and which ids a name in prose stands for."""

from collections.abc import Iterable


def qualified_name(entity_id: str) -> str:
    """The name behind the path: ``Session.send``."""
    return entity_id.rpartition("::")[2]


def simple_name(entity_id: str) -> str:
    """The last part of the name: ``send``."""
    return qualified_name(entity_id).rpartition(".")[2]


def owner_id(entity_id: str) -> str:
    """The id of the class or function around an entity that stands in one."""
    return entity_id.rpartition(".")[0]


def called_by(mark: str, entity_ids: Iterable[str]) -> list[str]:
    """The entities whose simple or qualified name a code mark holds, with or without ``()``."""
    name = mark.removesuffix("()").removeprefix("self.")
    endings = (f"::{name}", f".{name}")
    return [entity_id for entity_id in entity_ids if entity_id.endswith(endings)]
