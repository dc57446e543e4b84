"""The room: what may be said, that it is written once, and that nobody speaks over another."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from goldwright.errors import InputError
from goldwright.journal import ReviewLog
from goldwright.records import (
    AnyReviewEvent,
    Decision,
    EditEvent,
    HumanVerdict,
    ReviewPass,
    SampleEvent,
    VerdictEvent,
)
from goldwright.review.person_names import same_person
from goldwright.review.review_rules import StaleReviewError
from goldwright.review.session import ReviewSession
from goldwright.review.session_view import RecordView, ReviewBatch
from goldwright.review.spot_check import SpotCheck, spot_check
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.fates import record_fates
from goldwright.stages.gate import run_gate
from goldwright.stages.gate.examples import ANSWER, BASKET, PRICES, README, SHOP
from goldwright.web.notice_pages import make_end_page
from units.review.batches import EASY, NOW, Made, a_plan, rejected

MADE = Made(
    {f"q{number}": EASY for number in range(1, 7)},
    queued=frozenset({"q5"}),
    failed=frozenset({"q6"}),
    low=frozenset({"q4"}),
)
PLAN = a_plan({EASY: 6}, sample_share=0.3)
BETTER = f"{ANSWER.canonical_narrative} Prices are looked up later."
FALSE = f"{ANSWER.canonical_narrative} Then `price_of` in shop/prices.py is asked."


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """The shop of the gate's examples, as files."""
    root = tmp_path_factory.mktemp("shop")
    (root / "shop").mkdir()
    for path in (BASKET, PRICES, README):
        (root / path).write_text(SHOP.source(path).text)
    return open_snapshot(root, rev=None, cache=tmp_path_factory.mktemp("cache"), workers=1)


class House:
    """Rooms over one batch and one file of words; each person's reading is a process of its own."""

    def __init__(
        self, folder: Path, snapshot: Snapshot, stack: ExitStack, made: Made = MADE
    ) -> None:
        self.path = folder / "human_reviews.jsonl"
        self.snapshot = snapshot
        self.batch = ReviewBatch(
            PLAN, made.stage_files(), run="run", seed=3, round=1, is_complete=True
        )
        self._stack = stack

    def room(
        self, reviewer: str = "Ada", sitting: ReviewPass = "first", *, canaries: int = 0
    ) -> ReviewSession:
        """Open a room that has read nothing yet."""
        reviews = self._stack.enter_context(ReviewLog(self.path))
        return ReviewSession(
            lambda: self.batch,
            reviews,
            self.snapshot,
            reviewer=reviewer,
            review_pass=sitting,
            read_time=lambda: NOW,
            canaries=canaries,
        )

    @property
    def lines(self) -> int:
        """How many events are on disk."""
        return len(self.path.read_text().splitlines()) if self.path.exists() else 0

    @property
    def events(self) -> list[AnyReviewEvent]:
        """The events on disk."""
        reviews = ReviewLog(self.path)
        reviews.refresh()
        return list(reviews.events)


@pytest.fixture
def house(tmp_path: Path, snapshot: Snapshot) -> Iterator[House]:
    """A house whose sample is drawn: two of q1 to q4, while q5 is queued and q6 failed the gate."""
    with ExitStack() as stack:
        made = House(tmp_path, snapshot, stack)
        made.room().draw_sample(key="sample-1")
        yield made


def drawn(house: House) -> tuple[str, ...]:
    """The sample."""
    return house.room().look().review_state.events.sampled


def judge(
    room: ReviewSession, query_id: str, verdict: HumanVerdict = "correct", *, key: str
) -> AnyReviewEvent:
    """Judge a record as it is on screen now, with a reason where it is condemned."""
    note = "It is another function." if verdict in {"major_issue", "wrong"} else None
    seen = room.look().record_view(query_id)
    return room.give_verdict(query_id, seen, verdict, key=key, note=note)


