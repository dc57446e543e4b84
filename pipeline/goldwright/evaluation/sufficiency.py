"""What an evaluation says of the sufficiency scores that a retriever gives itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.answer_matching import LITERAL
from goldwright.evaluation.calibration import Calibration, calibrate, finding, verdict
from goldwright.evaluation.report import EvaluationReport, QueryScore

THRESHOLD: Final = 0.8
SEED: Final = 0
ENOUGH: Final = 10
CAVEAT: Final = (
    "But answers were matched word by word, and right ones in other words count as wrong: the share of right answers "
    "is a lower bound, which cannot show over-confidence. Have a model judge them (--judge) before you act on this."
)
BY_RETRIEVAL: Final = (
    f"whether every expected entity was among the first {ENOUGH} results, for no answer was given"
)


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """The scores held against what became of their queries.

    ``judged_by`` names what decided which are right, ``scored`` counts the queries that have a
    score, and ``beyond`` those among them that were routed without an answer that could be judged.
    """

    judged_by: str
    scored: int
    beyond: int
    verdict: str
    finding: str
    calibration: Calibration

    @property
    def figures(self) -> Iterator[tuple[str, str]]:
        """The figures behind the finding, by name."""
        one = self.calibration
        yield "queries with a score", f"{self.scored}, of which {one.n} could be judged"
        if one.routed.share is not None:
            low, high = one.routed.interval
            yield (
                f"answer_correctness@{one.routed.threshold:g}",
                f"{one.routed.share:.3f} [{low:.2f}, {high:.2f}], {one.routed.right} of {one.routed.n}",
            )
        if one.bias:
            yield (
                "mean score, share right",
                f"{one.bias.mean_score:.3f}, {one.bias.rate:.3f} ({_p(one.bias.p_value)})",
            )
        if one.discrimination.auroc is not None and one.discrimination.interval is not None:
            low, high = one.discrimination.interval
            yield "AUROC", f"{one.discrimination.auroc:.3f} [{low:.2f}, {high:.2f}]"
        if one.error:
            null = one.error.plain_null
            yield (
                "ECE",
                f"{one.error.plain:.3f}; a calibrated score gives {null.mean:.3f} (95 % below {null.high:.3f})",
            )
            yield "ECE², debiased", f"{one.error.squared:+.4f} ({_p(one.error.p_value)})"
        if one.brier:
            parts = one.brier
            off, told, unsure = parts.miscalibration, parts.discrimination, parts.uncertainty
            made_of = (
                f"miscalibration {off:.3f} - discrimination {told:.3f} + uncertainty {unsure:.3f}"
            )
            yield "Brier score", f"{parts.score:.3f} = {made_of}"
        best = one.certification
        name = f"threshold for {best.target:g}"
        yield (
            name,
            "none is certified"
            if best.threshold is None
            else f"{best.threshold:.4g} ({best.right} of {best.n})",
        )


def sufficiency(
    report: EvaluationReport, *, threshold: float = THRESHOLD, target: float | None = None
) -> Sufficiency | None:
    """Hold the sufficiency scores of a report against its answers, or where it has none, against
    what was retrieved.

    Returns:
        None where no query has a score.

    Raises:
        InputError: The threshold or the target is out of range.
    """
    scored = [one for one in report.queries if one.sufficiency_score is not None]
    if not scored:
        return None
    judged = {
        one.query_id: one.answer_correct if report.judged_by else _is_complete(one)
        for one in scored
    }
    points = [
        (one.sufficiency_score, right)
        for one in scored
        if one.sufficiency_score is not None and (right := judged[one.query_id]) is not None
    ]
    found = calibrate(points, threshold=threshold, target=target, seed=SEED)
    said = finding(found)
    if report.judged_by == LITERAL and verdict(found) != "under-confident":
        said = f"{said} {CAVEAT}"
    return Sufficiency(
        judged_by=report.judged_by or BY_RETRIEVAL,
        scored=len(scored),
        beyond=sum(
            judged[one.query_id] is None
            for one in scored
            if (one.sufficiency_score or 0.0) >= threshold
        ),
        verdict=verdict(found),
        finding=said,
        calibration=found,
    )


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _is_complete(one: QueryScore) -> bool:
    return all(place is not None and place <= ENOUGH for place in one.expected.values())
