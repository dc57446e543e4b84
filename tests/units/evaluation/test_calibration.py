"""The finding on sufficiency scores: on data whose truth is known, and on hardly any data."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import share_of
from goldwright.errors import InputError
from goldwright.evaluation.calibration.calibration_figures import Calibration, calibrate
from goldwright.evaluation.calibration.calibration_finding import describe_calibration
from goldwright.evaluation.calibration.calibration_phrases import count_of, p_value, percent
from goldwright.evaluation.calibration.calibration_verdict import (
    Verdict,
    is_informative,
    is_inverted,
    judge_calibration,
    shown_bias,
)

Points = list[tuple[float, bool]]
EDGES = st.sampled_from([0.0, 0.2, 0.5, 0.8, 0.95, 1.0])


def drawn(
    n: int, shape: tuple[float, float], chance: Callable[[float], float], seed: int = 4
) -> Points:
    """Scores of a beta distribution, each right with a chance that depends on it."""
    random = Random(seed)
    points = []
    for _ in range(n):
        score = random.betavariate(*shape)
        points.append((score, random.random() < chance(score)))
    return points


def drawn_calibrated(n: int, shape: tuple[float, float], seed: int) -> Points:
    """Scores of a beta distribution, each right with the chance it states."""
    return drawn(n, shape, lambda score: score, seed=seed)


def calibrated(
    points: Points, *, threshold: float = 0.8, target: float | None = None
) -> Calibration:
    return _calibrated(tuple(points), threshold, target)


@cache
def _calibrated(
    points: tuple[tuple[float, bool], ...], threshold: float, target: float | None
) -> Calibration:
    """The cases are looked at by many tests, and computed once."""
    return calibrate(points, threshold=threshold, target=target, seed=1)


@cache
def well_calibrated() -> Calibration:
    """The calibrated scores, which many tests change."""
    return calibrated(CASES["calibrated"][0])


def finding(points: Points) -> str:
    return describe_calibration(calibrated(points))


def verdict(points: Points) -> Verdict:
    return judge_calibration(calibrated(points))


CASES: dict[str, tuple[Points, Verdict]] = {
    "calibrated": (drawn(200, (3, 1.2), lambda score: score), "well calibrated"),
    "too high": (drawn(200, (3, 1.2), lambda score: max(0.0, score - 0.2)), "over-confident"),
    "too low": (drawn(200, (2, 2), lambda score: min(1.0, score + 0.2)), "under-confident"),
    "too extreme": (drawn(400, (0.5, 0.5), lambda score: 0.3 + 0.4 * score), "over-confident"),
    "too timid": (
        drawn(400, (8, 8), lambda score: min(1.0, max(0.0, 3 * score - 1))),
        "miscalibrated",
    ),
    "a coin": (drawn(1500, (60, 60), lambda _: 0.5, seed=1), "uninformative"),
    "all equal": ([(0.7, index % 10 < 7) for index in range(200)], "uninformative"),
    "turned round": (drawn(200, (2, 2), lambda score: 1 - score), "uninformative"),
    "few": (drawn(20, (3, 1.2), lambda score: score), "these data cannot tell"),
    "all right": ([(0.97 + index / 10_000, True) for index in range(60)], "these data cannot tell"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_kind_of_score_is_called_what_it_is(name: str) -> None:
    points, expected = CASES[name]
    calibration = calibrated(points)
    assert judge_calibration(calibration) == expected
    assert describe_calibration(calibration).startswith(f"{expected}: ")


def test_four_right_of_seven_do_not_show_over_confidence() -> None:
    """The specification's case: 0.571, once read as over-confidence, lies in [0.18, 0.90]."""
    assert finding([(0.8, True)] * 4 + [(0.8, False)] * 3) == (
        "these data cannot tell: 7 answers. No bias is shown (-0.23, p = 0.18). "
        "A bias of 0.15 would have been seen with a chance of less than 1 % only; "
        "about 60 answers would do. "
        "answer_correctness@0.8 = 0.571 [0.18, 0.90]: 4 of 7 routed; coverage 100 % of 7 answers. "
        "At a true rate of 0.8 so few are right in 15 % of cases, so that alone does not show "
        "over-confidence."
    )


