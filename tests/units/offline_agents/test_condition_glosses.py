"""Conditions in words: what the words say is what the code tests."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.offline_agents.condition_glosses import outcome_in_words

# Each wording as the code that a reader takes it for.
MEANINGS = (
    (r"is an instance of neither (`[^`]+`) nor (`[^`]+`)", r"not isinstance({}, (\1, \2))"),
    (r"is an instance of (`[^`]+`) or (`[^`]+`)", r"isinstance({}, (\1, \2))"),
    (r"is an instance of (`[^`]+`)", r"isinstance({}, \1)"),
    (r"is no instance of (`[^`]+`)", r"not isinstance({}, \1)"),
    (r"does not begin with (`[^`]+`)", r"not {}.startswith(\1)"),
    (r"begins with (`[^`]+`)", r"{}.startswith(\1)"),
    (r"has the attribute (`[^`]+`)", r"hasattr({}, \1)"),
    (r"lacks the attribute (`[^`]+`)", r"not hasattr({}, \1)"),
    (r"is not callable", r"not callable({})"),
    (r"is callable", r"callable({})"),
    (r"is truthy", r"bool({})"),
    (r"is falsy", r"not ({})"),
    (r"equals (`[^`]+`)", r"({}) == \1"),
    (r"differs from (`[^`]+`)", r"({}) != \1"),
    (r"is not in (`[^`]+`)", r"({}) not in \1"),
    (r"is in (`[^`]+`)", r"({}) in \1"),
    (r"is not (less than|at most|greater than|at least) (`[^`]+`)", r"not (({}) \1 \2)"),
    (r"is (less than|at most|greater than|at least) (`[^`]+`)", r"({}) \1 \2"),
    (r"is not (`[^`]+`)", r"({}) is not \1"),
    (r"is (`[^`]+`)", r"({}) is \1"),
)
SIGNS = {"less than": "<", "at most": "<=", "greater than": ">", "at least": ">="}
TESTS = (
    "a",
    "not a",
    "a is None",
    "b is not None",
    "n == 2",
    "n != 2",
    "n < 2",
    "n <= 2",
    "n > 2",
    "n >= 2",
    "n in m",
    "n not in m",
    "isinstance(b, str)",
    "isinstance(b, (str, list))",
    "callable(b)",
    "hasattr(o, 'x')",
    "s.startswith('ab')",
    "o.x",
    "m[0]",
    "a or n == 2",
    "not (a and b)",
    "not a or not callable(b)",
)
VALUES: dict[str, list[Any]] = {
    "a": [True, False, None, 0],
    "b": [None, "", "x", [], len],
    "n": [1, 2, 3],
    "m": [(1,), (2, 3)],
    "s": ["", "abc", "b"],
    "o": [SimpleNamespace(x=1), SimpleNamespace(y=1)],
}


def meaning(words: str) -> str:
    """Write what the words say as code."""
    if not words.startswith("either "):
        return _meaning(words)
    return " or ".join(
        f"({_meaning(part)})" for part in words.removeprefix("either ").split(" or ")
    )


def _meaning(phrase: str) -> str:
    subject, _, said = phrase.partition("` ")
    for wording, code in MEANINGS:
        match = re.fullmatch(wording, said)
        if match is not None:
            filled = match.expand(code.format(subject.removeprefix("`"))).replace("`", "")
            for words, sign in SIGNS.items():
                filled = filled.replace(words, sign)
            return filled
    raise AssertionError(phrase)


@given(
    st.sampled_from(TESTS),
    st.booleans(),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()}),
)
def test_the_words_say_what_the_code_tests(test: str, holds: bool, values: dict[str, Any]) -> None:
    """Read by their words alone and run, they come out as the code does."""
    words = outcome_in_words(test, holds=holds)
    if not words:
        return
    scope = {"bool": bool, "callable": callable, "hasattr": hasattr, **values}
    scope |= {"isinstance": isinstance, "str": str, "list": list}
    try:
        by_code = bool(eval(test, {}, scope)) == holds  # noqa: S307  # our own tests
    except AttributeError:
        return
    assert bool(eval(meaning(words), {}, scope)) == by_code  # noqa: S307


@pytest.mark.parametrize("code", ["a < b < c", "a or (b and c)", "a and b", "a if b else c", "def"])
def test_what_has_no_plain_wording_is_not_put_into_words(code: str) -> None:
    assert outcome_in_words(code, holds=True) == ""


def test_a_value_that_is_of_neither_class_is_said_so() -> None:
    words = "`body` is an instance of neither `str` nor `bytes`"
    assert outcome_in_words("isinstance(body, (str, bytes))", holds=False) == words


@pytest.mark.parametrize(
    "test", ["a + 1 or b", "a or b + 1", "(a and b) or n == 2", "a or (b or m)"]
)
def test_a_choice_with_a_part_that_has_no_words_or_is_a_choice_stays_code(test: str) -> None:
    assert outcome_in_words(test, holds=True) == ""
