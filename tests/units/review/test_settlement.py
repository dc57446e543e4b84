"""Where people stand on a record: what counts, who sees what, and what it means for the fates."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldwright.plan import Cell
from goldwright.records import HumanVerdict, ReviewPass
from goldwright.review.review_state import Settlement
from goldwright.stages.fates import FATES, fates_by_cell
from units.review.batches import EASY, HARD, Made, People, a_plan, people, rejected

TWO = {EASY: 2}


def settled(found: People, query_id: str, *, twice: bool = True) -> Settlement:
    """How far people are with a record that has an answer."""
    settlement = found.review_state.settlement(query_id, twice=twice)
    assert settlement is not None
    return settlement


def begun(targets: Mapping[Cell, int], made: Made | None = None) -> People:
    """Begin a review whose sample is everything that is selected."""
    found = people(targets, made)
    found.draw(*(one for one, fate in found.fates.items() if fate == "pending"))
    return found


def test_a_verdict_counts_only_on_the_content_it_was_given_on() -> None:
    found = begun(TWO)
    found.judge("q1", "correct")
    assert settled(found, "q1", twice=False).verdict == "correct"
    edit = found.reword("q1", "Another text.")
    assert settled(found, "q1", twice=False).stage == "unreviewed"
    found.take_back(edit)
    assert settled(found, "q1", twice=False).verdict == "correct"
    found.judge("q2", "correct", content="digest of something else")
    assert settled(found, "q2", twice=False).stage == "unreviewed"


def test_a_verdict_on_an_answer_that_changed_in_its_file_is_none() -> None:
    before = begun(TWO)
    before.judge("q1", "correct")
    after = people(TWO, Made({"q1": EASY, "q2": EASY}, low=frozenset({"q1"})), events=before.events)
    assert after.review_state.verdict("q1", "first") is None
    assert settled(after, "q1").stage == "unreviewed"


@pytest.mark.parametrize(("one", "other"), [("first", "second"), ("second", "first")])
def test_no_reviewer_sees_what_the_other_changed(one: ReviewPass, other: ReviewPass) -> None:
    found = begun(TWO)
    before = found.seen("q1", other)
    found.reword("q1", "Another text.", one)
    found.judge("q1", "minor_issue", one)
    found.reword("q1", "Yet another one.", "adjudication")
    assert found.seen("q1", other) == before
    assert found.seen("q1", one) != before
    assert found.review_state.events.edits_of("q1", other) == []


def test_one_of_two_verdicts_is_once_whoever_gave_it() -> None:
    for sitting in ("first", "second"):
        found = begun(TWO)
        found.judge("q1", "wrong", "first" if sitting == "first" else "second")
        assert (settled(found, "q1").stage, settled(found, "q1").verdict) == ("once", "wrong")


def test_the_same_verdict_on_the_same_text_is_settled() -> None:
    found = begun(TWO)
    found.judge_both(["q1"], "minor_issue")
    assert (settled(found, "q1").stage, settled(found, "q1").verdict) == ("settled", "minor_issue")
    found.reword("q2", "Another text.", "first")
    found.reword("q2", "Another text.", "second")
    found.judge_both(["q2"], "minor_issue")
    assert settled(found, "q2").stage == "settled"
    assert settled(found, "q2").content.answer.canonical_narrative == "Another text."


def test_the_same_verdict_on_different_texts_is_disputed() -> None:
    found = begun(TWO)
    found.reword("q1", "Another text.", "first")
    found.reword("q1", "Yet another one.", "second")
    found.judge_both(["q1"], "minor_issue")
    assert (settled(found, "q1").stage, settled(found, "q1").verdict) == ("disputed", None)
    found.reword("q2", "Another text.", "second")
    found.judge_both(["q2"], "major_issue")
    assert settled(found, "q2").stage == "disputed"


def test_different_verdicts_on_the_same_text_are_disputed() -> None:
    found = begun(TWO)
    found.judge("q1", "correct", "first")
    found.judge("q1", "minor_issue", "second")
    assert (settled(found, "q1").stage, settled(found, "q1").verdict) == ("disputed", None)


def disputed() -> tuple[People, dict[str, str]]:
    """A record to which both reviewers give another text, and the digests of its versions."""
    found = begun(TWO)
    versions = {"original": found.seen("q1")}
    found.reword("q1", "What the first would leave.", "first")
    found.reword("q1", "What the second would leave.", "second")
    found.judge("q1", "minor_issue", "first")
    found.judge("q1", "major_issue", "second")
    return found, {
        **versions,
        "first": found.seen("q1", "first"),
        "second": found.seen("q1", "second"),
    }


def test_an_adjudicator_chooses_among_the_original_and_both_texts() -> None:
    texts = {"first": "What the first would leave.", "second": "What the second would leave."}
    for name in ("original", "first", "second"):
        found, versions = disputed()
        assert set(found.review_state.versions("q1")) == set(versions.values())
        verdict: HumanVerdict = "correct" if name == "original" else "minor_issue"
        found.judge("q1", verdict, "adjudication", content=versions[name])
        last = settled(found, "q1")
        assert (last.stage, last.verdict) == ("settled", verdict)
        assert last.content.digest == versions[name]
        assert last.content.answer.canonical_narrative.startswith(
            texts.get(name, "Items enter a basket")
        )


def test_an_adjudicator_may_write_a_version_of_their_own() -> None:
    found, versions = disputed()
    found.reword("q1", "What the third leaves.", "adjudication")
    last = settled(found, "q1")
    assert last.stage == "disputed"
    assert found.seen("q1", "adjudication") not in versions.values()
    assert found.seen("q1", "first") == versions["first"]
    found.judge("q1", "minor_issue", "adjudication")
    last = settled(found, "q1")
    assert (last.stage, last.content.answer.canonical_narrative) == (
        "settled",
        "What the third leaves.",
    )
    assert [edit.reviewer for edit in last.content.edits] == ["Ada", "Cleo"]


def test_an_adjudication_of_a_version_that_nobody_left_is_none() -> None:
    found, _ = disputed()
    found.judge("q1", "correct", "adjudication", content="digest of something else")
    assert settled(found, "q1").stage == "disputed"


def test_an_adjudication_falls_with_the_version_it_chose() -> None:
    found, versions = disputed()
    found.judge("q1", "minor_issue", "adjudication", content=versions["second"])
    found.reword("q1", "On second thoughts.", "second")
    assert settled(found, "q1").stage == "once"
    found.judge("q1", "major_issue", "second")
    assert settled(found, "q1").stage == "disputed"


STOPPED = Made(
    {"q1": EASY, "q2": EASY, "q3": EASY}, queued=frozenset({"q2"}), failed=frozenset({"q3"})
)


def test_what_people_keep_is_in_and_what_they_drop_is_out() -> None:
    found = begun({EASY: 3}, STOPPED)
    assert found.fates == {"q1": "pending", "q2": "queued", "q3": "failed_gate"}
    found.decide("q2", "keep")
    found.decide("q3", "drop")
    assert found.fates == {"q1": "pending", "q2": "pending", "q3": "rejected"}
    assert found.review_state.rulings.kept == {"q2"}
    assert found.review_state.rulings.dropped == {"q3"}


def test_what_is_to_be_tried_again_stands_where_it_stood() -> None:
    found = begun({EASY: 3}, STOPPED)
    found.decide("q2", "retry", "look at the callers")
    assert found.fates["q2"] == "queued"
    assert found.review_state.retries() == {"q2": "look at the callers"}
    found.stage_files.rejected.add(rejected("q2", EASY))
    assert found.review_state.retries() == {}


@pytest.mark.parametrize("decision", ["keep", "drop"])
def test_a_decision_on_text_that_changed_since_is_none(decision: str) -> None:
    found = begun({EASY: 3}, STOPPED)
    found.decide("q2", "keep" if decision == "keep" else "drop")
    found.reword("q2", "Another text.")
    assert found.fates["q2"] == "queued"


def test_a_wish_to_try_again_falls_too_when_the_text_changed_since() -> None:
    found = begun({EASY: 3}, STOPPED)
    found.decide("q2", "retry", "look at the callers")
    found.reword("q2", "Another text.")
    assert found.review_state.retries() == {}


def test_a_kept_record_goes_when_it_is_judged_wrong_after_all() -> None:
    found = begun({EASY: 3}, STOPPED)
    found.decide("q2", "keep")
    found.judge("q2", "wrong")
    assert found.fates["q2"] == "rejected"
    assert found.review_state.rulings.kept == frozenset()


def test_what_two_people_find_bad_is_out_and_what_one_of_two_does_is_not() -> None:
    found = people(TWO)
    found.draw("q1", "q2")
    found.judge("q1", "wrong", "first")
    assert found.fates == {"q1": "pending", "q2": "pending"}
    found.judge("q1", "wrong", "second")
    found.judge_both(["q2"], "minor_issue")
    assert found.fates == {"q1": "rejected", "q2": "pending"}


def test_a_record_outside_the_sample_needs_one_persons_word_alone() -> None:
    found = people(TWO)
    found.draw("q1")
    found.judge("q2", "major_issue")
    assert found.fates == {"q1": "pending", "q2": "rejected"}


def test_the_verdict_on_a_canary_says_nothing_about_the_record_behind_it() -> None:
    found = people(TWO)
    found.draw("q1", canaries=["q2"])
    found.judge_both(["q2"], "wrong")
    assert found.fates == {"q1": "pending", "q2": "pending"}
    assert found.review_state.rulings.dropped == frozenset()
    assert sum(found.check.counts.values()) == 0


def test_a_dropped_record_gives_its_place_to_a_reserve_of_its_own_cell() -> None:
    made = Made({"q1": EASY, "q2": EASY, "q3": EASY, "q4": HARD, "q5": HARD})
    found = people({EASY: 2, HARD: 1}, made)
    assert found.fates == {
        "q1": "pending",
        "q2": "pending",
        "q3": "reserve",
        "q4": "pending",
        "q5": "reserve",
    }
    found.draw("q1", "q4")
    found.judge_both(["q1"], "wrong")
    assert found.fates == {
        "q1": "rejected",
        "q2": "pending",
        "q3": "pending",
        "q4": "pending",
        "q5": "reserve",
    }
    found.judge("q3", "major_issue")
    assert found.fates["q5"] == "reserve"
    assert found.fates["q3"] == "rejected"


def test_a_verdict_from_before_the_sample_was_fixed_is_none() -> None:
    found = people(TWO, Made({"q1": EASY, "q2": EASY, "q3": EASY}, low=frozenset({"q1"})))
    early = found.judge("q1", "wrong")
    assert found.fates == {"q1": "pending", "q2": "pending", "q3": "reserve"}
    found.draw("q1", "q2")
    assert settled(found, "q1").stage == "unreviewed"
    found.take_back(early)
    assert found.fates == {"q1": "pending", "q2": "pending", "q3": "reserve"}


@dataclass(frozen=True)
class Story:
    """What agents made, who is in the sample, and what people say then."""

    made: Made
    early: tuple[tuple[str, str], ...]
    sample: tuple[str, ...]
    words: tuple[tuple[str, str, ReviewPass], ...]


VERDICTS: tuple[HumanVerdict, ...] = ("correct", "minor_issue", "major_issue", "wrong")
PLAN = a_plan({EASY: 3, HARD: 2})
SITTINGS: tuple[ReviewPass, ...] = ("first", "second", "adjudication")


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """Up to nine records of two cells, some of them stopped, and random words on them."""
    cells = draw(st.lists(st.sampled_from((EASY, HARD)), min_size=1, max_size=9))
    names = [f"q{number}" for number in range(1, len(cells) + 1)]
    ways = draw(
        st.lists(st.sampled_from(("agreed", "agreed", "queued", "failed")), min_size=9, max_size=9)
    )
    stood = dict(zip(names, ways, strict=False))
    stopped = {
        way: frozenset(one for one in names if stood[one] == way) for way in ("queued", "failed")
    }
    made = Made(
        dict(zip(names, cells, strict=True)), queued=stopped["queued"], failed=stopped["failed"]
    )
    acts = st.sampled_from((*VERDICTS, "reword", "take_back", "drop_outright"))
    words = st.lists(
        st.tuples(st.sampled_from(names), acts, st.sampled_from(SITTINGS)), max_size=14
    )
    wishes = st.lists(
        st.tuples(st.sampled_from(names), st.sampled_from(("keep", "drop", "retry"))), max_size=5
    )
    return Story(
        made, tuple(draw(wishes)), tuple(draw(st.sets(st.sampled_from(names)))), tuple(draw(words))
    )


def play(story: Story) -> tuple[People, tuple[str, ...]]:
    """Tell a story; gives the sample as it was drawn."""
    found = People(PLAN, story.made.stage_files())
    stopped = story.made.queued | story.made.failed
    for query_id, wish in story.early[:2]:
        if query_id in stopped:
            found.decide(query_id, "keep" if wish == "keep" else "drop")
    own = {
        one.query_id for one in found.standings if one.fate == "pending"
    } - found.review_state.rulings.kept
    sample = tuple(one for one in story.sample if one in own)
    found.draw(*sample)
    for query_id, wish in story.early[2:]:
        if query_id in stopped:
            found.decide(
                query_id, "keep" if wish == "keep" else "retry" if wish == "retry" else "drop"
            )
    for query_id, act, sitting in story.words:
        speak(found, query_id, act, sitting)
    return found, sample


def speak(found: People, query_id: str, act: str, sitting: ReviewPass) -> None:
    """Do one thing to a record."""
    if act == "reword":
        found.reword(query_id, f"Text {len(found.events)}.", sitting)
    elif act == "take_back":
        found.take_back(found.events[-1])
    elif act == "drop_outright":
        one = found.stage_files.candidates.done[query_id]
        found.stage_files.rejected.add(rejected(query_id, Cell(one.task_type, one.difficulty)))
    else:
        found.judge(query_id, next(one for one in VERDICTS if one == act), sitting)


@settings(deadline=None)
@given(stories())
def test_every_record_has_one_fate_and_the_sums_conserve(story: Story) -> None:
    found, _ = play(story)
    assert [one.query_id for one in found.standings] == sorted(story.made.cells)
    for cell, counts in fates_by_cell(found.standings).items():
        assert sum(counts.values()) == sum(one == cell for one in story.made.cells.values())
        assert counts["pending"] <= PLAN.target(cell)
        assert not counts["reserve"] or counts["pending"] == PLAN.target(cell)
    assert sum(Counter(found.fates.values())[fate] for fate in FATES) == len(story.made.cells)


@settings(deadline=None)
@given(stories())
def test_what_people_keep_never_pushes_out_a_record_of_the_sample(story: Story) -> None:
    found, sample = play(story)
    out = found.review_state.rulings.dropped | found.stage_files.rejected.done.keys()
    assert {found.fates[one] for one in sample if one not in out} <= {"pending"}
    assert all(found.fates[one] == "rejected" for one in sample if one in out)


@settings(deadline=None)
@given(stories())
def test_a_record_goes_into_the_dataset_only_as_agents_or_people_let_it(story: Story) -> None:
    found, _ = play(story)
    stopped = story.made.queued | story.made.failed
    inside = {query_id for query_id, fate in found.fates.items() if fate in {"pending", "reserve"}}
    assert inside & stopped == inside & found.review_state.rulings.kept
    assert not inside & found.review_state.rulings.dropped
