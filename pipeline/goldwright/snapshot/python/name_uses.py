"""Which names Python code uses, and on which lines: what a text about these lines may call by name.

Names in comments and docstrings are not used. A parameter or local name is known on all lines of
its function, and a definition on all of its own.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from goldwright.snapshot.entities import Span
from goldwright.snapshot.language import (
    CodeNames,
    ImportedFrom,
    NameUse,
    StringLiteral,
    UseKind,
)
from goldwright.snapshot.python.modules import absolute_module
from goldwright.snapshot.python.parsing import UnparsableError, parse_module
from goldwright.snapshot.python.syntax_nodes import dotted_name

_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
# Stands in a chain for an expression that is no name, as in ``find().name``.
_EXPRESSION: Final = ""

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


# A file of 2,000 lines takes about a megabyte.
@lru_cache(maxsize=256)
def names_of(path: str, text: str) -> CodeNames | None:
    """Read the names of a file; None for a file that does not parse."""
    try:
        tree = parse_module(text)
    except UnparsableError:
        return None
    return _NameCollector(path).collect(tree)


class _NameCollector:
    """Collects the names of one file; ``path`` is what its relative imports count from."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._uses: dict[str, list[NameUse]] = defaultdict(list)
        self._keywords: dict[str, list[Span]] = defaultdict(list)
        self._literals: list[StringLiteral] = []
        self._imports: dict[str, ImportedFrom] = {}
        self._bases: dict[str, tuple[str, ...]] = {}

    def collect(self, tree: ast.Module) -> CodeNames:
        """Walk over a module, each node once."""
        stack: list[tuple[ast.AST, str]] = [(tree, "")]
        while stack:
            node, owner = stack.pop()
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                owner = f"{owner}.{node.name}".removeprefix(".")
            if isinstance(node, ast.ClassDef):
                names = (dotted_name(base) for base in node.bases)
                self._bases[owner] = tuple(name for name in names if name)
            stack.extend((child, owner) for child in self._take(node))
        return CodeNames(
            uses={name: tuple(uses) for name, uses in self._uses.items()},
            keywords={name: tuple(spans) for name, spans in self._keywords.items()},
            literals=tuple(self._literals),
            imports=self._imports,
            bases=self._bases,
        )

    def _take(self, node: ast.AST) -> Iterable[ast.AST]:
        """Note the names of a node, and give the nodes inside it that are still to be read."""
        match node:
            case ast.Expr(value=ast.Constant()):
                # A docstring, or a comment in the form of a string.
                return ()
            case ast.Name() | ast.Attribute():
                return self._take_chain(node)
            case ast.Call(func=ast.Name() | ast.Attribute() as called):
                inner = self._take_chain(called, is_called=True)
                return (*inner, *node.args, *node.keywords)
            case ast.Constant(value=str(value)):
                self._literals.append(StringLiteral(value, _lines_of(node)))
            case ast.keyword(arg=str(name)):
                self._keywords[name].append(_lines_of(node))
            case ast.Import() | ast.ImportFrom():
                self._take_import(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._take_definition(node)
            case ast.Lambda():
                self._take_locals(node)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                self._add_names(names, _lines_of(node))
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                self._add_names([name], _lines_of(node))
            case ast.Match():
                # These keywords are names in other places, and so may be those of entities.
                self._add_names(["match", "case"], _lines_of(node))
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                self._add_names([name], _lines_of(node))
            case ast.MatchClass(kwd_attrs=names):
                for name in names:
                    self._add_chain((_EXPRESSION, name), _lines_of(node))
        return ast.iter_child_nodes(node)

    def _take_chain(
        self, node: ast.Name | ast.Attribute, *, is_called: bool = False
    ) -> Iterable[ast.AST]:
        """Note a chain of names as one, and give the expression that it hangs on, if any."""
        names: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        lines = _lines_of(node)
        if isinstance(inner, ast.Name):
            names.append(inner.id)
            self._add_chain((*reversed(names),), lines, is_called=is_called)
            return ()
        # The expression may go over many lines; its attribute stands at the end.
        last = Span(lines.last, lines.last)
        head = "super" if _is_super_call(inner) else _EXPRESSION
        self._add_chain((head, *reversed(names)), last, is_called=is_called)
        return (inner,)

    def _take_definition(self, node: _Definition) -> None:
        first = min((decorator.lineno for decorator in node.decorator_list), default=node.lineno)
        lines = Span(first, node.end_lineno or node.lineno)
        parameters = getattr(node, "type_params", ())
        names = [node.name, *(parameter.name for parameter in parameters)]
        self._add_names(names, lines, kind="definition")
        if not isinstance(node, ast.ClassDef):
            self._take_locals(node)

    def _take_locals(self, function: _Function) -> None:
        self._add_names(_local_names(function), _lines_of(function), kind="local")

    def _take_import(self, node: ast.Import | ast.ImportFrom) -> None:
        lines = _lines_of(node)
        module, level = "", 0
        if isinstance(node, ast.ImportFrom):
            module, level = node.module or "", node.level
        for item in node.names:
            written = f"{module}.{item.name}".strip(".")
            self._add_chain(tuple(written.split(".")), lines)
            # ``import a.b`` binds ``a``.
            origin = written
            alias = item.asname or item.name
            if isinstance(node, ast.Import) and not item.asname:
                alias = origin = item.name.partition(".")[0]
            self._add_names([alias, item.name.rpartition(".")[2]], lines)
            if level:
                package = absolute_module(self._path, module, level)
                origin = f"{package}.{item.name}"
            self._imports[alias] = ImportedFrom(origin.strip("."), is_relative=level > 0)

    def _add_names(
        self, names: Iterable[str], lines: Span, *, kind: UseKind = "use"
    ) -> None:
        for name in names:
            self._uses[name].append(NameUse((name,), lines, kind=kind))

    def _add_chain(
        self, chain: tuple[str, ...], lines: Span, *, is_called: bool = False
    ) -> None:
        use = NameUse(chain, lines, is_called=is_called)
        for name in dict.fromkeys(chain):
            self._uses[name].append(use)


def _lines_of(node: ast.stmt | ast.expr | ast.keyword | ast.excepthandler | ast.pattern) -> Span:
    return Span(node.lineno, node.end_lineno or node.lineno)


def _is_super_call(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="super")):
            return True
    return False


def _local_names(function: _Function) -> set[str]:
    """Give the parameters of a function and the names that its body binds."""
    bound = set(_parameters(function.args))
    declared_global: set[str] = set()
    for node in _body_nodes(function):
        if isinstance(node, ast.Global):
            declared_global.update(node.names)
        else:
            bound.update(_stored_name(node))
    return bound - declared_global


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        yield argument.arg
    for collecting in (arguments.vararg, arguments.kwarg):
        if collecting is not None:
            yield collecting.arg


def _stored_name(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def _body_nodes(function: _Function) -> Iterator[ast.AST]:
    """Walk a function's body without entering the functions and classes inside it."""
    stack: list[ast.AST] = []
    if isinstance(function.body, list):
        stack.extend(function.body)
    else:
        stack.append(function.body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))
