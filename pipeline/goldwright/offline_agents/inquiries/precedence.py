"""Which of two values wins: the order of a fallback, and how a careless reader turns it round."""

import ast
import re
from collections.abc import Iterator
from typing import Final

# What is looked up may be there or not. Of two plain tests in a row the order says nothing.
_LOOKED_UP: Final = re.compile(r"environ|getenv|\.get\(|\.pop\(")
_LOOKUPS: Final = frozenset({"get", "pop", "getenv"})
_ALWAYS_COUNTING: Final = (
    ast.Constant,
    ast.List,
    ast.Dict,
    ast.Tuple,
    ast.BoolOp,
    ast.Compare,
    ast.UnaryOp,
)


def turned_precedence(value: str) -> Iterator[str]:
    """Yield the code of a value with its fallback taken first, and the other way round.

    Args:
        value: An expression; ``first or second``, or a lookup whose default is another lookup.
    """
    try:
        expression = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    match expression:
        case ast.BoolOp(op=ast.Or(), values=[first, second]) if _may_both_count(first, second):
            first_code = _code(value, first)
            second_code = _code(value, second)
            if _LOOKED_UP.search(first_code) or _LOOKED_UP.search(second_code):
                yield f"{second_code} or {first_code}"
        case ast.Call(args=[ast.Constant() as key, ast.Call() as default]) if _looks_up(expression):
            if _looks_up(default) and isinstance(default.args[0], ast.Constant):
                first_key = _code(value, key)
                second_key = _code(value, default.args[0])
                yield _with_swapped(value, first_key, second_key)


def _may_both_count(first: ast.expr, second: ast.expr) -> bool:
    """Find out whether the order matters: behind what is always true nothing is ever taken."""
    return not isinstance(first, _ALWAYS_COUNTING) and not isinstance(second, _ALWAYS_COUNTING)


def _looks_up(call: ast.expr) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(attr=name), args=[_, *_]):
            return name in _LOOKUPS
        case _:
            return False


def _code(value: str, node: ast.expr) -> str:
    return ast.get_source_segment(value, node) or ""


def _with_swapped(value: str, first: str, second: str) -> str:
    counterparts = {first: second, second: first}
    either_code = "|".join(map(re.escape, counterparts))
    pieces = re.split(f"({either_code})", value)
    return "".join(counterparts.get(piece, piece) for piece in pieces)
