"""Which question goes to which cell, and that a codebase gives all that it has."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.inquiry import Lead, Question
from goldwright.offline_agents.questions import question_dealing, question_supply, tier_ranks
from goldwright.offline_agents.questions.question_dealing import Dealt, deal_questions
from goldwright.offline_agents.questions.question_supply import (
    ENOUGH_FOR_EACH,
    ENOUGH_OF_A_KIND,
    FIRST_LEADS,
    NEXT_LEADS,
    QuestionSupply,
    fits_tier,
)
from goldwright.offline_agents.survey.codebase_survey import CodebaseSurvey
from goldwright.plan import Cell
from goldwright.records import Difficulty, IntentKind, QueryCandidate
from goldwright.snapshot import Snapshot, open_snapshot
from units.offline_agents.questions import EASY, MEDIUM, question
from units.review.batches import candidate

FILES, FUNCTIONS = 20, 20
PATHS = [f"room{number}/shelf.py" for number in range(FILES)]
# So many different openings that words never run out before questions do.
PHRASINGS = tuple(
    f"{first} {second} the {{thing}} {third} at last?"
    for first in ("where", "when", "why", "how", "what", "which", "who")
    for second in ("does", "can", "must", "may", "will")
    for third in ("come to an end", "begin its long work")
)


@dataclass
class FakeInquiry:
    """Makes one question of each lead for each cell, about the subject alone."""

    cells: tuple[Cell, ...] = (EASY,)
    score: float = 0.5
    is_silent: bool = False
    asked: Counter[str] = field(default_factory=Counter)
    ruled_out: dict[Cell, set[str]] = field(default_factory=dict)

    def may_serve(self, lead: Lead, cell: Cell, _: CodeContext) -> bool:
        return lead.subject not in self.ruled_out.get(cell, set())

    def questions(self, lead: Lead, _: CodeContext) -> Iterator[Question]:
        self.asked[lead.subject] += 1
        number = "".join(filter(str.isdigit, lead.subject))
        for cell in () if self.is_silent else self.cells:
            yield question(
                lead.subject,
                cell=cell,
                kind=lead.kind,  # type: ignore[arg-type]  # kinds of leads are kinds of reasons
                phrasings=PHRASINGS,
                slots={"thing": f"w{number}a w{number}b w{number}c w{number}d w{number}e"},
                detail=lead.detail,
                score=self.score,
            )


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("dealing") / "code"
    for path in PATHS:
        (root / path).parent.mkdir(parents=True)
        functions = [f"def f{n}(x):\n    return x + {n}\n" for n in range(FUNCTIONS)]
        (root / path).write_text("\n".join(functions))
    return open_snapshot(root, cache=root.parent / "cache")


@pytest.fixture
def inquiries(monkeypatch: pytest.MonkeyPatch) -> dict[str, FakeInquiry]:
    """The inquiries of this test, by the kinds of their leads; all their questions are easy."""
    monkeypatch.setattr(tier_ranks, "best_rank", lambda *_: 1)
    by_kind: dict[str, FakeInquiry] = {}
    monkeypatch.setattr(question_supply, "BY_KIND", by_kind)
    monkeypatch.setattr(question_dealing, "can_be_answered", lambda *_: True)
    return by_kind


@pytest.fixture
def best_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the best one be taken, whatever else is open."""
    monkeypatch.setattr(question_dealing, "COMPARED", {"easy": 1})


def _leads(kind: IntentKind, subjects: Sequence[str]) -> tuple[Lead, ...]:
    return tuple(Lead(kind, subject, 1, 2, "", "") for subject in subjects)


def _subjects(files: int, functions: int) -> list[str]:
    return [f"{path}::f{n}" for path in PATHS[:files] for n in range(functions)]


def _deal(
    snapshot: Snapshot,
    leads: Mapping[str, tuple[Lead, ...]],
    asks: Sequence[tuple[Cell, int]],
    accepted: Sequence[QueryCandidate] = (),
    *,
    focus_area: str | None = None,
) -> Dealt:
    survey = CodebaseSurvey(leads, FILES)
    code = CodeContext(snapshot)
    return deal_questions(survey, code, asks, accepted, seed=1, focus_area=focus_area)


