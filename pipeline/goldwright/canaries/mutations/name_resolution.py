"""Which definition a name in a fact stands for."""

import re

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.facts_under_mutation import FactUnderMutation
from goldwright.snapshot import Entity
from goldwright.snapshot.languages.language_catalog import is_special_name
from goldwright.snapshot.mentions.mention_search import Mention


def resolve_name(case: MutationCase, fact: FactUnderMutation, mention: Mention) -> Entity | None:
    """Find the definition that a name in a fact most likely stands for.

    Expected definitions come first, then those of the files that the fact is about. None where no
    definition is called so, for Python's own double-underscore names, and where a bare name may be
    a local variable as well as the attribute of some class.
    """
    dotted_name = fact.text[mention.start : mention.end]
    name = re.split(r"\W", dotted_name)[-1]
    candidates = _entities_called(case, mention, name)
    if not candidates or is_special_name(name):
        return None
    files = {entity.path for entity in fact.entities}

    def distance(entity: Entity) -> tuple[bool, bool]:
        # False comes before True.
        return entity not in case.expected, entity.path not in files

    nearest = min(candidates, key=distance)
    if _may_be_local(nearest, dotted_name):
        return None
    return nearest


def _entities_called(case: MutationCase, mention: Mention, name: str) -> list[Entity]:
    # Sorted, because sets of texts come in another order in every process.
    entity_ids = sorted(mention.entity_ids)
    entities = map(case.snapshot.entity, entity_ids)
    return [entity for entity in entities if entity and entity.simple_name == name]


def _may_be_local(entity: Entity, dotted_name: str) -> bool:
    is_attribute = entity.kind == "variable" and entity.parent_name != ""
    return is_attribute and "." not in dotted_name
