"""The whole condition of a statement: never false where it is reached, and not less than all."""

import ast
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.conditions import ReachedStatement, statements_of
from goldwright.path_conditions import LONGEST_CONDITION, MOST_CONDITIONS, Condition, Path
from units.code_reading.functions import (
    CONDITIONS_ALONE,
    Outcome,
    functions,
    run_on_every_choice,
)
from units.code_reading.sources import read_function

_NUMBER = re.compile(r"out\((\d+)\)")


def statements(code: str) -> list[ReachedStatement]:
    module, function = read_function(code)
    return list(statements_of(function, module.text))


def path_of(code: str, mark: str) -> Path | None:
    """Give the conditions of the statement on the line that holds a mark."""
    number = next(n for n, line in enumerate(code.split("\n"), start=1) if mark in line)
    return next(found.path for found in statements(code) if found.node.lineno == number)


def told(code: str, mark: str = "here") -> list[tuple[str, str, str]]:
    path = path_of(code, mark)
    assert path is not None
    return [(condition.kind, condition.code, condition.detail) for condition in path]


def numbered(code: str) -> Iterator[tuple[int, Path]]:
    """Give the conditions of each statement that has a number, where they are clear."""
    for found in statements(code):
        is_plain = isinstance(found.node, ast.Return | ast.Raise | ast.Expr)
        match = _NUMBER.search(ast.unparse(found.node)) if is_plain else None
        if match and found.path is not None:
            yield int(match[1]), found.path


def holds(path: Path, outcome: Outcome) -> bool:
    """Whether every test on a path comes out as the path says."""
    for condition in path:
        if condition.kind in {"if", "unless"}:
            names: dict[str, object] = {**outcome.flags, "e": outcome.flags["b"]}
            is_true = bool(eval(f"({condition.code})", names))  # noqa: S307  # our own text
            if is_true != (condition.kind == "if"):
                return False
    return True


@given(functions(is_runnable=True), st.booleans())
def test_no_statement_is_reached_while_a_test_on_its_path_says_otherwise(
    code: str, steps_fail: bool
) -> None:
    """Whatever loops, clauses and early exits are around it."""
    paths = dict(numbered(code))
    for outcome in run_on_every_choice(code, steps_fail=steps_fail):
        for number in outcome.reached & paths.keys():
            assert holds(paths[number], outcome), (number, paths[number], outcome.flags)


@given(functions(is_runnable=True, kinds=CONDITIONS_ALONE))
def test_a_statement_is_reached_whenever_its_whole_condition_holds(code: str) -> None:
    """A fall-through, an ``elif`` or an early exit that is left out would show here."""
    paths = dict(numbered(code))
    for outcome in run_on_every_choice(code, steps_fail=False):
        for number, path in paths.items():
            if all(condition.kind in {"if", "unless"} for condition in path):
                assert holds(path, outcome) == (number in outcome.reached), (number, path)


@given(functions())
def test_statements_come_in_the_order_of_their_lines_each_once(code: str) -> None:
    places = [(found.node.lineno, found.node.col_offset) for found in statements(code)]
    assert places == sorted(set(places))


