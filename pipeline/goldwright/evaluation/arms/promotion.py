"""Whether an arm may become the default: over several repositories, and on each of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.evaluation.adjusted_differences import SIGNIFICANCE_LEVEL
from goldwright.stats.macro_mean import MacroMean, macro_mean
from goldwright.stats.max_t import max_t
from goldwright.stats.paired_comparison import PairedDifference, compare_pairs

# A repository on which an arm is shown to be worse by more than this stops it.
LARGEST_LOSS: Final = 0.02

Verdict = Literal["granted", "needs a person", "refused"]


@dataclass(frozen=True, slots=True)
class Promotion:
    """An arm held against the default.

    Attributes:
        candidate: The arm.
        default: The arm that it would replace.
        difference: The macro mean of the differences, candidate less default.
        by_repository: The paired comparison on each repository.
        p_value: Of the macro mean, by sign flips of queries within repositories.
        adjusted_p: The same over all candidates (max-T).
        smallest_detectable: The macro difference that these queries could have shown.
    """

    candidate: str
    default: str
    difference: MacroMean
    by_repository: Mapping[str, PairedDifference]
    p_value: float
    adjusted_p: float
    smallest_detectable: float | None

    @property
    def is_shown(self) -> bool:
        """Whether the difference is more than chance gives, over all candidates."""
        return self.adjusted_p < SIGNIFICANCE_LEVEL

    @property
    def below(self) -> tuple[str, ...]:
        """The repositories on which the candidate has the lower mean."""
        return tuple(name for name, pair in self.by_repository.items() if pair.mean < 0)

    @property
    def is_strict(self) -> bool:
        """The strict rule: at least the default on the aggregate and on every repository."""
        return self.difference.mean >= 0 and not self.below

    @property
    def is_non_inferior(self) -> bool:
        """The other reading: better on the aggregate, and shown to lose on no repository.

        The one-sided 95 % bound of the macro difference is above 0, and on no repository does the
        whole interval lie below -.02.
        """
        bound = self.difference.lower_bound
        if bound is None or bound <= 0:
            return False
        intervals = [pair.interval for pair in self.by_repository.values()]
        upper_bounds = [interval[1] for interval in intervals if interval is not None]
        return all(bound >= -LARGEST_LOSS for bound in upper_bounds)

    @property
    def verdict(self) -> Verdict:
        """Granted by the strict rule; with the other reading alone a person decides."""
        if self.is_strict and self.difference.mean > 0:
            return "granted"
        return "needs a person" if self.is_non_inferior else "refused"

    def reasons(self) -> Iterator[str]:
        """Say why, a sentence each."""
        mean = self.difference.mean
        if mean < 0:
            yield f"the macro average falls by {-mean:.3f}"
        elif mean == 0:
            yield "the macro average is the same"
        else:
            yield f"the macro average rises by {mean:.3f}"
        for name in self.below:
            fall = -self.by_repository[name].mean
            yield f"{name} falls by {fall:.3f}"
        if self.is_shown:
            yield f"shown beyond chance (p {self.adjusted_p:.4f} over all candidates)"
        else:
            yield f"not shown beyond chance (p {self.adjusted_p:.4f} over all candidates)"
        strict = "holds" if self.is_strict else "fails"
        other_verdict = "holds" if self.is_non_inferior else "fails"
        yield f"strict rule {strict}; non-inferiority {other_verdict}"


def judge_promotions(
    columns: Mapping[str, Mapping[str, Sequence[float]]], default: str, *, seed: int
) -> tuple[Promotion, ...]:
    """Hold every arm against the default.

    Args:
        columns: By arm and repository the values of the queries, in one order for all arms.
        default: The arm in place.
        seed: Chooses the draws of the permutation tests.
    """
    candidates = [arm for arm in columns if arm != default]
    default_columns = columns[default]
    differences = {arm: _differences(columns[arm], default_columns) for arm in candidates}
    weighted = {arm: _weighted(groups) for arm, groups in differences.items()}
    adjusted = max_t(weighted, seed=seed)
    promotions = []
    for arm, groups in differences.items():
        pooled = compare_pairs(weighted[arm], seed=seed)
        by_repository = {name: compare_pairs(group, seed=seed) for name, group in groups.items()}
        adjusted_p = max(adjusted[arm], pooled.p_value)
        promotion = Promotion(
            candidate=arm,
            default=default,
            difference=macro_mean(groups),
            by_repository=by_repository,
            p_value=pooled.p_value,
            adjusted_p=adjusted_p,
            smallest_detectable=pooled.smallest_detectable,
        )
        promotions.append(promotion)
    return tuple(promotions)


def _differences(
    candidate: Mapping[str, Sequence[float]], default: Mapping[str, Sequence[float]]
) -> dict[str, list[float]]:
    groups = {}
    for name, values in candidate.items():
        pairs = zip(values, default[name], strict=True)
        groups[name] = [new - old for new, old in pairs]
    return groups


def _weighted(groups: Mapping[str, Sequence[float]]) -> list[float]:
    """Weigh differences so that their mean over all queries is the macro mean.

    Flipping the signs of queries then tests the macro mean itself.
    """
    total = sum(map(len, groups.values()))
    weighted: list[float] = []
    for group in groups.values():
        weight = total / (len(groups) * len(group))
        weighted.extend(weight * difference for difference in group)
    return weighted