def reword(room: ReviewSession, query_id: str, text: str = BETTER, *, key: str) -> AnyReviewEvent:
    """Change the narrative as it is on screen now."""
    scene = room.look()
    citations = scene.content(query_id).answer.fact_citations
    return room.edit(
        query_id, scene.record_view(query_id), "canonical_narrative", text, citations, key=key
    )


def decide(
    room: ReviewSession, query_id: str, decision: Decision, *, key: str, words: str = ""
) -> AnyReviewEvent:
    """Decide on a record as it is on screen now."""
    return room.decide(query_id, room.look().record_view(query_id), decision, key=key, words=words)


Act = Callable[[House, ReviewSession, RecordView, str], object]


def _undo(house: House, room: ReviewSession, _: RecordView, key: str) -> object:
    if (
        house.room(room.reviewer).look().review_state.events.undoable_by(room.reviewer, "first")
        is None
    ):
        judge(room, drawn(house)[0], key=f"before-{key}")
    return room.undo(key=key)


ACTS: dict[str, Act] = {
    "verdict": lambda house, room, seen, key: room.give_verdict(
        drawn(house)[0], seen, "correct", key=key
    ),
    "edit": lambda house, room, seen, key: room.edit(
        drawn(house)[0], seen, "canonical_narrative", BETTER, ANSWER.fact_citations, key=key
    ),
    "decision": lambda _, room, seen, key: room.decide("q5", seen, "drop", key=key),
    "undo": _undo,
}


@pytest.mark.parametrize("act", list(ACTS))
@pytest.mark.parametrize("reopened", [False, True])
def test_a_word_with_one_key_is_written_once(house: House, act: str, reopened: bool) -> None:
    room = house.room()
    query_id = "q5" if act == "decision" else drawn(house)[0]
    seen = room.look().record_view(query_id)
    once = ACTS[act](house, room, seen, "key-1")
    lines, words = house.lines, room.look().review_state.events
    again = ACTS[act](house, house.room() if reopened else room, seen, "key-1")
    assert again == once
    assert house.lines == lines
    assert house.room().look().review_state.events == words


def test_a_sample_is_drawn_once_however_often_it_is_asked_for(house: House) -> None:
    before = house.path.read_bytes()
    for key in ("sample-1", "sample-2"):
        assert house.room().draw_sample(key=key).review_state.events.sampled == drawn(house)
    assert house.path.read_bytes() == before
    assert house.lines == 1


def test_two_rooms_that_open_at_once_draw_one_sample(tmp_path: Path, snapshot: Snapshot) -> None:
    for turn in range(10):
        folder = tmp_path / str(turn)
        folder.mkdir()
        with ExitStack() as stack:
            house = House(folder, snapshot, stack)
            rooms = [house.room(name) for name in ("Ada", "Bob", "Cleo", "Dan")]
            barrier = Barrier(len(rooms))

            def enter(room: ReviewSession, *, start: Barrier = barrier) -> tuple[str, ...]:
                start.wait()
                return room.draw_sample(key=f"sample-{room.reviewer}").review_state.events.sampled

            with ThreadPoolExecutor(len(rooms)) as pool:
                found = set(pool.map(enter, rooms))
            assert len(found) == 1
            assert [type(one) for one in house.events] == [SampleEvent]


def test_nothing_is_drawn_while_the_run_is_open(tmp_path: Path, snapshot: Snapshot) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, snapshot, stack)
        house.batch = replace(house.batch, is_complete=False)
        room = house.room()
        assert room.draw_sample(key="sample-1").review_state.events.sample is None
        assert house.lines == 0
        house.batch = replace(house.batch, is_complete=True)
        assert len(room.draw_sample(key="sample-1").review_state.events.sampled) == 2


