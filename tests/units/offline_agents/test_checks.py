"""What belongs to a check: its values, the other way, and what it is misread as."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.checked_values import checked_values
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.error_background import background_of, other_errors
from goldwright.offline_agents.inquiries.message_words import is_said_once, quoted
from goldwright.offline_agents.inquiries.mistaken_functions import said_elsewhere
from goldwright.offline_agents.inquiries.near_misses import (
    near_misses,
    under_others,
)
from goldwright.offline_agents.inquiries.passed_tests import when_it_passes
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.inquiries.tried_calls import tried_calls
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.path_conditions import Condition
from goldwright.snapshot import open_snapshot

CODE = """
def load(boat, cargo, most=5):
    weight = sum(cargo)
    if weight > most and boat is not None:
        raise ValueError("too much cargo for a boat")
    if not cargo:
        raise LookupError("there is no cargo to load")
    return weight


def tow(boats):
    rope = None
    for boat in boats:
        if rope is None:
            raise LookupError("there is no rope to tow with")
        rope = boat.rope


def moor(boat):
    try:
        place = boat.place()
    except KeyError:
        raise LookupError("there is no place to moor")
    if place < 0:
        raise ValueError("a place must not be below zero")
    return place


def board(boat):
    if boat is not None and boat.size > 5:
        raise ValueError("a boat too large to board")


def anchor(boat):
    raise ValueError("a place must not be below zero")


def lower(boat, sea):
    depth = sea.depth()
    if depth > 40:
        raise ValueError("the sea is too deep")
    boat.depth = depth


def land(boat):
    try:
        boat.land()
    except OSError:
        raise ValueError("the boat did not come to land")
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> CodeContext:
    root: Path = tmp_path_factory.mktemp("harbour")
    (root / "boats.py").write_text(CODE)
    return CodeContext(open_snapshot(root, cache=tmp_path_factory.mktemp("cache")))


def errors(code: CodeContext, name: str) -> list[Finding]:
    return list(find_statements(code, f"boats.py::{name}", (Raises,)))


def sentences(findings: Sequence[Finding]) -> list[str]:
    return [finding.statement.sentence() for finding in findings]


def test_every_value_of_a_test_has_its_origin(code: CodeContext) -> None:
    assert sentences(checked_values(code, errors(code, "load")[0])) == [
        "`load` sets `weight` to `sum(cargo)`.",
        "The parameter `most` of `load` is `5` unless it is given.",
        "The parameter `boat` of `load` must be given by the caller.",
    ]


def test_a_value_that_a_loop_changes_has_no_single_origin(code: CodeContext) -> None:
    assert checked_values(code, errors(code, "tow")[0]) == ()


def test_what_follows_a_check_is_told_by_what_comes_back(code: CodeContext) -> None:
    passed = when_it_passes(code, errors(code, "moor")[1])
    assert passed is not None
    assert passed.statement.sentence().startswith("`moor` returns `place`")
    assert when_it_passes(code, errors(code, "anchor")[0]) is None


def test_a_failed_step_is_told_by_all_that_is_tried(code: CodeContext) -> None:
    assert sentences(tried_calls(code, errors(code, "moor")[0])) == [
        "The `try` of `moor` that catches `KeyError` holds only `place = boat.place()`."
    ]
    assert tried_calls(code, errors(code, "load")[0]) == ()


def test_the_other_errors_are_all_but_the_one(code: CodeContext) -> None:
    first, second = errors(code, "load")
    assert other_errors(code, first) == (second,)


def test_a_condition_is_misread_by_its_nearest_test(code: CodeContext) -> None:
    missed = sentences(list(near_misses(code, errors(code, "load")[0])))
    start = "`load` raises `ValueError` with the message “too much cargo for a boat” if "
    assert missed == [
        f"{start}`weight >= most` and `boat is not None`.",
    ]


def test_a_version_is_no_better_compared_by_another_sign(tmp_path: Path) -> None:
    """It is longer than what it is compared with, so "<=" says the same as "<"."""
    (tmp_path / "code").mkdir()
    test = "if sys.version_info < (3, 14):\n        raise ValueError('this needs a newer Python')"
    (tmp_path / "code" / "old.py").write_text(f"import sys\n\ndef load():\n    {test}\n")
    code = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    (raised,) = find_statements(code, "old.py::load", (Raises,))
    assert list(near_misses(code, raised)) == []


def test_an_error_is_taken_for_its_neighbour(code: CodeContext) -> None:
    missing, below = errors(code, "moor")
    swapped = list(under_others(code, missing, [below]))
    assert [each.statement.conditions for each in swapped] == [below.statement.conditions]
    assert all(each.is_false and below.lines in each.also for each in swapped)


