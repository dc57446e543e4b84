"""Agreement of two raters."""

import math
from random import Random

import pytest

from goldwright.stats.rater_agreement import compare_raters

PROPOSALS = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
PATIENTS = (
    [("psychotic", "psychotic")] * 75
    + [("psychotic", "neurotic")]
    + [("psychotic", "organic")] * 4
    + [("neurotic", "psychotic")] * 5
    + [("neurotic", "neurotic")] * 4
    + [("neurotic", "organic")]
    + [("organic", "organic")] * 10
)
PARADOX = [("+", "+")] * 118 + [("+", "-")] * 5 + [("-", "+")] * 2


def test_kappa_of_two_readers_of_fifty_proposals() -> None:
    agreement = compare_raters(PROPOSALS, ["yes", "no"], seed=1)
    assert (agreement.pairs, agreement.agreeing) == (50, 35)
    assert agreement.kappa == pytest.approx(0.4)  # (.7 - .5) / .5
    assert agreement.ac1 == pytest.approx(0.205 / 0.505)  # chance is 2 x .55 x .45
    assert agreement.remark is None


def test_kappa_of_three_diagnoses_in_the_textbook_of_fleiss() -> None:
    agreement = compare_raters(PATIENTS, ["psychotic", "neurotic", "organic"], seed=1)
    assert agreement.kappa == pytest.approx(0.23 / 0.34)  # (.89 - .66) / (1 - .66)
    assert agreement.ac1 == pytest.approx(
        0.720625 / 0.830625
    )  # chance is (.16 + .069375 + .109375) / 2


def test_where_one_category_rules_kappa_collapses_and_ac1_does_not() -> None:
    agreement = compare_raters(PARADOX, ["+", "-"], seed=1)
    assert agreement.kappa == pytest.approx(-20 / 855)
    assert agreement.ac1 == pytest.approx((0.944 - 0.054432) / 0.945568)


def test_a_category_that_nobody_used_counts_in_ac1_alone() -> None:
    agreement = compare_raters(PROPOSALS, ["yes", "no", "unsure"], seed=1)
    assert agreement.kappa == pytest.approx(0.4)
    assert agreement.ac1 == pytest.approx((0.7 - 0.2475) / 0.7525)


def test_one_category_throughout_leaves_kappa_undefined_and_says_why() -> None:
    agreement = compare_raters([("good", "good")] * 17, ["good", "bad"], seed=1)
    assert (agreement.kappa, agreement.kappa_interval) == (None, None)
    assert agreement.ac1 == 1.0
    assert agreement.remark is not None
    assert "every record into 'good'" in agreement.remark
    assert "17 of 17" in agreement.remark


def test_each_rater_with_a_category_of_their_own_has_a_kappa_of_nothing() -> None:
    agreement = compare_raters([("good", "bad")] * 6, ["good", "bad"], seed=1)
    assert (agreement.agreeing, agreement.kappa, agreement.ac1) == (0, 0.0, -1.0)


def test_without_pairs_nothing_is_measured() -> None:
    agreement = compare_raters([], ["good", "bad"], seed=1)
    assert (agreement.pairs, agreement.agreeing) == (0, 0)
    assert (agreement.kappa, agreement.kappa_interval, agreement.ac1, agreement.ac1_interval) == (
        None,
        None,
        None,
        None,
    )
    assert agreement.remark is not None
    assert "No record" in agreement.remark


def test_resamples_without_a_kappa_are_counted_when_they_are_many() -> None:
    pairs = [("good", "good")] * 8 + [("good", "bad"), ("bad", "bad")]
    remark = compare_raters(pairs, ["good", "bad"], seed=1).remark
    # A resample has no kappa when all its pairs are of the first kind: .8 ** 10 of them, or of the
    # last.
    assert remark is not None
    undefined = int(remark.removeprefix("Kappa is undefined in ").split(" of 2000 resamples")[0])
    assert 150 < undefined < 280


def test_full_agreement_warns_that_its_interval_shows_no_doubt() -> None:
    agreement = compare_raters(
        [("good", "good")] * 30 + [("bad", "bad")] * 30, ["good", "bad"], seed=1
    )
    assert agreement.kappa_interval == agreement.ac1_interval == (1.0, 1.0)
    assert agreement.remark is not None
    assert "without width" in agreement.remark


def test_the_intervals_are_as_wide_as_large_samples_have_them() -> None:
    agreement = compare_raters(PROPOSALS * 8, ["yes", "no"], seed=3)
    # Fleiss, Cohen and Everitt (1969): the standard error of this kappa is about .0448 at 400
    # pairs.
    assert agreement.kappa_interval == pytest.approx(
        (0.4 - 1.96 * 0.0448, 0.4 + 1.96 * 0.0448), abs=0.008
    )
    assert agreement.ac1_interval is not None
    assert agreement.ac1_interval[0] < 0.4059 < agreement.ac1_interval[1]


def test_more_confidence_takes_a_wider_interval() -> None:
    narrow = compare_raters(PROPOSALS, ["yes", "no"], seed=1, confidence=0.8).kappa_interval
    wide = compare_raters(PROPOSALS, ["yes", "no"], seed=1, confidence=0.99).kappa_interval
    assert narrow is not None
    assert wide is not None
    assert wide[0] < narrow[0] < 0.4 < narrow[1] < wide[1]


def test_the_order_of_the_records_makes_no_difference_and_the_seed_does() -> None:
    shuffled = Random(5).sample(PROPOSALS, len(PROPOSALS))
    assert compare_raters(shuffled, ["yes", "no"], seed=1) == compare_raters(
        PROPOSALS, ["yes", "no"], seed=1
    )
    intervals = {
        compare_raters(PROPOSALS, ["yes", "no"], seed=seed, draws=200).kappa_interval
        for seed in range(4)
    }
    assert len(intervals) > 1


def test_the_raters_may_change_places() -> None:
    swapped = compare_raters(
        [(second, first) for first, second in PATIENTS],
        ["neurotic", "organic", "psychotic"],
        seed=1,
    )
    assert swapped.kappa == pytest.approx(0.23 / 0.34)


@pytest.mark.parametrize(
    ("categories", "confidence", "draws", "complaint"),
    [
        (["yes"], 0.95, 10, "two or more"),
        (["yes", "no", "no"], 0.95, 10, "two or more"),
        (["yes", "perhaps"], 0.95, 10, "'no' is none"),
        (["yes", "no"], 1.0, 10, "between 0 and 1"),
        (["yes", "no"], math.nan, 10, "between 0 and 1"),
        (["yes", "no"], 0.95, 0, "a draw or more"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    categories: list[str], confidence: float, draws: int, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        compare_raters(PROPOSALS, categories, seed=1, confidence=confidence, draws=draws)
