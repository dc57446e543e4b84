"""Facts that name another definition than the one they hold for."""

from collections.abc import Iterable, Iterator

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.code_text import count, has_word
from goldwright.canaries.mutations.fact_entities import FactUnderMutation, outcomes
from goldwright.canaries.mutations.fact_wording import FactWording
from goldwright.canaries.mutations.name_resolution import meant
from goldwright.snapshot import Entity
from goldwright.snapshot.languages import is_special_name
from goldwright.snapshot.mentions import Mention, mentions


def renamed(case: MutationCase, fact: FactUnderMutation) -> Iterator[str]:
    """Yield wordings in which another definition stands in the place of the one named."""
    wording = FactWording(fact.text)
    if wording.denies:
        return
    for mention in case.mixed(mentions(fact.text, case.snapshot)):
        entity = meant(case, fact, mention)
        if (
            entity is None
            or wording.is_conditional(mention.start)
            or not _stands_alone(fact.text, mention)
        ):
            continue
        new = next(_replacements(case, fact, wording, mention, entity), None)
        if new is not None:
            start = mention.end - len(entity.simple_name)
            yield fact.text[:start] + new + fact.text[mention.end :]


def _stands_alone(text: str, mention: Mention) -> bool:
    """Tell whether a name is all of its piece of code, but for what it is called with, or bare and
    shaped like code.
    """
    before, behind = text[mention.start - 1 : mention.start], text[mention.end : mention.end + 1]
    if before == "`":
        return behind in {"`", "("}
    return text.count("`", 0, mention.start) % 2 == 0 and behind != "`"


def _replacements(
    case: MutationCase,
    fact: FactUnderMutation,
    wording: FactWording,
    mention: Mention,
    entity: Entity,
) -> Iterator[str]:
    own = entity in fact.around
    if not own and not has_word(entity.simple_name, case.code.of(fact.around)):
        return
    lines = "\n".join(map(case.code.raw, fact.citations)) if own else case.code.written(fact.around)
    written = fact.text[mention.start : mention.end]
    for other in _others(case, entity, is_dotted="." in written):
        name = other.simple_name
        if has_word(name, lines) or has_word(name, fact.text):
            continue
        if not own or _lacks(case, fact, wording, other):
            yield name


def _others(case: MutationCase, entity: Entity, *, is_dotted: bool) -> Iterator[Entity]:
    """Yield definitions of the same kind, the nearest first, that have no link with this one."""
    here = case.snapshot.entities_in(entity.path)
    siblings = [other for other in here if other.parent_name == entity.parent_name]
    yield from _like(case, entity, siblings)
    if not is_dotted:
        yield from _like(
            case, entity, [other for other in here if other.parent_name != entity.parent_name]
        )
        yield from _like(case, entity, case.snapshot.entities())


def _like(case: MutationCase, entity: Entity, others: Iterable[Entity]) -> Iterator[Entity]:
    linked = case.snapshot.graph.linked(entity.entity_id)
    same = [
        other
        for other in others
        if other.kind == entity.kind and other.simple_name != entity.simple_name
    ]
    for other in case.mixed(same):
        if (
            other.entity_id not in linked
            and not is_special_name(other.simple_name)
            and not _is_kin(case, entity, other)
        ):
            yield other


def _is_kin(case: MutationCase, one: Entity, other: Entity) -> bool:
    """Tell whether one of two classes inherits from the other, however far up."""
    return one.entity_id in _above(case, other.entity_id) or other.entity_id in _above(
        case, one.entity_id
    )


def _above(case: MutationCase, identifier: str) -> frozenset[str]:
    found: set[str] = set()
    left = [identifier]
    while left:
        fresh = [base for base in case.snapshot.graph.bases(left.pop()) if base not in found]
        found.update(fresh)
        left.extend(fresh)
    return frozenset(found)


def _lacks(
    case: MutationCase, fact: FactUnderMutation, wording: FactWording, other: Entity
) -> bool:
    """Tell whether something that the fact says of its subject is nowhere in another definition."""
    there, code = case.code.of([other]), case.code.of(fact.around)
    said = [piece for _, piece in outcomes(fact, wording) if count(piece, code)]
    return bool(there) and any(not count(piece, there) for piece in said)
