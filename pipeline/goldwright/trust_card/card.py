"""The trust card of a dataset: every figure that needs no person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldwright.snapshot.codebase import SourceTree
from goldwright.trust_card.catalog import MEASURES
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import Figure, Measure, Observation


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
    def with_goal(self) -> tuple[Figure, ...]:
        """The figures of which a value is wanted."""
        return tuple(figure for figure in self.figures if figure.text.goal is not None)

    @property
    def missed(self) -> tuple[Figure, ...]:
        """The figures that surely miss their goal, those farthest from it first."""
        short = [figure for figure in self.figures if figure.verdict == "short"]
        return tuple(sorted(short, key=_by_shortfall))


def trust_card(records: Sequence[AnsweredQuery], tree: SourceTree) -> TrustCard:
    """Compute the trust card of records from their codebase; the same input gives the same card."""
    material = CardMaterial(records, tree)
    figures = [measure.figure(observations) for measure, observations in observe_all(material)]
    return TrustCard(len(records), tuple(figures))


def observe_all(material: CardMaterial) -> Iterator[tuple[Measure, list[Observation]]]:
    """Yield every measure with its observations; those of several datasets can be joined."""
    for measure in MEASURES:
        yield measure, list(measure.observe(material))


def _by_shortfall(figure: Figure) -> tuple[float, str]:
    return -figure.shortfall, figure.text.name
