"""Trials chosen one after another until every document is decided or the budget is spent."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from goldwright.relevance.beliefs import Beliefs
from goldwright.relevance.e_values import e_bh, log_betting_factors
from goldwright.relevance.hypotheses import (
    COMBINATIONS,
    EACH_IS_ENOUGH,
    Floats,
    build_hypotheses,
)
from goldwright.relevance.relevance_verdict import Relevance, relevance_of
from goldwright.relevance.trial_choice import choose_design


class StopReason(StrEnum):
    """Why no further trial is made."""

    DECIDED = "every document is decided"
    NOTHING = "no document matters"
    BUDGET = "the budget of trials is spent"
    FIXED = "all trials of the fixed design are made"


@dataclass(frozen=True)
class DesignSettings:
    """The error rates and the budget of a query.

    Attributes:
        alpha: The expected share of documents called relevant that are not, in (0, 1).
        missed: Stop when another relevant document is left with at most this probability.
        missed_by_nothing: Say that no document matters when one does with at most this probability.
        unsettled: Stop when documents that matter together are each enough, or needed beside one
            another, with all but this probability.
        budget: Most trials of a query.
        screening: Whether weights alone may call a document relevant: about a fifth fewer trials,
            and no guarantee that holds for every solver.
    """

    alpha: float = 0.05
    missed: float = 0.05
    # At .05 a pool without anything takes 30 trials more.
    missed_by_nothing: float = 0.10
    unsettled: float = 0.10
    # Half of a lift of .35, as of two documents that add up, takes some 400 trials to show.
    budget: int = 500
    screening: bool = False


# Screening: a document is called relevant above this weight, and the search stops when those
# below it hold so little weight together.
_SCREENING_WEIGHT = 0.90
_SCREENING_MISSED = 0.10


@dataclass(frozen=True)
class Trial:
    """One call of the solver.

    Attributes:
        number: From 1 on.
        included: Shape (documents,): the documents of its context.
        inclusion: Shape (documents,): the probability with which each was put in.
    """

    number: int
    included: NDArray[np.bool_]
    inclusion: Floats


@dataclass(frozen=True)
class DocumentFinding:
    """What the trials show of one document.

    Attributes:
        relevance: The verdict.
        log_e_value: The natural logarithm of the evidence that it matters.
        weight: The probability that it matters, under the hypotheses, in [0, 1].
        average_effect: Expected P(success | in) - P(success | out), others at even odds.
    """

    relevance: Relevance
    log_e_value: float
    weight: float
    average_effect: float


@dataclass(frozen=True)
class JointFinding:
    """Documents that matter together.

    Attributes:
        documents: Their numbers, rising.
        combination: How they act together, as in `COMBINATIONS`.
        weight: The probability of that, in [0, 1].
    """

    documents: tuple[int, ...]
    combination: str
    weight: float

    @property
    def sufficient_sets(self) -> tuple[tuple[int, ...], ...]:
        """The smallest sets that reach the full effect: alternatives, each enough by itself."""
        if self.combination in EACH_IS_ENOUGH:
            return tuple((document,) for document in self.documents)
        return (self.documents,) if self.documents else ()


class AdaptiveDesign:
    """Chooses trials for one query's pool, and says what they show.

    Whatever the solver does, of the documents called relevant an expected share of at most alpha is
    not: the e-value of a document that never raises success rises by chance alone, and e-BH selects
    among e-values at the moment of stopping. Weights of hypotheses choose trials and the moment;
    they change how many trials are needed and not what is promised. With a solver that answers the
    same context in the same way every time, a document may raise success in some contexts by
    accident; there the promise holds for documents that never do.
    """

    def __init__(self, documents: int, settings: DesignSettings, *, seed: int) -> None:
        """Prepare the first trial.

        Args:
            documents: How many documents the pool holds.
            settings: Error rates and budget.
            seed: Chooses the draws.

        Raises:
            ValueError: The pool is empty.
        """
        self._settings = settings
        self._generator = np.random.default_rng(seed)
        self._beliefs = Beliefs(build_hypotheses(documents))
        self._log_e_values: Floats = np.zeros(documents)
        self._confirmed = np.zeros(documents, dtype=bool)
        self._documents = documents
        self._proposed = 0
        self._recorded = 0

    @property
    def trials(self) -> int:
        """How many outcomes were recorded."""
        return self._recorded

    def propose(self) -> Trial:
        """Choose the next trial; several may be under way before their outcomes are recorded."""
        design = choose_design(self._beliefs, self._confirmed, self._generator)
        self._proposed += 1
        included = design.draw(self._generator)
        return Trial(self._proposed, included, design.inclusion)

    def record(self, trial: Trial, *, succeeded: bool) -> None:
        """Take the outcome of a trial; trials are recorded in the order of their numbers.

        Raises:
            ValueError: The trial is not the next one.
        """
        next_number = self._recorded + 1
        if trial.number != next_number:
            raise ValueError(f"trial {next_number} comes before trial {trial.number}")
        self._recorded = next_number
        included = np.append(trial.included, False)
        predicted_rates = self._beliefs.predict(included)
        factors = log_betting_factors(
            predicted_rates, trial.included, trial.inclusion, succeeded=succeeded
        )
        # A confirmed document's evidence is left as it was: a process stopped at a high value
        # keeps its promise, one that is looked at for its highest value would not.
        self._log_e_values += np.where(self._confirmed, 0.0, factors)
        self._beliefs.update(included, succeeded=succeeded)
        if self._settings.screening:
            self._confirmed = self.selected()
        else:
            bar = np.log(self._documents / self._settings.alpha)
            self._confirmed |= self._log_e_values >= bar

    def selected(self) -> NDArray[np.bool_]:
        """Return the documents that are called relevant now: shape (documents,)."""
        if self._settings.screening:
            return self._beliefs.document_weights() >= _SCREENING_WEIGHT
        return e_bh(self._log_e_values, alpha=self._settings.alpha)

    def stop_reason(self) -> StopReason | None:
        """Return why the search ends now, or None while it goes on."""
        selected = self.selected()
        missed = _SCREENING_MISSED if self._settings.screening else self._settings.missed
        is_decided = selected.any() and self._weight_of_rest(selected) < missed
        if is_decided and self._beliefs.doubt_how(selected) <= self._settings.unsettled:
            return StopReason.DECIDED
        nothing = self._beliefs.weight_of_nothing()
        if not selected.any() and nothing > 1 - self._settings.missed_by_nothing:
            return StopReason.NOTHING
        return StopReason.BUDGET if self._recorded >= self._settings.budget else None

    def _weight_of_rest(self, selected: NDArray[np.bool_]) -> float:
        if self._settings.screening:
            weights = self._beliefs.document_weights()
            return float(weights[~selected].sum())
        return self._beliefs.weight_outside(selected)

    def findings(self) -> list[DocumentFinding]:
        """Return what the trials show of each document, by its number."""
        weights = self._beliefs.document_weights()
        effects = self._beliefs.average_effects()
        selected = self.selected()
        figures = zip(selected, self._log_e_values, weights, effects, strict=True)
        findings = []
        for is_selected, evidence, weight, effect in figures:
            relevance = relevance_of(is_selected=bool(is_selected), weight=float(weight))
            finding = DocumentFinding(
                relevance=relevance,
                log_e_value=float(evidence),
                weight=float(weight),
                average_effect=float(effect),
            )
            findings.append(finding)
        return findings

    def joint_finding(self) -> JointFinding:
        """Return the most probable account of which documents matter and how.

        It holds every document that is called relevant, as long as these are at most three.
        """
        space, weights = self._beliefs.space, self._beliefs.weights
        is_selected = np.append(self.selected(), False)
        shown_counts = is_selected[space.members].sum(axis=1)
        is_most_shown = shown_counts == shown_counts.max()
        weights_of_most_shown = np.where(is_most_shown, weights, 0.0)
        heaviest = int(np.argmax(weights_of_most_shown))
        members = space.members[heaviest]
        # Places of a hypothesis that no document fills hold the number of documents.
        documents = [int(member) for member in members if member < space.documents]
        combination = COMBINATIONS[space.kinds[heaviest]]
        weight = float(weights[heaviest])
        return JointFinding(documents=tuple(documents), combination=combination.name, weight=weight)