def test_over_confidence_says_to_raise_the_threshold_and_to_what() -> None:
    """Below 0.9 half of the answers are right, from there on 38 of 40."""
    points = [(0.8 + index / 1000, index % 2 == 0) for index in range(60)]
    points += [(0.9 + index / 1000, index not in (20, 30)) for index in range(40)]
    text = finding(points)
    assert text.startswith(
        "over-confident: of all 100 answers 68 are right (0.68), "
        "where the scores say 0.87 (bias -0.19"
    )
    certification = calibrated(points).certification
    assert certification.threshold is not None
    assert (
        f"Raise the threshold to {certification.threshold:.4g}: of the answers from there on "
        f"{certification.right} of {certification.n}"
    ) in text
    assert 0.8 < certification.threshold <= 0.9
    assert certification.right / certification.n > 0.8


def test_without_a_certified_threshold_over_confidence_says_so() -> None:
    many = finding([(0.8 + index / 1000, index % 2 == 0) for index in range(60)])
    assert (
        "Raise the threshold; to what cannot be said yet: "
        "no threshold is shown to keep a rate of 0.8"
    ) in many
    assert "so a higher threshold may not help." in many
    few = finding([(0.9 + index / 1000, False) for index in range(10)])
    assert "to show a rate of 0.8 takes 14 answers, all of them right, or more." in few


def test_where_a_certified_threshold_is_no_higher_the_present_one_can_stay() -> None:
    """Low scores promise too much here, high ones do not."""
    points = [(0.9 + index / 1000, index % 20 > 0) for index in range(60)]
    points += [(0.4 + index / 1000, False) for index in range(60)]
    text = finding(points)
    assert text.startswith("over-confident: ")
    assert "Still the threshold 0.8 can stay: " in text


def test_equal_scores_have_no_threshold_to_raise() -> None:
    text = finding([(0.9, index % 2 == 0) for index in range(100)])
    assert "All scores are equal, so there is no threshold to raise." in text
    assert "At a true rate of 0.8 so few are right in less than 1 % of cases." in text


def test_under_confidence_says_how_far_the_threshold_can_go_down() -> None:
    text = finding([(0.3 + index / 1000, True) for index in range(100)] + [(0.1, False)] * 20)
    assert text.startswith("under-confident: of all 120 answers 100 are right")
    assert (
        "The threshold can be lowered to 0.3: of the answers from there on 100 of 100 are right"
    ) in text
    assert "AUROC" not in text
    assert text.endswith("answer_correctness@0.8: no answer has a score as high.")


def test_under_confidence_of_scores_that_tell_nothing_apart_says_so() -> None:
    text = finding([(0.5 + index % 7 / 100, index % 10 > 0) for index in range(100)])
    assert text.startswith("under-confident: ")
    assert "AUROC is not shown to differ from 0.5" in text


def test_a_threshold_below_all_scores_cannot_be_lowered_to_route_more() -> None:
    points = [(0.3 + index / 1000, True) for index in range(100)]
    text = describe_calibration(calibrated(points, threshold=0.2))
    assert text.startswith("under-confident: ")
    assert "can be lowered" not in text


def test_answers_against_a_score_of_0_or_1_are_counted() -> None:
    points = [*CASES["calibrated"][0], (1.0, False), (0.0, True)]
    assert verdict(points) == "miscalibrated"
    refutation = "Scores of exactly 0 or 1 leave no doubt, yet 2 answers went against theirs."
    assert refutation in finding(points)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (
            [],
            (
                "these data cannot tell: no answer has a score. "
                "answer_correctness@0.8: no answer has a score as high."
            ),
        ),
        ([(0.9, False)], "these data cannot tell: 1 answer. No bias is shown (-0.90, p = 0.1). "),
        (
            [(0.9, True), (0.3, False)],
            "these data cannot tell: 2 answers. No bias is shown (-0.10, p = 0.8). ",
        ),
        ([(1.0, True)] * 2, "these data cannot tell: 2 answers. No bias is shown (+0.00, p = 1). "),
        (
            [(1.0, False)],
            "over-confident: of all 1 answers 0 are right (0.00), where the scores say 1.00 ",
        ),
    ],
)
def test_hardly_any_data_has_a_finding(points: Points, expected: str) -> None:
    assert finding(points).startswith(expected)


