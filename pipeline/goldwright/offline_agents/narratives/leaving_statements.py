"""The statements by which a block of code leaves on every way through it."""

import ast
from collections.abc import Sequence

from goldwright.code_reading.process_ends import is_end


def leaving_statements(block: Sequence[ast.stmt]) -> list[ast.stmt]:
    """List the statements by which a block leaves on every way; none where it may go on."""
    leaving: list[ast.stmt] = []
    for statement in block:
        ways_out = _ways_out_of(statement)
        leaving.extend(ways_out)
        is_manager = isinstance(statement, ast.With | ast.AsyncWith)
        # A context manager may stop an error.
        if ways_out and not (is_manager and isinstance(ways_out[-1], ast.Raise)):
            break
    return leaving


def _ways_out_of(statement: ast.stmt) -> list[ast.stmt]:
    match statement:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return [statement]
        case ast.If(body=body, orelse=orelse):
            by_body, by_else = leaving_statements(body), leaving_statements(orelse)
            return [*by_body, *by_else] if by_body and by_else else []
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return leaving_statements(body)
        case _:
            return [statement] if is_end(statement) else []