def test_nobody_judges_before_the_sample_is_fixed(tmp_path: Path, snapshot: Snapshot) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, snapshot, stack)
        house.batch = replace(house.batch, is_complete=False)
        room = house.room()
        room.draw_sample(key="sample-1")
        for query_id in house.batch.stage_files.answers.done:
            with pytest.raises(InputError):
                judge(room, query_id, "wrong", key=f"early-{query_id}")
        decide(room, "q5", "drop", key="decide-early")


def test_the_sample_is_drawn_from_what_stands_in_the_dataset_by_the_runs_own_outcome(
    house: House,
) -> None:
    sample = house.room().look().review_state.events.sample
    assert sample is not None
    assert [one.query_id for one in sample.population] == ["q1", "q2", "q3", "q4"]
    assert len(sample.drawn) == 2
    assert set(sample.drawn) <= set(sample.population)


def test_canaries_stand_among_the_sample_and_look_like_any_other_record(
    tmp_path: Path, snapshot: Snapshot
) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, snapshot, stack)
        scene = house.room(canaries=1).draw_sample(key="sample-1")
        (planted,) = scene.review_state.events.canaries
        assert planted not in scene.review_state.events.sampled
        (queue,) = (one for one in scene.queues if one.name == "sample")
        assert {one.query_id for one in queue.items} == {
            planted,
            *scene.review_state.events.sampled,
        }
        assert len({one.why for one in queue.items}) == 1
        behind = scene.review_state.without_canary(planted)
        assert behind is not None
        assert scene.content(planted).digest != behind.digest


def test_another_run_of_the_same_plan_and_seed_draws_others(
    tmp_path: Path, snapshot: Snapshot
) -> None:
    samples: set[tuple[str, ...]] = set()
    for number in range(12):
        with ExitStack() as stack:
            (tmp_path / str(number)).mkdir()
            house = House(tmp_path / str(number), snapshot, stack)
            house.batch = replace(house.batch, run=f"run-{number}")
            samples.add(house.room().draw_sample(key="sample-1").review_state.events.sampled)
    # Six pairs of four records; that one comes twelve times is less likely than 1 in 300 million.
    assert len(samples) > 1


MANY: Made = Made({f"q{number}": EASY for number in range(1, 41)})


@pytest.fixture
def hall(tmp_path: Path, snapshot: Snapshot) -> Iterator[House]:
    """A house with forty records, of which two were drawn beside one canary, all judged right."""
    with ExitStack() as stack:
        made = House(tmp_path, snapshot, stack, MANY)
        made.batch = replace(made.batch, plan=a_plan({EASY: 40}, sample_share=0.05))
        made.room(canaries=1).draw_sample(key="sample-1")
        judge_all(made)
        yield made


def judge_all(house: House) -> None:
    """Judge what has no verdict yet, as two people who are never wrong."""
    for name, sitting in (("Ada", "first"), ("Bob", "second")):
        room = house.room(name, sitting)  # type: ignore[arg-type]  # one of the two passes
        events = room.look().review_state.events
        for query_id in (*events.sampled, *events.canaries):
            if room.look().review_state.verdict(query_id, room.review_pass) is None:
                verdict: HumanVerdict = "wrong" if query_id in events.canaries else "correct"
                judge(room, query_id, verdict, key=f"{name}-{query_id}-{house.lines}")


def check_of(house: House) -> SpotCheck:
    """Sum up the review as it is."""
    view = house.room().look()
    fates = record_fates(view.batch.plan, view.review_state.stage_files, view.review_state.rulings)
    return spot_check(view.batch.plan, view.review_state, fates, seed=3)


