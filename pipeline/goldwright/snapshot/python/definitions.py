"""The definitions of a Python file, by one walk over its statements.

Definitions can stand nowhere but in statement lists, so expressions are not visited: the walk costs
next to nothing beside the parse.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

# Nodes are told apart by the identity of their class; the type checker cannot follow that.
Node: TypeAlias = Any
Row: TypeAlias = tuple[str, str, int, int]

_STATEMENT_LISTS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
_FUNCTIONS: Final = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
_BINDINGS: Final = frozenset({ast.Assign, ast.AnnAssign, ast.AugAssign})


def definitions(module: ast.Module, lines: Sequence[bytes]) -> list[Row]:
    """List (qualified name, kind, first line, last line) of every definition, in file order.

    ``lines`` are those of the file, in bytes; they tell where a decorator's ``@`` stands.
    """
    found: list[Row] = []
    stack: list[tuple[Node, str, str]] = [(node, "", "module") for node in reversed(module.body)]
    while stack:
        node, prefix, scope = stack.pop()
        kind = node.__class__
        if kind in _FUNCTIONS or kind is ast.ClassDef:
            inner = "class" if kind is ast.ClassDef else "function"
            word = "method" if scope == "class" and inner == "function" else inner
            found.append((prefix + node.name, word, _first_line(node, lines), node.end_lineno))
            stack.extend((one, f"{prefix}{node.name}.", inner) for one in reversed(node.body))
        elif kind in _BINDINGS:
            if scope != "function":
                found.extend(
                    (prefix + name, "variable", node.lineno, node.end_lineno)
                    for name in _bound_names(node)
                )
        else:
            stack.extend((one, prefix, scope) for one in _inner_statements(node))
    found.sort(key=lambda row: (row[2], row[3], row[0]))
    return found


def _inner_statements(node: Node) -> Iterator[Node]:
    for name in _STATEMENT_LISTS:
        yield from getattr(node, name, None) or ()


def _first_line(node: Node, lines: Sequence[bytes]) -> int:
    if not node.decorator_list:
        return int(node.lineno)
    line = int(node.decorator_list[0].lineno)
    while line > 1 and not lines[line - 1].lstrip().startswith(b"@"):
        line -= 1
    return line


def _bound_names(node: Node) -> Iterator[str]:
    targets = node.targets if node.__class__ is ast.Assign else [node.target]
    stack = list(reversed(targets))
    while stack:
        target = stack.pop()
        if target.__class__ is ast.Name:
            yield target.id
        elif target.__class__ is ast.Starred:
            stack.append(target.value)
        elif target.__class__ is ast.Tuple or target.__class__ is ast.List:
            stack.extend(reversed(target.elts))
