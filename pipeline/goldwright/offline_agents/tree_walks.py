"""Walks over syntax trees that stop where another definition begins or where nothing is certain."""

import ast
from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef


def read_names(node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """Yield the longest dotted names below a node that are read, definitions and f-strings left
    out.
    """
    if isinstance(node, Function | ast.ClassDef | ast.JoinedStr):
        return
    if (
        isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and is_dotted(node)
    ):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from read_names(child)


def is_dotted(node: ast.expr) -> bool:
    """Tell whether an expression is names joined by dots."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and is_dotted(node.value))


def own_statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Walk statements without entering the definitions among them."""
    for node in body:
        yield node
        if isinstance(node, Function | ast.ClassDef):
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from own_statements(getattr(node, part, []))
        for branch in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            yield from own_statements(branch.body)


def certain_calls(node: ast.expr) -> Iterator[ast.Call]:
    """Yield the calls that evaluating an expression is sure to make, outermost last."""
    match node:
        case (
            ast.JoinedStr()
            | ast.Lambda()
            | ast.ListComp()
            | ast.SetComp()
            | ast.DictComp()
            | ast.GeneratorExp()
        ):
            return
        case ast.BoolOp(values=[first, *_]):
            yield from certain_calls(first)
        case ast.IfExp(test=test):
            yield from certain_calls(test)
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from certain_calls(child)
                elif isinstance(child, ast.keyword):
                    yield from certain_calls(child.value)
            if isinstance(node, ast.Call):
                yield node
