"""A sample that keeps the ceilings is not blessed when its reviewers prove nothing."""

from dataclasses import replace

import pytest

from goldwright.app.datasets.blessing_conditions import blessing_objections
from goldwright.review.caught_by_reviewers import CaughtCanaries
from goldwright.review.error_bounds import Bounds
from goldwright.review.spot_check import SpotCheck
from goldwright.review.unproven import reasons_of_doubt
from goldwright.stats.binomial import clopper_pearson

CLEAN = SpotCheck(
    outcome="holds",
    round=1,
    population=60,
    sampled=17,
    to_judge=21,
    judged={"first": 21, "second": 21},
    disputed=(),
    counts={"correct": 17, "minor_issue": 0, "major_issue": 0, "wrong": 0},
    ceilings=(),
    bounds=Bounds(0.95, 8, 13, 39, 38),
    agreement=None,
    differences=(),
    canaries=CaughtCanaries(4, 4, 4, clopper_pearson(4, 4)),
    reviewers={},
    missing=(),
    unproven=(),
    findings={},
    paces=(),
    own_adjudications=(),
    scripted=0,
)


def test_careful_reviewers_can_bless() -> None:
    assert not list(blessing_objections(CLEAN))


def _reasons(canaries: CaughtCanaries | None, bounds: Bounds | None) -> list[str]:
    return list(reasons_of_doubt(canaries, bounds, population=60))


@pytest.mark.parametrize(("kept_out", "is_refused"), [(0, True), (1, True), (2, False)])
def test_who_lets_most_canaries_pass_proves_nothing(kept_out: int, is_refused: bool) -> None:
    canaries = CaughtCanaries(4, kept_out, kept_out, clopper_pearson(kept_out, 4))
    reasons = _reasons(canaries, CLEAN.bounds)
    assert any("falsified answers pass" in reason for reason in reasons) == is_refused


@pytest.mark.parametrize(("corrected", "is_refused"), [(59, False), (60, True)])
def test_a_bound_that_allows_every_record_to_be_bad_is_none(
    corrected: int, is_refused: bool
) -> None:
    reasons = _reasons(CLEAN.canaries, Bounds(0.95, 8, 13, corrected, 38))
    assert any("the bound says nothing" in reason for reason in reasons) == is_refused


def test_without_canaries_and_bounds_nothing_is_doubted() -> None:
    assert not _reasons(None, None)


def test_a_sample_that_is_the_whole_batch_hides_no_canary_and_proves_nothing() -> None:
    """Whoever passes everything in a second would bless it, with nobody the wiser."""
    (reason,) = reasons_of_doubt(None, None, population=5, is_whole=True)
    assert "no record to hide a falsified answer in" in reason


def test_nothing_unproven_can_be_blessed() -> None:
    check = replace(CLEAN, outcome="unproven", unproven=("the bound says nothing",))
    assert list(blessing_objections(check)) == ["the bound says nothing"]


def test_nothing_is_said_of_canaries_before_everybody_has_spoken() -> None:
    check = replace(CLEAN, missing=("17 verdicts of a second reviewer",), unproven=("doubt",))
    assert list(blessing_objections(check)) == ["open: 17 verdicts of a second reviewer"]