@given(st.lists(st.tuples(EDGES, st.booleans()), max_size=24), EDGES)
def test_no_data_is_too_odd_for_a_true_finding(points: Points, threshold: float) -> None:
    """Nothing breaks, and the counts of routed answers are those of the points."""
    calibration = calibrated(points, threshold=threshold, target=0.5)
    text = describe_calibration(calibration)
    assert text.startswith(f"{judge_calibration(calibration)}: ")
    routed = [right for score, right in points if score >= threshold]
    assert (f"{sum(routed)} of {len(routed)} routed" in text) == bool(routed)
    routed_with_bias = calibration.routed_bias.n if calibration.routed_bias else 0
    assert routed_with_bias == calibration.routed.n == len(routed)
    assert not {"nan", "None", "inf"} & set(text.replace(",", " ").split())
    assert calibration == calibrated(points[::-1], threshold=threshold, target=0.5)


def test_scores_are_called_well_calibrated_only_where_a_bias_would_have_been_found() -> None:
    """Of calibrated scores, 150 answers are enough to say so and 30 are not, whatever they look
    like.
    """
    for seed in range(8):
        assert verdict(drawn_calibrated(30, (2, 2), seed)) != "well calibrated"
    verdicts = [verdict(drawn_calibrated(150, (2, 2), seed)) for seed in range(8)]
    assert verdicts.count("well calibrated") >= 6


def test_calibrated_scores_are_seldom_called_over_or_under_confident() -> None:
    """Of data sets of 30 answers 5 %, with three standard errors of room."""
    faults = {"over-confident", "under-confident", "miscalibrated"}
    trials = share_of(50, suite=20)
    verdicts = [verdict(drawn_calibrated(30, (3, 1.2), seed)) for seed in range(trials)]
    found = [verdict for verdict in verdicts if verdict in faults]
    assert len(found) <= 0.05 * trials + 3 * sqrt(0.0475 * trials)


def test_the_target_is_the_threshold_unless_named() -> None:
    points = CASES["calibrated"][0]
    assert calibrated(points, threshold=0.7).certification.target == 0.7
    assert calibrated(points, threshold=0.7, target=0.9).certification.target == 0.9


@pytest.mark.parametrize(
    ("points", "threshold", "target", "complaint"),
    [
        ([(1.2, True)], 0.8, None, "calibration: point 1: wanted a score from 0 to 1; found 1.2"),
        ([], 1.2, None, "threshold: wanted a score from 0 to 1; found 1.2"),
        ([], float("nan"), 0.8, "threshold: wanted a score from 0 to 1; found nan"),
        (
            [],
            1.0,
            None,
            "target: wanted a rate between 0 and 1 to certify a threshold for; found 1.0",
        ),
    ],
)
def test_a_value_out_of_range_is_refused(
    points: Points, threshold: float, target: float | None, complaint: str
) -> None:
    with pytest.raises(InputError) as caught:
        calibrated(points, threshold=threshold, target=target)
    assert str(caught.value) == complaint


def test_of_thousands_of_answers_those_that_keep_to_their_score_are_well_calibrated() -> None:
    points = drawn(share_of(10_000, suite=2_000), (3, 1.2), lambda score: score)
    assert judge_calibration(calibrated(points)) == "well calibrated"


@pytest.mark.parametrize(
    ("points", "target", "complaint"),
    [([], 0.0, "found 0.0"), ([], 1.0, "found 1.0"), ([], -0.1, "found -0.1")],
)
def test_a_rate_of_0_or_1_cannot_be_certified(
    points: Points, target: float, complaint: str
) -> None:
    with pytest.raises(InputError, match=f"target: .* {complaint}"):
        calibrated(points, target=target)


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_may_be_0_or_1(threshold: float) -> None:
    assert calibrated([(1.0, True)], threshold=threshold, target=0.5).routed.n == 1


