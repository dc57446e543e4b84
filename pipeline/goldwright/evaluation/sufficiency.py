"""What an evaluation says of the sufficiency scores that a retriever gives itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.answer_matching import LITERAL
from goldwright.evaluation.calibration import Calibration, calibrate
from goldwright.evaluation.calibration_finding import describe_calibration
from goldwright.evaluation.calibration_verdict import judge_calibration
from goldwright.evaluation.report import EvaluationReport, QueryScore
from goldwright.stats.calibration import CalibrationError
from goldwright.stats.certification import Certification, RoutedAnswers
from goldwright.stats.isotonic import BrierParts

# The sufficiency score from which on a retriever is taken to answer by itself, unless one is named.
THRESHOLD: Final = 0.8
# Any fixed seed does; it makes the same report give the same figures.
SEED: Final = 0
# Without answers, a query counts as right when all it expects stands in the results that R@10 and
# nDCG@10 look at.
COMPLETE_WITHIN: Final = 10
CAVEAT: Final = (
    "But answers were matched word by word, and right ones in other words count as wrong: "
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
    def figures(self) -> Iterator[tuple[str, str]]:
        """The figures behind the finding, as names and values to print."""
        figures = self.calibration
        yield "queries with a score", f"{self.scored}, of which {figures.n} could be judged"
        if figures.routed.share is not None:
            name = f"answer_correctness@{figures.routed.threshold:g}"
            yield name, _routed_text(figures.routed, figures.routed.share)
        if figures.bias:
            bias = figures.bias
            rates = f"{bias.mean_score:.3f}, {bias.rate:.3f}"
            yield "mean score, share right", f"{rates} ({_p_text(bias.p_value)})"
        discrimination = figures.discrimination
        if discrimination.auroc is not None and discrimination.interval is not None:
            low, high = discrimination.interval
            yield "AUROC", f"{discrimination.auroc:.3f} [{low:.2f}, {high:.2f}]"
        if figures.error:
            error = figures.error
            yield "ECE", _plain_error_text(error)
            yield "ECE², debiased", f"{error.squared:+.4f} ({_p_text(error.p_value)})"
        if figures.brier:
            yield "Brier score", _brier_text(figures.brier)
        certification = figures.certification
        yield f"threshold for {certification.target:g}", _threshold_text(certification)


def assess_sufficiency(
    report: EvaluationReport, *, threshold: float = THRESHOLD, target: float | None = None
) -> Sufficiency | None:
    """Compare sufficiency scores with the judged answers of a report.

    Where the report has no answers, scores are compared with what was retrieved.

    Args:
        report: The report of an evaluation.
        threshold: The score from which on the retriever answers by itself, in 0..1.
        target: The rate of right answers that a threshold is sought for; the threshold by default.

    Returns:
        None where no query has a score.

    Raises:
        InputError: The threshold or the target is out of range.
    """
    is_judged = bool(report.judged_by)
    points: list[tuple[float, bool]] = []
    scored = 0
    beyond = 0
    for query in report.queries:
        score = query.sufficiency_score
        if score is None:
            continue
        scored += 1
        is_right = query.answer_correct if is_judged else _is_complete(query)
        if is_right is not None:
            points.append((score, is_right))
        elif score >= threshold:
            beyond += 1
    if not scored:
        return None
    calibration = calibrate(points, threshold=threshold, target=target, seed=SEED)
    return Sufficiency(
        judged_by=report.judged_by or BY_RETRIEVAL,
        scored=scored,
        beyond=beyond,
        verdict=judge_calibration(calibration),
        finding=_finding(calibration, report.judged_by),
        calibration=calibration,
    )


def _is_complete(query: QueryScore) -> bool:
    ranks = query.expected.values()
    return all(rank is not None and rank <= COMPLETE_WITHIN for rank in ranks)


def _finding(calibration: Calibration, judged_by: str | None) -> str:
    finding = describe_calibration(calibration)
    # A lower bound on the share of right answers can show under-confidence, and nothing else.
    is_doubtful = judge_calibration(calibration) != "under-confident"
    if judged_by == LITERAL and is_doubtful:
        return f"{finding} {CAVEAT}"
    return finding


def _routed_text(routed: RoutedAnswers, share: float) -> str:
    low, high = routed.interval
    return f"{share:.3f} [{low:.2f}, {high:.2f}], {routed.right} of {routed.n}"


def _plain_error_text(error: CalibrationError) -> str:
    null = error.plain_null
    by_chance = f"a calibrated score gives {null.mean:.3f} (95 % below {null.high:.3f})"
    return f"{error.plain:.3f}; {by_chance}"


def _brier_text(brier: BrierParts) -> str:
    terms = (
        f"miscalibration {brier.miscalibration:.3f}",
        f"- discrimination {brier.discrimination:.3f}",
        f"+ uncertainty {brier.uncertainty:.3f}",
    )
    return f"{brier.score:.3f} = {' '.join(terms)}"


def _threshold_text(certification: Certification) -> str:
    if certification.threshold is None:
        return "none is certified"
    right_of_n = f"{certification.right} of {certification.n}"
    return f"{certification.threshold:.4g} ({right_of_n})"


def _p_text(p_value: float) -> str:
    if p_value < _SMALLEST_P:
        return "p < 0.001"
    return f"p = {p_value:.3f}"
