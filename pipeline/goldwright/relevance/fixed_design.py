"""The design of a fixed number of trials and a threshold, with the errors that it makes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class FixedFinding:
    """What a fixed number of trials shows of a document.

    Attributes:
        trials_in: Trials with the document.
        trials_out: Trials without it.
        delta_p: Success rate with it less that without it; 0 where either has no trial.
        is_relevant: Whether `delta_p` is above the threshold.
    """

    trials_in: int
    trials_out: int
    delta_p: float
    is_relevant: bool


def draw_fixed_trials(documents: int, trials: int, *, seed: int) -> NDArray[np.bool_]:
    """Draw who is in each trial, at even odds: shape (trials, documents)."""
    return np.random.default_rng(seed).random((trials, documents)) < 0.5


def analyse_fixed_trials(
    included: NDArray[np.bool_], outcomes: Sequence[bool], *, threshold: float
) -> list[FixedFinding]:
    """Call a document relevant where success with it exceeds that without it by a threshold.

    That is the rule of a point estimate: with ten trials and a threshold of .1 it calls 28 to 37 of
    100 documents relevant that do nothing at all.

    Args:
        included: Shape (trials, documents).
        outcomes: By trial, whether it succeeded.
        threshold: A difference of success rates, in [0, 1).
    """
    succeeded = np.asarray(outcomes, dtype=np.float64)
    findings = []
    for is_in in included.T:
        with_it, without_it = succeeded[is_in], succeeded[~is_in]
        is_known = bool(len(with_it) and len(without_it))
        delta_p = float(with_it.mean() - without_it.mean()) if is_known else 0.0
        findings.append(
            FixedFinding(len(with_it), len(without_it), delta_p, is_relevant=delta_p > threshold)
        )
    return findings
