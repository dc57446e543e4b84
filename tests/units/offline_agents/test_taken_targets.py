"""Which questions collide with what queries are about already."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.questions.question_dealing import (
    DOCUMENTED,
    MOST_USES_OF_A_TARGET,
    TakenTargets,
)
from goldwright.plan import Cell
from goldwright.records import IntentKind, QueryCandidate
from units.offline_agents.questions import EASY, question
from units.review.batches import candidate

FIRST, SECOND, THIRD = EASY, Cell("debug", "hard"), Cell("extend", "hard")
PLACES = {FIRST: 0, SECOND: 1, THIRD: 2}


def _code(*documented: str, share: float = 0.5) -> CodeContext:
    """A codebase in which some entities have docstrings."""
    code = SimpleNamespace(is_documented=documented.__contains__, documented_share=share)
    return cast("CodeContext", code)


def _accepted(*targets: str, cell: Cell = FIRST) -> QueryCandidate:
    made = candidate("q1", cell)
    intent = question(*targets).intent
    return made.model_copy(update={"target_entity_ids": targets, "intent": intent})


def test_a_subject_is_asked_about_once_in_each_task_type() -> None:
    taken = TakenTargets(PLACES)
    taken.take(question("a.py::f", *(f"a.py::g{n}" for n in range(4)), cell=FIRST), _code())
    assert not taken.is_free(question("a.py::f", *(f"b.py::h{n}" for n in range(4)), cell=FIRST))
    assert taken.is_free(question("a.py::f", *(f"b.py::h{n}" for n in range(4)), cell=SECOND))


@pytest.mark.parametrize("is_accepted", [False, True])
@pytest.mark.parametrize(
    ("earlier", "later", "is_free"),
    [
        ("ab", "bc", True),
        ("ab", "abc", False),
        ("abcd", "ax", True),
        ("abcd", "a", False),
        ("abcd", "abx", False),
        ("a", "axyz", True),
    ],
)
def test_a_later_query_shares_at_most_half_of_its_targets_with_an_earlier_one(
    earlier: str, later: str, *, is_free: bool, is_accepted: bool
) -> None:
    """As the screen counts: from the later of the two, in the order of the cells."""
    before, after = (tuple(f"m.py::{name}" for name in names) for names in (earlier, later))
    taken = TakenTargets(PLACES)
    # What was accepted stands before every query of this round, its first cell included.
    own_cell = FIRST if is_accepted else THIRD
    if is_accepted:
        taken.take_accepted(_accepted(*before, cell=SECOND), _code())
    else:
        taken.take(question(*before, cell=FIRST), _code())
    asked = question(after[-1], *after[:-1], cell=own_cell)
    assert taken.is_free(asked) == is_free


def test_the_screen_sees_an_earlier_cell_first_whenever_its_query_is_made() -> None:
    """The narrow query stands before the broad one, so the broad one is what counts."""
    taken = TakenTargets(PLACES)
    taken.take(question("m.py::b", "m.py::c", "m.py::d", "m.py::e", cell=SECOND), _code())
    narrow = question("m.py::a", "m.py::b", cell=FIRST)
    assert taken.is_free(narrow)
    all_of_it = question("m.py::b", cell=FIRST)
    assert taken.is_free(all_of_it)
    assert not taken.is_free(question("m.py::b", cell=THIRD))


def test_within_a_cell_either_may_come_first() -> None:
    taken = TakenTargets(PLACES)
    taken.take(question("m.py::b", "m.py::c", "m.py::d", "m.py::e"), _code())
    assert not taken.is_free(question("m.py::c"))
    assert taken.is_free(question("m.py::x", "m.py::b"))
    taken.take(question("n.py::f"), _code())
    assert not taken.is_free(question("n.py::x", "n.py::f", "n.py::y", "n.py::z"))


def test_a_target_serves_a_few_queries_and_no_more() -> None:
    taken = TakenTargets(PLACES)
    for number in range(MOST_USES_OF_A_TARGET):
        asked = question(f"m.py::f{number}", "m.py::shared", cell=SECOND)
        assert taken.is_free(asked)
        taken.take(asked, _code())
    assert not taken.is_free(question("m.py::g", "m.py::shared", "m.py::h", cell=THIRD))
    assert taken.is_free(question("m.py::g", "m.py::h", cell=THIRD))


def test_documented_subjects_cost_more_once_there_are_more_of_them_than_in_the_code() -> None:
    code = _code("m.py::told", "m.py::told2", share=0.5)
    asked = question("m.py::told")
    taken = TakenTargets(PLACES)
    assert taken.cost_of_docstring(asked, code) == 0.0
    taken.take(question("m.py::plain", "m.py::told"), code)
    assert taken.cost_of_docstring(asked, code) == 0.0
    taken.take(question("m.py::told2"), code)
    # One of two is the share of the code.
    assert taken.cost_of_docstring(asked, code) == 0.0
    taken.take_accepted(_accepted("m.py::told"), code)
    assert taken.cost_of_docstring(asked, code) == DOCUMENTED
    assert taken.cost_of_docstring(question("m.py::plain"), code) == 0.0


def test_kinds_files_and_subjects_are_counted_for_old_and_new_queries() -> None:
    taken = TakenTargets(PLACES)
    taken.take(question("a/b.py::f", "c.py::g", kind="steps"), _code())
    taken.take_accepted(_accepted("a/b.py::h"), _code())
    without_reason = _accepted("c.py::i").model_copy(update={"intent": None})
    taken.take_accepted(without_reason, _code())
    assert taken.kinds == {"steps": 2}
    assert taken.files == {"a/b.py": 2, "c.py": 1}
    assert taken.uses == {"a/b.py::f": 1, "c.py::g": 1, "a/b.py::h": 1, "c.py::i": 1}


@pytest.mark.parametrize(
    ("first", "second", "is_free"),
    [
        ("caller_coping", "raise_condition", False),
        ("error_translation", "caller_coping", False),
        # Where a message comes from is another question than where its error goes.
        ("message_origin", "raise_condition", True),
        ("raise_condition", "message_origin", True),
    ],
)
def test_where_an_error_goes_is_asked_once(
    first: IntentKind, second: IntentKind, *, is_free: bool
) -> None:
    taken = TakenTargets(PLACES)
    earlier = question("a.py::f", *(f"a.py::g{n}" for n in range(4)), cell=FIRST)
    later = question("a.py::f", *(f"b.py::h{n}" for n in range(4)), cell=SECOND)
    taken.take(replace(earlier, intent=earlier.intent.model_copy(update={"kind": first})), _code())
    intent = later.intent.model_copy(update={"kind": second})
    assert taken.is_free(replace(later, intent=intent)) == is_free
