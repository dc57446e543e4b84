"""Implication of paths, against an evaluation of every choice of the names in them."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.code_reading.path_implication import implies
from goldwright.path_conditions import Condition, ConditionKind, Path

_NAMES = ("a", "b", "c")
_TESTS = ("a", "not b", "a and b", "b or c", "not (a and c)", "a or not c", "(a and b) or c")
_CONDITIONS = st.builds(Condition, st.sampled_from(("if", "unless")), st.sampled_from(_TESTS))
_PATHS = st.lists(_CONDITIONS, max_size=3).map(tuple)


def _hold(path: Path, names: dict[str, bool]) -> bool:
    return all(bool(eval(test.code, dict(names))) is (test.kind == "if") for test in path)  # noqa: S307  # our own text


@given(_PATHS, _PATHS)
def test_a_path_implies_another_where_every_choice_of_values_says_so(
    path: Path, other: Path
) -> None:
    choices = [
        dict(zip(_NAMES, values, strict=True))
        for values in product((True, False), repeat=len(_NAMES))
    ]
    expected = all(_hold(other, choice) for choice in choices if _hold(path, choice))
    assert implies(path, other) is expected


@pytest.mark.parametrize(
    ("path", "other", "is_implied"),
    [
        ((("if", "a is None"),), (("unless", "a is not None"),), True),
        ((("if", "a"), ("unless", "b")), (("unless", "a and b"),), True),
        ((("unless", "a and b"),), (("if", "a"), ("unless", "b")), False),
        ((("for", "rows"),), (("for", "rows"),), True),
        ((("for", "rows"),), (("for", "lines"),), False),
        ((("except", "KeyError"), ("if", "a")), (("except", "KeyError"),), True),
        ((("if", "a == 1"),), (("unless", "a != 1"),), True),
        ((), (), True),
    ],
)
def test_conditions_of_every_kind(
    path: Sequence[tuple[ConditionKind, str]],
    other: Sequence[tuple[ConditionKind, str]],
    is_implied: bool,
) -> None:
    first, second = (tuple(Condition(*parts) for parts in side) for side in (path, other))
    assert implies(first, second) is is_implied


def test_too_many_tests_are_left_open() -> None:
    path = tuple(Condition("if", f"t{number}") for number in range(9))
    assert not implies(path, path[:1])
