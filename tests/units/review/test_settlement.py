"""Where people stand on a record: what counts, who sees what, and what it means for the fates."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.plan import Cell
from goldwright.records import HumanVerdict, ReviewPass
from goldwright.review.settlement import Settlement
from goldwright.stages.fates import FATES, fates_by_cell
from units.review.batches import EASY, HARD, Made, People, a_plan, people, rejected

TWO = {EASY: 2}


def settled(review: People, query_id: str, *, twice: bool = True) -> Settlement:
    """How far people are with a record that has an answer."""
    settlement = review.review_state.settlement(query_id, twice=twice)
    assert settlement is not None
    return settlement


def review_with_sample(targets: Mapping[Cell, int], agent_records: Made | None = None) -> People:
    """Begin a review whose sample is everything that is selected."""
    review = people(targets, agent_records)
    review.draw(*(query_id for query_id, fate in review.fates.items() if fate == "pending"))
    return review


def test_a_verdict_counts_only_on_the_content_it_was_given_on() -> None:
    review = review_with_sample(TWO)
    review.judge("q1", "correct")
    assert settled(review, "q1", twice=False).verdict == "correct"
    edit = review.reword("q1", "Another text.")
    assert settled(review, "q1", twice=False).stage == "unreviewed"
    review.take_back(edit)
    assert settled(review, "q1", twice=False).verdict == "correct"
    review.judge("q2", "correct", content="digest of something else")
    assert settled(review, "q2", twice=False).stage == "unreviewed"


def test_a_verdict_on_an_answer_that_changed_in_its_file_is_none() -> None:
    before = review_with_sample(TWO)
    before.judge("q1", "correct")
    after = people(TWO, Made({"q1": EASY, "q2": EASY}, low=frozenset({"q1"})), events=before.events)
    assert after.review_state.verdict("q1", "first") is None
    assert settled(after, "q1").stage == "unreviewed"


@pytest.mark.parametrize(("own_pass", "other_pass"), [("first", "second"), ("second", "first")])
def test_no_reviewer_sees_what_the_other_changed(
    own_pass: ReviewPass, other_pass: ReviewPass
) -> None:
    review = review_with_sample(TWO)
    before = review.seen("q1", other_pass)
    review.reword("q1", "Another text.", own_pass)
    review.judge("q1", "minor_issue", own_pass)
    review.reword("q1", "Yet another one.", "adjudication")
    assert review.seen("q1", other_pass) == before
    assert review.seen("q1", own_pass) != before
    assert review.review_state.events.edits_of("q1", other_pass) == []


def test_one_of_two_verdicts_is_once_whoever_gave_it() -> None:
    for sitting in ("first", "second"):
        review = review_with_sample(TWO)
        review.judge("q1", "wrong", "first" if sitting == "first" else "second")
        assert (settled(review, "q1").stage, settled(review, "q1").verdict) == ("once", "wrong")


def test_the_same_verdict_on_the_same_text_is_settled() -> None:
    review = review_with_sample(TWO)
    review.judge_both(["q1"], "minor_issue")
    assert (settled(review, "q1").stage, settled(review, "q1").verdict) == (
        "settled",
        "minor_issue",
    )
    review.reword("q2", "Another text.", "first")
    review.reword("q2", "Another text.", "second")
    review.judge_both(["q2"], "minor_issue")
    assert settled(review, "q2").stage == "settled"
    assert settled(review, "q2").content.answer.canonical_narrative == "Another text."


def test_the_same_verdict_on_different_texts_is_disputed() -> None:
    review = review_with_sample(TWO)
    review.reword("q1", "Another text.", "first")
    review.reword("q1", "Yet another one.", "second")
    review.judge_both(["q1"], "minor_issue")
    assert (settled(review, "q1").stage, settled(review, "q1").verdict) == ("disputed", None)
    review.reword("q2", "Another text.", "second")
    review.judge_both(["q2"], "major_issue")
    assert settled(review, "q2").stage == "disputed"


def test_different_verdicts_on_the_same_text_are_disputed() -> None:
    review = review_with_sample(TWO)
    review.judge("q1", "correct", "first")
    review.judge("q1", "minor_issue", "second")
    assert (settled(review, "q1").stage, settled(review, "q1").verdict) == ("disputed", None)


def disputed() -> tuple[People, dict[str, str]]:
    """A record of which the reviewers would leave two texts, and the digests of its versions."""
    review = review_with_sample(TWO)
    versions = {"original": review.seen("q1")}
    review.reword("q1", "What the first would leave.", "first")
    review.reword("q1", "What the second would leave.", "second")
    review.judge("q1", "minor_issue", "first")
    review.judge("q1", "major_issue", "second")
    return review, {
        **versions,
        "first": review.seen("q1", "first"),
        "second": review.seen("q1", "second"),
    }


def test_an_adjudicator_chooses_among_the_original_and_both_texts() -> None:
    texts = {"first": "What the first would leave.", "second": "What the second would leave."}
    for name in ("original", "first", "second"):
        review, versions = disputed()
        assert set(review.review_state.versions("q1")) == set(versions.values())
        verdict: HumanVerdict = "correct" if name == "original" else "minor_issue"
        review.judge("q1", verdict, "adjudication", content=versions[name])
        last = settled(review, "q1")
        assert (last.stage, last.verdict) == ("settled", verdict)
        assert last.content.digest == versions[name]
        assert last.content.answer.canonical_narrative.startswith(
            texts.get(name, "Items enter a basket")
        )


def test_an_adjudicator_may_write_a_version_of_their_own() -> None:
    review, versions = disputed()
    review.reword("q1", "What the third leaves.", "adjudication")
    last = settled(review, "q1")
    assert last.stage == "disputed"
    assert review.seen("q1", "adjudication") not in versions.values()
    assert review.seen("q1", "first") == versions["first"]
    review.judge("q1", "minor_issue", "adjudication")
    last = settled(review, "q1")
    assert (last.stage, last.content.answer.canonical_narrative) == (
        "settled",
        "What the third leaves.",
    )
    assert [edit.reviewer for edit in last.content.edits] == ["Ada", "Cleo"]


def test_an_adjudication_of_a_version_that_nobody_left_is_none() -> None:
    review, _ = disputed()
    review.judge("q1", "correct", "adjudication", content="digest of something else")
    assert settled(review, "q1").stage == "disputed"


def test_an_adjudication_falls_with_the_version_it_chose() -> None:
    review, versions = disputed()
    review.judge("q1", "minor_issue", "adjudication", content=versions["second"])
    review.reword("q1", "On second thoughts.", "second")
    assert settled(review, "q1").stage == "once"
    review.judge("q1", "major_issue", "second")
    assert settled(review, "q1").stage == "disputed"


STOPPED = Made(
    {"q1": EASY, "q2": EASY, "q3": EASY}, queued=frozenset({"q2"}), failed=frozenset({"q3"})
)


def test_what_people_keep_is_in_and_what_they_drop_is_out() -> None:
    review = review_with_sample({EASY: 3}, STOPPED)
    assert review.fates == {"q1": "pending", "q2": "queued", "q3": "failed_gate"}
    review.decide("q2", "keep")
    review.decide("q3", "drop")
    assert review.fates == {"q1": "pending", "q2": "pending", "q3": "rejected"}
    assert review.review_state.rulings.reinstated == {"q2"}
    assert review.review_state.rulings.dropped == {"q3"}


def test_what_is_to_be_tried_again_stands_where_it_stood() -> None:
    review = review_with_sample({EASY: 3}, STOPPED)
    review.decide("q2", "retry", "look at the callers")
    assert review.fates["q2"] == "queued"
    assert review.review_state.retries() == {"q2": "look at the callers"}
    review.stage_files.rejected.add(rejected("q2", EASY))
    assert review.review_state.retries() == {}


@pytest.mark.parametrize("decision", ["keep", "drop"])
def test_a_decision_on_text_that_changed_since_is_none(decision: str) -> None:
    review = review_with_sample({EASY: 3}, STOPPED)
    review.decide("q2", "keep" if decision == "keep" else "drop")
    review.reword("q2", "Another text.")
    assert review.fates["q2"] == "queued"


def test_a_wish_to_try_again_falls_too_when_the_text_changed_since() -> None:
    review = review_with_sample({EASY: 3}, STOPPED)
    review.decide("q2", "retry", "look at the callers")
    review.reword("q2", "Another text.")
    assert review.review_state.retries() == {}


def test_a_kept_record_goes_when_it_is_judged_wrong_after_all() -> None:
    review = review_with_sample({EASY: 3}, STOPPED)
    review.decide("q2", "keep")
    review.judge("q2", "wrong")
    assert review.fates["q2"] == "rejected"
    assert review.review_state.rulings.reinstated == frozenset()


def test_what_two_people_find_bad_is_out_and_what_one_of_two_does_is_not() -> None:
    review = people(TWO)
    review.draw("q1", "q2")
    review.judge("q1", "wrong", "first")
    assert review.fates == {"q1": "pending", "q2": "pending"}
    review.judge("q1", "wrong", "second")
    review.judge_both(["q2"], "minor_issue")
    assert review.fates == {"q1": "rejected", "q2": "pending"}


def test_a_record_outside_the_sample_needs_one_persons_word_alone() -> None:
    review = people(TWO)
    review.draw("q1")
    review.judge("q2", "major_issue")
    assert review.fates == {"q1": "pending", "q2": "rejected"}


def test_the_verdict_on_a_canary_says_nothing_about_the_record_behind_it() -> None:
    review = people(TWO)
    review.draw("q1", canaries=["q2"])
    review.judge_both(["q2"], "wrong")
    assert review.fates == {"q1": "pending", "q2": "pending"}
    assert review.review_state.rulings.dropped == frozenset()
    assert sum(review.check.counts.values()) == 0


def test_a_dropped_record_gives_its_place_to_a_reserve_of_its_own_cell() -> None:
    agent_records = Made({"q1": EASY, "q2": EASY, "q3": EASY, "q4": HARD, "q5": HARD})
    review = people({EASY: 2, HARD: 1}, agent_records)
    assert review.fates == {
        "q1": "pending",
        "q2": "pending",
        "q3": "reserve",
        "q4": "pending",
        "q5": "reserve",
    }
    review.draw("q1", "q4")
    review.judge_both(["q1"], "wrong")
    assert review.fates == {
        "q1": "rejected",
        "q2": "pending",
        "q3": "pending",
        "q4": "pending",
        "q5": "reserve",
    }
    review.judge("q3", "major_issue")
    assert review.fates["q5"] == "reserve"
    assert review.fates["q3"] == "rejected"


def test_a_verdict_from_before_the_sample_was_fixed_is_none() -> None:
    review = people(TWO, Made({"q1": EASY, "q2": EASY, "q3": EASY}, low=frozenset({"q1"})))
    early = review.judge("q1", "wrong")
    assert review.fates == {"q1": "pending", "q2": "pending", "q3": "reserve"}
    review.draw("q1", "q2")
    assert settled(review, "q1").stage == "unreviewed"
    review.take_back(early)
    assert review.fates == {"q1": "pending", "q2": "pending", "q3": "reserve"}


@dataclass(frozen=True)
class Story:
    """What agents made, who is in the sample, and what people say then."""

    agent_records: Made
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
        way: frozenset(query_id for query_id in names if stood[query_id] == way)
        for way in ("queued", "failed")
    }
    agent_records = Made(
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
        agent_records,
        tuple(draw(wishes)),
        tuple(draw(st.sets(st.sampled_from(names)))),
        tuple(draw(words)),
    )


def play(story: Story) -> tuple[People, tuple[str, ...]]:
    """Tell a story; gives the sample as it was drawn."""
    review = People(PLAN, story.agent_records.stage_files())
    stopped = story.agent_records.queued | story.agent_records.failed
    for query_id, wish in story.early[:2]:
        if query_id in stopped:
            review.decide(query_id, "keep" if wish == "keep" else "drop")
    own = {
        record.query_id for record in review.standings if record.fate == "pending"
    } - review.review_state.rulings.reinstated
    sample = tuple(query_id for query_id in story.sample if query_id in own)
    review.draw(*sample)
    for query_id, wish in story.early[2:]:
        if query_id in stopped:
            review.decide(
                query_id, "keep" if wish == "keep" else "retry" if wish == "retry" else "drop"
            )
    for query_id, act, sitting in story.words:
        speak(review, query_id, act, sitting)
    return review, sample


def speak(review: People, query_id: str, act: str, sitting: ReviewPass) -> None:
    """Do one thing to a record."""
    if act == "reword":
        review.reword(query_id, f"Text {len(review.events)}.", sitting)
    elif act == "take_back":
        review.take_back(review.events[-1])
    elif act == "drop_outright":
        cell = review.stage_files.cell_of(query_id)
        review.stage_files.rejected.add(rejected(query_id, cell))
    else:
        review.judge(query_id, next(verdict for verdict in VERDICTS if verdict == act), sitting)


@given(stories())
def test_every_record_has_one_fate_and_the_sums_conserve(story: Story) -> None:
    review, _ = play(story)
    assert [record.query_id for record in review.standings] == sorted(story.agent_records.cells)
    for cell, counts in fates_by_cell(review.standings).items():
        assert sum(counts.values()) == list(story.agent_records.cells.values()).count(cell)
        assert counts["pending"] <= PLAN.target(cell)
        assert not counts["reserve"] or counts["pending"] == PLAN.target(cell)
    assert sum(Counter(review.fates.values())[fate] for fate in FATES) == len(
        story.agent_records.cells
    )


@given(stories())
def test_what_people_keep_never_pushes_out_a_record_of_the_sample(story: Story) -> None:
    review, sample = play(story)
    out = review.review_state.rulings.dropped | review.stage_files.rejected.done.keys()
    assert {review.fates[query_id] for query_id in sample if query_id not in out} <= {"pending"}
    assert all(review.fates[query_id] == "rejected" for query_id in sample if query_id in out)


@given(stories())
def test_a_record_goes_into_the_dataset_only_as_agents_or_people_let_it(story: Story) -> None:
    review, _ = play(story)
    stopped = story.agent_records.queued | story.agent_records.failed
    inside = {query_id for query_id, fate in review.fates.items() if fate in {"pending", "reserve"}}
    assert inside & stopped == inside & review.review_state.rulings.reinstated
    assert not inside & review.review_state.rulings.dropped
