"""Practice records: which are chosen, what a word on them says, and what it leaves alone."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.records import (
    HumanVerdict,
    PracticeEvent,
    PracticeRecord,
    TrainingSkipEvent,
)
from goldwright.review.practice_answers import WHAT_IS_WRONG, feedback_on, is_right
from goldwright.review.practice_choice import PracticeRequest, choose_practice, practice_pool
from goldwright.review.practice_desk import TrainingMode
from goldwright.review.review_rules import StaleReviewError
from goldwright.review.review_state import VERDICTS
from goldwright.review.session import ReviewSession
from goldwright.review.training import (
    TrainingResult,
    TrainingRound,
    add_to_rounds,
    training_results,
    training_sentences,
)
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate
from units.review.batches import EASY, Made, a_plan, numbered
from units.review.batches import event as make_event
from units.review.test_session import House, judge, snapshot

__all__ = ["snapshot"]

TWENTY = Made(numbered({EASY: 20}), low=frozenset({"q4"}))
WRONG: HumanVerdict = "wrong"


class School(House):
    """A house with twenty records, of which six are drawn and two more stand for canaries."""

    def __init__(
        self, folder: Path, snapshot: Snapshot, stack: ExitStack, made: Made = TWENTY
    ) -> None:
        super().__init__(folder, snapshot, stack, made)
        plan = a_plan({EASY: len(made.cells)}, sample_share=0.3)
        self.batch = replace(self.batch, plan=plan)

    def enter(self, reviewer: str = "Ada", mode: TrainingMode = "offer") -> ReviewSession:
        """Open a room as somebody does who may be new."""
        room = self.room(reviewer, canaries=2)
        room.practice._mode = mode  # what a command line sets once
        room.draw_sample(key="sample-1")
        return room


@pytest.fixture
def school(tmp_path: Path, snapshot: Snapshot) -> Iterator[School]:
    """A school whose sample is drawn."""
    with ExitStack() as stack:
        made = School(tmp_path, snapshot, stack)
        made.enter()
        yield made


def chosen(school: School, *, run: int = 3, attempt: int = 1) -> tuple[PracticeRecord, ...]:
    """Choose a round of a batch of a run."""
    view = school.room().look()
    request = PracticeRequest(replace(view.batch, run=f"run-{run}"), view.review_state, attempt)
    return choose_practice(request, school.snapshot)


def latest(room: ReviewSession) -> TrainingRound:
    """The round that the person is in, or was in last."""
    found = room.practice.latest(room.look())
    assert found is not None
    return found


def speak(room: ReviewSession, place: int, verdict: HumanVerdict, *, key: str) -> None:
    """Give a word on the practice record at a place, with a note where it condemns."""
    _, content = room.practice.find(room.look(), place)
    note = "It does not say that." if verdict in {"major_issue", "wrong"} else None
    room.practice.give_word(place, content.digest, verdict, key=key, note=note)


def answer_all(room: ReviewSession, *, mistakes: int = 0) -> None:
    """Play a round to its end, the first words wrongly."""
    for record in latest(room).records:
        is_wrong = record.place <= mistakes
        verdict: HumanVerdict = "wrong" if (record.kind is None) == is_wrong else "correct"
        speak(
            room,
            record.place,
            verdict,
            key=f"{room.reviewer}-{record.place}-{len(record.query_id)}",
        )


def word_of(place: int, *, disputed: tuple[str, ...] = ()) -> PracticeEvent:
    """A word that condemns the record at a place."""
    return make_event(
        PracticeEvent,
        1,
        sitting="first",
        place=place,
        verdict=WRONG,
        right=True,
        disputed=disputed,
    )


class TestChoice:
    def test_five_are_chosen_and_both_sorts_are_among_them(self, school: School) -> None:
        for run in range(12):
            records = chosen(school, run=run)
            assert [record.place for record in records] == [1, 2, 3, 4, 5]
            assert len({record.query_id for record in records}) == 5
            falsified = [record for record in records if record.kind is not None]
            assert len(falsified) in {2, 3}

    def test_none_is_one_on_which_a_word_counts(self, school: School) -> None:
        view = school.room().look()
        events = view.review_state.events
        assert len(events.canaries) == 2
        counting = {*events.sampled, *events.canaries, "q4"}
        pool = practice_pool(view.batch, view.review_state)
        assert counting.isdisjoint(pool)
        assert len(pool) == 20 - len(counting)
        for run in range(12):
            records = chosen(school, run=run)
            assert {record.query_id for record in records} <= set(pool)

    def test_what_comes_in_after_the_draw_and_what_is_in_reserve_come_last_or_not(
        self, school: School
    ) -> None:
        later = Made(numbered({EASY: 24}))
        plan = a_plan({EASY: 22}, sample_share=0.3)
        school.batch = replace(school.batch, stage_files=later.stage_files(), plan=plan)
        view = school.room().look()
        pool = practice_pool(view.batch, view.review_state)
        assert {"q21", "q22"}.isdisjoint(pool)
        assert {query_id for query_id, fate in pool.items() if fate == "reserve"} == {"q23", "q24"}
        for run in range(6):
            records = chosen(school, run=run)
            assert {"q23", "q24"}.isdisjoint(record.query_id for record in records)

    def test_the_name_of_the_run_decides_and_each_round_is_another(self, school: School) -> None:
        assert chosen(school) == chosen(school)
        assert len({chosen(school, run=run) for run in range(6)}) == 6
        assert chosen(school, attempt=2) != chosen(school, attempt=1)

    def test_it_is_not_always_the_same_place_that_is_falsified(self, school: School) -> None:
        patterns = set()
        for run in range(12):
            patterns.add(tuple(record.kind is None for record in chosen(school, run=run)))
        assert len(patterns) > 6

    def test_what_is_falsified_passes_the_gate_and_says_what_was_changed(
        self, school: School
    ) -> None:
        answers = school.batch.stage_files.answers.done
        for record in chosen(school):
            original = answers[record.query_id]
            fields = {**dict(original), **dict(record.answer)}
            assert run_gate(original.model_validate(fields), school.snapshot) == ()
            if record.kind is None:
                assert (record.claim_id, record.before, record.seen_at) == ("", "", ())
                assert dict(record.answer).items() <= dict(original).items()
            else:
                assert dict(record.answer) != {
                    key: dict(original)[key] for key in dict(record.answer)
                }
                assert record.claim_id
                assert record.before != record.after
                assert record.seen_at

    def test_a_batch_with_nothing_beside_its_sample_gives_none(
        self, tmp_path: Path, snapshot: Snapshot
    ) -> None:
        with ExitStack() as stack:
            small = School(tmp_path, snapshot, stack, Made(numbered({EASY: 2})))
            room = small.enter()
            assert chosen(small) == ()
            assert not room.practice.is_offered(room.look())
            with pytest.raises(InputError, match="too little beside its sample"):
                room.practice.begin(key="begin-1")

    def test_a_second_round_shows_what_the_person_does_not_know(self, school: School) -> None:
        school.batch = replace(school.batch, plan=a_plan({EASY: 20}, sample_share=0.3))
        room = school.enter()
        room.practice.begin(key="begin-1")
        answer_all(room)
        first = {record.query_id for record in latest(room).records}
        again = school.enter(mode="begin")
        again.practice.begin(key="begin-2")
        second = {record.query_id for record in latest(again).records}
        assert first.isdisjoint(second)


class TestAnswers:
    @pytest.mark.parametrize("kind", list(WHAT_IS_WRONG))
    def test_what_would_keep_a_falsified_record_out_is_right(
        self, school: School, kind: str
    ) -> None:
        record = chosen(school)[0].model_copy(update={"kind": kind})
        right = [verdict for verdict in VERDICTS if is_right(record, verdict)]
        assert right == ["major_issue", "wrong"]

    def test_what_would_leave_a_sound_record_in_is_right(self, school: School) -> None:
        record = chosen(school)[0].model_copy(update={"kind": None})
        right = [verdict for verdict in VERDICTS if is_right(record, verdict)]
        assert right == ["correct", "minor_issue"]

    def test_a_person_is_told_what_was_changed_and_where(self, school: School) -> None:
        record = next(one for one in chosen(school) if one.kind == "renamed_symbol" or one.kind)
        word = word_of(record.place)
        feedback = feedback_on(record, word)
        assert feedback.heading == "Right"
        assert (feedback.before, feedback.after) == (record.before, record.after)
        assert feedback.seen_at == record.seen_at
        assert feedback.why == WHAT_IS_WRONG[record.kind]  # type: ignore[index]  # found by it

    def test_somebody_who_marked_another_claim_is_told_so(self, school: School) -> None:
        record = chosen(school)[0].model_copy(update={"kind": "false_fact", "claim_id": "fact-1"})
        other = word_of(1, disputed=("fact-2",))
        assert "fact-2; what was changed is fact-1" in feedback_on(record, other).remark
        same = word_of(1, disputed=("fact-1", "fact-2"))
        assert feedback_on(record, same).remark == ""
        missed = record.model_copy(update={"kind": "missed_question"})
        assert feedback_on(missed, other).remark == ""


class TestDesk:
    def test_who_is_new_is_asked_once(self, school: School) -> None:
        room = school.enter()
        assert room.practice.is_offered(room.look())
        room.practice.skip(key="skip-1")
        assert not room.practice.is_offered(room.look())
        assert not school.enter().practice.is_offered(room.look())
        assert isinstance(school.events[-1], TrainingSkipEvent)
        assert school.enter("Bob").practice.is_offered(school.enter("Bob").look())

    def test_who_has_given_a_verdict_is_not_asked(self, school: School) -> None:
        room = school.enter("A d a")
        judge(room, room.look().review_state.events.sampled[0], key="verdict-1")
        assert not school.enter("Ada").practice.is_offered(school.enter().look())

    def test_nobody_is_asked_where_it_is_off_or_before_the_sample(
        self, tmp_path: Path, snapshot: Snapshot
    ) -> None:
        with ExitStack() as stack:
            house = School(tmp_path, snapshot, stack)
            house.batch = replace(house.batch, is_complete=False)
            room = house.enter()
            assert not room.practice.is_offered(room.look())
            with pytest.raises(InputError, match="the sample is not drawn yet"):
                room.practice.begin(key="begin-1")
            house.batch = replace(house.batch, is_complete=True)
            off = house.enter(mode="off")
            assert not off.practice.is_offered(off.look())

    def test_a_round_goes_on_where_it_was_left(self, school: School) -> None:
        room = school.enter()
        room.practice.begin(key="begin-1")
        speak(room, 1, "correct", key="word-1")
        speak(room, 2, WRONG, key="word-2")
        again = school.enter(mode="begin")
        again.practice.begin(key="begin-2")
        found = latest(again)
        assert found.records == latest(room).records
        assert found.next_record is not None
        assert (found.next_record.place, set(found.words)) == (3, {1, 2})

    def test_a_word_with_one_key_is_written_once(self, school: School) -> None:
        room = school.enter()
        room.practice.begin(key="begin-1")
        room.practice.begin(key="begin-1")
        speak(room, 1, "correct", key="word-1")
        lines = school.lines
        speak(school.enter(), 1, "correct", key="word-1")
        assert school.lines == lines

    def test_the_first_word_on_a_record_holds(self, school: School) -> None:
        room = school.enter()
        room.practice.begin(key="begin-1")
        speak(room, 1, "correct", key="word-1")
        with pytest.raises(StaleReviewError, match="has its word already"):
            speak(school.enter(), 1, WRONG, key="word-2")

    def test_what_condemns_wants_a_reason_as_in_the_review(self, school: School) -> None:
        room = school.enter()
        room.practice.begin(key="begin-1")
        _, content = room.practice.find(room.look(), 1)
        with pytest.raises(InputError, match="say first what is wrong"):
            room.practice.give_word(1, content.digest, WRONG, key="word-1")

    def test_a_round_that_was_ended_takes_no_more_words(self, school: School) -> None:
        room = school.enter()
        room.practice.begin(key="begin-1")
        speak(room, 1, "correct", key="word-1")
        room.practice.skip(key="skip-1")
        assert latest(room).is_over
        with pytest.raises(StaleReviewError):
            speak(room, 2, "correct", key="word-2")
        with pytest.raises(InputError, match="no practice records to skip"):
            room.practice.skip(key="skip-2")

    def test_a_record_that_is_none_of_the_round_takes_no_word(self, school: School) -> None:
        room = school.enter()
        with pytest.raises(InputError, match="practice-1: is no record of a training round"):
            room.practice.give_word(1, "digest", "correct", key="word-1")


class TestWhatItLeavesAlone:
    def test_a_round_counts_as_no_review_and_no_canary(self, school: School) -> None:
        before = school.room().look().review_state
        counted = [before.events.verdicts, before.events.undoable, before.events.canaries]
        queues = school.room().look().queues
        room = school.enter()
        room.practice.begin(key="begin-1")
        answer_all(room, mistakes=2)
        after = school.room().look().review_state
        assert [after.events.verdicts, after.events.undoable, after.events.canaries] == counted
        assert school.room().look().queues == queues
        assert after.rulings == before.rulings
        with pytest.raises(InputError, match="nothing to take back"):
            room.undo(key="undo-1")


class TestResults:
    def test_what_was_right_is_counted(self, school: School) -> None:
        room = school.enter()
        room.practice.begin(key="begin-1")
        answer_all(room, mistakes=1)
        (result,) = training_results(room.look().review_state.events.trainings)
        assert result == TrainingResult("Ada", "first", 5, 5, 4, skipped=False)
        assert list(training_sentences([result])) == ["Ada practised: 4 of 5."]

    def test_the_sentences_tell_who_skipped_ended_and_practised_again(self) -> None:
        results = [
            TrainingResult("Ada", "first", 5, 5, 3, skipped=False),
            TrainingResult("Bob", "second", 0, 0, 0, skipped=True),
            TrainingResult("ada", "first", 5, 5, 5, skipped=False),
            TrainingResult("Cleo", "first", 5, 2, 1, skipped=True),
            TrainingResult("Dan", "first", 5, 1, 1, skipped=False),
            TrainingResult("Eve", "first", 5, 0, 0, skipped=True),
            TrainingResult("Fay", "first", 5, 0, 0, skipped=False),
        ]
        assert list(training_sentences(results)) == [
            "Ada practised: 3 of 5, then practised: 5 of 5.",
            "Bob skipped the practice records.",
            "Cleo practised: 1 of 2 right, ended it after 2 of 5.",
            "Dan practised: 1 of 1 right, not finished after 1 of 5.",
            "Eve skipped the practice records.",
            "Fay has begun to practise.",
        ]

    def test_a_word_without_a_round_says_nothing(self) -> None:
        rounds: list[TrainingRound] = []
        word = make_event(PracticeEvent, 1, sitting="first", place=1, verdict="correct", right=True)
        add_to_rounds(rounds, word)
        assert rounds == []
