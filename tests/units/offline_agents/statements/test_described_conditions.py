"""Conditions as a colleague says them: what is read back is what was meant."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.offline_agents.statements.condition_phrases import (
    describe_conditions,
    read_described_conditions,
    same_conditions,
)
from goldwright.path_conditions import Condition, Path

TESTS = st.builds(
    Condition,
    st.sampled_from(["if", "unless"]),
    st.sampled_from(
        [
            *(
                "ready",
                "self.is_open",
                "order.paid",
                "n > 3",
                "a == 'x, y'",
                "is_f(a, b)",
                "a.pop(b)",
                "b != 1",
            ),
            *("a is None", "b is not c", "n in names", "m not in names", "n <= m", "n > 1 > m"),
            *("isinstance(a, str)", "isinstance(a, (int, str))", "a.startswith('b and c')"),
            *("callable(f)", "hasattr(a, 'b')", "a == b", "a or b"),
        ]
    ),
    is_passed=st.booleans(),
)
ERRORS = st.builds(
    Condition, st.just("no_error"), st.sampled_from(["KeyError", "(OSError, E)", "json.E"])
)
CIRCUMSTANCES = st.sampled_from(
    [Condition("for", "rows", "a, b"), Condition("while", "n"), Condition("except", "(E, F)")]
)


@given(st.lists(TESTS | ERRORS | CIRCUMSTANCES, max_size=7).map(tuple))
def test_what_is_read_back_is_what_was_meant(path: Path) -> None:
    read = read_described_conditions(describe_conditions(path))
    assert read is not None
    assert same_conditions(read, path, normalise=str)


def names(kind: str, *codes: str) -> Path:
    return tuple(Condition(kind, code) for code in codes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (names("if", "a", "b"), "when `a` and `b` are truthy"),
        (names("unless", "a", "b", "c"), "when `a`, `b` and `c` are falsy"),
        (names("if", "n > 1", "a", "b"), "when `n` exceeds `1`, `a` is truthy and `b` is truthy"),
        (names("if", "a", "is_f()"), "when `a` and `is_f()`"),
        (
            (*names("if", "a"), *names("unless", "b", "c", "n > 1")),
            "when `a`, not `b` and not `c`, unless `n` exceeds `1`",
        ),
        (
            (*names("if", "a"), *names("unless", "n > 1")),
            "when `a` is truthy, unless `n` exceeds `1`",
        ),
        (names("unless", "is_f()"), "unless `is_f()`"),
        (names("unless", "is_f()", "has_g()"), "when not `is_f()` and not `has_g()`"),
        (
            names("unless", "n == 1", "is_f()", "m in n"),
            "when `n` is not `1`, `m` is not in `n` and not `is_f()`",
        ),
        (
            names("unless", "is_f()", "a and b"),
            "when not `is_f()` and `a and b` is falsy",
        ),
        (names("no_error", "E", "F"), "if no `E` or `F` occurs"),
        # What a call gives is a value, unless its name asks.
        (names("if", "a.pop('b')"), "when `a.pop('b')` is truthy"),
        (names("if", "a.is_open()"), "when `a.is_open()`"),
        # Behind words, bare code would be taken for what they compare with.
        (names("if", "n in m", "is_f()"), "when `is_f()` and `n` is in `m`"),
        (names("unless", "callable(f)", "has_g()"), "when not `has_g()` and `f` is not callable"),
    ],
)
def test_what_is_alike_is_said_once(path: Path, text: str) -> None:
    assert describe_conditions(path) == text


def passed(kind: str, *codes: str) -> Path:
    return tuple(replace(test, is_passed=True) for test in names(kind, *codes))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            (*passed("if", "url is not None", "n == 1"), *names("if", "scheme != 'x'")),
            "when `scheme` is not `'x'` and `n` is `1`, unless `url` is `None`",
        ),
        (
            (*passed("unless", "is_f()", "has_g()", "a and b"), *names("if", "n > 3")),
            "when `n` exceeds `3`, unless `is_f()`, `has_g()` or `a and b`",
        ),
        (
            (*passed("unless", "n == 1", "n == 2"), *names("unless", "n == 3")),
            "unless `n` is `1`, `n` is `2` or `n` is `3`",
        ),
        # A bare name is no clause, and "unless not" is one too many.
        (
            (*passed("unless", "stop"), *passed("if", "is_f()"), *names("unless", "n > 3")),
            "when `is_f()` and not `stop`, unless `n` exceeds `3`",
        ),
        (passed("unless", "is_f()", "has_g()"), "when not `is_f()` and not `has_g()`"),
    ],
)
def test_what_only_must_not_have_come_before_stands_last(path: Path, text: str) -> None:
    assert describe_conditions(path) == text


def test_a_name_of_which_nothing_is_said_holds() -> None:
    assert read_described_conditions("when `a` and `b`") == names("if", "a", "b")


@pytest.mark.parametrize(
    "text", ["when a", "if no `E` and `F` occurs", "when `is_f()` are truthy and no"]
)
def test_what_nobody_would_write_is_not_read(text: str) -> None:
    assert read_described_conditions(text) is None
