"""What is left of each pass and for how long; and who may compare the two reviewers."""

import pytest

from goldwright.records import HumanVerdict, ReviewPass, VerdictEvent
from goldwright.review.agreement_access import may_see_agreement
from goldwright.review.remaining_work import own_work_left, work_sentences
from units.review.batches import EASY, People, event, people


def ten() -> People:
    review = people({EASY: 10})
    review.draw(*(f"q{number}" for number in range(1, 11)))
    return review


def say(
    review: People,
    reviewer: str,
    sitting: ReviewPass,
    place: int,
    seconds: float,
    verdict: HumanVerdict = "correct",
) -> VerdictEvent:
    said = event(
        VerdictEvent,
        len(review.events) + 1,
        reviewer,
        query_id=f"q{place}",
        sitting=sitting,
        verdict=verdict,
        content=review.seen(f"q{place}", sitting),
        seconds=seconds,
    )
    review.events.append(said)
    return said


def left(review: People) -> list[str]:
    return list(work_sentences(review.check.work_left))


def test_time_is_the_median_of_this_person_and_a_guess_by_few_verdicts() -> None:
    review = ten()
    for place, seconds in enumerate((60, 60, 90, 120, 900), start=1):
        say(review, "Ada", "first", place, seconds)
    say(review, "Bob", "second", 1, 30)
    assert left(review) == [
        "first pass: 5 of 10 records left, about 8 minutes, by Ada's median of 5 (90 s a record)",
        (
            "second pass: 9 of 10 records left, about 4 minutes, "
            "a guess by Bob's median of 1 (30 s a record)"
        ),
    ]


def test_who_has_not_begun_is_guessed_from_everybody_and_nothing_is_made_up() -> None:
    review = ten()
    unknown = "10 of 10 records left; how long it takes is not known before the first verdict"
    assert left(review) == [f"first pass: {unknown}", f"second pass: {unknown}"]
    say(review, "Ada", "first", 1, 0.0)  # a script: it has no time
    assert left(review)[1] == f"second pass: {unknown}"
    say(review, "Ada", "first", 2, 60)
    guess = "about 10 minutes, a guess by everybody's median (60 s a record)"
    assert left(review)[1] == f"second pass: 10 of 10 records left, {guess}"


def test_settling_differences_is_work_that_is_left() -> None:
    review = ten()
    for place in range(1, 11):
        say(review, "Ada", "first", place, 60)
        say(review, "Bob", "second", place, 20, "minor_issue" if place < 4 else "correct")
    assert left(review) == [
        (
            "adjudication: 3 of 3 differences left, about 2 minutes, "
            "a guess by everybody's median (40 s a record)"
        )
    ]
    say(review, "Cleo", "adjudication", 1, 180)
    assert left(review) == [
        (
            "adjudication: 2 of 3 differences left, about 6 minutes, "
            "a guess by Cleo's median of 1 (180 s a record)"
        )
    ]
    for place in (2, 3):
        say(review, "Cleo", "adjudication", place, 180)
    assert left(review) == []


def test_what_is_left_of_a_blind_pass_is_the_same_whatever_the_other_said() -> None:
    alone, together = ten(), ten()
    for place in range(1, 8):
        say(together, "Ada", "first", place, 300, "wrong")
    for review in (alone, together):
        say(review, "Bob", "second", 1, 60)
    seen = [own_work_left(one.review_state, "second", "Bob") for one in (alone, together)]
    assert seen[0] == seen[1]
    nobody = [own_work_left(one.review_state, "second", "Dan") for one in (alone, together)]
    assert nobody[0] == nobody[1]
    assert nobody[0][0].minutes is None


def finished() -> People:
    review = ten()
    review.judge_both(f"q{number}" for number in range(1, 11))
    return review


@pytest.mark.parametrize("sitting", ["first", "second", "adjudication"])
def test_nobody_compares_before_a_sample_and_everybody_after_both_passes(
    sitting: ReviewPass,
) -> None:
    assert not may_see_agreement(people({EASY: 2}).review_state, sitting, "Zoe")
    assert may_see_agreement(finished().review_state, sitting, "Ada")


def test_while_a_blind_pass_is_open_only_an_adjudicator_of_others_compares() -> None:
    review = ten()
    review.judge("q1", "correct")
    review.judge("q1", "wrong", "second")
    for sitting in ("first", "second"):
        assert not may_see_agreement(review.review_state, sitting, "Zoe")
    assert may_see_agreement(review.review_state, "adjudication", "Cleo")
    for name in ("Ada", "Bob", "ada ", "BOB"):
        assert not may_see_agreement(review.review_state, "adjudication", name)


def test_a_verdict_that_is_taken_back_or_a_changed_text_closes_it_again() -> None:
    review = finished()
    last = review.events[-1]
    review.take_back(last)
    assert not may_see_agreement(review.review_state, "first", "Ada")
    review = finished()
    review.reword("q1", "Another narrative.")
    assert not may_see_agreement(review.review_state, "second", "Bob")


def test_a_canary_without_a_verdict_keeps_it_closed() -> None:
    review = people({EASY: 3})
    review.draw("q1", canaries=["q2"])
    review.judge_both(["q1"])
    assert not may_see_agreement(review.review_state, "first", "Ada")
    review.judge_both(["q2"], "wrong")
    assert may_see_agreement(review.review_state, "first", "Ada")
