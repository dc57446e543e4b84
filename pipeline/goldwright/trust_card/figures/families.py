"""Whether questions about a whole family of classes expect the whole family."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.trust_card.entity_names import owner_id, simple_name
from goldwright.trust_card.estimates import share
from goldwright.trust_card.expected_sets import ExpectedSet, observe_members, observe_sets
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.identifiers import split_identifier
from goldwright.trust_card.prose.words import content_words, stem

# The word that names the members of the family fills the gap: "all our steps", "which spider". A
# verb or an article in between begins another thought: "which methods does a step need".
_BETWEEN: Final = r"(?:(?!(?:an?|is|are|do|does|did|can|must|should|would|has|have)\b)[\w-]+\s+)"
_DETERMINER: Final = rf"\b(?:all|every|each|which|our|existing)\s+{_BETWEEN}{{{{0,4}}}}?{{word}}"
_RELATION: Final = re.compile(
    r"""
    \b(?: agree | consistent\w* | differ\w* | in\ common | for\ one\ another | interchangeabl\w+
        | against\ (?:its|their)\ base | (?:each|all|every\ one|one)\ of\ (?:them|these|those) )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A question for a few to copy from is answered by any of them.
_ASKS_FOR_SOME: Final = re.compile(
    r"\b(?:examples?|best|copy|such as|for instance)\b", re.IGNORECASE
)
# Words of class names that say nothing of what the members are.
_EMPTY_NAMES: Final = frozenset({"abstract", "base", "mixin", "interface", "protocol"})


def _families(material: CardMaterial) -> Iterator[ExpectedSet]:
    for record in material.records:
        classes = _expected_classes(record, material)
        base_id = _base_of(classes, material)
        if base_id is None or not _asks_for_all(record.query, base_id):
            continue
        members = _members(record, base_id, classes, material)
        missing = [member for member in members if member not in classes]
        title = f"classes that derive from {base_id}"
        yield ExpectedSet(record.query_id, title, members, tuple(missing))


def _asks_for_all(query: str, base_id: str) -> bool:
    """Whether a question asks for all members of a family, named by the last word of its base."""
    base_words = split_identifier(simple_name(base_id))
    name_words = [word for word in base_words if word not in _EMPTY_NAMES]
    if not name_words or _ASKS_FOR_SOME.search(query):
        return False
    family_stem = stem(name_words[-1])
    if family_stem not in content_words(query):
        return False
    if _RELATION.search(query):
        return True
    determiner = _DETERMINER.format(word=re.escape(family_stem))
    return re.search(determiner, query, re.IGNORECASE) is not None


def _expected_classes(record: AnsweredQuery, material: CardMaterial) -> frozenset[str]:
    """The classes that a record expects, as such or by one of their methods."""
    classes = set()
    for entity_id in record.accepted_ids:
        definition = material.code.names.definition(entity_id)
        if definition is None:
            continue
        if definition.kind == "class":
            classes.add(entity_id)
        elif definition.is_method:
            classes.add(owner_id(entity_id))
    return frozenset(classes)


def _base_of(classes: frozenset[str], material: CardMaterial) -> str | None:
    """The class that most of the other classes derive from; None where none derives from one."""
    best_id = None
    most_descendants = 0
    for class_id in sorted(classes):
        count = len(classes & material.families.descendants(class_id))
        if count > most_descendants:
            best_id = class_id
            most_descendants = count
    return best_id


def _members(
    record: AnsweredQuery, base_id: str, classes: frozenset[str], material: CardMaterial
) -> tuple[str, ...]:
    direct = frozenset(material.families.subclasses(base_id))
    descendants = material.families.descendants(base_id)
    members = direct
    if classes & descendants - direct:
        # Where the record goes beyond direct subclasses, so must all of it.
        members = descendants
    overriding = _members_with_asked_method(record, base_id, members, material)
    return tuple(sorted(overriding or members))


def _members_with_asked_method(
    record: AnsweredQuery, base_id: str, members: frozenset[str], material: CardMaterial
) -> frozenset[str]:
    """The members that override a method of the base whose name stands in the question."""
    question = frozenset(content_words(record.query))
    chosen: set[str] = set()
    names = material.code.names
    base_path = base_id.partition("::")[0]
    for definition in material.code.modules[base_path].definitions:
        if not definition.is_method or owner_id(definition.entity_id) != base_id:
            continue
        method_name = definition.simple_name
        name_words = content_words(method_name)
        if not name_words or not question.issuperset(name_words):
            continue
        for member in members:
            if names.definition(f"{member}.{method_name}") is not None:
                chosen.add(member)
    return frozenset(chosen)


def _observe_complete(material: CardMaterial) -> Iterator[Observation]:
    return observe_sets(_families(material))


def _observe_members(material: CardMaterial) -> Iterator[Observation]:
    return observe_members(_families(material))


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "families_complete",
            "families of classes complete",
            "Of the questions that ask for all, every or which of some classes and expect a class "
            "with some of its subclasses: those that expect all of them, tests left out. Where the "
            "question names a method of the base class, only subclasses that override it count.",
            goal=FigureGoal("at least", 0.95),
        ),
        _observe_complete,
        share,
    ),
    FigureMeasure(
        FigureText(
            "family_recall",
            "members of these families expected",
            "Of all members of these families together: those that are expected.",
        ),
        _observe_members,
        share,
    ),
)
