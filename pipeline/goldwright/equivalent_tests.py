"""Other ways to write a test of code: taken apart, turned round, its operands in a fixed order."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

_TESTS_IN_MEMORY: Final = 4096
# Comparisons that deny, with what holds where they do not: nobody reads "unless a is not b" gladly.
_DENIALS: Final[dict[type[ast.cmpop], str]] = {
    ast.IsNot: "is",
    ast.NotIn: "in",
    ast.NotEq: "==",
}
_DENIED_BY: Final[dict[type[ast.cmpop], str]] = {
    ast.Is: "is not",
    ast.In: "not in",
    ast.Eq: "!=",
}
# Expressions that need parentheses inside of others.
_LOOSE: Final = (ast.NamedExpr, ast.BoolOp, ast.IfExp, ast.Lambda)
_LOOSE_IN_COMPARISONS: Final = (*_LOOSE, ast.Compare)


def denial_of(code: str) -> str:
    """Give the comparison that says the opposite of ``==``, ``is`` or ``in``; empty for others."""
    return _turned(code, _DENIED_BY)


def denied_by(code: str) -> str:
    """Give the comparison that ``!=``, ``is not`` or ``not in`` denies; empty for others."""
    return _turned(code, _DENIALS)


def with_sorted_operands(code: str) -> str:
    """Write the operands of ``and`` or ``or`` in an order of their own: it makes no difference."""
    match parsed_test(code):
        case ast.BoolOp(op=joint, values=values):
            word = " and " if isinstance(joint, ast.And) else " or "
            return word.join(sorted(_source(code, value) for value in values))
        case _:
            return code


def is_one_test(code: str) -> bool:
    """Find out whether "not" before it would go for all of it: it is not joined, nor denied."""
    match parsed_test(code):
        case None | ast.BoolOp() | ast.IfExp() | ast.UnaryOp(op=ast.Not()):
            return False
        case _:
            return True


def _turned(code: str, operators: Mapping[type[ast.cmpop], str]) -> str:
    match parsed_test(code):
        case ast.Compare(ops=[operator]) as comparison if type(operator) in operators:
            return _compared(code, comparison, operators[type(operator)])
        case _:
            return ""


def _compared(code: str, comparison: ast.Compare, operator: str) -> str:
    """Write a comparison with another operator; empty where operands would lose their brackets."""
    operands = (comparison.left, *comparison.comparators)
    if any(_is_loose_in_comparison(operand) for operand in operands):
        return ""
    return f" {operator} ".join(_source(code, operand) for operand in operands)


def _is_loose_in_comparison(operand: ast.expr) -> bool:
    # A sign binds more closely than a comparison, and "not" does not.
    is_denied = isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.Not)
    return is_denied or isinstance(operand, _LOOSE_IN_COMPARISONS)


def is_loose(code: str) -> bool:
    """Find out whether code needs brackets inside a longer test; what cannot be parsed does."""
    expression = parsed_test(code)
    return expression is None or isinstance(expression, _LOOSE)


@lru_cache(maxsize=_TESTS_IN_MEMORY)
def parsed_test(code: str) -> ast.expr | None:
    """Parse an expression, to be read only; None for code of a newer syntax, and for no code."""
    try:
        return ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=_TESTS_IN_MEMORY)
def plain_tests_of(code: str, holds: bool) -> tuple[tuple[str, bool], ...]:  # noqa: FBT001  # a cache key
    """Take a test apart into the plainest ones that must all come out as they say.

    Args:
        code: The test, as it stands in the source.
        holds: Whether it is true.

    Returns:
        Code, and whether it is true; the test itself where it cannot be taken apart.
    """
    expression = parsed_test(code)
    # What cannot be taken apart is said as it stands.
    if expression is None:
        return ((code, holds),)
    return tuple(parts_of_test(code, expression, holds=holds))


def parts_of_test(code: str, expression: ast.expr, *, holds: bool) -> Iterator[tuple[str, bool]]:
    """Take an expression inside a test apart, as ``plain_tests_of`` does a whole one.

    Args:
        code: The whole test, from which parts are quoted.
        expression: The part of it to be taken apart.
        holds: Whether that part is true.
    """
    match expression:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from parts_of_test(code, operand, holds=not holds)
        case ast.BoolOp(op=ast.And(), values=values) if holds:
            for value in values:
                yield from parts_of_test(code, value, holds=True)
        case ast.BoolOp(op=ast.Or(), values=values) if not holds:
            for value in values:
                yield from parts_of_test(code, value, holds=False)
        case ast.BoolOp(op=ast.And(), values=values) if plain := _undenied(code, values):
            yield plain, True
        case ast.Compare(ops=[operator]) if (
            not holds
            and type(operator) in _DENIALS
            and (plain := _compared(code, expression, _DENIALS[type(operator)]))
        ):
            yield plain, True
        case _:
            yield _source(code, expression), holds


def _undenied(code: str, values: Sequence[ast.expr]) -> str:
    """Say that not all of some denials hold without denying twice: one of what they deny does.

    Empty where one of them is no denial, or where it denies more than one thing.
    """
    unary = [value for value in values if isinstance(value, ast.UnaryOp)]
    denied = [value.operand for value in unary if isinstance(value.op, ast.Not)]
    is_plain = not any(isinstance(operand, _LOOSE) for operand in denied)
    if len(denied) < len(values) or not is_plain:
        return ""
    return " or ".join(_source(code, operand) for operand in denied)


def _source(code: str, expression: ast.expr) -> str:
    return ast.get_source_segment(code, expression) or code
