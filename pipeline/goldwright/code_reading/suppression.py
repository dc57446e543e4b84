"""Errors that a ``with`` statement keeps to itself."""

import ast


def suppressed_error(node: ast.With | ast.AsyncWith) -> ast.expr | None:
    """Give the error that a ``with suppress(...)`` keeps to itself, or None for another context."""
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and call.args:
            name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            name = call.func.id if isinstance(call.func, ast.Name) else name
            if name == "suppress":
                return call.args[0]
    return None
