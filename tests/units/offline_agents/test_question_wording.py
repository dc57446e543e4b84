"""The choice of words: none twice, none that gives the target away."""

from pathlib import Path

import pytest

from goldwright.offline_agents.inquiries.inquiry import Question
from goldwright.offline_agents.questions.question_wording import (
    FEWEST_WORDS,
    MOST_WORDS,
    NEAR_REPEAT,
    SAME_OPENING_IN_BATCH,
    SAME_OPENING_IN_CELL,
    QuestionWording,
)
from goldwright.plan import Cell
from goldwright.snapshot import Snapshot, open_snapshot
from units.offline_agents.questions import EASY, MEDIUM, question

TARGET = "shop.py::refund_customer"
MESSAGE = "The till holds too little money for such a large refund today"
CODE = f'def refund_customer(till):\n    raise ValueError("{MESSAGE}")\n'
NAMING_CELL = Cell("explain", "easy")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("wording") / "code"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    return open_snapshot(root, cache=root.parent / "cache")


def _texts(wording: QuestionWording, asked: Question, snapshot: Snapshot) -> list[str]:
    return [worded.text for worded in wording.propose(asked, snapshot)]


def _numbered(opening: str, count: int) -> list[str]:
    """Queries with one opening and else no word in common."""
    return [
        f"{opening} " + " ".join(f"w{number}x{place}" for place in range(8))
        for number in range(count)
    ]


def test_slots_are_filled_and_a_capital_slot_begins_a_sentence(snapshot: Snapshot) -> None:
    asked = question(
        TARGET,
        phrasings=("{Thing} stands still. {Thing} is what? {thing}?",),
        slots={"thing": "the old till!"},
    )
    texts = _texts(QuestionWording(10, 1), asked, snapshot)
    assert texts == ["The old till! stands still. The old till! is what? the old till!?"]


def test_a_slot_may_end_a_sentence_by_itself(snapshot: Snapshot) -> None:
    asked = question(TARGET, phrasings=("who says that {thing}.",), slots={"thing": "it is off."})
    assert _texts(QuestionWording(10, 1), asked, snapshot) == ["Who says that it is off."]


def test_the_same_query_is_not_asked_twice(snapshot: Snapshot) -> None:
    """Proposing counts nothing; accepting does."""
    wording = QuestionWording(10, 1)
    asked = question(TARGET)
    (proposed,) = wording.propose(asked, snapshot)
    assert [each.text for each in wording.propose(asked, snapshot)] == [proposed.text]
    draft = wording.accept(proposed)
    assert (draft.query_text, draft.target_entity_ids) == (proposed.text, (TARGET,))
    assert draft.intent == asked.intent
    assert _texts(wording, asked, snapshot) == []


def test_a_draft_says_what_the_question_says_of_itself(snapshot: Snapshot) -> None:
    asked = question(TARGET, rationale="It is far away.", expectation="debug")
    wording = QuestionWording(10, 1)
    (proposed,) = wording.propose(asked, snapshot)
    draft = wording.accept(proposed)
    assert draft.difficulty_rationale == "It is far away."
    assert draft.classifier_expectation == "debug"


def test_fresh_phrasings_come_before_worn_ones(snapshot: Snapshot) -> None:
    """As long as one is left that nobody used, it is taken."""
    phrasings = [
        f"{first} {second} the till of {{thing}} {rest}?"
        for first, second, rest in (
            ("Where", "does", "get its figures from each single evening"),
            ("Why", "must", "stay closed while others count coins"),
            ("When", "can", "be emptied without asking anybody first"),
            ("How", "would", "notice forged notes among real money"),
        )
    ]
    wording = QuestionWording(100, 1)
    taken = []
    for number in range(len(phrasings)):
        asked = question(TARGET, phrasings=phrasings, slots={"thing": f"shop{number}"})
        worded = next(iter(wording.propose(asked, snapshot)))
        wording.accept(worded)
        taken.append(worded.phrasing)
    assert sorted(taken) == sorted(phrasings)


