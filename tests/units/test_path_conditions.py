"""Paths: what goes without saying is left out of them, and nothing else is."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.path_conditions import Condition, ConditionKind, Path, split_tests

_VALUES = (-1, 0, 1, 2, 3, 0.5, float("nan"), "a", "b", True, None)
_OPERATORS = ("==", "!=", "in", "not in", "<", "<=", ">", ">=", "is", "is not")


_KINDS = st.sampled_from(
    ["x", *(f"isinstance(x, {name})" for name in ("bool", "int", "str", "float", "list"))]
)


@st.composite
def _comparisons(draw: st.DrawFn) -> str:
    operator = draw(st.sampled_from(_OPERATORS))
    constants = st.sampled_from(("0", "1", "2", "3", "0.5", '"a"', "True"))
    right = "None" if operator.startswith("is") else draw(constants)
    if operator.endswith("in"):
        right = f"({right}, {draw(constants)})"
    return f"x {operator} {right}"


@st.composite
def _tests(draw: st.DrawFn) -> Condition:
    joint = draw(st.sampled_from((" and ", " or ")))
    code = joint.join(draw(st.lists(_comparisons() | _KINDS, min_size=1, max_size=2)))
    kind: ConditionKind = draw(st.sampled_from(("if", "unless")))
    return Condition(kind, code)


def _holds(path: Sequence[Condition], value: object) -> bool | None:
    """Run the tests in their order; None where one of them cannot be run."""
    try:
        return all(
            bool(eval(test.code, {"x": value})) is (test.kind == "if")  # noqa: S307
            for test in path
        )
    except TypeError:
        return None


@given(path=st.lists(_tests(), min_size=1, max_size=4).map(tuple), value=st.sampled_from(_VALUES))
def test_what_is_left_out_is_settled_by_what_stays(path: Path, value: object) -> None:
    whole = _holds(path, value)
    # What is said twice may be told behind what it guards; a reader takes all of it together.
    outcomes = {_holds((test,), value) for test in split_tests(path)}
    telling = False if False in outcomes else None if None in outcomes else True

    assert telling is whole or whole is None


@pytest.mark.parametrize(
    ("path", "telling"),
    [
        ([("unless", "n == 0"), ("if", "n > 1")], [("if", "n > 1")]),
        ([("unless", "n is None"), ("if", "n")], [("if", "n")]),
        ([("unless", "n > m"), ("if", "n < m")], [("if", "n < m")]),
        ([("if", "n <= m"), ("if", "n < m")], [("if", "n < m")]),
        # What cannot be ordered is neither below nor above.
        ([("unless", "n > m"), ("unless", "n < m")], [("unless", "n > m"), ("unless", "n < m")]),
        ([("unless", "n is None"), ("if", "isinstance(n, str)")], [("if", "isinstance(n, str)")]),
        (
            [("unless", "isinstance(n, int)"), ("if", "isinstance(n, str)")],
            [("if", "isinstance(n, str)")],
        ),
        ([("if", 'mode in ("r", "w")'), ("if", 'mode == "r"')], [("if", 'mode == "r"')]),
        ([("unless", 'a.b == "x"'), ("if", 'a.b == "y"')], [("if", 'a.b == "y"')]),
        ([("unless", "a == K.ONE"), ("if", "a == K.TWO")], [("if", "a == K.TWO")]),
        ([("unless", "a in (m.K.one, m.K.two)"), ("if", "a == m.K.six")], [("if", "a == m.K.six")]),
        ([("unless", "a == K_ONE"), ("if", "a == K_TWO")], [("if", "a == K_TWO")]),
        (
            [("unless", "a is K.ONE.value"), ("if", "a == K.TWO.value")],
            [("if", "a == K.TWO.value")],
        ),
        # Of different kinds, of names that are no constants, and of orders nothing is known.
        *(
            ([("unless", f"a == {one}"), ("if", f"a == {two}")],) * 2
            for one, two in (
                ("K.ONE", "L.TWO"),
                ("K_ONE", "L_TWO"),
                ("EAGAIN", "EWOULDBLOCK"),
                ("b", "c"),
                ("self.b", "self.c"),
                ("K.ONE", "1"),
            )
        ),
        ([("unless", "a < K.ONE"), ("if", "a < K.TWO")],) * 2,
        ([("if", "a"), ("if", "a == K.ONE")],) * 2,
        ([("unless", "a is None"), ("if", "a == K.ONE")],) * 2,
        ([("if", "isinstance(a, str)"), ("if", "a == K.ONE")],) * 2,
        ([("unless", "ms < 10"), ("if", "ms > 100")], [("if", "ms > 100")]),
        ([("unless", "a is not None and b"), ("if", "a is None")], [("if", "a is None")]),
        # That one of two things holds is not settled by a part of one of them.
        (
            [("if", "(a == 1 and b) or c"), ("if", "a == 1")],
            [("if", "(a == 1 and b) or c"), ("if", "a == 1")],
        ),
        ([("while", "True"), ("if", "a")], [("if", "a")]),
        # What a call gives may be another thing the second time.
        (
            [("unless", "f() == 0"), ("if", "f() > 1")],
            [("unless", "f() == 0"), ("if", "f() > 1")],
        ),
        ([("unless", "a is None"), ("if", "a == 'b'")], [("if", "a == 'b'")]),
        ([("if", "a is None"), ("unless", "a in (1, 2)")], [("if", "a is None")]),
        ([("unless", "a == 1"), ("if", "a is True")], [("unless", "a == 1"), ("if", "a is True")]),
        ([("unless", "a < 1"), ("unless", "a > 2")], [("unless", "a < 1"), ("unless", "a > 2")]),
    ],
)
def test_a_path_without_what_goes_without_saying(
    path: list[tuple[ConditionKind, str]], telling: list[tuple[ConditionKind, str]]
) -> None:
    told = split_tests(tuple(Condition(kind, code) for kind, code in path))

    assert [(test.kind, test.code) for test in told] == telling


def test_a_test_of_a_changed_name_settles_nothing() -> None:
    before = replace(Condition("unless", "n == 0"), is_past=True)
    after = Condition("if", "n > 1")

    assert split_tests((before, after)) == (before, after)


def test_of_two_tests_that_read_alike_the_nearer_one_is_told() -> None:
    outer = Condition("if", "names", first=3, last=3)
    inner = Condition("if", "names", first=6, last=6)
    path = (outer, Condition("for", "lines", "line"), inner)

    assert [test.first for test in split_tests(path)] == [0, 6]
