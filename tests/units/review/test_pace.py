"""How long verdicts took, and who settled a difference that was their own."""

from goldwright.records import HumanVerdict, ReviewPass, VerdictEvent
from goldwright.review.folded_events import fold_review_events
from goldwright.review.pace import (
    own_adjudications,
    pace_sentences,
    review_paces,
)
from units.review.batches import NOW


def verdict(
    number: int,
    reviewer: str,
    sitting: ReviewPass,
    seconds: float,
    *,
    scripted: bool = False,
    given: HumanVerdict = "correct",
) -> VerdictEvent:
    return VerdictEvent(
        number=number,
        key=f"key-{number}",
        reviewer=reviewer,
        reviewed_at=NOW,
        scripted=scripted,
        query_id=f"q{(number - 1) % 3}",
        sitting=sitting,
        content="sha256:0",
        verdict=given,
        seconds=seconds,
    )


def test_a_pace_names_person_median_hurry_and_script() -> None:
    events = fold_review_events(
        [
            verdict(1, "Ada", "first", 60.0),
            verdict(2, "Ada", "first", 9.9),
            verdict(3, "Ada", "first", 30.0),
            verdict(4, "Bob", "second", 1.0, scripted=True),
        ]
    )
    ada, bob = review_paces(events)
    assert (ada.reviewer, ada.verdicts, ada.median_seconds, ada.hurried) == ("Ada", 3, 30.0, 1)
    assert (bob.sitting, bob.hurried, bob.scripted) == ("second", 1, 1)
    sentence = "Bob (second) gave 1 verdict, the median after 1 s; 1 came within 10 s; "
    assert pace_sentences((bob,)) == (f"{sentence}1 came from a script.",)


def test_who_settles_their_own_difference_is_told_whatever_they_call_themselves() -> None:
    events = fold_review_events(
        [
            verdict(1, "Ada Lovelace", "first", 20.0),
            verdict(4, "Bob", "second", 20.0, given="wrong"),
            verdict(7, "ada.lovelace", "adjudication", 20.0),
            verdict(2, "Ada Lovelace", "first", 20.0),
            verdict(8, "Cyd", "adjudication", 20.0),
        ]
    )
    assert own_adjudications(events) == ("q0",)