def test_a_sample_that_proved_nothing_is_added_to_until_it_does(hall: House) -> None:
    before = check_of(hall)
    assert (before.outcome, before.sampled, before.judged["first"]) == ("unproven", 2, 3)
    assert before.further is not None

    sampled, lies = drawn(hall), set(hall.room().look().review_state.events.canaries)
    hall.room(canaries=4).draw_more(before.further, key="more-1")
    events = hall.room().look().review_state.events
    assert set(events.sampled) > set(sampled)
    assert set(events.canaries) > lies
    assert not set(events.canaries) & set(events.sampled)
    assert (len(events.sampled), len(events.canaries)) == (2 + before.further, 5)
    between = check_of(hall)
    # What people have said counts on, and nobody is asked for it again.
    assert (between.outcome, between.judged["first"], between.round) == ("incomplete", 3, 2)

    judge_all(hall)
    after = check_of(hall)
    assert after.outcome == "holds"
    assert after.bounds is not None
    assert after.bounds.confidence == pytest.approx(0.975)


def test_the_page_says_what_could_prove_it(hall: House) -> None:
    *_, remedy = make_end_page(hall.room().look()).missing
    assert remedy.endswith(f"begin it again with --more {check_of(hall).further}")


def test_one_record_fewer_would_have_proved_nothing(hall: House) -> None:
    further = check_of(hall).further
    assert further is not None
    hall.room(canaries=4).draw_more(further - 1, key="more-1")
    judge_all(hall)
    assert check_of(hall).outcome == "unproven"


def test_a_sample_that_nobody_has_judged_is_not_added_to(house: House) -> None:
    with pytest.raises(InputError, match="--more: the sample is not judged yet: 2 of 2 verdicts"):
        house.room().draw_more(1, key="more-1")


def test_only_a_judged_sample_that_proves_nothing_is_added_to(hall: House) -> None:
    hall.room(canaries=4).draw_more(20, key="more-1")
    with pytest.raises(InputError, match="--more: the sample is not judged yet"):
        hall.room().draw_more(1, key="more-2")
    judge_all(hall)
    with pytest.raises(InputError, match="--more: nothing is left to prove"):
        hall.room().draw_more(1, key="more-3")


def test_what_was_seen_must_be_what_is_there(house: House) -> None:
    query_id = drawn(house)[0]
    ada, bob = house.room("Ada"), house.room("Bob")
    seen = bob.look().record_view(query_id)
    judge(ada, query_id, key="key-1")
    for stale in (
        seen,
        replace(bob.look().record_view(query_id), content="digest of something else"),
    ):
        lines = house.lines
        with pytest.raises(StaleReviewError):
            bob.give_verdict(query_id, stale, "wrong", key="key-2", note="No.")
        with pytest.raises(StaleReviewError):
            bob.edit(
                query_id, stale, "canonical_narrative", BETTER, ANSWER.fact_citations, key="key-3"
            )
        assert house.lines == lines
    judge(bob, query_id, "minor_issue", key="key-4")
    assert house.room().look().item(query_id).judgement == "minor_issue"


def test_an_answer_that_changed_under_a_reader_is_noticed(house: House) -> None:
    query_id, room = drawn(house)[0], house.room()
    seen = room.look().record_view(query_id)
    house.batch = replace(
        house.batch, stage_files=replace(MADE, low=MADE.low | {query_id}).stage_files()
    )
    with pytest.raises(StaleReviewError):
        room.give_verdict(query_id, seen, "correct", key="key-1")


def test_a_decision_on_what_was_not_seen_is_refused(house: House) -> None:
    ada, bob = house.room("Ada"), house.room("Bob")
    seen = bob.look().record_view("q5")
    decide(ada, "q5", "drop", key="key-1")
    with pytest.raises(StaleReviewError):
        bob.decide("q5", seen, "keep", key="key-2")


@pytest.mark.parametrize(
    "name", ["Ada Lovelace", "ada lovelace", "ADA  LOVELACE", " Ada\tLovelace "]
)
@pytest.mark.parametrize("sitting", ["first", "second"])
def test_one_person_cannot_be_both_reviewers(house: House, name: str, sitting: ReviewPass) -> None:
    query_id = drawn(house)[0]
    other: ReviewPass = "second" if sitting == "first" else "first"
    judge(house.room("Ada Lovelace", other), query_id, key="key-1")
    with pytest.raises(InputError, match="another person"):
        judge(house.room(name, sitting), query_id, key="key-2")
    assert house.lines == 2
    judge(house.room("Bob", sitting), query_id, key="key-3")


