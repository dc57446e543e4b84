"""The definitions of a Python file, by one walk over its statements.

Definitions can stand nowhere but in statement lists, so expressions are not visited: the walk costs
next to nothing beside the parse.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

Row = tuple[str, str, int, int]
_LISTS: Final = ("body", "orelse", "finalbody", "handlers", "cases")


def definitions(module: ast.Module, lines: Sequence[bytes]) -> list[Row]:
    """List (qualified name, kind, first line, last line) of every definition, in file order."""
    found: list[Row] = []
    _walk(module.body, "", "module", found, lines)
    found.sort(key=lambda row: (row[2], row[3], row[0]))
    return found


def _walk(body: Sequence[ast.AST], prefix: str, scope: str, found: list[Row], lines: Sequence[bytes]) -> None:
    for node in body:
        kind = node.__class__
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            name = prefix + node.name
            found.append((name, "method" if scope == "class" else "function", _first(node, lines), node.end_lineno))
            _walk(node.body, name + ".", "function", found, lines)
        elif kind is ast.ClassDef:
            name = prefix + node.name
            found.append((name, "class", _first(node, lines), node.end_lineno))
            _walk(node.body, name + ".", "class", found, lines)
        elif kind is ast.Assign or kind is ast.AnnAssign or kind is ast.AugAssign:
            if scope != "function":
                targets = node.targets if kind is ast.Assign else [node.target]
                for name in _names(targets):
                    found.append((prefix + name, "variable", node.lineno, node.end_lineno))
        else:
            for part in _LISTS:
                inner = getattr(node, part, None)
                if inner:
                    _walk(inner, prefix, scope, found, lines)


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, lines: Sequence[bytes]) -> int:
    if not node.decorator_list:
        return node.lineno
    line = node.decorator_list[0].lineno
    while line > 1 and not lines[line - 1].lstrip().startswith(b"@"):
        line -= 1
    return line


def _names(targets: Sequence[ast.expr]) -> Iterator[str]:
    for target in targets:
        kind = target.__class__
        if kind is ast.Name:
            yield target.id
        elif kind is ast.Tuple or kind is ast.List:
            yield from _names(target.elts)
        elif kind is ast.Starred:
            yield from _names([target.value])
