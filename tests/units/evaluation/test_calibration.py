"""What is said of sufficiency scores: of data whose truth is known, and where there is hardly any."""

from collections.abc import Callable
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.evaluation.calibration import Calibration, Verdict, calibrate, finding, verdict

Points = list[tuple[float, bool]]
EDGES = st.sampled_from([0.0, 0.2, 0.5, 0.8, 0.95, 1.0])


def drawn(
    n: int, shape: tuple[float, float], chance: Callable[[float], float], seed: int = 4
) -> Points:
    """Scores of a beta distribution, each right with a chance that depends on it."""
    random = Random(seed)
    return [
        (score := random.betavariate(*shape), random.random() < chance(score)) for _ in range(n)
    ]


def of(points: Points, *, threshold: float = 0.8, target: float | None = None) -> Calibration:
    return calibrate(points, threshold=threshold, target=target, seed=1)


CASES: dict[str, tuple[Points, Verdict]] = {
    "calibrated": (drawn(200, (3, 1.2), lambda score: score), "well calibrated"),
    "too high": (drawn(200, (3, 1.2), lambda score: max(0.0, score - 0.2)), "over-confident"),
    "too low": (drawn(200, (2, 2), lambda score: min(1.0, score + 0.2)), "under-confident"),
    "too extreme": (drawn(400, (0.5, 0.5), lambda score: 0.3 + 0.4 * score), "over-confident"),
    "too timid": (
        drawn(400, (8, 8), lambda score: min(1.0, max(0.0, 3 * score - 1))),
        "miscalibrated",
    ),
    "a coin": (drawn(200, (8, 8), lambda _: 0.5, seed=1), "uninformative"),
    "all equal": ([(0.7, index % 10 < 7) for index in range(200)], "uninformative"),
    "turned round": (drawn(200, (2, 2), lambda score: 1 - score), "uninformative"),
    "few": (drawn(20, (3, 1.2), lambda score: score), "too little data"),
    "all right": ([(0.97 + index / 10_000, True) for index in range(60)], "too little data"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_kind_of_score_is_called_what_it_is(name: str) -> None:
    points, expected = CASES[name]
    found = of(points)
    assert verdict(found) == expected
    assert finding(found).startswith(f"{expected}: ")


def test_four_right_of_seven_do_not_show_over_confidence() -> None:
    """The case of the seeds: 0.571, which was read as over-confidence, lies in [0.18, 0.90]."""
    said = finding(of([(0.8, True)] * 4 + [(0.8, False)] * 3))
    assert said == (
        "too little data: 7 answers. No bias is shown (-0.23, p = 0.18). A bias of 0.15 would have been seen with a "
        "chance of less than 1 % only; about 60 answers would do. "
        "answer_correctness@0.8 = 0.571 [0.18, 0.90]: 4 of 7 routed; coverage 100 % of 7 answers. At a true rate of "
        "0.8 so few are right in 15 % of cases, so that alone does not show over-confidence."
    )


def test_over_confidence_says_to_raise_the_threshold_and_to_what() -> None:
    """Below 0.9 half of the answers are right, from there on 38 of 40."""
    points = [(0.8 + index / 1000, index % 2 == 0) for index in range(60)]
    points += [(0.9 + index / 1000, index not in (20, 30)) for index in range(40)]
    said = finding(of(points))
    assert said.startswith(
        "over-confident: of all 100 answers 68 are right (0.68), where the scores say 0.87 (bias -0.19"
    )
    best = of(points).certification
    assert best.threshold is not None
    assert (
        f"Raise the threshold to {best.threshold:.4g}: of the answers from there on {best.right} of {best.n}"
        in said
    )
    assert 0.8 < best.threshold <= 0.9
    assert best.right / best.n > 0.8


def test_without_a_certified_threshold_over_confidence_says_so() -> None:
    said = finding(of([(0.8 + index / 1000, index % 2 == 0) for index in range(60)]))
    assert (
        "Raise the threshold; to what cannot be said yet: no threshold is shown to keep a rate of 0.8"
        in said
    )
    assert "so a higher threshold may not help." in said
    few = finding(of([(0.9 + index / 1000, False) for index in range(10)]))
    assert "to show a rate of 0.8 takes 14 answers, all of them right, or more." in few


def test_where_a_certified_threshold_is_no_higher_the_present_one_can_stay() -> None:
    """Low scores promise too much here, high ones do not."""
    points = [(0.9 + index / 1000, index % 20 > 0) for index in range(60)]
    points += [(0.4 + index / 1000, False) for index in range(60)]
    said = finding(of(points))
    assert said.startswith("over-confident: ")
    assert "Still the threshold 0.8 can stay: " in said


def test_equal_scores_have_no_threshold_to_raise() -> None:
    said = finding(of([(0.9, index % 2 == 0) for index in range(100)]))
    assert "All scores are equal, so there is no threshold to raise." in said
    assert "At a true rate of 0.8 so few are right in less than 1 % of cases." in said


def test_under_confidence_says_how_far_the_threshold_can_go_down() -> None:
    points = [(0.3 + index / 1000, True) for index in range(100)] + [(0.1, False)] * 20
    said = finding(of(points))
    assert said.startswith("under-confident: of all 120 answers 100 are right")
    assert (
        "The threshold can be lowered to 0.3: of the answers from there on 100 of 100 are right"
        in said
    )
    assert said.endswith("answer_correctness@0.8: no answer has a score as high.")


def test_a_sure_score_that_is_wrong_is_told() -> None:
    points = [*CASES["calibrated"][0], (1.0, False), (0.0, True)]
    found = of(points)
    assert verdict(found) == "miscalibrated"
    assert "Scores of exactly 0 or 1 leave no doubt, yet 2 answers went against theirs." in finding(
        found
    )


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (
            [],
            "too little data: no answer has a score. answer_correctness@0.8: no answer has a score as high.",
        ),
        ([(0.9, False)], "too little data: 1 answer. No bias is shown (-0.90, p = 0.1). "),
        (
            [(0.9, True), (0.3, False)],
            "too little data: 2 answers. No bias is shown (-0.10, p = 0.8). ",
        ),
        ([(1.0, True)] * 2, "too little data: 2 answers. No bias is shown (+0.00, p = 1). "),
        (
            [(1.0, False)],
            "over-confident: of all 1 answers 0 are right (0.00), where the scores say 1.00 ",
        ),
    ],
)
def test_hardly_any_data_is_told_as_such(points: Points, expected: str) -> None:
    assert finding(of(points)).startswith(expected)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(EDGES, st.booleans()), max_size=24), EDGES)
