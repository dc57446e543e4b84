"""Tests in words: what is said is read back to the same code, and nothing else is said."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.spoken_tests import operands_of_tests, read_test, say_test, with_tests_as_code

OPERANDS = st.sampled_from(["a", "self.a", "a[0]", "f(b, c)", "'is in'", "None", "3", "a + 1"])
OPERATORS = st.sampled_from(["is", "is not", "in", "not in", "==", "!=", "<", "<=", ">", ">="])
COMPARISONS = st.builds("{} {} {}".format, OPERANDS, OPERATORS, OPERANDS)
CALLS = st.builds(
    "{}({}, {})".format,
    st.sampled_from(["isinstance", "hasattr", "issubclass"]),
    OPERANDS,
    OPERANDS,
)
METHODS = st.builds("{}.{}({})".format, OPERANDS, st.sampled_from(["startswith", "find"]), OPERANDS)


@given(COMPARISONS | CALLS | METHODS, st.booleans())
def test_what_is_read_back_is_the_code_that_was_said(code: str, holds: bool) -> None:
    words = say_test(code, holds=holds)
    assert not words or read_test(words) == (code, holds)


@pytest.mark.parametrize(
    ("code", "words", "denied"),
    [
        ("a is None", "`a` is `None`", ""),
        ("a is not None", "`a` is not `None`", ""),
        ("a.b in c", "`a.b` is in `c`", ""),
        ("a == b", "`a` equals `b`", ""),
        ("a != b.c", "`a` differs from `b.c`", ""),
        ("a == 'x'", "`a` is `'x'`", ""),
        ("a != 1", "`a` is not `1`", ""),
        ("len(a) > 3", "`len(a)` exceeds `3`", "`len(a)` does not exceed `3`"),
        ("len(a) == 0", "`len(a)` is `0`", ""),
        ("isinstance(a, str)", "`a` is a `str`", "`a` is no `str`"),
        ("isinstance(a, int)", "`a` is an `int`", "`a` is no `int`"),
        ("isinstance(a, HTTPError)", "`a` is an `HTTPError`", "`a` is no `HTTPError`"),
        ("a.find(b) == -1", "`a.find(b)` is `-1`", ""),
        ("a.startswith('_')", "`a` starts with `'_'`", "`a` does not start with `'_'`"),
        ("callable(a)", "`a` is callable", "`a` is not callable"),
    ],
)
def test_a_test_is_said_as_a_colleague_says_it(code: str, words: str, denied: str) -> None:
    assert say_test(code) == words
    assert say_test(code, holds=False) == denied


@pytest.mark.parametrize(
    "code",
    [
        "a",
        "f(a)",
        "a == None",
        "a==1",
        "a < b < c",
        "not a in b",
        "(a or b) is None",
        "isinstance(a, (int, str))",
        "isinstance(a, TYPES)",
        "isinstance(a, string_types)",
        "a.startswith('_', 1)",
        "a is",
    ],
)
def test_what_words_would_not_bring_back_is_left_as_code(code: str) -> None:
    assert say_test(code) == ""


@pytest.mark.parametrize(
    ("code", "denied"),
    [
        ("isinstance(a, (int, str))", "`a` is neither an `int` nor a `str`"),
        ("isinstance(a, (Mapping, ABCMeta))", "`a` is neither a `Mapping` nor an `ABCMeta`"),
    ],
)
def test_of_two_classes_something_is_neither(code: str, denied: str) -> None:
    assert say_test(code, holds=False) == denied
    assert read_test(denied) == (code, False)
    assert with_tests_as_code(f"It waits when {denied}.") == f"It waits when not `{code}`."


def test_the_operands_of_tests_are_found_in_a_text() -> None:
    # Where something stands is no test.
    text = "`f` returns `x` when `a` is in `b`, unless `c` is `None`; `f` is in `g.py`."
    assert list(operands_of_tests(text)) == ["a", "b", "c", "None"]


@given(COMPARISONS)
def test_what_is_said_is_a_test(code: str) -> None:
    assert not say_test(code) or isinstance(ast.parse(code, mode="eval").body, ast.Compare)


@pytest.mark.parametrize(
    ("text", "coded"),
    [
        (
            "It waits when `a` is below `b`, `c` and `d` is a `str`.",
            "It waits when `a < b`, `c` and `isinstance(d, str)`.",
        ),
        ("It waits unless `a` has no attribute `'b'`.", "It waits unless not `hasattr(a, 'b')`."),
        ("It waits if `a` is `None` or `b` is `c`.", "It waits if `a is None` or `b` is `c`."),
        # What stands in no condition may be of a class, or of equal things.
        ("`A` is a `B`.", "`A` is a `B`."),
    ],
)
def test_words_behind_a_condition_are_read_as_code(text: str, coded: str) -> None:
    assert with_tests_as_code(text) == coded
