"""Pools whose truth is known, to see what a design finds before anybody pays for trials."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
        inside = int(included[list(self.relevant)].sum()) if self.relevant else 0
        share = _SHARES[self.combination](inside, len(self.relevant))
        rate = self.without + share * (self.with_them - self.without)
        distractors = int(included.sum()) - inside
        return float(rate * (1 - self.dilution) ** distractors)


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
    return _planted(generator, documents, combination, (without, with_them))


def mixed_world(generator: np.random.Generator) -> PlantedWorld:
    """Draw a pool with effects from .35 on, or none at all: the workload MIX."""
    documents = int(generator.integers(8, 21))
    place = generator.random()
    pairs = ["either of two", "both of two", "two that add up"]
    combination = "nothing" if place < 0.10 else "one" if place < 0.65 else ""
    combination = combination or str(generator.choice(pairs))
    without = generator.uniform(0.02, 0.5)
    with_them = generator.uniform(max(without + 0.35, 0.6), 0.98)
    return _planted(generator, documents, combination, (without, with_them))


def _planted(
    generator: np.random.Generator,
    documents: int,
    combination: str,
    rates: tuple[float, float],
) -> PlantedWorld:
    sizes = {"nothing": 0, "one": 1}
    relevant = generator.choice(documents, size=sizes.get(combination, 2), replace=False)
    dilution = 0.01 if generator.random() < 0.5 else 0.0
    members = tuple(sorted(int(number) for number in relevant))
    return PlantedWorld(documents, members, combination, *rates, dilution)