def test_names_of_two_people_are_two() -> None:
    assert not same_person("Ada", "Adam")
    assert not same_person("Reviewer 1", "Reviewer 2")
    assert not same_person("???", "!!!")
    assert same_person("Ada Lovelace", "AdaLovelace")
    assert same_person("Ada Lovelace", "ada.lovelace")
    assert same_person("Ada", "\u0410da")
    assert same_person("Nova", "N\u03bfva")
    assert same_person("Stra\u00dfe", "STRASSE")
    assert same_person("Zo\u00eb", "Zoe\u0308")
    assert same_person("Ada\u00a0Lovelace", "\uff21da Lovelace")


def both_reviewers(house: House, query_id: str) -> list[str]:
    """The people behind a settled record."""
    case = house.room().look().review_state.settlement(query_id, twice=True)
    assert case is not None
    return sorted(one.reviewer for one in (case.first, case.second) if one is not None)


def test_taking_an_edit_back_does_not_make_one_person_both_reviewers(house: House) -> None:
    query_id, first, second = (
        drawn(house)[0],
        house.room("Ada", "first"),
        house.room("Ada", "second"),
    )
    judge(first, query_id, key="key-1")
    reword(first, query_id, key="key-2")
    try:
        judge(second, query_id, key="key-3")
        first.undo(key="key-4")
    except InputError:
        pass
    assert both_reviewers(house, query_id) != ["Ada", "Ada"]


def test_a_colleague_who_takes_a_verdict_back_does_not_make_one_person_both_reviewers(
    house: House,
) -> None:
    query_id, bob = drawn(house)[0], house.room("Bob", "first")
    judge(house.room("Ada", "first"), query_id, key="key-1")
    judge(bob, query_id, key="key-2")
    try:
        judge(house.room("Ada", "second"), query_id, key="key-3")
        bob.undo(key="key-4")
    except InputError:
        pass
    assert both_reviewers(house, query_id) != ["Ada", "Ada"]


def test_a_record_that_was_changed_was_not_correct(house: House) -> None:
    query_id, room = drawn(house)[0], house.room()
    reword(room, query_id, key="key-1")
    with pytest.raises(InputError, match="minor issue at the least"):
        judge(room, query_id, "correct", key="key-2")
    judge(room, query_id, "minor_issue", key="key-3")
    room.undo(key="key-4")
    room.undo(key="key-5")
    judge(room, query_id, "correct", key="key-6")
    assert [type(one).__name__ for one in house.events[1:]] == [
        "EditEvent",
        "VerdictEvent",
        "UndoEvent",
        "UndoEvent",
        "VerdictEvent",
    ]


def test_an_edit_that_changes_nothing_is_none(house: House) -> None:
    query_id, room = drawn(house)[0], house.room()
    with pytest.raises(InputError):
        reword(room, query_id, ANSWER.canonical_narrative, key="key-1")
    assert not any(isinstance(one, EditEvent) for one in house.events)


def test_the_gate_stops_a_bad_edit_from_being_let_through_and_from_nothing_else(
    house: House,
) -> None:
    query_id, room = drawn(house)[0], house.room()
    assert run_gate(ANSWER, house.snapshot) == ()
    reword(room, query_id, FALSE, key="key-1")
    with pytest.raises(InputError, match="the gate stops it: narrative_covered"):
        judge(room, query_id, "minor_issue", key="key-2")
    judge(room, query_id, "major_issue", key="key-3")
    judge(room, query_id, "wrong", key="key-4")