def test_no_data_is_too_odd_for_something_true(points: Points, threshold: float) -> None:
    """Nothing breaks, and what is said of n and of the routed answers is what the points are."""
    found = calibrate(points, threshold=threshold, target=0.5, seed=1)
    said = finding(found)
    assert said.startswith(f"{verdict(found)}: ")
    routed = [right for score, right in points if score >= threshold]
    assert (f"{sum(routed)} of {len(routed)} routed" in said) == bool(routed)
    assert (found.routed_bias.n if found.routed_bias else 0) == found.routed.n == len(routed)
    assert not {"nan", "None", "inf"} & set(said.replace(",", " ").split())
    assert found == calibrate(points[::-1], threshold=threshold, target=0.5, seed=1)


def test_nothing_is_called_well_calibrated_that_could_not_have_been_found_out() -> None:
    """Of calibrated scores, 150 answers are enough to say so and 30 are not, whatever they look
    like.
    """
    for seed in range(8):
        assert verdict(of(drawn(30, (2, 2), lambda score: score, seed=seed))) != "well calibrated"
    enough = [verdict(of(drawn(150, (2, 2), lambda score: score, seed=seed))) for seed in range(8)]
    assert enough.count("well calibrated") >= 6


def test_calibrated_scores_are_seldom_called_over_or_under_confident() -> None:
    """Of 50 data sets of 30 answers 5 %, with three standard errors of room."""
    told = [verdict(of(drawn(30, (3, 1.2), lambda score: score, seed=seed))) for seed in range(50)]
    faults = sum(one in {"over-confident", "under-confident", "miscalibrated"} for one in told)
    assert faults <= 7


def test_the_target_is_the_threshold_unless_named() -> None:
    points = CASES["calibrated"][0]
    assert of(points, threshold=0.7).certification.target == 0.7
    assert of(points, threshold=0.7, target=0.9).certification.target == 0.9


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
def test_what_is_out_of_range_is_refused(
    points: Points, threshold: float, target: float | None, complaint: str
) -> None:
    with pytest.raises(InputError) as caught:
        calibrate(points, threshold=threshold, target=target, seed=1)
    assert str(caught.value) == complaint


def test_ten_thousand_answers_take_seconds() -> None:
    points = drawn(10_000, (3, 1.2), lambda score: score)
    before = process_time()
    found = of(points)
    assert process_time() - before < 10
    assert verdict(found) == "well calibrated"