def test_a_cell_gets_what_it_asks_for_and_each_target_serves_once(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    inquiries["steps"] = FakeInquiry((EASY, MEDIUM))
    asks = ((EASY, 6), (MEDIUM, 0), (Cell("debug", "easy"), 0))
    dealt = _deal(snapshot, {"steps": _leads("steps", _subjects(4, 4))}, asks)
    assert {cell: len(deal.drafts) for cell, deal in dealt.items()} == {
        EASY: 6,
        MEDIUM: 0,
        Cell("debug", "easy"): 0,
    }
    assert all(deal.shortfall is None for deal in dealt.values())
    targets = [draft.target_entity_ids for draft in dealt[EASY].drafts]
    assert len(set(targets)) == 6


@pytest.mark.usefixtures("best_first")
def test_questions_are_spread_over_files(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    """Of equally good ones, no file gives a second before each gave one."""
    inquiries["steps"] = FakeInquiry()
    dealt = _deal(snapshot, {"steps": _leads("steps", _subjects(5, 4))}, ((EASY, 10),))
    files = [draft.target_entity_ids[0].partition("::")[0] for draft in dealt[EASY].drafts]
    assert sorted(files[:5]) == sorted(files[5:]) == PATHS[:5]


@pytest.mark.usefixtures("best_first")
def test_no_kind_makes_more_than_half_of_a_cell_while_others_can(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    """Even where its questions are much better."""
    inquiries["steps"] = FakeInquiry(score=0.9)
    inquiries["outcomes"] = FakeInquiry(score=0.3)
    subjects = _subjects(FILES, 1)
    leads = {
        "steps": _leads("steps", subjects[:10]),
        "outcomes": _leads("outcomes", subjects[10:]),
    }
    dealt = _deal(snapshot, leads, ((EASY, 8),))
    kinds = Counter(draft.intent.kind for draft in dealt[EASY].drafts if draft.intent)
    assert kinds == {"steps": 4, "outcomes": 4}


@pytest.mark.usefixtures("best_first")
def test_no_kind_makes_more_than_a_fifth_of_a_batch_while_others_can(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    """However good its questions are; every file holds one lead here."""
    kinds: tuple[IntentKind, ...] = ("outcomes", "registry", "contract", "callers", "family")
    subjects = _subjects(FILES, 1)
    inquiries["steps"] = FakeInquiry(score=0.9)
    leads = {"steps": _leads("steps", subjects[:5])}
    for number, kind in enumerate(kinds):
        inquiries[kind] = FakeInquiry(score=0.3)
        leads[kind] = _leads(kind, subjects[5 + 3 * number : 8 + 3 * number])
    drafts = _deal(snapshot, leads, ((EASY, 18),))[EASY].drafts
    assert len(drafts) == 18
    assert Counter(draft.intent.kind for draft in drafts if draft.intent)["steps"] == 4


@pytest.mark.usefixtures("best_first")
def test_what_is_asked_about_callers_is_counted_by_what_it_is(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    """Who uses a result asks something else than who changes a signature."""
    inquiries["callers"] = FakeInquiry(score=0.9)
    inquiries["outcomes"] = FakeInquiry(score=0.3)
    subjects = _subjects(FILES, 1)
    details = ("the calls", "the result")
    callers = [
        Lead("callers", subject, 1, 2, details[number % 2], "")
        for number, subject in enumerate(subjects[:12])
    ]
    leads = {"callers": tuple(callers), "outcomes": _leads("outcomes", subjects[12:])}
    drafts = _deal(snapshot, leads, ((EASY, 10),))[EASY].drafts
    asked = Counter(draft.intent.detail for draft in drafts if draft.intent)
    # Counted as one kind, they could make five of the ten.
    assert asked["the calls"] == asked["the result"] == 4


def test_accepted_queries_are_neither_asked_again_nor_worded_alike(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    inquiries["steps"] = FakeInquiry()
    subjects = _subjects(3, 1)
    leads = {"steps": _leads("steps", subjects)}
    first = _deal(snapshot, leads, ((EASY, 1),))[EASY].drafts[0]
    fields = {"query_text": first.query_text, "target_entity_ids": first.target_entity_ids}
    accepted = candidate("q1", EASY).model_copy(update=fields)
    second = _deal(snapshot, leads, ((EASY, 3),), [accepted])[EASY]
    asked = {draft.target_entity_ids for draft in second.drafts}
    assert asked == {(subject,) for subject in subjects} - {first.target_entity_ids}
    assert first.query_text not in {draft.query_text for draft in second.drafts}
    assert second.shortfall is not None
    assert second.shortfall.total_outcomes() == {"overlap": 1, "asked": 2}


def test_a_query_of_an_earlier_round_is_asked_though_its_lead_gives_nothing_now(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    """An account that counts fewer questions than the cell holds would be believed by nobody."""
    inquiries["steps"] = FakeInquiry()
    leads = {"steps": _leads("steps", _subjects(2, 1))}
    first = _deal(snapshot, leads, ((EASY, 1),))[EASY].drafts[0]
    fields = {
        "query_text": first.query_text,
        "target_entity_ids": first.target_entity_ids,
        "intent": first.intent,
    }
    accepted = candidate("q1", EASY).model_copy(update=fields)
    inquiries["steps"] = FakeInquiry(is_silent=True)
    shortfall = _deal(snapshot, leads, ((EASY, 3), (MEDIUM, 0)), [accepted])[EASY].shortfall
    assert shortfall is not None
    assert shortfall.total_outcomes() == {"no question": 2, "asked": 1}


def test_what_no_answer_can_be_derived_for_is_not_asked(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    inquiries["steps"] = FakeInquiry()
    subjects = _subjects(4, 1)

    def can_be_answered(asked: Question, _: CodeContext) -> bool:
        return asked.subject == subjects[2]

    monkeypatch.setattr(question_dealing, "can_be_answered", can_be_answered)
    deal = _deal(snapshot, {"steps": _leads("steps", subjects)}, ((EASY, 4),))[EASY]
    assert [draft.target_entity_ids for draft in deal.drafts] == [(subjects[2],)]
    assert deal.shortfall is not None
    assert deal.shortfall.total_outcomes() == {"no answer": 3, "asked": 1}
    assert (deal.shortfall.files, deal.shortfall.leads) == (FILES, {"steps": 4})


def test_of_some_questions_the_one_that_is_as_hard_to_find_as_its_tier_is_taken(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Easy ones stand first in a search, medium ones near the top."""
    subjects = _subjects(3, 1)
    ranks = dict(zip(subjects, (1, 2, 1001), strict=True))

    def best_rank(_: CodeContext, __: str, targets: Sequence[str]) -> int:
        return ranks[targets[0]]

    monkeypatch.setattr(tier_ranks, "best_rank", best_rank)
    for cell, place in ((EASY, 0), (MEDIUM, 1)):
        inquiries["steps"] = FakeInquiry((cell,))
        monkeypatch.setattr(question_supply, "fits_tier", lambda *_: True)
        dealt = _deal(snapshot, {"steps": _leads("steps", subjects)}, ((cell, 1),))
        assert dealt[cell].drafts[0].target_entity_ids == (subjects[place],)


@pytest.mark.parametrize(("rank", "count"), [(5, 3), (6, 0)])
def test_what_a_search_finds_late_is_not_asked_as_easy(
    snapshot: Snapshot,
    inquiries: dict[str, FakeInquiry],
    monkeypatch: pytest.MonkeyPatch,
    rank: int,
    count: int,
) -> None:
    """However few places it stands in: the cell says so instead."""
    monkeypatch.setattr(tier_ranks, "best_rank", lambda *_: rank)
    inquiries["steps"] = FakeInquiry((EASY, MEDIUM))
    leads = {"steps": _leads("steps", _subjects(4, 4))}
    deal = _deal(snapshot, leads, ((EASY, 3),))[EASY]
    assert len(deal.drafts) == count
    if deal.shortfall is not None:
        assert deal.shortfall.total_outcomes()["found late"] == 16
    assert len(_deal(snapshot, leads, ((MEDIUM, 3),))[MEDIUM].drafts) == 3


def test_what_several_cells_could_have_goes_to_the_emptiest(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the share of what they asked for."""
    monkeypatch.setattr(question_supply, "fits_tier", lambda *_: True)
    inquiries["steps"] = FakeInquiry((EASY, MEDIUM))
    leads = {"steps": _leads("steps", _subjects(3, 1))}
    dealt = _deal(snapshot, leads, ((EASY, 4), (MEDIUM, 2)))
    assert (len(dealt[EASY].drafts), len(dealt[MEDIUM].drafts)) == (2, 1)


def test_a_cell_with_little_choice_is_served_first(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one still finds enough elsewhere."""
    monkeypatch.setattr(question_supply, "fits_tier", lambda *_: True)
    inquiries["steps"] = FakeInquiry((EASY, MEDIUM), score=0.9)
    inquiries["outcomes"] = FakeInquiry((EASY,), score=0.1)
    subjects = _subjects(14, 1)
    leads = {"steps": _leads("steps", subjects[:2]), "outcomes": _leads("outcomes", subjects[2:])}
    dealt = _deal(snapshot, leads, ((EASY, 2), (MEDIUM, 2)))
    assert (len(dealt[EASY].drafts), len(dealt[MEDIUM].drafts)) == (2, 2)


def test_of_cells_that_are_equally_empty_the_one_with_least_choice_is_served_first(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only subject of one is not taken by another that has two."""
    monkeypatch.setattr(question_supply, "fits_tier", lambda *_: True)
    inquiries["steps"] = FakeInquiry((EASY, MEDIUM), score=0.9)
    inquiries["outcomes"] = FakeInquiry((EASY,), score=0.1)
    subjects = _subjects(2, 1)
    leads = {"steps": _leads("steps", subjects[:1]), "outcomes": _leads("outcomes", subjects[1:])}
    dealt = _deal(snapshot, leads, ((EASY, 1), (MEDIUM, 1)))
    assert (len(dealt[EASY].drafts), len(dealt[MEDIUM].drafts)) == (1, 1)


def test_only_what_lies_in_focus_is_asked_about(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    inquiries["steps"] = FakeInquiry()
    leads = {"steps": _leads("steps", _subjects(3, 2))}
    dealt = _deal(snapshot, leads, ((EASY, 6),), focus_area="room1/")
    assert {draft.target_entity_ids[0] for draft in dealt[EASY].drafts} == {
        "room1/shelf.py::f0",
        "room1/shelf.py::f1",
    }


def _supply(
    snapshot: Snapshot, leads: tuple[Lead, ...], asks: Sequence[tuple[Cell, int]], seed: int = 1
) -> QuestionSupply:
    survey = CodebaseSurvey({"steps": leads}, FILES)
    return QuestionSupply(survey, CodeContext(snapshot), asks, seed=seed, focus_area=None)


def test_at_first_leads_are_followed_until_there_is_choice_enough(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    inquiry = inquiries["steps"] = FakeInquiry()
    supply = _supply(snapshot, _leads("steps", _subjects(FILES, FUNCTIONS)), ((EASY, 3),))
    enough = ENOUGH_OF_A_KIND + 3 * ENOUGH_FOR_EACH
    assert len(supply.open_questions[EASY]) == len(inquiry.asked) == enough
    assert not supply.is_exhausted(EASY)
    assert supply.shortfall(EASY).leads == {"steps": enough}


def test_of_leads_that_lead_nowhere_only_so_many_are_followed_at_a_time(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And all of them before anything is said to be lacking."""
    monkeypatch.setattr(question_supply, "fits_tier", lambda *_: False)
    inquiry = inquiries["steps"] = FakeInquiry()
    subjects = _subjects(FILES, FUNCTIONS)
    supply = _supply(snapshot, _leads("steps", subjects), ((EASY, 1),))
    assert len(inquiry.asked) == FIRST_LEADS
    assert not supply.is_exhausted(EASY)
    supply.refill(EASY)
    assert supply.is_exhausted(EASY)
    assert inquiry.asked == Counter(subjects)
    assert supply.shortfall(EASY).total_outcomes() == {"wrong size": len(subjects)}


def test_a_refill_stops_at_the_first_questions(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    inquiry = inquiries["steps"] = FakeInquiry()
    supply = _supply(snapshot, _leads("steps", _subjects(FILES, FUNCTIONS)), ((EASY, 1),))
    before = len(inquiry.asked)
    supply.refill(EASY)
    assert len(inquiry.asked) == before
    supply.open_questions[EASY].clear()
    supply.refill(EASY)
    assert len(inquiry.asked) == before + NEXT_LEADS
    # What is lacking is filled up without a limit for the cell that lacks it.
    assert len(supply.open_questions[EASY]) == NEXT_LEADS
    assert set(inquiry.asked.values()) == {1}


def test_leads_that_cannot_help_a_cell_are_kept_for_the_others(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    """They are counted once for each cell, as looked at, and followed once at most."""
    subjects = _subjects(FILES, FUNCTIONS)
    inquiry = inquiries["steps"] = FakeInquiry((EASY, MEDIUM), is_silent=True)
    inquiry.ruled_out[MEDIUM] = set(subjects)
    supply = _supply(snapshot, _leads("steps", subjects), ((EASY, 1), (MEDIUM, 1)))
    supply.refill(MEDIUM)
    assert len(inquiry.asked) == FIRST_LEADS
    assert supply.is_exhausted(MEDIUM)
    assert not supply.is_exhausted(EASY)
    supply.refill(EASY)
    assert inquiry.asked == Counter(subjects)
    for cell in (EASY, MEDIUM):
        assert supply.shortfall(cell).leads == {"steps": len(subjects)}
        assert supply.shortfall(cell).total_outcomes() == {"no question": len(subjects)}


def test_what_became_of_leads_is_counted_cell_by_cell(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    """A kind counts for the cells that it can serve."""
    inquiries["steps"] = FakeInquiry((MEDIUM,))
    inquiries["steps"].cells = (MEDIUM,)
    asks = ((EASY, 1), (MEDIUM, 1))
    supply = _supply(snapshot, _leads("steps", _subjects(2, 1)), asks)
    assert supply.shortfall(EASY).leads == {}
    assert supply.is_exhausted(EASY)
    supply.note(MEDIUM, "steps", "overlap")
    assert supply.shortfall(MEDIUM).outcomes == {"steps": {"overlap": 1}}
    assert supply.shortfall(EASY).total_outcomes() == {}


def test_a_lead_that_makes_no_question_is_counted_as_one(
    snapshot: Snapshot, inquiries: dict[str, FakeInquiry]
) -> None:
    inquiries["steps"] = FakeInquiry(is_silent=True)
    deal = _deal(snapshot, {"steps": _leads("steps", _subjects(3, 1))}, ((EASY, 1),))[EASY]
    assert deal.shortfall is not None
    assert deal.shortfall.total_outcomes() == {"no question": 3}
    assert not deal.drafts


def test_the_seed_shuffles_the_leads(snapshot: Snapshot, inquiries: dict[str, FakeInquiry]) -> None:
    def order(seed: int) -> list[str]:
        inquiry = inquiries["steps"] = FakeInquiry()
        _supply(snapshot, _leads("steps", _subjects(5, 1)), ((EASY, 1),), seed)
        return list(inquiry.asked)

    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize(
    ("targets", "fits"),
    [
        (("room0/shelf.py::f0",), True),
        (("room0/shelf.py::missing",), False),
        (("room0/shelf.py::f0", "room0/shelf.py::f0"), False),
    ],
)
def test_targets_of_a_tier_are_entities_and_different(
    snapshot: Snapshot, targets: tuple[str, ...], *, fits: bool
) -> None:
    assert fits_tier(question(*targets), snapshot) == fits


@pytest.mark.parametrize(
    ("difficulty", "nearer", "farther"),
    [("easy", 1, 2), ("medium", 2, 8), ("hard", 60, 20), ("hard", 20, 1), ("easy", 3, 200)],
)
def test_a_query_fits_a_tier_the_better_the_nearer_its_rank_is_to_the_wanted_one(
    difficulty: Difficulty, nearer: int, farther: int
) -> None:
    cell = Cell("locate", difficulty)
    assert tier_ranks.misfit_of(nearer, cell) < tier_ranks.misfit_of(farther, cell)
