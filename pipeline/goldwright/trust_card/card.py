"""The trust card of a dataset: every figure that needs no person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.file_guard import attempt, guarded
from goldwright.trust_card.catalog import MEASURES
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import Figure, FigureMeasure, Observation


@dataclass(frozen=True, slots=True)
class TrustCard:
    """The figures of a dataset.

    Attributes:
        records: How many records they were computed from.
        figures: The figures, in the order of the table.
    """

    records: int
    figures: tuple[Figure, ...]

    @property
    def missed(self) -> tuple[Figure, ...]:
        """The figures that surely miss what is wanted, in the order of the table."""
        return tuple(figure for figure in self.figures if figure.verdict == "short")


def trust_card(records: Sequence[AnsweredQuery], tree: SourceTree) -> TrustCard:
    """Compute the trust card of records from their codebase; the same input gives the same card."""
    material = CardMaterial(records, tree)
    observed_measures = observe_all(material)
    figures = [measure.figure(observations) for measure, observations in observed_measures]
    return TrustCard(len(records), tuple(figures))


def observe_all(material: CardMaterial) -> Iterator[tuple[FigureMeasure, list[Observation]]]:
    """Yield every measure with its observations; those of several datasets can be joined."""
    for measure in MEASURES:
        yield measure, _observations(measure, material)


def _observations(measure: FigureMeasure, material: CardMaterial) -> list[Observation]:
    """Take the observations of a measure; where that fails over a file, of the other records."""

    def observe(part: CardMaterial) -> list[Observation]:
        return list(measure.observe(part))

    def observe_one_by_one(_reason: str) -> list[Observation]:
        observations: list[Observation] = []
        for record in material.records:
            path, _ = split_entity_id(record.targets[0])
            observe_record = partial(observe, material.of_record(record))
            observations += guarded(
                material.tree, path, "measuring the trust card", observe_record, []
            )
        return observations

    return attempt(partial(observe, material), observe_one_by_one)
