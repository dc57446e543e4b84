"""Conditions on the way to a line of code, as readings by tree and by token both give them."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal

from goldwright.constant_comparisons import ConstantComparison, constant_comparison, is_steady
from goldwright.equivalent_tests import (
    is_loose,
    parsed_test,
    parts_of_test,
    plain_tests_of,
)

ConditionKind = Literal["if", "unless", "for", "while", "except", "no_error", "case", "loop_end"]

# A way of more conditions is no longer one thought, and neither is a question about it.
MOST_CONDITIONS: Final = 6
LONGEST_CONDITION: Final = 90
TESTS: Final[frozenset[ConditionKind]] = frozenset({"if", "unless"})
# What a clause for nearly every error catches.
BROAD_ERRORS: Final = frozenset({"Exception", "BaseException"})
# Calls after which nothing comes; a parser of command lines prints what is wrong and ends.
_ENDS_PROCESS: Final = re.compile(
    r"sys\.exit|os\._exit|os\.abort|(?:\w+\.)*\w*parser\.(?:error|exit)"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on the way to a statement.

    Attributes:
        kind: ``if`` and ``unless``: ``code`` is true or false. ``for``: inside a loop over
            ``code``, with ``detail`` as its variable. ``while``: inside a loop while ``code``.
            ``except``: after catching ``code``. ``no_error``: no ``code`` was caught before.
            ``case``: ``code`` matches the pattern ``detail``. ``loop_end``: the loop over ``code``
            with the variable ``detail`` has ended by itself, although it may be left early.
        code: An expression as it stands in the source, on one line.
        detail: The second part, where there is one.
        first, last: The lines on which it stands, from 1; 0 where a sentence is all there is.
        is_past: A name in it was given another value since; it held then, and may not hold now.
        is_guard: Where it does not hold, an error was raised before.
        is_passed: Where it does not hold, what comes before was done instead: an earlier branch, or
            one that left the block.
        is_left: The loop may be left before it is through: what stands in it is not done for each
            item.
    """

    kind: ConditionKind
    code: str
    detail: str = ""
    first: int = field(default=0, compare=False)
    last: int = field(default=0, compare=False)
    is_past: bool = field(default=False, compare=False)
    is_guard: bool = field(default=False, compare=False)
    is_passed: bool = field(default=False, compare=False)
    is_left: bool = field(default=False, compare=False)


Path = tuple[Condition, ...]
"""Conditions from the outside in and from top to bottom."""

_STRING: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_NAME: Final = re.compile(r"(?<![\w.])(?:self\.)?[^\W\d]\w*")
_TESTS_IN_MEMORY: Final = 4096

_SIGNS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.Gt: ">",
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
# How the other comparisons of two values come out where one of them holds.
_ORDERS_SETTLED: Final[dict[str, dict[str, bool]]] = {
    "<": {">": False, "==": False, ">=": False, "<=": True, "!=": True},
    ">": {"<": False, "==": False, "<=": False, ">=": True, "!=": True},
    "<=": {">": False},
    ">=": {"<": False},
    "==": {"<": False, ">": False, "!=": False},
    "!=": {"==": False},
}
# The tests of loops that end by themselves never.
_ALWAYS: Final = frozenset({"True", "1"})


def sayable(path: Path | None) -> Path | None:
    """Give a path as a sentence states it, its tests taken apart; None where it is too long."""
    return None if path is None or len(path) > MOST_CONDITIONS else split_tests(path)


def split_tests(path: Path) -> Path:
    """Take tests apart into the smallest that must all be as they say.

    That ``a and not b`` is true says that ``a`` is true and ``b`` is false; that ``a or b`` is
    false says both are; one that is true stays whole. That ``a is not b`` is false says ``a is b``.
    What goes without saying is left out: an endless loop, and a test that another one settles, as
    ``a > 2`` settles ``a == 1``. Of more tests than a sentence holds, all stay as they are.
    """
    tests: list[Condition] = []
    for condition in path:
        if is_endless_loop(condition):
            continue
        if condition.kind not in {"if", "unless"}:
            tests.append(condition)
            continue
        plain_tests = dict.fromkeys(plain_tests_of(condition.code, condition.kind == "if"))
        own_tests = [
            replace(condition, kind="if" if holds else "unless", code=code)
            for code, holds in plain_tests
        ]
        # Of two that read alike, the nearer one decides: what it asks may have changed between.
        is_kept = condition.is_past
        earlier_tests = [test for test in tests if is_kept or test not in own_tests]
        tests = [*earlier_tests, *own_tests]
    telling = without_implied(tests)
    return telling if len(telling) <= MOST_CONDITIONS else path


def names_in(tests: Path) -> tuple[str, ...]:
    """Give the names that tests look at, each once, in the order in which they first stand."""
    names = [name for test in tests for name in names_of_code(test.code)]
    return tuple(dict.fromkeys(names))


def names_of_code(code: str) -> list[str]:
    """Give the names in an expression, an attribute of ``self`` as one; texts hold none."""
    return _NAME.findall(_STRING.sub(" ", code))