def test_the_present_threshold_stays_by_a_one_sided_bound() -> None:
    """Of 14 right answers in 14 the 95 % bound is 0.05 ** (1 / 14) = 0.807; of 13 it is 0.794."""
    low = [(0.4 + index / 1000, False) for index in range(60)]
    enough = finding([(0.9 + index / 1000, True) for index in range(14)] + low)
    assert (
        "Still the threshold 0.8 can stay: 14 of the 14 answers that it routes are right" in enough
    )
    assert "which shows a rate of 0.8 or more (one-sided 95 %)." in enough
    too_few = finding([(0.9 + index / 1000, True) for index in range(13)] + low)
    assert "Still the threshold" not in too_few


def test_the_finding_names_the_bins_of_its_calibration_test() -> None:
    text = describe_calibration(well_calibrated())
    bins = well_calibrated().error
    assert bins is not None
    assert f"Nor does the calibration test over {bins.bins} bins show any fault (p = " in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "p < 0.001"),
        (0.00099, "p < 0.001"),
        (0.001, "p = 0.001"),
        (0.0123, "p = 0.012"),
        (1.0, "p = 1"),
    ],
)
def test_a_p_value_has_two_digits_or_is_a_bound(value: float, text: str) -> None:
    assert p_value(value) == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.0, "0 %"),
        (0.0099, "less than 1 %"),
        (0.01, "1 %"),
        (0.5, "50 %"),
        (0.99, "99 %"),
        (0.9901, "more than 99 %"),
        (1.0, "100 %"),
    ],
)
def test_only_0_and_1_themselves_are_called_0_and_100_percent(chance: float, text: str) -> None:
    assert percent(chance) == text


def test_one_thing_is_counted_in_the_singular() -> None:
    assert [count_of(number, "answer") for number in (0, 1, 2)] == [
        "0 answers",
        "1 answer",
        "2 answers",
    ]


@pytest.mark.parametrize(
    ("interval", "informative", "inverted"),
    [
        ((0.51, 0.9), True, False),
        ((0.5, 0.9), False, False),
        ((0.1, 0.5), False, False),
        ((0.1, 0.49), False, True),
        (None, False, False),
    ],
)
def test_a_score_is_informative_or_inverted_where_its_interval_leaves_out_one_half(
    interval: tuple[float, float] | None, informative: bool, inverted: bool
) -> None:
    calibration = well_calibrated()
    changed = replace(
        calibration, discrimination=replace(calibration.discrimination, interval=interval)
    )
    assert is_informative(changed) is informative
    assert is_inverted(changed) is inverted


def with_p_values(*, bias: float, routed: float, error: float) -> Calibration:
    """Give calibrated scores other p-values than they have."""
    calibration = well_calibrated()
    assert calibration.bias is not None
    assert calibration.routed_bias is not None
    assert calibration.error is not None
    return replace(
        calibration,
        bias=replace(calibration.bias, p_value=bias),
        routed_bias=replace(calibration.routed_bias, p_value=routed),
        error=replace(calibration.error, p_value=error),
    )


@pytest.mark.parametrize(
    ("bias", "routed", "error", "shown"),
    [
        (0.04, 1.0, 1.0, "all"),
        (0.041, 0.05, 0.01, "routed"),
        (0.041, 0.051, 0.01, None),
        (0.041, 0.05, 0.011, None),
    ],
)
def test_a_bias_is_shown_at_4_percent_or_of_routed_answers_beside_an_error_that_is_shown(
    bias: float, routed: float, error: float, shown: str | None
) -> None:
    calibration = with_p_values(bias=bias, routed=routed, error=error)
    biases = {"all": calibration.bias, "routed": calibration.routed_bias, None: None}
    assert shown_bias(calibration) is biases[shown]


@pytest.mark.parametrize(
    ("error", "power", "expected"),
    [
        (0.01, 0.9, "miscalibrated"),
        (0.011, 0.8, "well calibrated"),
        (0.011, 0.79, "these data cannot tell"),
    ],
)
def test_scores_are_well_calibrated_where_a_bias_would_show_four_times_in_five(
    error: float, power: float, expected: Verdict
) -> None:
    calibration = with_p_values(bias=1.0, routed=1.0, error=error)
    assert judge_calibration(replace(calibration, bias_power=power)) == expected