TAILS = (
    "the till of {thing} is emptied each single evening",
    "nobody counts what {thing} takes in during summer",
)


def test_of_phrasings_that_open_alike_the_unused_one_is_taken(snapshot: Snapshot) -> None:
    """In any cell, whatever the seed."""
    phrasings = [f"Where it is {tail}?" for tail in TAILS]
    for seed in range(4):
        wording = QuestionWording(100, seed)
        taken = []
        for cell, name in ((EASY, "shop0"), (MEDIUM, "shop1")):
            asked = question(TARGET, cell=cell, phrasings=phrasings, slots={"thing": name})
            (worded,) = wording.propose(asked, snapshot)
            wording.accept(worded)
            taken.append(worded.phrasing)
        assert sorted(taken) == sorted(phrasings)


@pytest.mark.parametrize(
    "known",
    [
        ["Where it is raining cats nobody goes"],
        ["Where people sit down", "Where others stand around"],
    ],
)
def test_words_that_no_query_begins_with_are_taken_first(
    snapshot: Snapshot, known: list[str]
) -> None:
    """Neither its opening nor its first word, whatever the seed."""
    phrasings = [f"Where it is {TAILS[0]}?", f"Why it is {TAILS[1]}?"]
    for seed in range(6):
        wording = QuestionWording(100, seed)
        for text in known:
            wording.remember(MEDIUM, text)
        (worded,) = wording.propose(question(TARGET, phrasings=phrasings), snapshot)
        assert worded.phrasing == phrasings[1]


def test_the_seed_chooses_among_phrasings_that_are_equally_fresh(snapshot: Snapshot) -> None:
    phrasings = [f"{word} is the {{thing}} open for so long?" for word in ("Why", "When", "How")]
    asked = question(TARGET, phrasings=phrasings)
    first_texts = {_texts(QuestionWording(10, seed), asked, snapshot)[0] for seed in range(12)}
    assert len(first_texts) == 3
    again = {_texts(QuestionWording(10, 4), asked, snapshot)[0] for _ in range(3)}
    assert len(again) == 1


@pytest.mark.parametrize(("cell", "most"), [(EASY, SAME_OPENING_IN_CELL)])
def test_a_cell_holds_few_queries_of_one_opening(snapshot: Snapshot, cell: Cell, most: int) -> None:
    asked = question(TARGET, cell=cell)
    wording = QuestionWording(1000, 1)
    for place, text in enumerate(_numbered("Where is it", most)):
        assert _texts(wording, asked, snapshot), place
        wording.remember(cell, text)
    assert not _texts(wording, asked, snapshot)
    # Another cell may still open so.
    assert _texts(wording, question(TARGET, cell=MEDIUM), snapshot)


def test_a_batch_holds_few_queries_of_one_opening(snapshot: Snapshot) -> None:
    wording = QuestionWording(1000, 1)
    cells = [Cell("explain", "hard"), Cell("debug", "hard"), Cell("extend", "hard")]
    for place, text in enumerate(_numbered("Where is it", SAME_OPENING_IN_BATCH)):
        assert _texts(wording, question(TARGET), snapshot), place
        wording.remember(cells[place % 3], text)
    assert not _texts(wording, question(TARGET), snapshot)


@pytest.mark.parametrize(("size", "most"), [(10, 3), (100, 12)])
def test_a_share_of_a_batch_begins_with_one_word(snapshot: Snapshot, size: int, most: int) -> None:
    """Three queries may in any batch."""
    wording = QuestionWording(size, 1)
    for number in range(most):
        assert _texts(wording, question(TARGET), snapshot), number
        (text,) = _numbered(f"Where o{number} p{number}", 1)
        wording.remember(EASY, text)
    assert not _texts(wording, question(TARGET), snapshot)