def split_last_test(path: Path) -> tuple[Path, Path]:
    """Split conditions into those before and those of the last test or ``except`` clause.

    One test in the source may be several conditions.
    """
    if not path or path[-1].kind not in {*TESTS, "except"}:
        return path, ()
    last = path[-1]
    place = len(path) - 1
    while place and _is_of_one(path[place - 1], last):
        place -= 1
    return path[:place], path[place:]


def _is_of_one(condition: Condition, neighbour: Condition) -> bool:
    is_same_place = (condition.first, condition.last) == (neighbour.first, neighbour.last)
    return condition.kind in TESTS and neighbour.kind in TESTS and is_same_place


def is_end_of_process(called: str) -> bool:
    """Find out whether a call of something, as written, surely ends the process."""
    return _ENDS_PROCESS.fullmatch(called) is not None


def is_endless_loop(condition: Condition) -> bool:
    """Find out whether a condition is that of ``while True``, which holds anyway."""
    return condition.kind == "while" and condition.code in _ALWAYS


def without_implied(path: Sequence[Condition]) -> Path:
    """Leave out tests that another test of the path settles.

    A test of a name that was given another value since settles nothing, and nothing settles it.
    """
    kept_conditions = list(path)
    # The outermost was passed first, and says least.
    for condition in path:
        other_conditions = [
            candidate for candidate in kept_conditions if candidate is not condition
        ]
        if any(_implies(candidate, condition) for candidate in other_conditions):
            kept_conditions = other_conditions
    return tuple(kept_conditions)


def _implies(condition: Condition, other_condition: Condition) -> bool:
    if condition.is_past or other_condition.is_past:
        return False
    return any(_settles(condition, part) for part in _sufficient_parts(other_condition))


@lru_cache(maxsize=_TESTS_IN_MEMORY)
def _sufficient_parts(condition: Condition) -> tuple[Condition, ...]:
    """Give the tests each of which is enough for a condition to be as it says.

    That ``a or b`` is true takes one of them, and so does that ``a and b`` is false.
    """
    holds = condition.kind == "if"
    match parsed_test(condition.code):
        case ast.BoolOp(op=joint, values=values) if isinstance(joint, ast.Or if holds else ast.And):
            parts = [tuple(parts_of_test(condition.code, value, holds=holds)) for value in values]
            # What takes several tests is not settled by one of them.
            single_tests = [part[0] for part in parts if len(part) == 1]
            return tuple(
                Condition("if" if is_so else "unless", code) for code, is_so in single_tests
            )
        case _:
            return (condition,)


def _settles(condition: Condition, other_condition: Condition) -> bool:
    if condition == other_condition and is_steady(parsed_test(condition.code)):
        return True
    if _settles_order(condition, other_condition):
        return True
    settled = _comparison(condition)
    asked_comparison = _comparison(other_condition)
    if settled is None or asked_comparison is None or settled.left != asked_comparison.left:
        return False
    return settled.implies(asked_comparison)


def _settles_order(condition: Condition, other_condition: Condition) -> bool:
    """Find out whether a comparison of two names settles another one of the same two."""
    settled, asked_order = _order(condition), _order(other_condition)
    if settled is None or asked_order is None or settled[::2] != asked_order[::2]:
        return False
    # Of what cannot be ordered, a comparison that fails says nothing.
    if condition.kind != "if":
        return False
    outcomes = _ORDERS_SETTLED[settled[1]]
    return outcomes.get(asked_order[1]) is (other_condition.kind == "if")


@lru_cache(maxsize=_TESTS_IN_MEMORY)
def _order(condition: Condition) -> tuple[str, str, str] | None:
    """Read a comparison of two steady expressions: the one, the sign, and the other."""
    if condition.kind not in {"if", "unless"}:
        return None
    match parsed_test(condition.code):
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if (
            type(operator) in _SIGNS and is_steady(left) and is_steady(right)
        ):
            return ast.unparse(left), _SIGNS[type(operator)], ast.unparse(right)
        case _:
            return None


@lru_cache(maxsize=_TESTS_IN_MEMORY)
def _comparison(condition: Condition) -> ConstantComparison | None:
    """Read a test of one expression against constants; None for any other."""
    if condition.kind not in {"if", "unless"}:
        return None
    return constant_comparison(parsed_test(condition.code), holds=condition.kind == "if")


def are_two_sides(first: Path, second: Path) -> bool:
    """Find out whether conditions differ in the last test alone, which is turned round."""
    if len(first) != len(second) or first[:-1] != second[:-1] or not first:
        return False
    kinds = {first[-1].kind, second[-1].kind}
    is_same_code = first[-1].code == second[-1].code
    return is_same_code and kinds == {"if", "unless"}


def negation_of(path: Path) -> Path:
    """Give what holds where not all of some tests come out as they are said.

    Empty where that cannot be said of them: of none, and of other conditions than tests.
    """
    kinds = {condition.kind for condition in path}
    codes = [condition.code for condition in path]
    # In a longer test, nobody would know what belongs to what.
    is_confusing = len(path) > 1 and any(is_loose(code) for code in codes)
    if is_confusing or not kinds or not kinds <= {"if", "unless"}:
        return ()
    if kinds == {"unless"}:
        return split_tests((Condition("if", " or ".join(codes)),))
    operands = [
        condition.code if condition.kind == "if" else f"not {condition.code}" for condition in path
    ]
    return split_tests((Condition("unless", " and ".join(operands)),))