@given(functions())
def test_what_is_said_is_short_enough_to_be_said(code: str) -> None:
    for found in statements(code):
        for condition in found.path or ():
            assert 0 < len(condition.code) + len(condition.detail) <= LONGEST_CONDITION
            assert "`" not in condition.code
            assert "\n" not in condition.code
        assert len(found.path or ()) <= MOST_CONDITIONS


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        ("if a:\n        here()", [("if", "a", "")]),
        ("if not a:\n        here()", [("unless", "a", "")]),
        ("if not (not a):\n        here()", [("if", "a", "")]),
        ("if a:\n        pass\n    else:\n        here()", [("unless", "a", "")]),
        (
            "if a:\n        pass\n    elif b:\n        here()",
            [("unless", "a", ""), ("if", "b", "")],
        ),
        ("if a:\n        return\n    here()", [("unless", "a", "")]),
        ("if not a:\n        raise KeyError\n    here()", [("if", "a", "")]),
        (
            "if a:\n        return\n    if b:\n        return\n    here()",
            [("unless", "a", ""), ("unless", "b", "")],
        ),
        # An ``elif`` that leaves behind an ``if`` that leaves: nothing is said twice.
        (
            "if a:\n        return\n    elif b:\n        return\n    here()",
            [("unless", "a", ""), ("unless", "b", "")],
        ),
        (
            (
                "if a:\n        pass\n    elif b:\n        return\n    else:\n        return\n"
                "    here()"
            ),
            [("if", "a", "")],
        ),
        (
            "if a:\n        if b:\n            return\n    here()",
            [("unless", "a and b", "")],
        ),
        (
            "if a or c:\n        if not b:\n            return\n    here()",
            [("unless", "(a or c) and not b", "")],
        ),
        (
            "if a:\n        if not (b or c):\n            return\n    here()",
            [("unless", "a and not (b or c)", "")],
        ),
        (
            "if a:\n        if not (e := b):\n            return\n    here()",
            [("unless", "a and not (e := b)", "")],
        ),
        ("for n in xs:\n        here()", [("for", "xs", "n")]),
        (
            "for n in xs:\n        if a:\n            continue\n        here()",
            [("for", "xs", "n"), ("unless", "a", "")],
        ),
        (
            "for n in xs:\n        if a:\n            break\n    here()",
            [],
        ),
        (
            "for n in xs:\n        if a:\n            return\n    here()",
            [("loop_end", "xs", "n")],
        ),
        ("for n in xs:\n        pass\n    else:\n        here()", [("loop_end", "xs", "n")]),
        ("while a:\n        here()", [("while", "a", "")]),
        ("while a:\n        pass\n    here()", []),
        ("with a as b:\n        here()", []),
        ("with a:\n        return\n    here()", None),
        (
            "try:\n        a()\n    except KeyError:\n        here()",
            [("except", "KeyError", "")],
        ),
        ("try:\n        a()\n    except:\n        here()", [("except", "BaseException", "")]),
        (
            "try:\n        a()\n    except KeyError:\n        return\n    here()",
            [("no_error", "KeyError", "")],
        ),
        (
            "try:\n        return a()\n    except KeyError:\n        pass\n    here()",
            [("except", "KeyError", "")],
        ),
        (
            "try:\n        a()\n    except KeyError:\n        pass\n    else:\n        here()",
            [("no_error", "KeyError", "")],
        ),
        ("try:\n        a()\n    finally:\n        here()", []),
        (
            "with suppress(KeyError):\n        return a()\n    here()",
            [("except", "KeyError", "")],
        ),
        (
            "with contextlib.suppress(KeyError):\n        return a()\n    here()",
            [("except", "KeyError", "")],
        ),
        ("match a:\n        case 1:\n            here()", [("case", "a", "1")]),
        (
            "match a:\n        case 1:\n            pass\n        case 2:\n            here()",
            [("case", "a", "2")],
        ),
    ],
)
def test_conditions_are_those_that_a_reader_would_name(
    body: str, conditions: list[tuple[str, str, str]] | None
) -> None:
    """A case of each kind, ``here`` being the statement in question."""
    code = f"def work(a, b, c, xs):\n    {body}\n"
    if conditions is None:
        assert all("here" not in ast.unparse(found.node) for found in statements(code)[1:])
    else:
        assert told(code) == conditions


@pytest.mark.parametrize(
    "body",
    [
        # A loop that may return has ended in two ways, and its ``else`` in one of them.
        "for n in xs:\n        if a:\n            return\n    else:\n        b()\n    here()",
        # What is raised is caught in the same ``try``, which then goes on.
        (
            "try:\n        if a:\n            raise KeyError\n"
            "    except KeyError:\n        pass\n    here()"
        ),
        # A break passes by an ``else`` that leaves.
        "for n in xs:\n        if a:\n            break\n    else:\n        return\n    here()",
        "while a:\n        if b:\n            return\n    here()",
        "while a:\n        pass\n    else:\n        c()\n    here()",
        "while a:\n        b()\n    else:\n        here()",
        "try:\n        a()\n    finally:\n        if b:\n            return\n    here()",
        (
            "try:\n        return a()\n    except KeyError:\n        pass\n"
            "    except OSError:\n        pass\n    here()"
        ),
        (
            "try:\n        return a()\n    except KeyError:\n        if b:\n            return\n"
            "    here()"
        ),
        "with suppress(KeyError):\n        if a:\n            return\n    here()",
        "match a:\n        case 1:\n            return\n    here()",
        "match a:\n        case [x]:\n            pass\n        case 2:\n            here()",
        "match a:\n        case 1 if b:\n            here()",
        "match a:\n        case 1 if b:\n            pass\n        case 1:\n            here()",
    ],
)
def test_nothing_is_claimed_where_the_way_is_no_list_of_conditions(body: str) -> None:
    """A claim that leaves out a part would be false."""
    code = f"def work(a, b, c, xs):\n    {body}\n"
    assert path_of(code, "here") is None


@pytest.mark.parametrize(
    "body",
    [
        "return\n    here()",
        "if a:\n        return\n    else:\n        raise KeyError\n    here()",
        "while True:\n        a()\n    here()",
        "try:\n        return a()\n    except KeyError:\n        raise\n    here()",
        "for n in xs:\n        pass\n    else:\n        return\n    here()",
    ],
)
def test_what_is_never_reached_has_no_conditions_at_all(body: str) -> None:
    code = f"def work(a, b, c, xs):\n    {body}\n"
    assert all("here" not in ast.unparse(found.node) for found in statements(code))


