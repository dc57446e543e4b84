"""Whether easy questions are found more readily than medium ones, and these than hard ones."""

from collections.abc import Iterator
from typing import Final

from goldwright.trust_card.estimates import ordered_groups
from goldwright.trust_card.material import CardMaterial
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.search import LexicalIndex
from goldwright.trust_card.target_ranks import best_target_ndcg

_METHOD: Final = (
    "Task types in which the mean nDCG@10 of the target that BM25 finds best does not rise from "
    "easy to medium to hard"
)


def _observe(material: CardMaterial, index: LexicalIndex) -> Iterator[Observation]:
    for record in material.records:
        score = best_target_ndcg(record, index)
        group = f"{record.task_type}/{record.difficulty}"
        yield Observation(record.query_id, score, group=group)


def _observe_whole(material: CardMaterial) -> Iterator[Observation]:
    return _observe(material, material.search.whole)


def _observe_without_docstrings(material: CardMaterial) -> Iterator[Observation]:
    return _observe(material, material.search.without_docstrings)


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "tiers_ordered",
            "task types whose tiers are in order",
            f"{_METHOD}; n counts task types.",
            goal=FigureGoal("at least", 1.0),
        ),
        _observe_whole,
        ordered_groups,
    ),
    FigureMeasure(
        FigureText(
            "tiers_ordered_without_docstrings",
            "task types whose tiers are in order, docstrings blanked",
            f"{_METHOD}, with docstrings blanked; n counts task types.",
            goal=FigureGoal("at least", 1.0),
        ),
        _observe_without_docstrings,
        ordered_groups,
    ),
)
