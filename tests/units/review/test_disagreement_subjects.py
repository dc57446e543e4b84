"""On what two reviewers differ: by part of the record, kind of difference, and verdicts."""

from collections.abc import Mapping
from typing import Any

import pytest

from goldwright.records import EditEvent, HumanVerdict, ReviewPass, VerdictEvent
from goldwright.review.disagreement_subjects import (
    Disagreement,
    Subject,
    confusion_of,
    prevalence_sentence,
    taxonomy_sentences,
)
from units.review.batches import EASY, SPEAKERS, People, event, people


def say(review: People, sitting: ReviewPass, verdict: HumanVerdict, **words: Any) -> None:
    said = event(
        VerdictEvent,
        len(review.events) + 1,
        SPEAKERS[sitting],
        query_id="q1",
        sitting=sitting,
        verdict=verdict,
        content=review.seen("q1", sitting),
        **words,
    )
    review.events.append(said)


def change(review: People, sitting: ReviewPass, field: str, after: object) -> None:
    seen = review.review_state.seen_by("q1", sitting)
    assert seen is not None
    edit = event(
        EditEvent,
        len(review.events) + 1,
        SPEAKERS[sitting],
        query_id="q1",
        sitting=sitting,
        content=seen.digest,
        field=field,
        before=seen.candidate.query_text if field == "query_text" else getattr(seen.answer, field),
        after=after,
        citations=seen.answer.fact_citations,
    )
    review.events.append(edit)


def begun() -> People:
    review = people({EASY: 2})
    review.draw("q1", "q2")
    return review


def only(review: People) -> Disagreement:
    (found,) = review.check.disagreements
    return found


@pytest.mark.parametrize(
    ("claim", "subject"),
    [
        ("entity-2", "entities"),
        ("fact-1", "facts"),
        ("not-fact-1", "must-nots"),
        ("range-1", "ranges"),
        ("narrative", "narrative"),
        ("file-1", "files"),
        ("question", "question"),
        ("tier", "tier"),
    ],
)
def test_a_claim_that_one_marked_and_the_other_did_not_names_the_part(
    claim: str, subject: Subject
) -> None:
    review = begun()
    say(review, "first", "correct")
    say(review, "second", "wrong", disputed=(claim,))
    assert (only(review).subjects, only(review).claims) == ((subject,), (claim,))
    assert list(taxonomy_sentences(review.check.disagreements)) == [f"{subject}: 1 (q1 at {claim})"]


@pytest.mark.parametrize("note", ["the wording of the question", "too easy for this tier"])
def test_what_differs_is_not_guessed_from_a_note(note: str) -> None:
    review = begun()
    say(review, "first", "correct")
    say(review, "second", "major_issue", note=note)
    assert only(review).subjects == ("unnamed",)


def test_the_same_claim_marked_by_both_leaves_only_how_grave_it_is() -> None:
    review = begun()
    say(review, "first", "minor_issue", disputed=("fact-1",))
    say(review, "second", "correct", disputed=("fact-1",))
    assert (only(review).subjects, only(review).severity) == (("unnamed",), "gravity")


@pytest.mark.parametrize(
    ("field", "subject"),
    [
        ("query_text", "question"),
        ("expected_entities", "entities"),
        ("expected_line_ranges", "ranges"),
        ("canonical_narrative", "narrative"),
    ],
)
def test_the_same_verdict_on_two_texts_is_a_difference_of_text(
    field: str, subject: Subject
) -> None:
    review = begun()
    emptied: Mapping[str, object] = {"expected_entities": (), "expected_line_ranges": ()}
    change(review, "first", field, emptied.get(field, "Another text."))
    say(review, "first", "minor_issue")
    say(review, "second", "minor_issue")
    assert (only(review).severity, only(review).subjects) == ("text", (subject,))


def test_a_record_that_differs_in_several_parts_stands_under_each() -> None:
    review = begun()
    review.reword("q1", "Another narrative.")
    say(review, "first", "minor_issue")
    say(review, "second", "wrong", disputed=("fact-1", "entity-1"))
    assert only(review).subjects == ("entities", "facts", "narrative")
    assert only(review).severity == "standing"


def test_who_agrees_or_has_not_spoken_differs_on_nothing_and_canaries_are_no_records() -> None:
    review = people({EASY: 3})
    review.draw("q1", "q2", canaries=["q3"])
    review.judge_both(["q1"])
    review.judge("q2", "wrong")
    review.judge("q3", "wrong")
    review.judge("q3", "correct", "second")
    assert review.check.disagreements == ()


def test_an_adjudicated_difference_stays_in_the_list_as_settled() -> None:
    review = begun()
    review.judge("q1", "correct")
    review.judge("q1", "minor_issue", "second")
    assert not only(review).is_settled
    review.judge("q1", "minor_issue", "adjudication")
    assert only(review).is_settled


def test_rows_are_the_first_reviewer_and_every_pair_is_counted_once() -> None:
    rows = confusion_of([("correct", "wrong"), ("correct", "correct"), ("correct", "wrong")])
    assert [(row.verdict, row.counts) for row in rows] == [
        ("correct", (1, 0, 0, 2)),
        ("minor_issue", (0, 0, 0, 0)),
        ("major_issue", (0, 0, 0, 0)),
        ("wrong", (0, 0, 0, 0)),
    ]
    assert prevalence_sentence(rows) == "Of the 6 verdicts of both 4 are “correct” (67%)."
    assert prevalence_sentence(confusion_of([])) is None
