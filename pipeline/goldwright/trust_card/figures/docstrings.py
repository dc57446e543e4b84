"""How much of a dataset docstrings alone give away."""

from collections.abc import Iterator
from typing import Final

from goldwright.trust_card.estimates import excess_share, mean, share
from goldwright.trust_card.material import CardMaterial
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.target_ranks import all_targets_ndcg, target_ranks


def _observe_first_targets(material: CardMaterial) -> Iterator[Observation]:
    surveyed = list(material.code.definitions(material.code.product_paths))
    documented = [definition for definition in surveyed if definition.docstring]
    survey_size = max(len(surveyed), 1)
    share_of_all = len(documented) / survey_size
    for record in material.records:
        if not record.targets:
            continue
        definition = material.code.names.definition(record.targets[0])
        if definition is not None:
            has_docstring = float(bool(definition.docstring))
            yield Observation(record.query_id, has_docstring, expected=share_of_all)


def _observe_gain(material: CardMaterial) -> Iterator[Observation]:
    search = material.search
    for record in material.records:
        full_score = all_targets_ndcg(record, search.whole)
        blanked = all_targets_ndcg(record, search.without_docstrings)
        yield Observation(record.query_id, full_score - blanked)


def _observe_first_sentences(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        problem = ""
        if 1 in target_ranks(record, material.search.first_sentences):
            problem = f"of a target of: {record.query}"
        yield Observation.of_fault(record.query_id, problem)


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "documented_targets",
            "first targets with a docstring, beyond all code",
            "The share of first targets that have a docstring, less that of all functions and "
            "classes outside tests.",
            unit="points",
            goal=FigureGoal("at most", 0.15),
        ),
        _observe_first_targets,
        excess_share,
    ),
    FigureMeasure(
        FigureText(
            "docstring_gain",
            "nDCG@10 gained by indexing docstrings",
            "BM25 over all functions and classes: nDCG@10 of the targets with docstrings, less "
            "that with docstrings blanked.",
            unit="number",
            goal=FigureGoal("at most", 0.05),
        ),
        _observe_gain,
        mean,
    ),
    FigureMeasure(
        FigureText(
            "docstring_first",
            "a first docstring sentence alone puts a target first",
            "BM25 over nothing but the first sentence of every docstring: questions whose first "
            "hit is a target.",
            goal=FigureGoal("at most", 0.25),
        ),
        _observe_first_sentences,
        share,
    ),
)
