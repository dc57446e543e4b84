"""The definitions of a Python file, by one walk over its statements.

Definitions can stand nowhere but in statement lists, so expressions are not visited: the walk costs
next to nothing beside the parse.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from goldwright.snapshot.file_facts import Definition
from goldwright.snapshot.languages.python.syntax_nodes import (
    DEFINITIONS,
    STATEMENT_LISTS,
    TYPE_ALIAS,
    Node,
)

_ASSIGNMENTS: Final = frozenset({ast.Assign, ast.AnnAssign, ast.AugAssign, TYPE_ALIAS})
_SCOPE_NAMES: Final[dict[type[ast.AST], str]] = {
    ast.ClassDef: "class",
    ast.FunctionDef: "function",
    ast.AsyncFunctionDef: "function",
}

# A node, the prefix of the names defined in it, and whether a module, class or function is around.
_ScopedStatement: TypeAlias = tuple[Node, str, str]


def definitions(module: ast.Module, lines: Sequence[bytes]) -> list[Definition]:
    """List every definition of a module in file order.

    Args:
        module: The syntax tree.
        lines: The lines of the file in bytes, which show where the ``@`` of a decorator stands.
    """
    collected: list[Definition] = []
    stack: list[_ScopedStatement] = [(node, "", "module") for node in module.body]
    while stack:
        node, prefix, scope = stack.pop()
        kind = node.__class__
        if kind in DEFINITIONS:
            definition = _definition(node, prefix, scope, lines)
            collected.append(definition)
            inner_prefix = f"{definition.name}."
            inner_scope = _SCOPE_NAMES[kind]
            stack.extend((statement, inner_prefix, inner_scope) for statement in node.body)
        elif kind not in _ASSIGNMENTS:
            inner_statements = _inner_statements(node)
            stack.extend((statement, prefix, scope) for statement in inner_statements)
        elif scope != "function":
            # The local names of a function are no entities.
            for name in _assigned_names(node):
                variable = Definition(prefix + name, "variable", node.lineno, node.end_lineno)
                collected.append(variable)
    collected.sort(key=file_order)
    return collected


def file_order(definition: Definition) -> tuple[int, int, str]:
    """Sort definitions by where they begin and end, then by name."""
    return definition.first, definition.last, definition.name


def _definition(node: Node, prefix: str, scope: str, lines: Sequence[bytes]) -> Definition:
    kind = _SCOPE_NAMES[node.__class__]
    if kind == "function" and scope == "class":
        kind = "method"
    first = first_line(node, lines)
    return Definition(prefix + node.name, kind, first, node.end_lineno)


def _inner_statements(node: Node) -> Iterator[Node]:
    for name in STATEMENT_LISTS:
        yield from getattr(node, name, None) or ()


def first_line(node: Node, lines: Sequence[bytes]) -> int:
    """Give the line of the first decorator of a definition, or of itself where there is none."""
    if not node.decorator_list:
        return int(node.lineno)
    # The tree knows where the expression of a decorator begins; its ``@`` may stand lines above.
    line = int(node.decorator_list[0].lineno)
    while line > 1 and not lines[line - 1].lstrip().startswith(b"@"):
        line -= 1
    return line


def _assigned_names(node: Node) -> Iterator[str]:
    stack: list[Node] = []
    if node.__class__ is ast.Assign:
        stack.extend(reversed(node.targets))
    elif node.__class__ is TYPE_ALIAS:
        stack.append(node.name)
    else:
        stack.append(node.target)
    while stack:
        target = stack.pop()
        kind = target.__class__
        if kind is ast.Name:
            yield target.id
        elif kind is ast.Starred:
            stack.append(target.value)
        elif kind is ast.Tuple or kind is ast.List:
            stack.extend(reversed(target.elts))


def lines_of(data: bytes) -> Sequence[bytes]:
    """Cut the content of a file into its lines, whatever ends them."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
        data = data.replace(b"\r", b"\n")
    return data.split(b"\n")