def test_an_endless_loop_that_is_left_by_a_break_is_passed() -> None:
    assert (
        told("def work(a):\n    while True:\n        if a:\n            break\n    here()\n") == []
    )


def test_an_inner_function_is_a_statement_whose_content_belongs_to_it_alone() -> None:
    """A return inside it does not leave the outer function."""
    code = "def work(a):\n    def inner():\n        return 1\n    here()\n"
    assert told(code) == []
    lines = [found.node.lineno for found in statements(code)]
    assert lines == [2, 4]


def test_own_nodes_stop_at_functions_classes_and_lambdas_inside() -> None:
    code = (
        "f = lambda: inside\ndef g():\n    inside\nclass C:\n    inside\nfor n in xs:\n    mine\n"
    )
    names = {node.id for node in own_nodes(ast.parse(code).body) if isinstance(node, ast.Name)}
    assert names == {"f", "n", "xs", "mine"}


def test_seven_conditions_are_one_too_many() -> None:
    tests = ["a", "b", "c", "d", "e", "f", "g"]
    lines = [f"{'    ' * depth}if {test}:" for depth, test in enumerate(tests, start=1)]
    six = "\n".join(("def work():", *lines[:6], "    " * 7 + "here()", ""))
    seven = "\n".join(("def work():", *lines, "    " * 8 + "here()", ""))
    assert len(told(six)) == MOST_CONDITIONS == 6
    assert path_of(seven, "here") is None


@pytest.mark.parametrize(
    ("length", "is_sayable"), [(LONGEST_CONDITION, True), (LONGEST_CONDITION + 1, False)]
)
def test_a_condition_longer_than_a_sentence_bears_is_not_said(
    length: int, is_sayable: bool
) -> None:
    code = f"def work():\n    if {'x' * length}:\n        here()\n"
    assert (path_of(code, "here") is not None) == is_sayable


def test_a_condition_over_several_lines_is_said_on_one_without_its_remarks() -> None:
    code = (
        "def work(a, b):\n    if (\n        a  # the first\n        or b\n    ):\n        here()\n"
    )
    assert told(code) == [("if", "a or b", "")]


@pytest.mark.parametrize(
    ("test", "tests"),
    [
        ("a and not b", [("if", "a", ""), ("unless", "b", "")]),
        ("not (a or b > 1)", [("unless", "a", ""), ("unless", "b > 1", "")]),
        ("a and (b or c)", [("if", "a", ""), ("if", "b or c", "")]),
        ("not (a and b)", [("unless", "a and b", "")]),
        ("a and b and a", [("if", "a", ""), ("if", "b", "")]),
        ("f('é', (a)) and b[1]", [("if", "f('é', (a))", ""), ("if", "b[1]", "")]),
        ("a is not None", [("if", "a is not None", "")]),
    ],
)
def test_a_condition_is_taken_apart_into_what_must_hold(
    test: str, tests: list[tuple[str, str, str]]
) -> None:
    assert told(f"def work(a, b, c):\n    if {test}:\n        here()\n") == tests


def test_a_condition_keeps_the_lines_on_which_it_stands() -> None:
    path = path_of(
        "def work(a):\n    if (\n        a\n    ):\n        return\n    here()\n", "here"
    )
    assert path == (Condition("unless", "a"),)
    assert [(condition.first, condition.last) for condition in path] == [(3, 3)]


@pytest.mark.parametrize(
    "body",
    [
        # The name has another value when it is tested again.
        "if not a:\n        return\n    a = find(a)\n    if not a:\n        here()",
        "if a is None:\n        return\n    a, b = find()\n    if a:\n        here()",
        "if a.b:\n        return\n    a.b = find()\n    if a.b > 1:\n        here()",
        "while a:\n        a = step(a)\n        if a:\n            here()",
        # The same error of two ``try`` statements.
        (
            "try:\n        step()\n    except KeyError:\n        try:\n            step()\n"
            "        except KeyError:\n            here()"
        ),
    ],
)
def test_nothing_is_said_where_two_conditions_would_be_taken_for_one_another(body: str) -> None:
    assert path_of(f"def work(a, b):\n    {body}\n", "here") is None


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        ("if a is None:\n        a = find()\n        here()", [("if", "a is None", "")]),
        (
            "if a:\n        return\n    b = find()\n    if b:\n        here()",
            [("unless", "a", ""), ("if", "b", "")],
        ),
        (
            "if 'b' in a:\n        return\n    b = find()\n    if b:\n        here()",
            [("unless", "'b' in a", ""), ("if", "b", "")],
        ),
        # The other branch gives it another value; what is None is not truthy.
        (
            "if a:\n        a = find()\n    elif a is None:\n        here()",
            [("if", "a is None", "")],
        ),
    ],
)
def test_a_new_value_of_a_name_that_is_not_tested_again_hides_nothing(
    body: str, conditions: list[tuple[str, str, str]]
) -> None:
    assert told(f"def work(a, b):\n    {body}\n") == conditions


