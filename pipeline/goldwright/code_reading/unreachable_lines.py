"""Lines of a function that nothing reaches: what stands behind an end of its block."""

import ast

from goldwright.code_reading.child_nodes import blocks_of
from goldwright.code_reading.modules import Function, Module, kept_with_tree

_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@kept_with_tree
def unreachable_lines(module: Module, function: Function) -> frozenset[int]:  # noqa: ARG001
    """List the lines behind a ``return``, ``raise``, ``continue`` or ``break`` of their block."""
    lines: set[int] = set()
    for block in blocks_of(function):
        ends = [place for place, statement in enumerate(block) if isinstance(statement, _ENDS)]
        behind = block[ends[0] + 1 :] if ends else []
        if behind:
            first = behind[0].lineno
            last = behind[-1].end_lineno or 0
            lines.update(range(first, last + 1))
    return frozenset(lines)
