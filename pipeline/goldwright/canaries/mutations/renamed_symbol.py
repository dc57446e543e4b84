"""Facts that name another definition than the one they hold for."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.code_text import count_occurrences, has_word
from goldwright.canaries.mutations.fact_wording import FactWording, replace_span
from goldwright.canaries.mutations.facts_under_mutation import (
    FactUnderMutation,
    pieces_besides_entities,
)
from goldwright.canaries.mutations.name_resolution import resolve_name
from goldwright.snapshot import Entity
from goldwright.snapshot.languages.language_catalog import is_special_name
from goldwright.snapshot.mentions.mention_search import Mention, mentions

# Of each name; others of the same fact may do where these do not.
MOST_NAMES: Final = 4

_LOGGED_AS: Final = re.compile(r"” as `$")


def rename_symbols(case: MutationCase, fact: FactUnderMutation) -> Iterator[str]:
    """Yield wordings in which another definition stands in the place of the one named."""
    wording = FactWording(fact.text)
    if wording.denies:
        return
    for mention in case.shuffled(mentions(fact.text, case.snapshot)):
        entity = resolve_name(case, fact, mention)
        if entity is None or wording.is_conditional(mention.start):
            continue
        if not _stands_alone(fact.text, mention) or _is_log_level(fact.text, mention):
            continue
        other_names = _other_names(case, fact, wording, mention, entity)
        # Of a dotted name only the last part is replaced.
        start = mention.end - len(entity.simple_name)
        for new_name in islice(other_names, MOST_NAMES):
            yield replace_span(fact.text, start, mention.end, new_name)


def _stands_alone(text: str, mention: Mention) -> bool:
    """Whether a name is all of its piece of code, but for a call's arguments, or is unmarked."""
    before = text[mention.start - 1 : mention.start]
    behind = text[mention.end : mention.end + 1]
    if before == "`":
        return behind in {"`", "("}
    marks_before = text.count("`", 0, mention.start)
    is_inside_marks = marks_before % 2 == 1
    return not is_inside_marks and behind != "`"


def _is_log_level(text: str, mention: Mention) -> bool:
    """Whether a name says how loud a message is, although a definition is called so too."""
    return _LOGGED_AS.search(text[: mention.start]) is not None


def _other_names(
    case: MutationCase,
    fact: FactUnderMutation,
    wording: FactWording,
    mention: Mention,
    entity: Entity,
) -> Iterator[str]:
    """Yield names of other definitions for which the fact does not hold."""
    is_subject = entity in fact.entities
    if is_subject:
        cited_texts = map(case.code.text_at, fact.citations)
        text = "\n".join(cited_texts)
    elif has_word(entity.simple_name, case.code.code_of(fact.entities)):
        text = case.code.text_of(fact.entities)
    else:
        return
    is_dotted = "." in fact.text[mention.start : mention.end]
    for candidate in _other_entities(case, entity, is_dotted=is_dotted):
        name = candidate.simple_name
        # The gate refuses a name that stands on none of the answer's lines. There it has to be
        # what the fact takes it for: a local variable of the same name would be odd, not false.
        if name not in case.definitions_on_lines:
            continue
        # A name that the code mentions could make the fact true after all.
        if has_word(name, text) or has_word(name, fact.text):
            continue
        if not is_subject or _contradicts(case, fact, wording, candidate):
            yield name


def _other_entities(case: MutationCase, entity: Entity, *, is_dotted: bool) -> Iterator[Entity]:
    """Yield definitions of the same kind, the nearest first, that have no link with this one.

    A dotted name can only be replaced by a sibling: what stands before the dot stays.
    """
    siblings: list[Entity] = []
    strangers: list[Entity] = []
    for neighbour in case.snapshot.entities_in(entity.path):
        if neighbour.parent_name == entity.parent_name:
            siblings.append(neighbour)
        else:
            strangers.append(neighbour)
    yield from _unlinked(case, entity, siblings)
    if not is_dotted:
        yield from _unlinked(case, entity, strangers)
        yield from _unlinked(case, entity, case.snapshot.entities())


def _unlinked(case: MutationCase, entity: Entity, candidates: Iterable[Entity]) -> Iterator[Entity]:
    linked_ids = case.snapshot.graph.linked(entity.entity_id)
    relatives = _relatives(case, entity.entity_id)
    renamings = []
    for candidate in candidates:
        has_other_name = candidate.simple_name != entity.simple_name
        if candidate.kind == entity.kind and has_other_name:
            renamings.append(candidate)
    for candidate in case.shuffled(renamings):
        if candidate.entity_id in linked_ids or is_special_name(candidate.simple_name):
            continue
        if candidate.entity_id not in relatives:
            yield candidate


def _relatives(case: MutationCase, class_id: str) -> set[str]:
    """Collect the classes that a class inherits from and those that inherit from it, all the way.

    Each way is walked once for a class, not for each candidate: a ladder of bases may be long.
    """
    graph = case.snapshot.graph
    return _reach(class_id, graph.bases) | _reach(class_id, graph.subclasses)


def _reach(class_id: str, neighbours: Callable[[str], Iterable[str]]) -> set[str]:
    reached: set[str] = set()
    unvisited = [class_id]
    while unvisited:
        # Code may make its classes inherit from one another in a circle.
        new_ids = [
            neighbour for neighbour in neighbours(unvisited.pop()) if neighbour not in reached
        ]
        reached.update(new_ids)
        unvisited.extend(new_ids)
    return reached


def _contradicts(
    case: MutationCase, fact: FactUnderMutation, wording: FactWording, candidate: Entity
) -> bool:
    """Whether something that the fact says of its subject is nowhere in another definition."""
    other_code = case.code.code_of([candidate])
    own_code = case.code.code_of(fact.entities)
    if not other_code:
        return False
    for piece in pieces_besides_entities(fact, wording):
        is_in_own = count_occurrences(piece.text, own_code) > 0
        if is_in_own and not count_occurrences(piece.text, other_code):
            return True
    return False
