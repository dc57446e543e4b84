"""Calls that a statement makes whenever it is reached, and not only on one side of a test."""

import ast
import sys
from collections.abc import Iterator
from typing import Final

from goldwright.code_reading.child_nodes import walk

# What is inside of these happens later, once an element, or on one side alone.
_DEPENDING: Final = (
    ast.Lambda,
    ast.IfExp,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
# Behind the last line of any file.
_NOWHERE: Final = (sys.maxsize, 0)


def certain_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls that a statement, or the header of a compound one, is sure to make.

    Expressions with a part that depends on something are left out whole, but for what stands before
    the first ``and`` or ``or``: so a reader of lines can follow.
    """
    for expression in _expressions(statement):
        nodes = list(walk(expression))
        if any(isinstance(node, _DEPENDING) for node in nodes):
            continue
        tests = [node.values[1] for node in nodes if isinstance(node, ast.BoolOp)]
        comparisons = [node for node in nodes if isinstance(node, ast.Compare)]
        # Of a chain, the second comparison is made where the first one holds.
        tests += [node.comparators[1] for node in comparisons if len(node.comparators) > 1]
        first_test = min(((test.lineno, test.col_offset) for test in tests), default=_NOWHERE)
        for node in nodes:
            if isinstance(node, ast.Call) and _end_of(node) < first_test:
                yield node


def _end_of(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    match statement:
        case ast.Expr(value=value) | ast.Assign(value=value) | ast.AugAssign(value=value):
            yield value
        case ast.AnnAssign(value=value) | ast.Return(value=value) if value is not None:
            yield value
        case ast.Raise(exc=error) if error is not None:
            yield error
        case ast.If(test=test):
            yield test
        case ast.For(iter=iterable) | ast.AsyncFor(iter=iterable):
            yield iterable
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield items[0].context_expr
        case _:
            return
