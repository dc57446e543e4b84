"""How questions open, what they ask for, and whether they repeat one another."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from goldwright.stats.jaccard import jaccard
from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import CardMaterial
from goldwright.trust_card.measure import (
    NO_FAULT,
    FigureGoal,
    FigureMeasure,
    FigureText,
    Observation,
)
from goldwright.trust_card.prose.sentences import sentences
from goldwright.trust_card.prose.words import content_words, words

_KINDS: Final = ("why", "what", "when", "which", "where", "who", "how")
_OPENING_WORDS: Final = 3
# Of the stems of two questions together, the share in both from which one repeats the other.
_NEAR_DUPLICATE: Final = 0.8
# ``when we do that`` is no question, ``when does it fail`` is one.
_QUESTION_WORD: Final = re.compile(
    r"""
    (?: (?:under|in|on)\ (?:what|which)\ (?P<when> condition|circumstance|case)
        | \b when (?=\ (?:is|are|was|were|do|does|did|can|could|will|would|should|has)\b)
        | \b (?: why | what | which | where | who | how ) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PREPOSITION: Final = re.compile(r"^(?:(?:and|in|at|on|to|from|with|by|of|for)\s+)*", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[,:;]\s+|\s[-–—]\s")


def question_kind(query: str) -> str:
    """The question word that a query asks with; empty where it asks for yes or no, or commands.

    That is the word with which a clause of its last question begins, else the first one in it.
    """
    questions = [sentence for sentence in sentences(query) if sentence.endswith("?")]
    if not questions:
        return ""
    for clause in _CLAUSE_END.split(questions[-1]):
        # The longer form first: ``in which case`` begins with its preposition.
        without_preposition = _PREPOSITION.sub("", clause)
        match = _QUESTION_WORD.match(clause) or _QUESTION_WORD.match(without_preposition)
        if match is not None:
            return _kind(match)
    match = _QUESTION_WORD.search(questions[-1])
    if match is None:
        return ""
    return _kind(match)


def _kind(match: re.Match[str]) -> str:
    if match["when"]:
        return "when"
    return match[0].lower()


def _observe_kind(kind: str) -> Callable[[CardMaterial], Iterator[Observation]]:
    def observe(material: CardMaterial) -> Iterator[Observation]:
        for record in material.records:
            asks_so = question_kind(record.query) == kind
            yield Observation(record.query_id, float(asks_so))

    return observe


def _observe_openings(material: CardMaterial) -> Iterator[Observation]:
    openings: set[tuple[str, ...]] = set()
    for record in material.records:
        opening = tuple(words(record.query)[:_OPENING_WORDS])
        is_new = opening not in openings
        openings.add(opening)
        yield Observation(record.query_id, float(is_new))


def _observe_duplicates(material: CardMaterial) -> Iterator[Observation]:
    first_ids: dict[tuple[str, ...], str] = {}
    for record in material.records:
        query_words = tuple(words(record.query))
        first_id = first_ids.setdefault(query_words, record.query_id)
        problem = ""
        if first_id != record.query_id:
            problem = f"the same words as {first_id}: {record.query}"
        yield Observation.of_fault(record.query_id, problem)


def _observe_near_duplicates(material: CardMaterial) -> Iterator[Observation]:
    earlier_stems: dict[str, frozenset[str]] = {}
    for record in material.records:
        stems = frozenset(content_words(record.query))
        problem = ""
        for query_id, other_stems in earlier_stems.items():
            if stems and jaccard(stems, other_stems) >= _NEAR_DUPLICATE:
                problem = f"nearly the words of {query_id}: {record.query}"
                break
        earlier_stems[record.query_id] = stems
        yield Observation.of_fault(record.query_id, problem)


def _kind_measure(kind: str) -> FigureMeasure:
    text = FigureText(
        f"questions_{kind}",
        f"questions that ask {kind}",
        f"Queries whose last question asks with `{kind}`, whatever word they begin with.",
    )
    return FigureMeasure(text, _observe_kind(kind), share)


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "duplicate_queries",
            "questions that repeat another one",
            "Queries with the same words as an earlier one of the dataset.",
            goal=NO_FAULT,
        ),
        _observe_duplicates,
        share,
    ),
    FigureMeasure(
        FigureText(
            "near_duplicate_queries",
            "questions that nearly repeat another one",
            f"Queries that share {_NEAR_DUPLICATE:.0%} of their stems, stop words left out, with "
            "an earlier one (Jaccard).",
            goal=FigureGoal("at most", 0.02),
        ),
        _observe_near_duplicates,
        share,
    ),
    FigureMeasure(
        FigureText(
            "distinct_openings",
            "questions that open like no earlier one",
            "Queries whose first three words no earlier query of the dataset begins with.",
        ),
        _observe_openings,
        share,
    ),
    *(_kind_measure(kind) for kind in _KINDS),
)
