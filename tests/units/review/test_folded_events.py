"""The laws by which people's events become what holds now."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import DamagedStateError
from goldwright.journal import ReviewLog
from goldwright.journal.review_log import chain_event
from goldwright.records import (
    AnyReviewEvent,
    DecisionEvent,
    EditEvent,
    ReviewPass,
    SampleEvent,
    UndoEvent,
    VerdictEvent,
)
from goldwright.review.folded_events import ReviewEvents, fold_review_events
from units.review.batches import event as make_event

IDS = ("q1", "q2")
KINDS = ("verdict", "edit", "decision", "undo", "sample")
Step = tuple[str, str, str, str, int]

steps = st.tuples(
    st.sampled_from(KINDS),
    st.sampled_from(IDS),
    st.sampled_from(("first", "second", "adjudication")),
    st.sampled_from(("Ada", "Bob")),
    st.integers(0, 30),
)


def said(number: int, step: Step) -> AnyReviewEvent:
    """Make the event of a step; the last part of a step varies what it says, and what an undo takes
    back.
    """
    kind, query_id, sitting, who, turn = step
    about = {"query_id": query_id, "sitting": sitting, "content": f"digest-{turn % 3}"}
    if kind == "verdict":
        return make_event(
            VerdictEvent,
            number,
            who,
            **about,
            verdict=("correct", "minor_issue", "wrong")[turn % 3],
        )
    if kind == "edit":
        texts = {"before": "old", "after": f"text {turn}", "citations": ()}
        return make_event(EditEvent, number, who, **about, field="canonical_narrative", **texts)
    if kind == "decision":
        return make_event(
            DecisionEvent, number, who, **about, decision=("keep", "drop", "retry")[turn % 3]
        )
    if kind == "undo":
        return make_event(UndoEvent, number, who, undoes=f"key-{turn % max(number, 1)}")
    drawn = ({"query_id": query_id, "content": "digest-0"},)
    return make_event(SampleEvent, number, who, round=1 + turn % 2, population=drawn, drawn=drawn)


def events_of(steps_taken: Sequence[Step]) -> tuple[AnyReviewEvent, ...]:
    """Make events of steps, numbered from 1, as a file would hold them."""
    chain, events = "", []
    for number, step in enumerate(steps_taken, start=1):
        events.append(chain_event(said(number, step), after=chain))
        chain = events[-1].chain
    return tuple(events)


stories = st.lists(steps, max_size=16).map(events_of)


def without_last(words: ReviewEvents) -> ReviewEvents:
    """Leave out how far each record's numbers have come."""
    return replace(words, last_numbers={})


