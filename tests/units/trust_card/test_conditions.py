"""Conditions of facts and narratives against the paths in the code."""

from dataclasses import replace

import pytest

from goldwright.records import FileRange
from units.trust_card.codebases import observe, record, values

CODE = {
    "a.py": """
        def f(path, mode, name, lock):
            if path is None:
                return None
            if mode == "w":
                if not name:
                    raise ValueError("no name")
            elif lock:
                raise KeyError(name)
            try:
                load(path)
            except OSError:
                raise RuntimeError("cannot load")
            if path or not lock:
                return start(path)
            return stop()
        """
}
NO_NAME, KEY, LOAD, START = 6, 8, 12, 14


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        ('`f` raises `ValueError` if `path` is set, `mode == "w"` and `name` is empty.', NO_NAME),
        ("`f` fails with `ValueError` when no name is given.", NO_NAME),
        ('`f` raises `KeyError` if `lock`, unless `path is None` or `mode == "w"`.', KEY),
        (
            "`f` raises `RuntimeError` after catching `OSError` for a `path`, `mode` and `lock`.",
            LOAD,
        ),
    ],
)
def test_a_fact_that_speaks_of_every_condition_is_sound(fact: str, line: int) -> None:
    asked = record(facts=[(fact, "a.py", line)])
    assert values("raise_conditions_omitted", asked, CODE) == [0.0]


@pytest.mark.parametrize(
    ("fact", "line", "omitted"),
    [
        ("`f` raises `ValueError` when `name` is falsy.", NO_NAME, "`path is None` is false"),
        ('`f` raises `KeyError` if `path` and `mode != "w"`.', KEY, "`lock` is true"),
        ("`f` raises `RuntimeError`.", LOAD, "`path is None` is false"),
        ("`f` raises `KeyError` when `lock` is truthy.", KEY, "`path is None` is false"),
        (
            "“no name” is the message of the `ValueError` of `f` if `path`.",
            NO_NAME,
            "`mode == 'w'`",
        ),
        ("On one of its paths, `f` raises `KeyError`.", KEY, "says no condition"),
    ],
)
def test_a_fact_that_leaves_a_condition_out_is_found(fact: str, line: int, omitted: str) -> None:
    (found,) = observe("raise_conditions_omitted", record(facts=[(fact, "a.py", line)]), CODE)
    assert found.value == 1.0
    assert omitted in found.note


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        ("`f` returns `start(path)` if `path`.", START),
        ("`f` raises `ValueError`.", START),
        ("`f` raises `TypeError`.", NO_NAME),
        ("The log says “it raises an error”.", NO_NAME),
        ("A `KeyError` is neither logged nor raised again on one of its paths.", KEY),
    ],
)
def test_only_facts_of_a_raise_that_is_cited_count(fact: str, line: int) -> None:
    assert values("raise_conditions_omitted", record(facts=[(fact, "a.py", line)]), CODE) == []


def test_a_condition_in_plain_words_excuses_what_it_may_stand_for() -> None:
    fact = ("`f` raises `KeyError` when somebody else holds it.", "a.py", KEY)
    assert values("raise_conditions_omitted", record(facts=[fact]), CODE) == [0.0]


def test_a_name_in_the_action_does_not_excuse_where_all_conditions_are_understood() -> None:
    fact = ("`f` raises `KeyError` with `path` when `lock` is truthy.", "a.py", KEY)
    assert values("raise_conditions_omitted", record(facts=[fact]), CODE) == [1.0]


@pytest.mark.parametrize(
    ("sentence", "is_inverted"),
    [
        ("When `path` is `None`, `f` calls `start`.", True),
        ("`f` calls `start` if `path is not None`.", False),
        ("Unless `path` is `None`, `f` calls `start`.", False),
        ("`f` calls `start` when `path or not lock` holds.", False),
        ("`f` calls `start` when `path or not lock` does not hold.", True),
    ],
)
def test_a_condition_of_a_fact_stands_as_it_does_in_the_code(
    sentence: str, is_inverted: bool
) -> None:
    asked = record(facts=[(sentence, "a.py", START)])
    assert values("guards_inverted", asked, CODE) == [float(is_inverted)]


def test_a_sentence_of_the_narrative_is_held_against_the_fact_that_it_tells() -> None:
    fact = ("`f` calls `start` when `path or not lock` holds.", "a.py", START)
    right = record(facts=[fact], narrative="It calls `start` when `path or not lock` holds.")
    wrong = record(facts=[fact], narrative="`f` calls `start` unless `path or not lock` holds.")
    other = record(facts=[fact], narrative="When `path or not lock` is false, `stop` is called.")
    assert values("guards_inverted", right, CODE) == [0.0, 0.0]
    assert values("guards_inverted", wrong, CODE) == [0.0, 1.0]
    assert values("guards_inverted", other, CODE) == [0.0]


def test_a_condition_in_quoted_words_has_not_lost_its_negation() -> None:
    fact = ("`f` calls `start` at last.", "a.py", START)
    lost = record(facts=[fact], narrative="It calls `start` when “path lock” holds.")
    (found,) = observe("guards_inverted", lost, CODE)
    assert "lost its negation" in found.note


def test_a_condition_that_the_lines_do_not_test_cannot_be_told() -> None:
    fact = ("`f` calls `start` when `ready` is truthy.", "a.py", START)
    assert values("guards_inverted", record(facts=[fact]), CODE) == []


def test_another_line_that_raises_the_same_error_has_a_condition_of_its_own() -> None:
    """The narrative tells of it beside the fact, and both are right."""
    fact = ('`f` raises `KeyError` if `lock`, unless `mode == "w"`.', "a.py", KEY)
    other = '`f` raises `ValueError` when `mode == "w"`, with a `lock` or without.'
    told = record(expects=["a.py::f"], facts=[fact], narrative=other)
    lines = (FileRange(file="a.py", start=1, end=15),)
    answer = told.answer.model_copy(update={"expected_line_ranges": lines})
    assert 1.0 in values("guards_inverted", told, CODE)
    assert 1.0 not in values("guards_inverted", replace(told, answer=answer), CODE)


TWO_CHECKS = {
    "b.py": """
        def read(header, strict):
            if not header:
                raise AssertionError("too short")
            if header[:4] != b"PACK":
                raise AssertionError("no pack")
            try:
                unpack(header)
            except ValueError:
                close(header)
                raise
        """
}


@pytest.mark.parametrize(("verdict", "is_inverted"), [("is truthy", False), ("is falsy", True)])
def test_a_test_in_words_belongs_to_the_fact_that_states_it_as_code(
    verdict: str, *, is_inverted: bool
) -> None:
    """The other fact is about the same name and error, and tests it the other way round."""
    facts = [
        ('`read` raises `AssertionError` if `header[:4] != b"PACK"` and `header`.', "b.py", 5),
        ("`read` raises `AssertionError` unless `header`.", "b.py", 3),
    ]
    narrative = f'`read` raises it when `header[:4]` is not `b"PACK"` and `header` {verdict}.'
    told = record(expects=["b.py::read"], facts=facts, narrative=narrative)
    assert (1.0 in values("guards_inverted", told, TWO_CHECKS)) is is_inverted


def test_who_catches_an_error_has_come_as_far_as_that() -> None:
    """What comes of it then has no other condition."""
    fact = ("When `read` catches `ValueError`, it raises it again.", "b.py", 8, 10)
    assert values("raise_conditions_omitted", record(facts=[fact]), TWO_CHECKS) == [0.0]
