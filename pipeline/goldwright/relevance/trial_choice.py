"""Which trial is worth the next call of the solver."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldwright.relevance.beliefs import Beliefs
from goldwright.relevance.hypotheses import MOST_MEMBERS, Floats, Integers

# A document with less weight than this stays out of random trials.
_LEAST_WEIGHT = 0.002

# Inclusion probabilities that are tried: few documents show what suffices alone, many show what is
# needed beside others.
_INCLUSION = (0.2, 0.35, 0.5, 0.65, 0.8)

# Random designs are valued by three draws, on the heaviest hypotheses: more changed no choice that
# mattered in simulation, and took longer.
_DRAWS = 3
_HEAVIEST = 400
_TINY = 1e-12


@dataclass(frozen=True)
class TrialDesign:
    """How a trial's documents are drawn.

    Attributes:
        inclusion: Shape (documents,): the probability of each document to be in, independently.
    """

    inclusion: Floats

    def draw(self, generator: np.random.Generator) -> NDArray[np.bool_]:
        """Draw the documents of a trial: shape (documents,)."""
        return generator.random(len(self.inclusion)) < self.inclusion


def choose_design(
    beliefs: Beliefs, confirmed: NDArray[np.bool_], generator: np.random.Generator
) -> TrialDesign:
    """Choose the design that promises most: about the hypotheses, and for the tests of documents.

    Args:
        beliefs: What the trials so far suggest.
        confirmed: Shape (documents,): documents whose relevance is already shown.
        generator: Draws examples of each random design.
    """
    active = ~confirmed & (beliefs.document_weights() > _LEAST_WEIGHT)
    designs = list(_designs(active, confirmed))
    shortlist = _Shortlist.of(beliefs, active)
    values = [shortlist.value(design, probability, generator) for design, probability in designs]
    # The first of equals, so that the choice does not hang on rounding of later ones.
    return designs[int(np.argmax(values))][0]


def _designs(
    active: NDArray[np.bool_], confirmed: NDArray[np.bool_]
) -> Iterator[tuple[TrialDesign, float]]:
    """Yield random designs with their probability, and certain ones with 0."""
    # Without the confirmed documents, substitutes show; with them, complements do.
    confirmed_odds = (0.0, 1.0) if confirmed.any() else (0.0,)
    for probability in _INCLUSION:
        for with_confirmed in confirmed_odds:
            inclusion = np.where(active, probability, 0.0)
            yield TrialDesign(np.where(confirmed, with_confirmed, inclusion)), probability
    for certain in (~confirmed, confirmed, np.ones_like(active), np.zeros_like(active)):
        yield TrialDesign(certain.astype(np.float64)), 0.0


@dataclass(frozen=True)
class _Shortlist:
    """The heaviest hypotheses, with what the value of a trial needs of them."""

    members: Integers
    levels: Integers
    weights: Floats
    rates: Floats
    is_active: NDArray[np.bool_]

    @classmethod
    def of(cls, beliefs: Beliefs, active: NDArray[np.bool_]) -> "_Shortlist":
        space = beliefs.space
        heaviest = np.argsort(-beliefs.weights, kind="stable")[:_HEAVIEST]
        weights = beliefs.weights[heaviest]
        rates = beliefs.weighted_rates[heaviest] / np.maximum(weights, _TINY)[:, None]
        return cls(
            members=space.members[heaviest],
            levels=space.levels[space.kinds[heaviest]],
            weights=weights / weights.sum(),
            rates=np.clip(rates, _TINY, 1 - _TINY),
            is_active=np.append(active, False)[space.members[heaviest]],
        )

    def value(
        self, design: TrialDesign, probability: float, generator: np.random.Generator
    ) -> float:
        """Value a design in nats: what it tells of hypotheses, and adds to documents' tests."""
        draws = [design.draw(generator) for _ in range(_DRAWS if probability else 1)]
        included = np.pad(np.array(draws), ((0, 0), (0, 1)))
        inside = included[:, self.members]
        counts = inside.sum(axis=2)
        information = self._information(counts)
        if not probability:
            return information
        return information + self._growth(counts, inside, probability)

    def _information(self, counts: Integers) -> float:
        rows = np.arange(len(self.weights))
        rates = self.rates[rows, self.levels[rows, counts]]
        told = _entropy(rates @ self.weights) - _entropy(rates) @ self.weights
        return float(told.mean())

    def _growth(self, counts: Integers, inside: NDArray[np.bool_], probability: float) -> float:
        gains = self._gains(probability)
        rows = np.arange(len(self.weights))[:, None]
        other_members = counts[:, :, None] - inside
        by_member = gains[rows, other_members] * self.is_active
        return float((by_member.sum(axis=2) @ self.weights).mean())

    def _gains(self, probability: float) -> Floats:
        """Return what an outcome tells of one member, by the number of other members in."""
        rows = np.arange(len(self.weights))[:, None]
        numbers = np.arange(MOST_MEMBERS + 1)
        without = self.rates[rows, self.levels[rows, numbers]]
        with_it = self.rates[rows, self.levels[rows, numbers + 1]]
        mixed = probability * with_it + (1 - probability) * without
        expected = probability * _entropy(with_it) + (1 - probability) * _entropy(without)
        return _entropy(mixed) - expected


def _entropy(rates: Floats) -> Floats:
    result: Floats = -(rates * np.log(rates) + (1 - rates) * np.log1p(-rates))
    return result
