"""Conditions in words: what the words say is what the code tests."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.offline_agents.condition_glosses import IN_OTHER_WORDS, gloss
from goldwright.path_conditions import Condition, ConditionKind

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
    """Write what a gloss says as code."""
    said = words.removeprefix(f"{IN_OTHER_WORDS} it happens where ").removesuffix(".")
    for either in (True, False):
        if said.startswith("either ") == either:
            joint = " or " if either else " and "
            parts = re.split(joint, said.removeprefix("either ")) if either else [said]
            return joint.join(f"({_meaning(part)})" for part in parts)
    raise AssertionError(words)


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
    st.sampled_from(("if", "unless")),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()}),
)
def test_a_gloss_says_what_the_code_tests(
    test: str, kind: ConditionKind, values: dict[str, Any]
) -> None:
    """Read by its words alone and run, it comes out as the code does."""
    # The second test makes the first one worth a gloss, and always holds.
    words = gloss((Condition(kind, test), Condition("if", "ok")))
    if not words:
        return
    first = words.replace(" and `ok` is truthy", "").replace("`ok` is truthy and ", "")
    scope = {"bool": bool, "callable": callable, "hasattr": hasattr, **values}
    scope |= {"isinstance": isinstance, "str": str, "list": list}
    try:
        by_code = bool(eval(test, {}, scope)) == (kind == "if")  # noqa: S307  # our own tests
    except AttributeError:
        return
    assert bool(eval(meaning(first), {}, scope)) == by_code  # noqa: S307


@pytest.mark.parametrize(
    "path",
    [
        (),
        (Condition("if", "ready"),),
        (Condition("unless", "ready"), Condition("for", "shops", "shop")),
        (Condition("unless", "a < b < c"),),
        (Condition("unless", "a or (b and c)"), Condition("unless", "a if b else c")),
        (Condition("unless", "def"),),
        (Condition("if", "a or b"), Condition("if", "b or c")),
    ],
)
def test_what_code_says_as_well_is_not_said_again(path: tuple[Condition, ...]) -> None:
    assert gloss(path) == ""


def test_a_choice_stands_last() -> None:
    path = (Condition("if", "a or b"), Condition("if", "ok"))
    words = "`ok` is truthy and either `a` is truthy or `b` is truthy"
    assert gloss(path) == f"{IN_OTHER_WORDS} it happens where {words}."


def test_several_tests_are_one_sentence() -> None:
    path = (
        Condition("if", "iterator == 'xml' or strict"),
        Condition("unless", "isinstance(body, (str, bytes))"),
    )
    assert gloss(path) == (
        "In other words, it happens where `body` is an instance of neither `str` nor `bytes` and "
        "either `iterator` equals `'xml'` or `strict` is truthy."
    )