def test_the_gate_stops_a_bad_record_from_being_kept(house: House) -> None:
    room = house.room()
    reword(room, "q5", FALSE, key="key-1")
    with pytest.raises(InputError, match="the gate stops it"):
        decide(room, "q5", "keep", key="key-2")
    decide(room, "q5", "retry", key="key-3", words="do not mention prices")
    decide(room, "q5", "drop", key="key-4")
    reword(room, "q6", BETTER, key="key-5")
    decide(room, "q6", "keep", key="key-6")
    assert room.look().review_state.rulings.reinstated == {"q6"}


@pytest.mark.parametrize("hint", ["", "  ", "\n\t"])
def test_to_try_again_wants_a_hint(house: House, hint: str) -> None:
    with pytest.raises(InputError, match="hint"):
        decide(house.room(), "q5", "retry", key="key-1", words=hint)
    assert house.lines == 1


def test_what_the_run_acted_on_cannot_be_taken_back(house: House) -> None:
    room = house.room()
    decide(room, "q5", "retry", key="key-1", words="look at the callers")
    house.batch.stage_files.rejected.add(rejected("q5", EASY))
    with pytest.raises(InputError, match="acted on this already"):
        room.undo(key="key-2")
    assert house.lines == 2


def test_one_can_take_back_ones_own_words_of_this_sitting_alone(house: House) -> None:
    one, other = drawn(house)
    ada, bob = house.room("Ada"), house.room("Bob", "second")
    judge(ada, one, key="key-1")
    judge(ada, other, "minor_issue", key="key-2")
    judge(bob, one, key="key-3")
    assert [ada.undo(key="key-4"), ada.undo(key="key-5")] == [other, one]
    with pytest.raises(InputError, match="nothing to take back"):
        ada.undo(key="key-6")
    with pytest.raises(InputError, match="nothing to take back"):
        house.room("Cleo").undo(key="key-7")
    assert bob.look().item(one).judgement == "correct"


def test_a_second_reviewer_is_shown_the_sample_and_nothing_of_the_first(house: House) -> None:
    query_id, first = drawn(house)[0], house.room("Ada")
    before = house.room("Bob", "second").look().content(query_id).digest
    reword(first, query_id, key="key-1")
    judge(first, query_id, "minor_issue", key="key-2")
    scene = house.room("Bob", "second").look()
    assert [queue.name for queue in scene.queues] == ["sample"]
    assert {item.query_id for item in scene.items} == set(drawn(house))
    assert [item.judgement for item in scene.items] == [None, None]
    assert scene.record_view(query_id) == RecordView(before, 0)


def test_what_is_not_in_ones_lanes_cannot_be_spoken_on(house: House) -> None:
    outside = next(one for one in ("q1", "q2", "q3") if one not in drawn(house))
    room, second = house.room(), house.room("Bob", "second")
    for query_id in (outside, "q5"):
        with pytest.raises(InputError):
            judge(room, query_id, key="key-1")
        with pytest.raises(InputError):
            judge(second, query_id, key="key-2")
    for query_id in (outside, *drawn(house)):
        with pytest.raises(InputError):
            decide(room, query_id, "drop", key="key-3")
    with pytest.raises(InputError):
        decide(second, "q5", "drop", key="key-4")
    with pytest.raises(InputError):
        judge(room, "q99", key="key-5")
    assert house.lines == 1


def looked_at(tmp_path: Path, snapshot: Snapshot, stack: ExitStack) -> tuple[House, str]:
    """A house with a record outside the sample that wants a look."""
    made = replace(MADE, low=frozenset({"q1", "q2", "q3", "q4"}))
    house = House(tmp_path, snapshot, stack, made)
    house.room().draw_sample(key="sample-1")
    return house, next(one for one in ("q1", "q2", "q3", "q4") if one not in drawn(house))


