"""The normal form of code: a syntax tree in which layout, docstrings and the choice of local names
do not show.
"""

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeAlias

import libcst as cst

# Nodes are told apart by their class, through tables that the type checker cannot follow.
Node: TypeAlias = Any

_OWN: Final = "@own"
_LINES: Final = (cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.IndentedBlock)
_DOCSTRINGS: Final = (cst.SimpleString, cst.ConcatenatedString)
_STRINGS: Final = (*_DOCSTRINGS, cst.FormattedString)
_COMPREHENSIONS: Final = (cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp)
_SILENT: Final = (
    cst.BaseParenthesizableWhitespace,
    cst.Comment,
    cst.EmptyLine,
    cst.Global,
    cst.MaybeSentinel,
    cst.Nonlocal,
    cst.TrailingWhitespace,
)
_LAYOUT: Final = ("whitespace", "leading_", "lines_after", "lpar", "rpar", "comma", "semicolon")
_BINDS: Final[dict[type[cst.CSTNode], str]] = {
    cst.AnnAssign: "target",
    cst.AsName: "name",
    cst.AssignTarget: "target",
    cst.AugAssign: "target",
    cst.ClassDef: "name",
    cst.CompFor: "target",
    cst.Del: "target",
    cst.For: "target",
    cst.FunctionDef: "name",
    cst.MatchAs: "name",
    cst.MatchMapping: "rest",
    cst.MatchStar: "name",
    cst.NamedExpr: "target",
    cst.Param: "name",
    cst.TypeAlias: "name",
    cst.TypeVar: "name",
}