@pytest.mark.parametrize(
    ("message", "name", "is_once"),
    [
        ("there is no place to moor", "moor", True),
        ("a place must not be below zero", "moor", False),
        ("there is no", "tow", False),
    ],
)
def test_a_message_is_said_once_or_not(
    code: CodeContext, message: str, name: str, is_once: bool
) -> None:
    assert is_said_once(code, message, f"boats.py::{name}") is is_once


@pytest.mark.parametrize(
    ("message", "quotation"),
    [
        ("too much cargo: … of … boats are full", "too much cargo: … of … boats are full"),
        ("too much cargo: … of …", "too much cargo"),
        ("the boat cannot be found: …. Reason: …", "the boat cannot be found"),
        ("the boat comes from <…>", "the boat comes from …"),
        ("… is not a boat", "… is not a boat"),
        ("cargo comes in boxes, but got: …", "cargo comes in boxes"),
        ("the name of the boat is …", "the name of the boat"),
        ("no boat is called '…'", "no boat is called"),
        # Nothing is cut off here, and there too little would be left.
        ("nobody knows where the boats are", "nobody knows where the boats are"),
        ("boat must be …", "boat must be …"),
        ("the boat … has … of cargo left", "the boat … has … of cargo left"),
        ("nobody knows the boat: … (did you mean …)", "nobody knows the boat"),
        # One that is too long ends where a clause does, or a phrase.
        (
            f"boats are not painted here, so ask the harbour {'and the town ' * 6}again",
            "boats are not painted here",
        ),
        (
            f"boats cannot be painted by anybody {'from the oldest harbour ' * 4}again",
            "boats cannot be painted by anybody from the oldest harbour from the oldest harbour",
        ),
        ("cargo lies between 0 and …", "cargo lies between 0 …"),
        # What only names the value at the end is left out with it.
        ("boats without paint are skipped. Reason: …", "boats without paint are skipped"),
        # Of several sentences that are too long together, the first one.
        (f"There are no boats. {'Ask the harbour ' * 6}again", "There are no boats"),
    ],
)
def test_a_quotation_says_what_is_left_out_at_its_ends(message: str, quotation: str) -> None:
    assert quoted(message) == quotation


def test_that_a_value_is_kept_is_no_answer_to_what_happens_otherwise(code: CodeContext) -> None:
    assert when_it_passes(code, errors(code, "lower")[0]) is None


def test_an_error_is_asked_for_with_what_the_code_tells_of_it(code: CodeContext) -> None:
    """Each fact is asked for: what is kept in a name is none of them."""
    background = background_of(code, errors(code, "lower")[0])
    assert background is not None
    assert all("otherwise" not in phrasing for phrasing in background.phrasings)
    assert sentences(background.facts) == [
        "`lower` is defined in `boats.py`.",
        "`lower` sets `depth` to `sea.depth()`.",
    ]
    background = background_of(code, errors(code, "land")[0])
    assert background is not None
    assert sentences(background.facts) == [
        "`land` is defined in `boats.py`.",
        "The `try` of `land` that catches `OSError` holds only `boat.land()`.",
    ]


def test_a_message_is_looked_for_in_a_function_near_by(code: CodeContext) -> None:
    elsewhere = list(said_elsewhere(code, errors(code, "lower")[0]))
    assert [falsehood.is_false for falsehood in elsewhere] == [True]
    (sentence,) = sentences(elsewhere)
    assert sentence.startswith("The text “the sea is too deep” stands in ")
    assert "`lower`" not in sentence


def test_conditions_that_are_turned_twice_are_not_easily_said() -> None:
    assert is_easily_said((Condition("unless", "boat is not None"),))
    assert not is_easily_said((Condition("unless", "boat and not cargo"),))
    assert not is_easily_said(tuple(Condition("if", f"boat_{number}") for number in range(6)))


def test_a_message_that_another_language_gives_as_well_is_not_said_once(tmp_path: Path) -> None:
    """Nobody knows then which of the two it was."""
    root = tmp_path / "code"
    root.mkdir()
    raising = "def check(size):\n    raise ValueError('this boat is too small')\n"
    (root / "boats.py").write_text(raising)
    alone = CodeContext(open_snapshot(root, cache=tmp_path / "cache"))
    assert is_said_once(alone, "this boat is too small", "boats.py::check")
    (root / "quick.pyx").write_text(raising)
    both = CodeContext(open_snapshot(root, cache=tmp_path / "cache"))
    assert not is_said_once(both, "this boat is too small", "boats.py::check")
