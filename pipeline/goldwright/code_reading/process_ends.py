"""Statements that leave their function for good: errors, and calls that end the process."""

import ast
from collections.abc import Sequence

from goldwright.code_reading.child_nodes import contains, own_nodes
from goldwright.path_conditions import is_end_of_process


def is_end(node: ast.AST) -> bool:
    """Check whether a statement is a call that ends the process."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name() | ast.Attribute() as called)):
            return is_end_of_process(ast.unparse(called))
        case _:
            return False


def raises(body: Sequence[ast.stmt]) -> bool:
    """Check whether a body holds what raises an error or ends the process."""
    return any(isinstance(node, ast.Raise) or is_end(node) for node in own_nodes(body))


def leaves_function(body: Sequence[ast.stmt]) -> bool:
    """Check whether a body holds what leaves its function."""
    return raises(body) or contains(body, ast.Return)
