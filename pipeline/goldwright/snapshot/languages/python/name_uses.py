"""Which names Python code uses, and on which lines: what a text about these lines may call by name.

Names in comments and docstrings are not used. A parameter or local name is known on all lines of
its function, and a definition on all of its own.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from goldwright.snapshot.entities import Span
from goldwright.snapshot.languages.language_port import (
    CodeNames,
    ImportedFrom,
    NameChain,
    StringLiteral,
    UseKind,
)
from goldwright.snapshot.languages.python.modules import absolute_module
from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_module
from goldwright.snapshot.languages.python.syntax_nodes import (
    DEFINITIONS,
    FUNCTIONS,
    Node,
    dotted_name,
)

_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
# Stands in a chain for an expression that is no name, as in ``find().name``.
_EXPRESSION: Final = ""

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# A reader notes the names of a node, and gives the nodes inside it that are still to be read.
_Reader: TypeAlias = Callable[[Node], Iterable[ast.AST]]


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
        self._uses: dict[str, list[NameChain]] = defaultdict(list)
        self._keywords: dict[str, list[Span]] = defaultdict(list)
        self._literals: list[StringLiteral] = []
        self._imports: dict[str, ImportedFrom] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        self._readers: dict[type[ast.AST], _Reader] = {
            ast.Expr: self._read_expression,
            ast.Name: self._read_chain,
            ast.Attribute: self._read_chain,
            ast.Call: self._read_call,
            ast.Constant: self._read_constant,
            ast.keyword: self._read_keyword,
            ast.Import: self._read_import,
            ast.ImportFrom: self._read_import,
            ast.FunctionDef: self._read_definition,
            ast.AsyncFunctionDef: self._read_definition,
            ast.ClassDef: self._read_definition,
            ast.Lambda: self._read_lambda,
            ast.Global: self._read_declaration,
            ast.Nonlocal: self._read_declaration,
            ast.ExceptHandler: self._read_named,
            ast.Match: self._read_match,
            ast.MatchAs: self._read_named,
            ast.MatchStar: self._read_named,
            ast.MatchMapping: self._read_named,
            ast.MatchClass: self._read_class_pattern,
        }

    def collect(self, tree: ast.Module) -> CodeNames:
        """Walk over a module, each node once."""
        stack: list[tuple[Node, str]] = [(tree, "")]
        while stack:
            node, owner = stack.pop()
            kind = node.__class__
            if kind in DEFINITIONS:
                owner = f"{owner}.{node.name}".removeprefix(".")
            if kind is ast.ClassDef:
                self._bases[owner] = _base_names(node)
            reader = self._readers.get(kind, ast.iter_child_nodes)
            stack.extend((child, owner) for child in reader(node))
        uses_by_name = {name: tuple(uses) for name, uses in self._uses.items()}
        keywords = {name: tuple(spans) for name, spans in self._keywords.items()}
        return CodeNames(
            uses=uses_by_name,
            keywords=keywords,
            literals=tuple(self._literals),
            imports=self._imports,
            bases=self._bases,
        )

    def _read_expression(self, node: Node) -> Iterable[ast.AST]:
        if isinstance(node.value, ast.Constant):
            # A docstring, or a comment in the form of a string.
            return ()
        return (node.value,)

    def _read_call(self, node: Node) -> Iterable[ast.AST]:
        inner: Iterable[ast.AST] = (node.func,)
        if isinstance(node.func, ast.Name | ast.Attribute):
            inner = self._read_chain(node.func, is_called=True)
        return (*inner, *node.args, *node.keywords)

    def _read_constant(self, node: Node) -> Iterable[ast.AST]:
        if isinstance(node.value, str):
            literal = StringLiteral(node.value, _lines_of(node))
            self._literals.append(literal)
        return ()

    def _read_keyword(self, node: Node) -> Iterable[ast.AST]:
        # ``**options`` has no name.
        if node.arg is not None:
            self._keywords[node.arg].append(_lines_of(node))
        return (node.value,)

    def _read_lambda(self, node: Node) -> Iterable[ast.AST]:
        self._add_locals(node)
        return ast.iter_child_nodes(node)

    def _read_declaration(self, node: Node) -> Iterable[ast.AST]:
        self._add_names(node.names, _lines_of(node))
        return ()

    def _read_named(self, node: Node) -> Iterable[ast.AST]:
        rest = getattr(node, "rest", None)
        name = rest or getattr(node, "name", None)
        if name is not None:
            self._add_names([name], _lines_of(node))
        return ast.iter_child_nodes(node)

    def _read_match(self, node: Node) -> Iterable[ast.AST]:
        # These keywords are names in other places, and so may be those of entities.
        self._add_names(["match", "case"], _lines_of(node))
        return ast.iter_child_nodes(node)

    def _read_class_pattern(self, node: Node) -> Iterable[ast.AST]:
        for name in node.kwd_attrs:
            self._add_chain((_EXPRESSION, name), _lines_of(node))
        return ast.iter_child_nodes(node)

    def _read_chain(self, node: Node, *, is_called: bool = False) -> Iterable[ast.AST]:
        """Note a chain of names as one, and give the expression that it starts from, if any."""
        names: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            names.insert(0, inner.attr)
            inner = inner.value
        lines = _lines_of(node)
        if isinstance(inner, ast.Name):
            self._add_chain((inner.id, *names), lines, is_called=is_called)
            return ()
        head = _EXPRESSION
        if _is_super_call(inner):
            head = "super"
        # The expression may go over many lines; its attribute stands at the end.
        last = Span(lines.last, lines.last)
        self._add_chain((head, *names), last, is_called=is_called)
        return (inner,)

    def _read_definition(self, node: Node) -> Iterable[ast.AST]:
        first = min((decorator.lineno for decorator in node.decorator_list), default=node.lineno)
        lines = Span(first, node.end_lineno or node.lineno)
        # Before Python 3.12 there are no type parameters.
        parameters = getattr(node, "type_params", ())
        names = [node.name, *(parameter.name for parameter in parameters)]
        self._add_names(names, lines, kind="definition")
        if node.__class__ in FUNCTIONS:
            self._add_locals(node)
        return ast.iter_child_nodes(node)

    def _add_locals(self, function: Node) -> None:
        self._add_names(_local_names(function), _lines_of(function), kind="local")

    def _read_import(self, node: Node) -> Iterable[ast.AST]:
        lines = _lines_of(node)
        for item in node.names:
            imported = _import_of(node, item, self._path)
            full_name = _written_name(node, item)
            self._add_chain(tuple(full_name.split(".")), lines)
            last_part = item.name.rpartition(".")[2]
            self._add_names([imported.alias, last_part], lines)
            self._imports[imported.alias] = imported.origin
        return ()

    def _add_names(self, names: Iterable[str], lines: Span, *, kind: UseKind = "use") -> None:
        for name in names:
            use = NameChain((name,), lines, kind=kind)
            self._uses[name].append(use)

    def _add_chain(self, chain: tuple[str, ...], lines: Span, *, is_called: bool = False) -> None:
        use = NameChain(chain, lines, is_called=is_called)
        for name in dict.fromkeys(chain):
            self._uses[name].append(use)


@dataclass(frozen=True, slots=True)
class _BoundImport:
    """A name that an import binds, and where it comes from."""

    alias: str
    origin: ImportedFrom


def _import_of(node: Node, item: ast.alias, path: str) -> _BoundImport:
    level = getattr(node, "level", 0)
    alias = item.asname or item.name
    dotted = _written_name(node, item)
    if node.__class__ is ast.Import and item.asname is None:
        # ``import a.b`` binds ``a``.
        alias = dotted = item.name.partition(".")[0]
    if level:
        package = absolute_module(path, node.module or "", level)
        dotted = f"{package}.{item.name}".removeprefix(".")
    return _BoundImport(alias, ImportedFrom(dotted, is_relative=level > 0))


def _written_name(node: Node, item: ast.alias) -> str:
    module = getattr(node, "module", None) or ""
    return f"{module}.{item.name}".removeprefix(".")


def _base_names(node: ast.ClassDef) -> tuple[str, ...]:
    """Write the base classes that are names."""
    names = map(dotted_name, node.bases)
    return tuple(name for name in names if name is not None)


def _lines_of(node: Node) -> Span:
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