@pytest.mark.parametrize(
    "body",
    [
        "if a:\n        return\n    a = find()\n    here()",
        "if a:\n        return\n    for b in b:\n        here()\n        a = find()",
        "if a:\n        return\n    while b:\n        here()\n        a = find()",
        (
            "if a:\n        return\n    for b in b:\n        a = find()\n"
            "        if a:\n            break\n    else:\n        here()"
        ),
        "if not a:\n        a = find()\n        here(b, a)",
        "if not a.b:\n        a.b = find()\n        with here(a.b):\n            pass",
    ],
)
def test_nothing_is_said_under_a_test_of_a_value_that_is_gone(body: str) -> None:
    """Whoever reads "unless ``a``" looks at the value that ``a`` has there."""
    assert path_of(f"def work(a, b):\n    {body}\n", "here") is None


@pytest.mark.parametrize(
    ("broad", "is_sayable"),
    [("except Exception:", False), ("except:", False), ("except OSError:", True)],
)
def test_behind_a_clause_that_goes_on_no_clause_for_any_error_is_denied(
    broad: str, is_sayable: bool
) -> None:
    """Of what the first clause caught it would be false that nothing was."""
    code = (
        "def work(a):\n    try:\n        a()\n    except KeyError:\n        a = None\n"
        f"    {broad}\n        raise\n    here()\n"
    )
    path = path_of(code, "here")
    assert path == ((Condition("no_error", "OSError"),) if is_sayable else None)


@pytest.mark.parametrize(
    "clauses",
    [
        "    try:\n        b = a()\n        if b: return b\n    except KeyError: pass\n",
        "    try: a()\n    except KeyError: pass\n    else:\n        if b: return b\n",
    ],
)
def test_behind_an_error_that_goes_on_no_test_of_the_try_is_known(clauses: str) -> None:
    """The error may have come before the test, or instead of it."""
    path = path_of(f"def work(a, b):\n{clauses}    here()\n", "here")
    assert path is None


PASSED_ON = "    try:\n        b()\n    except {}:\n        pass\n    here()"


@pytest.mark.parametrize(
    ("denied", "later", "is_sayable"),
    [
        ("Exception", PASSED_ON.format("ValueError"), False),
        ("Exception", "    try: b()\n    except ValueError:\n        here()", False),
        (
            "Exception",
            "    for c in d:\n        try: b()\n        except E: break\n    here()",
            False,
        ),
        (
            "Exception",
            "    try:\n        try: b()\n        except E: pass\n    finally:\n        here()",
            False,
        ),
        ("Exception", "    try: b()\n    finally:\n        here()", True),
        ("KeyError", PASSED_ON.format("ValueError"), True),
        ("KeyError", PASSED_ON.format("Exception"), False),
        ("(A, B)", PASSED_ON.format("(B, C)"), False),
        ("(A, B)", PASSED_ON.format("(C, D)"), True),
    ],
)
def test_an_error_is_not_denied_of_which_a_kind_may_be_caught_since(
    denied: str, later: str, *, is_sayable: bool
) -> None:
    code = f"def work(d):\n    try: a()\n    except {denied}:\n        return\n{later}\n"
    assert (path_of(code, "here") == (Condition("no_error", denied),)) is is_sayable
    assert is_sayable or path_of(code, "here") is None


@pytest.mark.parametrize("way_out", ["if n: break", "if n:\n            if a: break"])
@pytest.mark.parametrize(("loop", "is_sayable"), [("for n in xs", False), ("while n in xs", True)])
def test_behind_a_break_nothing_is_said_to_be_done_for_each_item(
    way_out: str, loop: str, *, is_sayable: bool
) -> None:
    """It is done for those before the first one that fits, and that is no condition of theirs."""
    code = f"def work(xs, a, n):\n    {loop}:\n        {way_out}\n        here()\n"
    assert (path_of(code, "here") is not None) is is_sayable


def test_a_break_of_an_inner_loop_does_not_end_the_outer_one() -> None:
    inner = "        for m in n:\n            if m: break\n"
    code = f"def work(xs):\n    for n in xs:\n{inner}        here()\n"
    assert told(code) == [("for", "xs", "n")]
