"""Pools whose truth is known, to see what a design finds before anybody pays for trials."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldwright.relevance.hypotheses import COMBINATIONS


@dataclass(frozen=True)
class PlantedWorld:
    """A pool and a solver, made up.

    Attributes:
        documents: How many documents the pool holds.
        relevant: The numbers of those that matter.
        combination: As in `COMBINATIONS`: "one", "either of two", …
        without: The success rate without what matters.
        with_them: The success rate with it.
        dilution: By which share each irrelevant document in the context lowers success.
    """

    documents: int
    relevant: tuple[int, ...]
    combination: str
    without: float
    with_them: float
    dilution: float = 0.0

    def success_rate(self, included: NDArray[np.bool_]) -> float:
        """Return the probability that the solver succeeds with these documents."""
        inside = 0
        if self.relevant:
            is_inside = included[list(self.relevant)]
            inside = int(is_inside.sum())
        share = _SHARES[self.combination](inside, len(self.relevant))
        lift = self.with_them - self.without
        rate = self.without + share * lift
        distractors = int(included.sum()) - inside
        return float(rate * (1 - self.dilution) ** distractors)


# How many documents matter, by how they act together.
SIZES = {kind.name: kind.members for kind in COMBINATIONS}
_EVEN = 0.5
# By which share an irrelevant document in the context lowers success.
_DILUTION = 0.01

_SHARES: dict[str, Callable[[int, int], float]] = {
    "nothing": lambda inside, size: 0.0,  # noqa: ARG005  # nothing depends on anything
    "one": lambda inside, size: inside / size,
    "either of two": lambda inside, size: float(inside > 0),  # noqa: ARG005  # one is enough
    "both of two": lambda inside, size: float(inside == size),
    "two that add up": lambda inside, size: inside / size,
    "any of three": lambda inside, size: float(inside > 0),  # noqa: ARG005  # one is enough
    "all of three": lambda inside, size: float(inside == size),
}


def clear_world(generator: np.random.Generator) -> PlantedWorld:
    """Draw a pool of 8 to 20 documents with a strong effect: the workload CLEAR."""
    documents = int(generator.integers(8, 21))
    pair = str(generator.choice(["either of two", "both of two"]))
    combination = "one" if generator.random() < 0.65 else pair
    without = generator.uniform(0.02, 0.25)
    with_them = generator.uniform(0.80, 0.98)
    return plant(generator, documents, combination, (without, with_them), is_diluted=None)


def mixed_world(generator: np.random.Generator) -> PlantedWorld:
    """Draw a pool with effects from .35 on, or none at all: the workload MIX."""
    documents = int(generator.integers(8, 21))
    place = generator.random()
    pairs = ["either of two", "both of two", "two that add up"]
    if place < 0.10:
        combination = "nothing"
    elif place < 0.65:
        combination = "one"
    else:
        combination = str(generator.choice(pairs))
    without = generator.uniform(0.02, 0.5)
    least_with_them = max(without + 0.35, 0.6)
    with_them = generator.uniform(least_with_them, 0.98)
    return plant(generator, documents, combination, (without, with_them), is_diluted=None)


def plant(
    generator: np.random.Generator,
    documents: int,
    combination: str,
    rates: tuple[float, float],
    *,
    is_diluted: bool | None = False,
) -> PlantedWorld:
    """Draw which documents of a pool matter.

    Args:
        generator: Draws them.
        documents: How many the pool holds.
        combination: How those that matter act together; a key of `SIZES`.
        rates: The success rates without and with them.
        is_diluted: Whether irrelevant documents lower success a little; drawn where it is None.
    """
    relevant = generator.choice(documents, size=SIZES[combination], replace=False)
    if is_diluted is None:
        is_diluted = bool(generator.random() < _EVEN)
    members = tuple(sorted(int(number) for number in relevant))
    dilution = _DILUTION if is_diluted else 0.0
    return PlantedWorld(documents, members, combination, *rates, dilution)


def planting(
    documents: int, combination: str, rates: tuple[float, float]
) -> Callable[[np.random.Generator], PlantedWorld]:
    """Return what draws pools that differ only in which documents matter; as `plant`."""

    def draw_world(generator: np.random.Generator) -> PlantedWorld:
        return plant(generator, documents, combination, rates)

    return draw_world
