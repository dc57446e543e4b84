"""Which definition a name in a fact stands for."""

import re

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.fact_entities import FactUnderMutation
from goldwright.snapshot import Entity
from goldwright.snapshot.languages import is_special_name
from goldwright.snapshot.mentions import Mention


def meant(case: MutationCase, fact: FactUnderMutation, mention: Mention) -> Entity | None:
    """Find the definition that a name in a fact stands for; the expected and the near ones come
    first.
    """
    name = re.split(r"\W", fact.text[mention.start : mention.end])[-1]
    found = [
        e
        for key in sorted(mention.entity_ids)
        if (e := case.snapshot.entity(key)) and e.simple_name == name
    ]
    files = {entity.path for entity in fact.around}
    found.sort(key=lambda entity: (entity not in case.expected, entity.path not in files))
    return (
        found[0]
        if found and not is_special_name(name) and not _may_be_local(found[0], fact.text, mention)
        else None
    )


def _may_be_local(entity: Entity, text: str, mention: Mention) -> bool:
    """Tell whether a name without a dot is only called like the attribute of some class."""
    return (
        entity.kind == "variable"
        and entity.parent_name != ""
        and "." not in text[mention.start : mention.end]
    )