@given(stories, st.integers(0, 16))
def test_reading_a_beginning_and_then_the_rest_is_reading_it_all(
    events: tuple[AnyReviewEvent, ...], cut: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "human_reviews.jsonl"
        lines = [event.as_json() + "\n" for event in events]
        path.write_text("".join(lines[:cut]))
        reader = ReviewLog(path)
        reader.refresh()
        assert fold_review_events(reader.events) == fold_review_events(events[:cut])
        path.write_text("".join(lines))
        assert reader.refresh() is bool(events[cut:])
        assert fold_review_events(reader.events) == fold_review_events(events)


@given(stories, st.data())
def test_what_is_taken_back_leaves_no_trace_but_its_number_and_that_it_was_late(
    events: tuple[AnyReviewEvent, ...], data: st.DataObject
) -> None:
    sayable = [
        event for event in events if isinstance(event, VerdictEvent | EditEvent | DecisionEvent)
    ]
    if not sayable:
        return
    gone = data.draw(st.sampled_from(sayable))
    undone = make_event(UndoEvent, len(events) + 1, undoes=gone.key)
    after = fold_review_events((*events, undone))
    never = fold_review_events([event for event in events if event is not gone])
    never.late_changes = after.late_changes
    assert without_last(after) == without_last(never)
    assert after.last_numbers[(gone.query_id, gone.sitting)] == len(events) + 1


@given(stories)
def test_taking_back_an_undo_or_a_sample_changes_nothing_at_all(
    events: tuple[AnyReviewEvent, ...],
) -> None:
    before = fold_review_events(events)
    for event in events:
        if isinstance(event, UndoEvent | SampleEvent):
            assert (
                fold_review_events(
                    (*events, make_event(UndoEvent, len(events) + 1, undoes=event.key))
                )
                == before
            )


@given(stories)
def test_an_event_that_is_taken_back_twice_is_gone_once(events: tuple[AnyReviewEvent, ...]) -> None:
    for event in events:
        once = make_event(UndoEvent, len(events) + 1, undoes=event.key)
        twice = make_event(UndoEvent, len(events) + 2, undoes=event.key)
        assert without_last(fold_review_events((*events, once, twice))) == without_last(
            fold_review_events((*events, once))
        )


@given(stories)
def test_every_word_raises_the_number_of_its_record_and_sitting_alone(
    events: tuple[AnyReviewEvent, ...],
) -> None:
    for cut, event in enumerate(events):
        before, after = (
            fold_review_events(events[:cut]).last_numbers,
            fold_review_events(events[: cut + 1]).last_numbers,
        )
        moved = {case for case in after if after[case] != before.get(case, 0)}
        if isinstance(event, VerdictEvent | EditEvent | DecisionEvent):
            assert moved == {(event.query_id, event.sitting)}
            assert after[(event.query_id, event.sitting)] == event.number
        else:
            assert len(moved) <= 1
            assert all(after[case] == event.number for case in moved)


@given(
    stories, st.sampled_from(("Ada", "Bob")), st.sampled_from(("first", "second", "adjudication"))
)
def test_taking_back_again_and_again_ends_where_the_person_said_nothing(
    events: tuple[AnyReviewEvent, ...], who: str, sitting: ReviewPass
) -> None:
    own_events = [
        event
        for event in events
        if getattr(event, "sitting", None) == sitting and event.reviewer == who
    ]
    other_events = [event for event in events if event not in own_events]
    story = list(events)
    for _ in range(len(own_events) + 1):
        last = fold_review_events(story).undoable_by(who, sitting)
        if last is None:
            break
        story.append(make_event(UndoEvent, len(story) + 1, who, undoes=last.key))
    assert fold_review_events(story).undoable_by(who, sitting) is None
    assert without_last(fold_review_events(story)) == without_last(fold_review_events(other_events))


def test_a_later_verdict_replaces_an_earlier_one_of_its_sitting_alone() -> None:
    events = events_of(
        [
            ("verdict", "q1", "first", "Ada", 0),
            ("verdict", "q1", "second", "Bob", 1),
            ("verdict", "q1", "first", "Ada", 2),
            ("verdict", "q2", "first", "Ada", 1),
        ]
    )
    steps_taken = {
        case: given.verdict for case, given in fold_review_events(events).verdicts.items()
    }
    assert steps_taken == {
        ("q1", "first"): "wrong",
        ("q1", "second"): "minor_issue",
        ("q2", "first"): "minor_issue",
    }
    back = (*events, make_event(UndoEvent, 5, "Ada", undoes="key-3"))
    assert fold_review_events(back).verdicts[("q1", "first")].verdict == "correct"


def test_a_later_decision_replaces_an_earlier_one() -> None:
    events = events_of(
        [("decision", "q1", "first", "Ada", 0), ("decision", "q1", "first", "Bob", 1)]
    )
    assert fold_review_events(events).decisions["q1"].decision == "drop"


def test_the_first_sample_of_a_round_holds_and_a_later_round_replaces_it() -> None:
    first, again, later = events_of(
        [
            ("sample", query_id, "first", "Ada", turn)
            for query_id, turn in (("q1", 0), ("q2", 0), ("q2", 1))
        ]
    )
    assert fold_review_events((first, again)).sampled == ("q1",)
    assert fold_review_events((first, later)).sampled == ("q2",)
    assert fold_review_events((later, first)).sampled == ("q2",)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"key": "key-1"}, "stands twice"),
        ({"number": 3}, "in the place of 2"),
        ({"number": 1}, "in the place of 2"),
    ],
)
def test_a_key_or_a_number_that_is_not_its_own_is_damage(
    tmp_path: Path, changed: dict[str, object], what: str
) -> None:
    first, second = events_of(
        [("verdict", "q1", "first", "Ada", 0), ("verdict", "q2", "first", "Ada", 0)]
    )
    path = tmp_path / "human_reviews.jsonl"
    lines = (first.as_json(), second.model_copy(update=changed).as_json())
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(DamagedStateError, match=what):
        ReviewLog(path).refresh()
