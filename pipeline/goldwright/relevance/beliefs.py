"""Weights of hypotheses, moved by the outcomes of trials."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldwright.relevance.hypotheses import (
    COMBINATIONS,
    EACH_IS_ENOUGH,
    Floats,
    HypothesisSpace,
)

_TINY = 1e-300

_KINDS_EACH_ENOUGH = [
    place for place, kind in enumerate(COMBINATIONS) if kind.name in EACH_IS_ENOUGH
]

# A hypothesis below this weight is let go: no budget of trials would bring it back, and after some
# dozens of trials few are left to compute with. What e-values promise needs none of them.
_LEAST_WEIGHT = 1e-9


class Beliefs:
    """The weight of every hypothesis about a pool.

    Attributes:
        space: The hypotheses that are left; those of next to no weight are let go.
        weights: Shape (hypotheses,): they sum to 1.
    """

    def __init__(self, space: HypothesisSpace) -> None:
        """Start with the prior weights."""
        self.space = space
        self._joint = space.prior.copy()
        self._summarise()

    def _summarise(self) -> None:
        self.weights: Floats = self._joint.sum(axis=1)
        # Weight times expected rate, by hypothesis and level: all that a choice of trials needs.
        self.weighted_rates: Floats = self._joint @ self.space.rates.T

    def update(self, included: NDArray[np.bool_], *, succeeded: bool) -> None:
        """Move the weights by the outcome of a trial.

        Args:
            included: Shape (documents + 1,); the last place is False.
            succeeded: Whether the solver's answer was valid.
        """
        rates = self.space.rates
        likelihood = rates if succeeded else 1.0 - rates
        self._joint *= likelihood[self.space.levels_of(included)]
        weights = self._joint.sum(axis=1)
        is_kept = weights >= _LEAST_WEIGHT * weights.sum()
        # To copy the rest costs as much as to compute with some hypotheses too many.
        if 2 * np.count_nonzero(is_kept) < len(is_kept):
            self._keep(is_kept)
        self._joint /= max(self._joint.sum(), _TINY)
        self._summarise()

    def _keep(self, is_kept: NDArray[np.bool_]) -> None:
        space = self.space
        self.space = replace(
            space,
            members=space.members[is_kept],
            kinds=space.kinds[is_kept],
            prior=space.prior[is_kept],
        )
        self._joint = self._joint[is_kept]

    def document_weights(self) -> Floats:
        """Return, by document, the weight of the hypotheses in which it matters."""
        return self._sum_by_document(_for_each_member(self.weights))

    def weight_of_nothing(self) -> float:
        """Return the weight of the hypothesis that no document matters."""
        is_nothing = self.space.kinds == 0
        return float(self.weights[is_nothing].sum())

    def weight_outside(self, documents: NDArray[np.bool_]) -> float:
        """Return the weight of hypotheses in which some other document matters.

        Args:
            documents: Shape (documents,): True for those that are not "other".
        """
        is_inside = np.append(documents, True)
        is_wholly_inside = is_inside[self.space.members].all(axis=1)
        return float(self.weights[~is_wholly_inside].sum())

    def doubt_how(self, documents: NDArray[np.bool_]) -> float:
        """Return the weight of the less likely way in which these documents act together.

        Given that they and no others matter, each may be enough by itself, or they may need one
        another; the two ways share a weight of 1.

        Args:
            documents: Shape (documents,): True for those that matter.
        """
        space = self.space
        is_member = np.append(documents, False)[space.members]
        member_counts = is_member.sum(axis=1)
        sizes = (space.members < space.documents).sum(axis=1)
        count = int(documents.sum())
        is_of_these = (member_counts == count) & (sizes == count)
        is_enough = np.isin(space.kinds, _KINDS_EACH_ENOUGH) & is_of_these
        total = float(self.weights[is_of_these].sum())
        total_of_enough = float(self.weights[is_enough].sum())
        share = total_of_enough / max(total, _TINY)
        return min(share, 1 - share)

    def predict(self, included: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Predict the success of a trial with and without each document, were it one that matters.

        Args:
            included: Shape (documents + 1,); the last place is False.

        Returns:
            Two arrays by document: the success rate with it, and without it, everything else as in
            the trial, over the hypotheses in which the document matters.
        """
        space = self.space
        inside = included[space.members]
        members_inside = inside.sum(axis=1)[:, None]
        other_members = members_inside - inside
        rows = np.arange(len(space.kinds))[:, None]
        kinds = space.kinds[:, None]
        levels_with = space.levels[kinds, other_members + 1]
        with_it = self.weighted_rates[rows, levels_with]
        levels_without = space.levels[kinds, other_members]
        without_it = self.weighted_rates[rows, levels_without]
        total = np.maximum(self.document_weights(), _TINY)
        rates_with = self._sum_by_document(with_it) / total
        rates_without = self._sum_by_document(without_it) / total
        return rates_with, rates_without

    def _sum_by_document(self, values: Floats) -> Floats:
        size = self.space.documents
        members = self.space.members.ravel()
        sums = np.bincount(members, values.ravel(), minlength=size + 1)
        return sums[:size].astype(np.float64)

    def average_effects(self) -> Floats:
        """Return, by document, the expected effect on success when others are in at even odds.

        That is the `delta_p` of the seed's design: P(success | in) - P(success | out), with every
        other document in with probability 1/2.
        """
        space = self.space
        effects = np.zeros(len(space.kinds))
        for kind, size, levels in _kinds_with_members(space):
            of_kind = space.kinds == kind
            rates = self.weighted_rates[of_kind]
            other_count = size - 1
            steps = []
            for count in range(size):
                odds = _choose(other_count, count) / 2**other_count
                rates_below = rates[:, levels[count]]
                rates_above = rates[:, levels[count + 1]]
                rise = rates_above - rates_below
                steps.append(odds * rise)
            effects[of_kind] = np.sum(steps, axis=0)
        return self._sum_by_document(_for_each_member(effects))


def _for_each_member(values: Floats) -> Floats:
    """Repeat the value of each hypothesis for each of its members."""
    return np.repeat(values[:, None], 3, axis=1)


def _kinds_with_members(space: HypothesisSpace) -> list[tuple[int, int, NDArray[np.int64]]]:
    sizes = (space.members < space.documents).sum(axis=1)
    kinds = [int(kind) for kind in np.unique(space.kinds) if kind]
    described = []
    for kind in kinds:
        sizes_of_kind = sizes[space.kinds == kind]
        size = int(sizes_of_kind[0])
        described.append((kind, size, space.levels[kind]))
    return described


def _choose(total: int, count: int) -> int:
    # Sets hold three documents at most, so two others: 1, 1 1 or 1 2 1.
    return 2 if (total, count) == (2, 1) else 1
