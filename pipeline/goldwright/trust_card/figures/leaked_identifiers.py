"""Whether questions give a target away by the words of its identifier."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.task_types import TASK_TYPE_DEFINITIONS
from goldwright.text import name_all
from goldwright.trust_card.entity_names import simple_name
from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.identifiers import split_identifier
from goldwright.trust_card.prose.words import words

# Where a task type allows an identifier in a question, its words are no secret either.
_MAY_NAME_IT: Final = tuple(
    definition.name for definition in TASK_TYPE_DEFINITIONS if definition.may_name_target_when_easy
)
# So many other words may stand between two words of an identifier: "parse the header".
_MOST_BETWEEN: Final = 1


def _observe(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        if record.difficulty == "easy" and record.task_type in _MAY_NAME_IT:
            continue
        yield Observation.of_fault(record.query_id, _leak(record))


def _leak(record: AnsweredQuery) -> str:
    """Which target a question gives away; empty where it gives none."""
    query_words = words(record.query)
    for entity_id in record.targets:
        name_words = split_identifier(simple_name(entity_id))
        letters = [word for word in name_words if not word.isdecimal()]
        if _hold_in_order(query_words, letters):
            return f"holds the words of {entity_id}: {record.query}"
    return ""


def _hold_in_order(query_words: Sequence[str], name_words: Sequence[str]) -> bool:
    """Whether a question holds two or more words in their order and next to one another."""
    # A single word is most often plain English.
    if len(name_words) < 2:
        return False
    starts = range(len(query_words))
    return any(_start_with(query_words[start:], name_words) for start in starts)


def _start_with(query_words: Sequence[str], name_words: Sequence[str]) -> bool:
    """Whether the first word is that of the name, and the others follow within reach."""
    first_word, *other_words = name_words
    if not _is_same_word(query_words[0], first_word):
        return False
    position = 0
    for name_word in other_words:
        next_position = _next_position(query_words, position, name_word)
        if next_position is None:
            return False
        position = next_position
    return True


def _next_position(query_words: Sequence[str], position: int, name_word: str) -> int | None:
    farthest_position = position + 1 + _MOST_BETWEEN
    last_position = min(farthest_position, len(query_words) - 1)
    for candidate in range(position + 1, last_position + 1):
        if _is_same_word(query_words[candidate], name_word):
            return candidate
    return None


def _is_same_word(query_word: str, name_word: str) -> bool:
    """Whether two words are the same, up to the ``s`` of a plural or of a verb."""
    return query_word.removesuffix("s") == name_word.removesuffix("s")


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "identifier_words_in_query",
            "questions that hold a forbidden identifier as words",
            "Questions with the words of a target's simple name, two or more, in their order and "
            f"with at most one other word between two of them. Easy {name_all(_MAY_NAME_IT)} "
            "questions may name their target and are left out.",
            goal=FigureGoal("at most", 0.01),
        ),
        _observe,
        share,
    ),
)