def tree(text: str, *, in_class: bool) -> str | None:
    """Write one definition, or several of one name, in brackets; None where libcst cannot parse
    the text.

    Its parser can overflow the stack of the process on hostile input: the text must be known to be
    harmless.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # what a strange escape in their source says is not for our stderr
            return _written(text, in_class=in_class)
    except (SyntaxError, cst.ParserSyntaxError, RecursionError, ValueError):
        return None


def _written(text: str, *, in_class: bool) -> str:
    body = cst.parse_module(text).body
    own = frozenset(
        node.name.value for node in body if isinstance(node, cst.FunctionDef | cst.ClassDef)
    )
    return " ".join(_FormWriter(own, in_class=in_class).statements(body, _NameScope()))


@dataclass(frozen=True, eq=False)
class _NameScope:
    """A function, lambda, comprehension or class and the names it binds; without parent, everything
    around.

    The names of a class, and those that a function declares global, are ``plain``: they stay as
    they are.
    """

    parent: "_NameScope | None" = None
    names: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    is_class: bool = False
    numbers: dict[tuple["_NameScope", str], int] = field(default_factory=dict)

    def inner(self, names: Iterable[str], plain: Iterable[str] = ()) -> "_NameScope":
        """Open a scope in this one; what stands in a class does not see the names of the class."""
        around = self.parent if self.is_class and self.parent else self
        return _NameScope(around, frozenset(names), frozenset(plain), numbers=self.numbers)

    def of_class(self, names: Iterable[str]) -> "_NameScope":
        """Open the scope of a class."""
        return _NameScope(self, plain=frozenset(names), is_class=True, numbers=self.numbers)

    def number(self, name: str) -> int | None:
        """Tell which local name this is, counted by first appearance; None for what is no local
        name.
        """
        scope: _NameScope | None = self
        while scope is not None and name not in scope.plain:
            if name in scope.names:
                return self.numbers.setdefault((scope, name), len(self.numbers))
            scope = scope.parent
        return None


class _FormWriter:
    """Writes nodes as words in brackets, in the order of the code."""

    def __init__(self, own: frozenset[str], *, in_class: bool) -> None:
        self._own = own
        self._in_class = in_class
        self._special = {
            cst.Annotation: self._annotation,
            cst.Arg: self._argument,
            cst.Attribute: self._attribute,
            cst.ClassDef: self._class,
            cst.Float: self._number,
            cst.FunctionDef: self._function,
            cst.ImportAlias: self._imported,
            cst.ImportFrom: self._import_from,
            cst.Integer: self._number,
            cst.Lambda: self._lambda,
            cst.MatchKeywordElement: self._match_keyword,
            cst.Name: self._name,
            cst.Param: self._param,
        }
        self._special.update(dict.fromkeys(_COMPREHENSIONS, self._comprehension))

    def statements(self, body: Iterable[Node], scope: _NameScope) -> Iterator[str]:
        """Write statements, whether they stand on lines of their own or behind a colon or
        semicolon.
        """
        for node in body:
            if isinstance(node, _LINES):
                yield from self.statements(node.body, scope)
            else:
                yield from self._write(node, scope)

    def _write(self, value: Node, scope: _NameScope) -> Iterator[str]:
        if isinstance(value, cst.BaseSuite):
            yield from ("[", *self.statements(value.body, scope), "]")
        elif isinstance(value, _SILENT):
            return
        elif isinstance(value, _STRINGS):
            yield from ("(String", *self._string(value, scope), ")")
        elif isinstance(value, cst.CSTNode):
            write = self._special.get(type(value), self._fields)
            yield from (f"({type(value).__name__}", *write(value, scope), ")")
        elif isinstance(value, list | tuple):
            yield from ("[", *(word for one in value for word in self._write(one, scope)), "]")
        else:
            yield repr(value)

    def _fields(self, node: Node, scope: _NameScope, without: Sequence[str] = ()) -> Iterator[str]:
        for one in fields(node):
            if one.name not in without and not one.name.startswith(_LAYOUT):
                yield from self._write(getattr(node, one.name), scope)

    def _name(self, node: Node, scope: _NameScope) -> Iterator[str]:
        number = scope.number(node.value)
        is_own = node.value in self._own and (scope.parent is None or not self._in_class)
        yield f"#{number}" if number is not None else _OWN if is_own else node.value

    def _number(self, node: Node, _: _NameScope) -> Iterator[str]:
        yield repr(node.evaluated_value)

    def _string(self, node: Node, scope: _NameScope) -> Iterator[str]:
        """Write a string by its value, in however many pieces it stands."""
        text: str | bytes | None = None
        for piece in _pieces(node):
            if isinstance(piece, cst.CSTNode):
                yield from () if text is None else (repr(text),)
                yield from self._write(piece, scope)
                text = None
            else:
                text = piece if text is None else text + piece
        yield from () if text is None else (repr(text),)

    def _attribute(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield from self._write(node.value, scope)
        yield f".{node.attr.value}"

    def _argument(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield f"{node.star}{node.keyword.value if node.keyword else ''}="
        yield from self._write(node.value, scope)

    def _match_keyword(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield f"{node.key.value}="
        yield from self._write(node.pattern, scope)

    def _imported(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield _dotted(node.name)
        yield from self._write(node.asname, scope)

    def _import_from(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield "." * len(node.relative) + (_dotted(node.module) if node.module else "")
        yield from self._write(node.names, scope)

    def _annotation(self, node: Node, scope: _NameScope) -> Iterator[str]:
        written = node.annotation
        if isinstance(written, cst.SimpleString):
            try:
                written = cst.parse_expression(str(written.evaluated_value))
            except cst.ParserSyntaxError:
                written = node.annotation
        yield from self._write(written, scope)

    def _param(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield str(node.star)
        yield from self._write(node.name, scope)
        yield from self._write([node.annotation, node.default], scope.parent or scope)

    def _function(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield from self._write([node.asynchronous, node.decorators], scope)
        yield from [_OWN] if scope.parent is None else self._write(node.name, scope)
        inner = _of_function(node, scope)
        yield from self._write([node.type_parameters, node.returns], inner.parent or inner)
        yield from self._write(node.params, inner)
        yield from ("[", *self.statements(_after_docstring(node.body), inner), "]")

    def _class(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield from self._write(node.decorators, scope)
        yield from [_OWN] if scope.parent is None else self._write(node.name, scope)
        yield from self._write([node.type_parameters, node.bases, node.keywords], scope)
        inner = scope.of_class(_bound(node.body)[0])
        yield from ("[", *self.statements(_after_docstring(node.body), inner), "]")

    def _lambda(self, node: Node, scope: _NameScope) -> Iterator[str]:
        yield from self._write([node.params, node.body], _of_function(node, scope))

    def _comprehension(self, node: Node, scope: _NameScope) -> Iterator[str]:
        loop = node.for_in
        names = set[str]()
        while loop is not None:
            names.update(_targets(loop.target))
            loop = loop.inner_for_in
        inner = scope.inner(names)
        yield from self._write(node.for_in.iter, scope)
        yield from self._fields(node.for_in, inner, without=("iter",))
        yield from self._fields(
            node, inner, without=("for_in", "lbracket", "rbracket", "lbrace", "rbrace")
        )


def _pieces(node: Node) -> Iterator[Node]:
    """Give the texts and the formatted expressions of a string."""
    match node:
        case cst.ConcatenatedString():
            yield from _pieces(node.left)
            yield from _pieces(node.right)
        case cst.FormattedString():
            yield from (
                _text(one, node) if isinstance(one, cst.FormattedStringText) else one
                for one in node.parts
            )
        case cst.SimpleString():
            yield node.evaluated_value
        case _:
            yield node


def _text(part: cst.FormattedStringText, whole: cst.FormattedString) -> str:
    start = whole.start.replace("f", "").replace("F", "")
    try:
        text = str(ast.literal_eval(f"{start}{part.value}{whole.end}"))
    except SyntaxError:
        text = part.value  # a raw one that ends in a backslash
    return text.replace("{{", "{").replace("}}", "}")


def _of_function(node: Node, scope: _NameScope) -> _NameScope:
    names, declared_global, declared_outside = _bound(node.params, node.body)
    type_names = _bound(getattr(node, "type_parameters", None))[0]
    outer = scope.inner(type_names) if type_names else scope
    return outer.inner(names - declared_global - declared_outside, declared_global)


def _bound(*nodes: Node) -> tuple[set[str], set[str], set[str]]:
    """Collect the names that code binds in its own scope, and those it declares global and
    nonlocal.
    """
    names, declared_global, declared_outside = set[str](), set[str](), set[str]()
    for node, in_comprehension in _in_scope([(node, False) for node in nodes if node is not None]):
        kind = type(node)
        if kind is cst.Global:
            declared_global.update(item.name.value for item in node.names)
        elif kind is cst.Nonlocal:
            declared_outside.update(item.name.value for item in node.names)
        elif kind is cst.ImportAlias and node.asname is None:
            names.add(_dotted(node.name).partition(".")[0])
        elif kind in _BINDS and (kind is cst.NamedExpr or not in_comprehension):
            names.update(_targets(getattr(node, _BINDS[kind])))
    return names, declared_global, declared_outside


def _in_scope(stack: list[tuple[Node, bool]]) -> Iterator[tuple[Node, bool]]:
    """Walk over nodes, but not into definitions and lambdas; tell which stand in a comprehension."""
    while stack:
        node, in_comprehension = stack.pop()
        yield node, in_comprehension
        if not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Lambda):
            inside = in_comprehension or isinstance(node, _COMPREHENSIONS)
            stack.extend((child, inside) for child in node.children)


def _targets(target: Node) -> Iterator[str]:
    match target:
        case cst.Name():
            yield target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from _targets(element.value)


def _dotted(node: Node) -> str:
    return (
        f"{_dotted(node.value)}.{node.attr.value}"
        if isinstance(node, cst.Attribute)
        else str(node.value)
    )


def _after_docstring(suite: Node) -> Sequence[Node]:
    body = suite.body
    inner = body[0].body if body and isinstance(body[0], cst.SimpleStatementLine) else body
    first = inner[0] if inner else None
    if isinstance(first, cst.Expr) and isinstance(first.value, _DOCSTRINGS):
        return [*inner[1:], *(body[1:] if inner is not body else ())]
    return tuple(body)
