"""The design of a fixed number of trials and a threshold, with the errors that it makes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldwright.relevance.adaptive_design import (
    AdaptiveDesign,
    DesignSettings,
    DocumentFinding,
    JointFinding,
    StopReason,
    Trial,
)
from goldwright.relevance.relevance_verdict import Relevance

_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class FixedRule:
    """A number of trials, and the difference above which a document is called relevant.

    Attributes:
        trials: Of each task, at least 1.
        threshold: A difference of success rates, in [0, 1).
    """

    trials: int = 10
    threshold: float = 0.1


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
    generator = np.random.default_rng(seed)
    return generator.random((trials, documents)) < _EVEN


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
        with_it = succeeded[is_in]
        without_it = succeeded[~is_in]
        is_known = bool(len(with_it) and len(without_it))
        delta_p = 0.0
        if is_known:
            delta_p = float(with_it.mean() - without_it.mean())
        is_relevant = delta_p > threshold
        finding = FixedFinding(len(with_it), len(without_it), delta_p, is_relevant=is_relevant)
        findings.append(finding)
    return findings


class FixedDesign:
    """Draws all trials at even odds before the first one, and applies the rule to their outcomes.

    E-values and the account of how documents act together are those of the same trials, so that
    a reader sees how much evidence stands behind what the rule calls relevant.
    """

    def __init__(self, documents: int, rule: FixedRule, *, seed: int) -> None:
        """Draw the trials.

        Raises:
            ValueError: The pool is empty.
        """
        self._rule = rule
        self._included = draw_fixed_trials(documents, rule.trials, seed=seed)
        self._inclusion = np.full(documents, _EVEN)
        self._evidence = AdaptiveDesign(documents, DesignSettings(), seed=seed)
        self._outcomes: list[bool] = []
        self._proposed = 0

    @property
    def trials(self) -> int:
        """How many outcomes were recorded."""
        return len(self._outcomes)

    def propose(self) -> Trial:
        """Return the next trial.

        Raises:
            ValueError: There is none.
        """
        if self._proposed == self._rule.trials:
            raise ValueError("all trials were proposed")
        self._proposed += 1
        included = self._included[self._proposed - 1]
        return Trial(self._proposed, included, self._inclusion)

    def record(self, trial: Trial, *, succeeded: bool) -> None:
        """Take the outcome of a trial; trials are recorded in the order of their numbers.

        Raises:
            ValueError: The trial is not the next one.
        """
        self._evidence.record(trial, succeeded=succeeded)
        self._outcomes.append(succeeded)

    def selected(self) -> NDArray[np.bool_]:
        """Return the documents that the rule calls relevant: shape (documents,)."""
        return np.array([effect.is_relevant for effect in self._effects()])

    def stop_reason(self) -> StopReason | None:
        """Return why the search ends now, or None while it goes on."""
        return StopReason.FIXED if self.trials == self._rule.trials else None

    def findings(self) -> list[DocumentFinding]:
        """Return what the trials show of each document; `average_effect` is the rule's own."""
        findings = []
        for finding, effect in zip(self._evidence.findings(), self._effects(), strict=True):
            relevance = Relevance.RELEVANT if effect.is_relevant else Relevance.IRRELEVANT
            by_rule = replace(finding, relevance=relevance, average_effect=effect.delta_p)
            findings.append(by_rule)
        return findings

    def joint_finding(self) -> JointFinding:
        """Return the most probable account of which documents matter and how."""
        return self._evidence.joint_finding()

    def _effects(self) -> list[FixedFinding]:
        included = self._included[: self.trials]
        return analyse_fixed_trials(included, self._outcomes, threshold=self._rule.threshold)
