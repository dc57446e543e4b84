"""What may be true of a pool of documents: which of them matter, how they act together, how much.

A hypothesis names at most three documents that matter and how they combine. Its strength is a pair
of success rates: without them, and with them. Trials move weight between hypotheses; the weight
decides which trial is worth its call, and never by itself that a document is called relevant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# At most so many documents matter together in a hypothesis.
MOST_MEMBERS = 3

# Above so many documents, sets of three are left out: there are more than 10,000 of them, a trial
# would take longer to choose than to run, and e-values hold without them.
_MOST_FOR_TRIPLES = 40

# Success rates without and with what matters, denser where rates are common. Pairs closer than
# .20 are left out: nobody waits for the trials that would tell them apart.
_RATES_WITHOUT = (0.02, 0.07, 0.14, 0.22, 0.31, 0.42, 0.54, 0.68)
_RATES_WITH = (0.25, 0.38, 0.50, 0.61, 0.71, 0.80, 0.88, 0.95)
_LEAST_LIFT = 0.20
# Half of a lift below .35 is an effect that no budget of 500 trials shows.
_LEAST_ADDITIVE_LIFT = 0.35

# Levels: the success rate that a hypothesis expects of a trial is one of these four.
_WITHOUT, _WITH, _HALFWAY, _CONSTANT = range(4)


@dataclass(frozen=True)
class Combination:
    """How documents that matter act together.

    Attributes:
        name: As reports print it.
        members: How many documents matter.
        levels: The level of a trial with 0, 1, … of the members in it; the last one is repeated.
        prior: The weight of all hypotheses of this kind before the first trial.
    """

    name: str
    members: int
    levels: tuple[int, ...]
    prior: float


# Most tasks are settled by one document; pairs that replace, need or add to one another are as
# likely as each other, and three documents are rarer than two.
COMBINATIONS = (
    Combination("nothing", 0, (_CONSTANT,), 0.12),
    Combination("one", 1, (_WITHOUT, _WITH), 0.52),
    Combination("either of two", 2, (_WITHOUT, _WITH, _WITH), 0.09),
    Combination("both of two", 2, (_WITHOUT, _WITHOUT, _WITH), 0.09),
    Combination("two that add up", 2, (_WITHOUT, _HALFWAY, _WITH), 0.09),
    Combination("any of three", 3, (_WITHOUT, _WITH, _WITH, _WITH), 0.045),
    Combination("all of three", 3, (_WITHOUT, _WITHOUT, _WITHOUT, _WITH), 0.045),
)
_ADDITIVE = "two that add up"

EACH_IS_ENOUGH = ("either of two", "any of three")
"""The combinations in which one document reaches the full effect; in all others they all do."""


@dataclass(frozen=True)
class HypothesisSpace:
    """Every hypothesis about a pool of `documents` documents, as arrays over hypotheses.

    Attributes:
        documents: How many documents the pool holds, numbered from 0.
        members: Shape (hypotheses, 3): the documents that matter; `documents` fills empty places.
        kinds: Shape (hypotheses,): places in `COMBINATIONS`.
        rates: Shape (4, strengths): the success rate of each level under each strength.
        levels: Shape (kinds, 5): the level of a kind by the number of members in the trial.
        prior: Shape (hypotheses, strengths): weights that sum to 1.
    """

    documents: int
    members: Integers
    kinds: Integers
    rates: Floats
    levels: Integers
    prior: Floats

    def levels_of(self, included: NDArray[np.bool_]) -> Integers:
        """Return the level of every hypothesis for a trial.

        Args:
            included: Shape (documents + 1,); the last place is False.
        """
        counts = included[self.members].sum(axis=1)
        levels: Integers = self.levels[self.kinds, counts]
        return levels


def build_hypotheses(documents: int) -> HypothesisSpace:
    """Enumerate the hypotheses about a pool.

    Raises:
        ValueError: The pool is empty.
    """
    if documents < 1:
        raise ValueError("a pool holds at least one document")
    rates, is_strong = _strengths()
    used = [kind for kind in COMBINATIONS if _is_used(kind, documents)]
    total_prior = sum(kind.prior for kind in used)
    members, kinds, prior = [], [], []
    for kind in used:
        sets = list(_member_sets(documents, kind.members))
        set_count = len(sets)
        strengths = is_strong if kind.name == _ADDITIVE else np.ones_like(is_strong)
        share = kind.prior / total_prior / set_count / strengths.sum()
        members.extend(sets)
        kinds.extend([COMBINATIONS.index(kind)] * set_count)
        prior.extend([strengths * share] * set_count)
    member_table = np.array(members, dtype=np.int64)
    kind_numbers = np.array(kinds, dtype=np.int64)
    return HypothesisSpace(
        documents=documents,
        members=member_table,
        kinds=kind_numbers,
        rates=rates,
        levels=_level_table(),
        prior=np.array(prior),
    )


def _is_used(kind: Combination, documents: int) -> bool:
    is_too_many = kind.members == MOST_MEMBERS and documents > _MOST_FOR_TRIPLES
    return kind.members <= documents and not is_too_many


def _member_sets(documents: int, size: int) -> Iterator[Sequence[int]]:
    filling = (documents,) * (MOST_MEMBERS - size)
    for members in combinations(range(documents), size):
        yield (*members, *filling)


def _strengths() -> tuple[Floats, Floats]:
    """Return the rates of each level by strength, and 1 where a lift can be halved, else 0."""
    pairs = [
        (without, with_them)
        for without in _RATES_WITHOUT
        for with_them in _RATES_WITH
        if with_them - without >= _LEAST_LIFT
    ]
    without, with_them = np.array(pairs).T
    constant = np.linspace(0.02, 0.98, len(pairs))
    middle_rates = (without + with_them) / 2
    rates = np.stack([without, with_them, middle_rates, constant])
    is_strong = (with_them - without >= _LEAST_ADDITIVE_LIFT).astype(np.float64)
    return rates, is_strong


def _level_table() -> Integers:
    width = MOST_MEMBERS + 2
    rows = []
    for kind in COMBINATIONS:
        # The last level fills the row up.
        filling = kind.levels[-1:] * width
        row = (*kind.levels, *filling)
        rows.append(row[:width])
    return np.array(rows, dtype=np.int64)
