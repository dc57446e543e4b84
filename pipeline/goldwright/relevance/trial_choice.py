"""Which trial is worth the next call of the solver."""

from collections.abc import Sequence
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

# Random designs are valued by so many draws, on the heaviest hypotheses; half of the draws mirror
# the others, and all designs have the same ones, so that they differ by more than luck. In 2,000
# pools of the workload MIX that saves 4 trials of 98, beside three draws for each design.
_DRAWS = 4
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
    # Without the confirmed documents, substitutes show; with them, complements do.
    odds_of_confirmed = (0.0, 1.0) if confirmed.any() else (0.0,)
    random_designs = _random_designs(active, confirmed, odds_of_confirmed)
    certain_designs = _certain_designs(confirmed)
    shortlist = _Shortlist.of(beliefs, active)
    random_values = shortlist.values_of_random(random_designs, generator)
    certain_trials = np.array([design.inclusion > 0 for design in certain_designs])
    certain_values = shortlist.information(certain_trials)
    # The first of equals, so that the choice does not depend on rounding of later ones.
    values = [*random_values, *certain_values]
    best = int(np.argmax(values))
    return [*random_designs, *certain_designs][best]


def _random_designs(
    active: NDArray[np.bool_], confirmed: NDArray[np.bool_], odds_of_confirmed: Sequence[float]
) -> list[TrialDesign]:
    """Return the designs of each inclusion probability, one after the other."""
    designs = []
    for probability in _INCLUSION:
        of_others = np.where(active, probability, 0.0)
        for with_confirmed in odds_of_confirmed:
            inclusion = np.where(confirmed, with_confirmed, of_others)
            designs.append(TrialDesign(inclusion))
    return designs


def _certain_designs(confirmed: NDArray[np.bool_]) -> list[TrialDesign]:
    all_documents = np.ones_like(confirmed)
    no_documents = np.zeros_like(confirmed)
    choices = [~confirmed, confirmed, all_documents, no_documents]
    (shown_documents,) = np.nonzero(confirmed)
    # All of them but one tell documents that need one another from those that replace one another.
    if len(shown_documents) > 1:
        for document in shown_documents:
            other_documents = confirmed.copy()
            other_documents[document] = False
            choices.append(other_documents)
    return [TrialDesign(chosen.astype(np.float64)) for chosen in choices]


@dataclass(frozen=True)
class _Shortlist:
    """The heaviest hypotheses, with what the value of a trial needs of them.

    Attributes:
        members: Shape (hypotheses, 3).
        weights: Shape (hypotheses,): they sum to 1.
        rates: Shape (hypotheses, 4): the expected success rate by number of members in the trial.
        entropies: Shape (hypotheses, 4): how uncertain an outcome is at these rates.
        is_active: Shape (hypotheses, 3): whether a member is drawn at random.
    """

    members: Integers
    weights: Floats
    rates: Floats
    entropies: Floats
    is_active: NDArray[np.bool_]

    @classmethod
    def of(cls, beliefs: Beliefs, active: NDArray[np.bool_]) -> "_Shortlist":
        space = beliefs.space
        order = np.argsort(-beliefs.weights, kind="stable")
        heaviest = order[:_HEAVIEST]
        weights = beliefs.weights[heaviest]
        divisors = np.maximum(weights, _TINY)[:, None]
        by_level = beliefs.weighted_rates[heaviest] / divisors
        kinds = space.kinds[heaviest]
        levels = space.levels[kinds, : MOST_MEMBERS + 1]
        exact_rates = np.take_along_axis(by_level, levels, axis=1)
        rates = np.clip(exact_rates, _TINY, 1 - _TINY)
        members = space.members[heaviest]
        # No document, which fills the places of small hypotheses, is never drawn.
        is_active = np.append(active, False)[members]
        shares = weights / weights.sum()
        return cls(
            members=members,
            weights=shares,
            rates=rates,
            entropies=_entropy(rates),
            is_active=is_active,
        )

    def values_of_random(
        self, designs: Sequence[TrialDesign], generator: np.random.Generator
    ) -> Floats:
        """Value designs in nats: what they tell of hypotheses, and add to documents' tests.

        Args:
            designs: As many of each inclusion probability, one probability after the other.
            generator: Draws examples.
        """
        inclusion = np.array([design.inclusion for design in designs])
        documents = inclusion.shape[1]
        draws = generator.random((_DRAWS // 2, documents))
        draws = np.concatenate([draws, 1 - draws])
        is_shown = draws < inclusion[:, None, :]
        trials = is_shown.reshape(-1, documents)
        inside = self._inside(trials)
        counts = inside.sum(axis=2)
        repetitions = len(trials) // len(_INCLUSION)
        places = np.repeat(np.arange(len(_INCLUSION)), repetitions)
        growth = self._growth(inside, counts, places)
        values = self._information(counts) + growth
        values_by_design = values.reshape(len(designs), _DRAWS)
        means: Floats = values_by_design.mean(axis=1)
        return means

    def information(self, trials: NDArray[np.bool_]) -> Floats:
        """Return what the outcome of each trial tells of the hypotheses: shape (trials,)."""
        return self._information(self._inside(trials).sum(axis=2))

    def _inside(self, trials: NDArray[np.bool_]) -> NDArray[np.bool_]:
        filling = np.zeros((len(trials), 1), dtype=bool)
        shown_documents = np.hstack([trials, filling])
        inside: NDArray[np.bool_] = shown_documents[:, self.members]
        return inside

    def _information(self, counts: Integers) -> Floats:
        rows = np.arange(len(self.weights))
        mixed_rates = self.rates[rows, counts] @ self.weights
        mixed = _entropy(mixed_rates)
        entropies = self.entropies[rows, counts]
        information: Floats = mixed - entropies @ self.weights
        return information

    def _growth(self, inside: NDArray[np.bool_], counts: Integers, places: Integers) -> Floats:
        """Return what each trial is expected to add to the tests of documents that matter.

        Args:
            inside: Shape (trials, hypotheses, 3): whether a member is in the trial.
            counts: Shape (trials, hypotheses): how many are.
            places: Shape (trials,): the place of each trial's probability in `_INCLUSION`.
        """
        other_members = counts[:, :, None] - inside
        rows = np.arange(len(self.weights))[None, :, None]
        places_of_trials = places[:, None, None]
        gains = self._gains()[places_of_trials, rows, other_members]
        active_weights = self.is_active * self.weights[:, None]
        growth: Floats = np.einsum("thm,hm->t", gains, active_weights)
        return growth

    def _gains(self) -> Floats:
        """Return what an outcome tells of one member.

        Returns:
            Shape (probabilities, hypotheses, 3), the last one by the number of other members in.
        """
        probability = np.array(_INCLUSION)[:, None, None]
        without = self.rates[:, :-1]
        with_it = self.rates[:, 1:]
        mixed = probability * with_it + (1 - probability) * without
        entropies_with = self.entropies[:, 1:]
        entropies_without = self.entropies[:, :-1]
        expected = probability * entropies_with + (1 - probability) * entropies_without
        gains: Floats = _entropy(mixed) - expected
        return gains


def _entropy(rates: Floats) -> Floats:
    of_success = rates * np.log(rates)
    of_failure = (1 - rates) * np.log1p(-rates)
    entropy: Floats = -(of_success + of_failure)
    return entropy