@pytest.mark.parametrize(
    ("upper", "expected"), [(0.549, "uninformative"), (0.55, "these data cannot tell")]
)
def test_scores_are_uninformative_where_a_helpful_discrimination_is_ruled_out(
    upper: float, expected: Verdict
) -> None:
    calibration = with_p_values(bias=1.0, routed=1.0, error=1.0)
    vague = replace(calibration.discrimination, interval=(0.4, upper))
    # Even where an AUROC of 0.7 would nearly always have shown.
    changed = replace(calibration, discrimination=vague, discrimination_power=0.99)
    assert judge_calibration(changed) == expected


def test_calibrated_scores_are_hardly_ever_called_uninformative() -> None:
    """Scores that differ little discriminate little, and that is no fault of theirs."""
    trials = share_of(60, suite=16)
    verdicts = [verdict(drawn_calibrated(60, (12, 12), seed)) for seed in range(trials)]
    # Four or more of 60 have a probability of 3 % where the rate is 2 %; three of 16, of 0.4 %.
    assert verdicts.count("uninformative") < share_of(4, suite=3)


@pytest.mark.parametrize(("bias", "expected"), [(-0.2, "over-confident"), (0.2, "under-confident")])
def test_the_sign_of_a_shown_bias_says_which_way_scores_are_wrong(
    bias: float, expected: Verdict
) -> None:
    calibration = with_p_values(bias=0.01, routed=1.0, error=1.0)
    assert calibration.bias is not None
    changed = replace(calibration, bias=replace(calibration.bias, bias=bias))
    assert judge_calibration(changed) == expected


def test_a_finding_of_well_calibrated_scores_tells_what_would_have_been_seen() -> None:
    calibration = calibrated(CASES["calibrated"][0])
    assert calibration.bias is not None
    right = round(calibration.bias.rate * calibration.n)
    text = describe_calibration(calibration)
    assert text.startswith(
        f"well calibrated: of all 200 answers {right} are right ({calibration.bias.rate:.2f}), "
        f"where the scores say {calibration.bias.mean_score:.2f} (p = "
    )
    assert "a bias of 0.15 would have been seen with a chance of more than 99 %." in text
    assert " AUROC is 0." in text


def test_a_finding_of_uninformative_scores_says_that_no_threshold_helps() -> None:
    text = finding(CASES["a coin"][0])
    assert "AUROC is not shown to differ from 0.5: 0." in text
    assert "and shown to be below 0.55." in text
    assert "No threshold helps with such a score." in text
    equal = finding(CASES["all equal"][0])
    assert equal.startswith("uninformative: all scores are equal. No bias is shown (")
    assert "No threshold helps with such a score." in equal


def test_a_finding_of_inverted_scores_says_so() -> None:
    text = finding(CASES["turned round"][0])
    assert "the scores are turned round, for wrong answers have higher ones (AUROC is 0." in text
    assert "not shown to differ" not in text


@pytest.mark.parametrize(("is_right", "word"), [(True, "right"), (False, "wrong")])
def test_where_all_answers_are_alike_nothing_is_said_of_discrimination(
    is_right: bool, word: str
) -> None:
    score = 0.97 if is_right else 0.03
    text = finding([(score + index / 10_000, is_right) for index in range(20)])
    assert f"All answers are {word}, so nothing can be said of how the score tells" in text


def test_a_finding_of_few_answers_tells_how_likely_discrimination_would_have_shown() -> None:
    text = finding(CASES["few"][0])
    assert "; one of 0.7 would have been told from that with a chance of " in text


def test_a_finding_of_miscalibrated_scores_names_the_test_and_the_curve() -> None:
    text = finding(CASES["too timid"][0])
    assert "the scores do not keep what they say (calibration test over " in text
    assert "See where the curve leaves its band." in text


def test_where_right_answers_may_count_as_wrong_over_confidence_is_withheld() -> None:
    points = [(0.8 + index / 1000, index % 2 == 0) for index in range(60)]
    text = describe_calibration(calibrated(points), is_lower_bound=True)
    assert text.startswith("withheld: of all 60 answers 30 are right")
    assert (
        "That would be over-confidence if all the others were wrong, but right answers may be "
        "among them. answer_correctness@0.8"
    ) in text
