"""Which verdicts were changed when everybody could see what the sample had shown."""

import pytest

from goldwright.records import (
    AnyReviewEvent,
    HumanVerdict,
    ReviewPass,
    SampledRecord,
    SampleEvent,
    UndoEvent,
    VerdictEvent,
)
from goldwright.review.late_changes import count_late_changes
from units.review.batches import event

Said = tuple[str, ReviewPass, HumanVerdict]
WHOLE: tuple[Said, ...] = (
    ("q1", "first", "correct"),
    ("q2", "first", "wrong"),
    ("q1", "second", "correct"),
    ("q2", "second", "correct"),
)


def sample(number: int, *query_ids: str) -> SampleEvent:
    drawn = tuple(SampledRecord(query_id=name, content="digest") for name in query_ids)
    return event(SampleEvent, number, "Ada", round=1, population=drawn, drawn=drawn)


def verdict(number: int, said: Said) -> VerdictEvent:
    query_id, sitting, given = said
    about = {"query_id": query_id, "sitting": sitting, "content": "digest"}
    return event(VerdictEvent, number, "Ada", **about, verdict=given)


def log_of(*said: Said) -> list[AnyReviewEvent]:
    return [sample(1, "q1", "q2"), *(verdict(n, each) for n, each in enumerate(said, start=2))]


def test_what_is_changed_before_all_is_said_is_not_late() -> None:
    log = log_of(WHOLE[0], ("q1", "first", "wrong"), *WHOLE[1:])
    assert count_late_changes(log) == 0


@pytest.mark.parametrize("given", ["correct", "wrong"])
def test_another_verdict_behind_the_last_one_is_late(given: HumanVerdict) -> None:
    assert count_late_changes(log_of(*WHOLE, ("q2", "second", given))) == 1


def test_a_verdict_that_is_taken_back_and_given_again_is_counted_once_it_is_taken_back() -> None:
    log = log_of(*WHOLE)
    log.append(event(UndoEvent, 6, "Ada", undoes=log[-1].key))
    assert count_late_changes(log) == 1
    # It is open again, but what the sample showed has been seen.
    log.append(verdict(7, ("q2", "second", "wrong")))
    assert count_late_changes(log) == 1


def test_a_difference_that_is_settled_is_no_change() -> None:
    assert count_late_changes(log_of(*WHOLE, ("q2", "adjudication", "wrong"))) == 0


def test_a_record_that_was_taken_out_holds_nothing_up() -> None:
    log = [sample(1, "q1", "q2", "q3"), *log_of(*WHOLE)[1:]]
    log.append(verdict(6, ("q1", "first", "wrong")))
    assert count_late_changes(log) == 1


def test_a_larger_sample_is_seen_when_all_of_it_is_judged() -> None:
    log = log_of(*WHOLE)
    log.append(sample(6, "q3"))
    further: tuple[Said, ...] = (
        ("q3", "first", "correct"),
        ("q1", "first", "wrong"),
        ("q3", "second", "correct"),
        ("q3", "second", "wrong"),
    )
    log.extend(verdict(number, said) for number, said in enumerate(further, start=7))
    assert count_late_changes(log) == 1
