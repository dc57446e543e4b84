"""The adaptive design of `relevance` on pools whose truth is known: calls, errors, what is found.

Use: ``relevance_simulations.py clear mix flips --pools 1000 --seeds 101 102``. Pools are drawn and
tallied here; of the product only the design is used. CLEAR and MIX are workloads; in the others
only the error rate is promised, since the solver is none that the design has a hypothesis for.
Prints one line of JSON for a workload and seed.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import sin, tau

import numpy as np
from numpy.typing import NDArray

from goldwright.relevance.adaptive_design import AdaptiveDesign, DesignSettings, StopReason

Generator = np.random.Generator
Context = NDArray[np.bool_]
SuccessRate = Callable[[Context], float]


@dataclass(frozen=True)
class Pool:
    """A pool and a solver, made up.

    Attributes:
        documents: How many it holds.
        relevant: Those that raise success, in some context at least.
        kind: How they act together.
        rate: The probability of success with the documents of a context.
    """

    documents: int
    relevant: frozenset[int]
    kind: str
    rate: SuccessRate

    @property
    def sufficient_sets(self) -> set[tuple[int, ...]]:
        """The smallest sets that reach the full effect."""
        if self.kind == "either":
            return {(document,) for document in self.relevant}
        return {tuple(sorted(self.relevant))} if self.relevant else set()


_SIZES = {"nothing": 0, "one": 1, "either": 2, "both": 2, "adds up": 2}
_SHARES: Mapping[str, Callable[[int], float]] = {
    "nothing": lambda inside: 0.0,  # noqa: ARG005  # nothing depends on anything
    "one": float,
    "either": lambda inside: float(inside > 0),
    "both": lambda inside: float(inside == 2),
    "adds up": lambda inside: inside / 2,
}
_PAIRS = ("either", "both", "adds up")
_DOCUMENTS = 12


def _plant(generator: Generator, kind: str, without: float, with_them: float) -> Pool:
    documents = int(generator.integers(8, 21))
    members = [int(place) for place in generator.permutation(documents)[: _SIZES[kind]]]
    dilution = 0.01 * int(generator.integers(2))

    def rate(included: Context) -> float:
        inside = int(included[members].sum())
        distractors = int(included.sum()) - inside
        undiluted = without + _SHARES[kind](inside) * (with_them - without)
        return float(undiluted * (1 - dilution) ** distractors)

    return Pool(documents, frozenset(members), kind, rate)


def clear(generator: Generator) -> Pool:
    """Draw strong effects: of one document, or of a pair."""
    kind = generator.choice(["one", *_PAIRS[:2]], p=[0.65, 0.175, 0.175])
    return _plant(
        generator, str(kind), generator.uniform(0.02, 0.25), generator.uniform(0.80, 0.98)
    )


def mix(generator: Generator) -> Pool:
    """Draw effects from .35 on; of pairs that add up, each document has half of it."""
    third = 0.35 / 3
    kind = generator.choice(["nothing", "one", *_PAIRS], p=[0.10, 0.55, third, third, third])
    without = generator.uniform(0.02, 0.5)
    with_them = generator.uniform(max(without + 0.35, 0.6), 0.98)
    return _plant(generator, str(kind), without, with_them)


def flips(generator: Generator) -> Pool:
    """Draw as in MIX; one verdict in twenty is the wrong one."""
    pool = mix(generator)
    return Pool(
        pool.documents, pool.relevant, pool.kind, lambda shown: 0.05 + 0.9 * pool.rate(shown)
    )


def drift(generator: Generator) -> Pool:
    """Draw as in MIX; the solver gets better and worse by .15 as the trials go by."""
    pool, begin, trials = mix(generator), generator.uniform(0, tau), [0]

    def rate(shown: Context) -> float:
        trials[0] += 1
        return min(1.0, max(0.0, pool.rate(shown) + 0.15 * sin(trials[0] / 15 + begin)))

    return Pool(pool.documents, pool.relevant, pool.kind, rate)


def same_answers(generator: Generator) -> Pool:
    """Draw as in MIX; a context has one outcome for ever, as at temperature 0."""
    pool = mix(generator)
    outcomes: dict[bytes, float] = {}

    def rate(shown: Context) -> float:
        if shown.tobytes() not in outcomes:
            outcomes[shown.tobytes()] = float(generator.random() < pool.rate(shown))
        return outcomes[shown.tobytes()]

    return Pool(pool.documents, pool.relevant, pool.kind, rate)


def _special(generator: Generator, relevant: int, others: int, rate: SuccessRate) -> Pool:
    """Let `rate`, a function of the members of a context, decide; `others` lower success."""
    members = generator.permutation(_DOCUMENTS)[: relevant + others]
    found = frozenset(int(place) for place in members[:relevant])
    return Pool(_DOCUMENTS, found, "other", lambda shown: float(rate(shown[members])))


def harm(generator: Generator) -> Pool:
    """One document helps, three do harm."""
    return _special(generator, 1, 3, lambda a: max(0.0, 0.1 + 0.8 * a[0] - 0.25 * a[1:].sum()))


def crowding(generator: Generator) -> Pool:
    """Nothing helps, and every document does some harm."""
    return _special(generator, 0, _DOCUMENTS, lambda a: 0.8 - 0.6 * a.mean())


def five_alike(generator: Generator) -> Pool:
    """Five documents say the same."""
    return _special(generator, 5, 0, lambda a: 0.1 + 0.8 * a.any())


def one_or_two(generator: Generator) -> Pool:
    """One document is enough, or two others together."""
    return _special(generator, 3, 0, lambda a: 0.1 + 0.8 * (a[0] or (a[1] and a[2])))


def either_alone(generator: Generator) -> Pool:
    """Each of two helps without the other, and neither with it."""
    return _special(generator, 2, 0, lambda a: 0.1 + 0.8 * (a[0] != a[1]))


WORKLOADS: Mapping[str, Callable[[Generator], Pool]] = {
    draw.__name__: draw
    for draw in (
        clear,
        mix,
        flips,
        drift,
        same_answers,
        harm,
        crowding,
        five_alike,
        one_or_two,
        either_alone,
    )
}


@dataclass
class Tally:
    """What the design came to over the pools of a workload."""

    calls: list[int] = field(default_factory=list)
    false_shares: list[float] = field(default_factory=list)
    found: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    of_query: list[float] = field(default_factory=list)
    exact_sets: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    undecided: int = 0
    over_budget: int = 0
    nothing: list[bool] = field(default_factory=list)

    def add(self, pool: Pool, design: AdaptiveDesign) -> None:
        """Count one pool."""
        called = {int(place) for place in np.flatnonzero(design.selected())}
        is_found = [document in called for document in sorted(pool.relevant)]
        self.calls.append(design.trials)
        self.false_shares.append(len(called - pool.relevant) / max(1, len(called)))
        self.found[pool.kind] += is_found
        if is_found:
            self.of_query.append(sum(is_found) / len(is_found))
        if pool.kind in _SIZES:
            sets = set(design.joint_finding().sufficient_sets)
            self.exact_sets[pool.kind].append(sets == pool.sufficient_sets)
        verdicts = design.findings()
        self.undecided += sum(verdicts[place].relevance == "undecided" for place in pool.relevant)
        self.over_budget += design.stop_reason() is StopReason.BUDGET
        if design.stop_reason() is StopReason.NOTHING:
            self.nothing.append(bool(pool.relevant))

    def summary(self) -> dict[str, object]:
        """Return the figures, with standard errors where rates are promised."""
        found = [value for values in self.found.values() for value in values]
        return {
            "pools": len(self.calls),
            "calls": _mean_and_error(self.calls),
            "calls of nine in ten": float(np.quantile(self.calls, 0.9)),
            "false share": _mean_and_error(self.false_shares),
            "found of documents": [*_mean_and_error(found), len(found)],
            "found a query": _mean_and_error(self.of_query),
            "relevant left undecided": self.undecided,
            "found by kind": {
                kind: [*_mean_and_error(values), len(values)]
                for kind, values in self.found.items()
                if values
            },
            "sets by kind": {
                kind: [*_mean_and_error(values), len(values)]
                for kind, values in self.exact_sets.items()
            },
            "over budget": self.over_budget,
            "nothing said": [len(self.nothing), sum(self.nothing)],
        }


def _mean_and_error(values: list[int] | list[float] | list[bool]) -> list[float]:
    if not values:
        return []
    numbers = np.asarray(values, dtype=np.float64)
    error = numbers.std() / len(numbers) ** 0.5
    return [round(float(numbers.mean()), 4), round(float(error), 4)]


def play(name: str, pools: int, seed: int, settings: DesignSettings) -> dict[str, object]:
    """Search so many pools of a workload."""
    tally = Tally()
    for number in range(pools):
        generator = np.random.default_rng([seed, number])
        pool = WORKLOADS[name](generator)
        design = AdaptiveDesign(pool.documents, settings, seed=seed * 1_000_003 + number)
        while design.stop_reason() is None:
            trial = design.propose()
            is_success = generator.random() < pool.rate(trial.included)
            design.record(trial, succeeded=bool(is_success))
        tally.add(pool, design)
    return tally.summary()


def main() -> None:
    """Play the workloads that were named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads", nargs="*", choices=[*WORKLOADS, []], default=[])
    parser.add_argument("--pools", type=int, default=1000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[101])
    parser.add_argument("--budget", type=int, default=DesignSettings().budget)
    parser.add_argument("--missed", type=float, default=DesignSettings().missed)
    options = parser.parse_args()
    settings = DesignSettings(budget=options.budget, missed=options.missed)
    for name in options.workloads or WORKLOADS:
        for seed in options.seeds:
            summary = play(name, options.pools, seed, settings)
            print(json.dumps({"workload": name, "seed": seed, **summary}), flush=True)


if __name__ == "__main__":
    main()