@pytest.mark.parametrize(
    ("count", "passes"),
    [
        (FEWEST_WORDS - 1, False),
        (FEWEST_WORDS, True),
        (MOST_WORDS, True),
        (MOST_WORDS + 1, False),
    ],
)
def test_a_query_has_as_many_words_as_people_write(
    snapshot: Snapshot, count: int, passes: bool
) -> None:
    phrasing = " ".join(f"word{number}" for number in range(count))
    asked = question(TARGET, phrasings=(phrasing,))
    assert bool(_texts(QuestionWording(10, 1), asked, snapshot)) == passes


@pytest.mark.parametrize("name", ["refund_customer", "refund customer"])
def test_a_query_names_its_target_only_where_the_task_allows_it(
    snapshot: Snapshot, name: str
) -> None:
    phrasings = (f"What becomes of the money that {name} hands out?",)
    for cell in (EASY, MEDIUM, Cell("explain", "hard")):
        asked = question(TARGET, cell=cell, phrasings=phrasings)
        assert not _texts(QuestionWording(10, 1), asked, snapshot)
    asked = question(TARGET, cell=NAMING_CELL, phrasings=phrasings)
    assert _texts(QuestionWording(10, 1), asked, snapshot)


def test_a_near_repeat_of_another_query_is_none(snapshot: Snapshot) -> None:
    """What counts is the share of words that two queries have in common."""
    wording = QuestionWording(10, 1)
    known = [f"w{number}" for number in range(10)]
    wording.remember(EASY, " ".join(known))
    for shared in range(11):
        words = [*known[10 - shared :], *(f"v{number}" for number in range(10 - shared))]
        asked = question(TARGET, cell=MEDIUM, phrasings=("First " + " ".join(words),))
        is_fresh = shared / (21 - shared) < NEAR_REPEAT
        assert bool(_texts(wording, asked, snapshot)) == is_fresh, shared


def test_a_message_is_quoted_in_pieces_unless_it_is_to_be_easy(snapshot: Snapshot) -> None:
    """A piece that is not the end says that something follows."""
    phrasings = ("When do people get to read “{message}”?",)
    slots = {"message": MESSAGE}
    easy = question(TARGET, phrasings=phrasings, slots=slots)
    assert _texts(QuestionWording(10, 1), easy, snapshot) == [
        f"When do people get to read “{MESSAGE}”?"
    ]
    medium = question(TARGET, cell=MEDIUM, phrasings=phrasings, slots=slots)
    whole, *pieces = _texts(QuestionWording(10, 1), medium, snapshot)
    assert MESSAGE in whole
    assert pieces
    for text in pieces:
        quoted = text.partition("“")[2].partition("”")[0]
        assert quoted.removesuffix("…") in MESSAGE
        assert quoted.endswith("…") != MESSAGE.endswith(quoted)


def test_a_name_that_two_definitions_bear_asks_for_none_of_them(tmp_path: Path) -> None:
    root = tmp_path / "code"
    (root / "tests").mkdir(parents=True)
    (root / "shop.py").write_text("def refund():\n    return 1\n\ndef sell():\n    return 2\n")
    (root / "club.py").write_text("def refund():\n    return 3\n")
    (root / "tests" / "test_shop.py").write_text("def sell():\n    return 4\n")
    snapshot = open_snapshot(root, cache=tmp_path / "cache")
    by_name = ("At what moment does `{name}` give back what it was given?",)

    def texts(function: str, *further: str) -> list[str]:
        asked = question(
            f"shop.py::{function}",
            *further,
            cell=NAMING_CELL,
            phrasings=by_name,
            slots={"name": function},
        )
        return _texts(QuestionWording(10, 1), asked, snapshot)

    assert texts("refund") == []
    # Who is asked for both has to find both; tests are no part of the product.
    assert texts("refund", "club.py::refund") != []
    assert texts("sell") != []
