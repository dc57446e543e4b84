"""Whether questions give a target away by the words of its identifier."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import CardMaterial
from goldwright.trust_card.measure import FigureText, Goal, Measure, Observation
from goldwright.trust_card.prose.identifiers import split_identifier
from goldwright.trust_card.prose.words import words

# Where the plan allows an identifier in a question, its words are no secret either.
_MAY_NAME_IT: Final = frozenset({"explain", "extend", "review"})
# So many other words may stand between two words of an identifier: "parse the header".
_MOST_BETWEEN: Final = 1


def _observe(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        if record.difficulty == "easy" and record.task_type in _MAY_NAME_IT:
            continue
        note = ""
        for entity_id in record.targets:
            name = entity_id.rpartition("::")[2].rpartition(".")[2]
            if _holds_in_order(words(record.query), _name_words(name)):
                note = f"holds the words of {entity_id}"
                break
        yield Observation(record.query_id, float(bool(note)), note)


def _name_words(name: str) -> Sequence[str]:
    return [word for word in split_identifier(name) if not word.isdecimal()]


def _holds_in_order(query_words: Sequence[str], name_words: Sequence[str]) -> bool:
    """Whether a question holds two or more words in their order and next to one another."""
    if len(name_words) < 2:
        return False
    return any(_starts_with(query_words[start:], name_words) for start in range(len(query_words)))


def _starts_with(query_words: Sequence[str], name_words: Sequence[str]) -> bool:
    if not query_words or not _is_same_word(query_words[0], name_words[0]):
        return False
    position = 0
    for name_word in name_words[1:]:
        nearby = query_words[position + 1 : position + 2 + _MOST_BETWEEN]
        steps = [step for step, word in enumerate(nearby, 1) if _is_same_word(word, name_word)]
        if not steps:
            return False
        position += steps[0]
    return True


def _is_same_word(query_word: str, name_word: str) -> bool:
    """Whether two words are the same, up to the ``s`` of a plural or of a verb."""
    return query_word.removesuffix("s") == name_word.removesuffix("s")


MEASURES: Final = (
    Measure(
        FigureText(
            "identifier_words_in_query",
            "questions that hold a forbidden identifier as words",
            "Questions with the words of a target's simple name, two or more, in their order and "
            "with at most one other word between two of them. Easy explain, extend and review "
            "questions may name their target and are left out.",
            goal=Goal("at most", 0.01),
        ),
        _observe,
        share,
    ),
)
