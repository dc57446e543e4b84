"""Whether conditions on the way to a line settle those of another line, by a table of truth."""

import ast
from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Final

from goldwright.equivalent_tests import denied_by
from goldwright.path_conditions import Condition, Path

# A table of more tests is not worth its time: 256 rows.
_MOST_TESTS: Final = 8
# Each row of a table asks for the same few tests again.
_TESTS_IN_MEMORY: Final = 1024


def implies(path: Path, other: Path) -> bool:
    """Find out whether other conditions hold wherever some do, whatever the tests in them give.

    A test is known by its code alone: that ``a > 2`` settles ``a > 1`` is not seen, and False is
    returned as well where there are too many tests for a table.
    """
    tests: set[str] = set()
    for condition in (*path, *other):
        tests |= _tests_in(condition)
    if len(tests) > _MOST_TESTS:
        return False
    names = sorted(tests)
    for values in product((True, False), repeat=len(names)):
        outcomes = dict(zip(names, values, strict=True))
        if _hold(path, outcomes) and not _hold(other, outcomes):
            return False
    return True


def _hold(path: Path, outcomes: Mapping[str, bool]) -> bool:
    return all(_holds(condition, outcomes) for condition in path)


def _holds(condition: Condition, outcomes: Mapping[str, bool]) -> bool:
    expression = _expression(condition)
    if expression is None:
        return outcomes[_as_test(condition)]
    return _value(expression, outcomes) is (condition.kind == "if")


def _value(expression: ast.expr, outcomes: Mapping[str, bool]) -> bool:
    match expression:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, outcomes)
        case ast.BoolOp(op=operator, values=values):
            join = all if isinstance(operator, ast.And) else any
            return join(_value(value, outcomes) for value in values)
        case _:
            name, holds = _leaf(expression)
            return outcomes[name] is holds


def _tests_in(condition: Condition) -> set[str]:
    expression = _expression(condition)
    if expression is None:
        return {_as_test(condition)}
    return set(_leaves(expression))


def _leaves(expression: ast.expr) -> set[str]:
    match expression:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _leaves(operand)
        case ast.BoolOp(values=values):
            return set().union(*map(_leaves, values))
        case _:
            return {_leaf(expression)[0]}


@lru_cache(maxsize=_TESTS_IN_MEMORY)
def _leaf(expression: ast.expr) -> tuple[str, bool]:
    """Give the plain code of a test that is not joined, and whether the test says or denies it."""
    code = ast.unparse(expression)
    plain = denied_by(code)
    return (plain, False) if plain else (code, True)


def _expression(condition: Condition) -> ast.expr | None:
    """Parse a test; None for another condition, of a changed name, and in a newer syntax."""
    if condition.kind not in {"if", "unless"} or condition.is_past:
        return None
    return _parsed(condition.code)


@lru_cache(maxsize=_TESTS_IN_MEMORY)
def _parsed(code: str) -> ast.expr | None:
    try:
        return ast.parse(f"({code})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _as_test(condition: Condition) -> str:
    """Name a condition that is no plain test: it holds, or it does not."""
    return f"{condition.kind} {condition.detail} {condition.code}"
