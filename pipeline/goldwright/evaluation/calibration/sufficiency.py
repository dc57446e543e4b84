"""What an evaluation says of the sufficiency scores that a retriever gives itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.answers.answer_matching import LITERAL
from goldwright.evaluation.calibration.calibration_figures import Calibration, calibrate
from goldwright.evaluation.calibration.calibration_finding import describe_calibration
from goldwright.evaluation.calibration.calibration_phrases import bounds
from goldwright.evaluation.calibration.calibration_verdict import judge_calibration
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import EvaluationReport
from goldwright.stats.calibration_bias import ScoreBias
from goldwright.stats.calibration_error import CalibrationError
from goldwright.stats.certification import Certification
from goldwright.stats.isotonic import BrierParts
from goldwright.stats.roc import Discrimination
from goldwright.stats.routed_answers import RoutedAnswers

# A figure to print: its name and its value.
Figure = tuple[str, str]

# The sufficiency score from which a retriever is taken to answer by itself, unless one is named.
THRESHOLD: Final = 0.8
# Any fixed seed does; it makes the same report give the same figures.
SEED: Final = 0
# Without answers, a query counts as right when all it expects stands in the results that R@10 and
# nDCG@10 look at.
COMPLETE_WITHIN: Final = 10
CAVEAT: Final = (
    "Answers were matched literally, and right ones in other words count as wrong: "
    "the share of right answers is a lower bound, which cannot show over-confidence. "
    "Have a model judge them (--judge) before you act on this."
)
BY_RETRIEVAL: Final = (
    f"whether every expected entity was among the first {COMPLETE_WITHIN} results, "
    "for no answer was given"
)
# Smaller p-values are printed as "p < 0.001", since three decimals would round them to 0.
_SMALLEST_P: Final = 0.001


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """The sufficiency scores of a retriever, compared with the outcomes of their queries.

    Attributes:
        judged_by: Who or what decided which outcomes are right.
        scored: The queries that have a score.
        beyond: Those of them that reached the threshold without an outcome that could be judged.
        verdict: The verdict on the scores.
        finding: The verdict and its reasons, in plain words.
        calibration: The figures that they rest on.
    """

    judged_by: str
    scored: int
    beyond: int
    verdict: str
    finding: str
    calibration: Calibration

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures behind the finding, as names and values to print."""
        judged = self.calibration.n
        yield "queries with a score", f"{self.scored}, of which {judged} could be judged"
        yield from _routing_figures(self.calibration.routed)
        if self.calibration.bias:
            yield from _bias_figures(self.calibration.bias)
        yield from _discrimination_figures(self.calibration.discrimination)
        if self.calibration.error:
            yield from _error_figures(self.calibration.error)
        if self.calibration.brier:
            yield from _brier_figures(self.calibration.brier)
        yield from _certification_figures(self.calibration.certification)


def assess_sufficiency(
    report: EvaluationReport, *, threshold: float = THRESHOLD, target: float | None = None
) -> Sufficiency | None:
    """Compare sufficiency scores with the judged answers of a report.

    Where the report has no answers, scores are compared with what was retrieved.

    Args:
        report: The report of an evaluation.
        threshold: The score from which the retriever answers by itself, in 0..1.
        target: The rate of right answers that a threshold is sought for; the threshold by default.

    Returns:
        None where no query has a score.

    Raises:
        InputError: The threshold or the target is out of range.
    """
    points: list[tuple[float, bool]] = []
    unjudged_scores: list[float] = []
    for query in report.queries:
        score = query.sufficiency_score
        if score is None:
            continue
        is_right = _outcome(query, report)
        if is_right is None:
            unjudged_scores.append(score)
        else:
            points.append((score, is_right))
    scored = len(points) + len(unjudged_scores)
    if not scored:
        return None
    calibration = calibrate(points, threshold=threshold, target=target, seed=SEED)
    is_literal = report.judged_by == LITERAL
    beyond = sum(score >= threshold for score in unjudged_scores)
    return Sufficiency(
        judged_by=report.judged_by or BY_RETRIEVAL,
        scored=scored,
        beyond=beyond,
        verdict=judge_calibration(calibration, is_lower_bound=is_literal),
        finding=_finding(calibration, is_literal=is_literal),
        calibration=calibration,
    )


def _outcome(query: QueryScore, report: EvaluationReport) -> bool | None:
    """Whether the answer of a query, or else what was retrieved for it, is right."""
    if report.judged_by:
        return query.answer_correct
    ranks = query.expected.values()
    return all(rank is not None and rank <= COMPLETE_WITHIN for rank in ranks)


def _finding(calibration: Calibration, *, is_literal: bool) -> str:
    finding = describe_calibration(calibration, is_lower_bound=is_literal)
    # A lower bound on the share of right answers can show under-confidence, and nothing else.
    is_doubtful = judge_calibration(calibration) != "under-confident"
    if is_literal and is_doubtful:
        return f"{finding} {CAVEAT}"
    return finding


def _routing_figures(routed: RoutedAnswers) -> Iterator[Figure]:
    if routed.share is not None:
        name = f"answer_correctness@{routed.threshold:g}"
        interval = bounds(routed.interval)
        share = f"{routed.share:.3f} {interval}"
        answers = f"{routed.right} of {routed.n}"
        yield name, f"{share}, {answers}"


def _bias_figures(bias: ScoreBias) -> Iterator[Figure]:
    rates = f"{bias.mean_score:.3f}, {bias.rate:.3f}"
    p = _p_value(bias.p_value)
    yield "mean score, share right", f"{rates} ({p})"


def _discrimination_figures(discrimination: Discrimination) -> Iterator[Figure]:
    if discrimination.auroc is not None and discrimination.interval is not None:
        interval = bounds(discrimination.interval)
        area = f"{discrimination.auroc:.3f}"
        yield "AUROC", f"{area} {interval}"


def _error_figures(error: CalibrationError) -> Iterator[Figure]:
    null = error.plain_null
    by_chance = f"a calibrated score gives {null.mean:.3f}"
    bound = f"95 % below {null.high:.3f}"
    yield "ECE", f"{error.plain:.3f}; {by_chance} ({bound})"
    p = _p_value(error.p_value)
    yield "ECE², debiased", f"{error.squared:+.4f} ({p})"


def _brier_figures(brier: BrierParts) -> Iterator[Figure]:
    miscalibration = f"miscalibration {brier.miscalibration:.3f}"
    discrimination = f"discrimination {brier.discrimination:.3f}"
    uncertainty = f"uncertainty {brier.uncertainty:.3f}"
    parts = f"{miscalibration} - {discrimination} + {uncertainty}"
    yield "Brier score", f"{brier.score:.3f} = {parts}"


def _certification_figures(certification: Certification) -> Iterator[Figure]:
    name = f"threshold for {certification.target:g}"
    if certification.threshold is None:
        yield name, "none is certified"
        return
    threshold = f"{certification.threshold:.4g}"
    answers = f"{certification.right} of {certification.n}"
    yield name, f"{threshold} ({answers})"


def _p_value(value: float) -> str:
    if value < _SMALLEST_P:
        return "p < 0.001"
    return f"p = {value:.3f}"