def test_a_look_that_turned_a_record_down_can_be_corrected(
    tmp_path: Path, snapshot: Snapshot
) -> None:
    with ExitStack() as stack:
        house, query_id = looked_at(tmp_path, snapshot, stack)
        room = house.room()
        judge(room, query_id, "wrong", key="key-1")
        judge(room, drawn(house)[0], key="key-2")
        judge(room, query_id, "correct", key="key-3")
        assert room.look().review_state.rulings.dropped == frozenset()


def test_a_record_stands_in_one_lane(tmp_path: Path, snapshot: Snapshot) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, snapshot, stack, replace(MADE, low=frozenset({"q5"})))
        room = house.room()
        room.draw_sample(key="sample-1")
        decide(room, "q5", "keep", key="key-1")
        found = [item.query_id for item in room.look().items]
        assert sorted(found) == sorted(set(found))


def test_an_adjudicator_sees_disputes_alone_and_leaves_one_of_the_versions(house: House) -> None:
    one, other = drawn(house)
    ada, bob, cleo = (
        house.room("Ada"),
        house.room("Bob", "second"),
        house.room("Cleo", "adjudication"),
    )
    for room in (ada, bob):
        judge(room, one, key=f"one-{room.reviewer}")
    reword(ada, other, key="key-1")
    judge(ada, other, "minor_issue", key="key-2")
    assert cleo.look().items == ()
    judge(bob, other, "correct", key="key-3")
    scene = cleo.look()
    assert [item.query_id for item in scene.items] == [other]
    last = scene.record_view(other).last
    original = bob.look().content(other).digest
    with pytest.raises(StaleReviewError):
        cleo.give_verdict(
            other, RecordView("digest of something else", last), "correct", key="key-4"
        )
    cleo.give_verdict(other, RecordView(original, last), "correct", key="key-5")
    case = cleo.look().review_state.settlement(other, twice=True)
    assert case is not None
    assert (case.stage, case.verdict, case.content.digest) == ("settled", "correct", original)


@pytest.mark.parametrize("text", ["", "  \n", "x" * 8001])
def test_a_narrative_is_neither_empty_nor_endless(house: House, text: str) -> None:
    with pytest.raises(InputError):
        reword(house.room(), drawn(house)[0], text, key="key-1")


@pytest.mark.parametrize(
    "facts",
    [("",), ("x" * 2001,), ("one", " "), ("one",) * 21, ANSWER.must_mention_facts[:2], "one text"],
)
def test_facts_are_neither_empty_nor_endless_and_each_has_its_own_lines(
    house: House, facts: str | tuple[str, ...]
) -> None:
    room, query_id = house.room(), drawn(house)[0]
    seen = room.look().record_view(query_id)
    with pytest.raises(InputError):
        room.edit(query_id, seen, "must_mention_facts", facts, ANSWER.fact_citations, key="key-1")
    with pytest.raises(InputError):
        room.edit(
            query_id,
            seen,
            "must_mention_facts",
            (*ANSWER.must_mention_facts, "more"),
            ANSWER.fact_citations,
            key="k",
        )
    assert house.lines == 1


def test_a_note_that_is_too_long_is_refused_in_one_line(house: House) -> None:
    room, query_id = house.room(), drawn(house)[0]
    with pytest.raises(InputError):
        room.give_verdict(
            query_id, room.look().record_view(query_id), "wrong", key="key-1", note="x" * 4001
        )
    judge(room, query_id, key="key-2")


def test_a_killed_room_opened_again_is_the_same_room(house: House) -> None:
    one, other = drawn(house)
    room = house.room()
    judge(room, one, "minor_issue", key="key-1")
    reword(room, other, key="key-2")
    with house.path.open("ab") as file:
        file.write(b'{"number": 4, "key": "half a li')
    again = house.room()
    assert again.look().review_state.events == room.look().review_state.events
    assert again.look().item(one).judgement == "minor_issue"
    judge(again, other, "minor_issue", key="key-3")
    assert [type(event) for event in house.events] == [
        SampleEvent,
        VerdictEvent,
        EditEvent,
        VerdictEvent,
    ]
