"""The normal form of code: a syntax tree that hides layout, docstrings and the local names chosen.

libcst reads the code, so that syntax newer than the interpreter has a normal form too.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Final

import libcst as cst

from goldwright.snapshot.languages.python.name_scopes import (
    COMPREHENSIONS,
    CstNode,
    NameScope,
    dotted_import,
)
from goldwright.snapshot.languages.python.string_values import PLAIN_STRINGS, STRINGS, string_pieces

# What the name of the definition itself is written as.
_OWN_NAME: Final = "@own"
_STATEMENT_LINES: Final = (cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.IndentedBlock)
# Layout, comments, and declarations that show in how names are numbered.
_SILENT_NODES: Final = (
    cst.BaseParenthesizableWhitespace,
    cst.Comment,
    cst.EmptyLine,
    cst.Global,
    cst.MaybeSentinel,
    cst.Nonlocal,
    cst.TrailingWhitespace,
)
# How the names of fields that hold layout begin.
_LAYOUT_FIELDS: Final = (
    "whitespace",
    "leading_",
    "lines_after",
    "lpar",
    "rpar",
    "comma",
    "semicolon",
)
_BRACKETS: Final = ("lbracket", "rbracket", "lbrace", "rbrace")

_Writer = Callable[[CstNode, NameScope], Iterator[str]]


def write_normal_form(text: str, *, in_class: bool) -> str | None:
    """Write one definition, or several of one name, in brackets.

    The parser of libcst can overflow the stack of the process on hostile input: the text must be
    known to be harmless.

    Returns:
        The form, or None where libcst cannot parse the text.
    """
    try:
        with warnings.catch_warnings():
            # Strange escapes in the code of others are no business of our stderr.
            warnings.simplefilter("ignore")
            return _write(text, in_class=in_class)
    except (SyntaxError, cst.ParserSyntaxError, cst.CSTLogicError, RecursionError, ValueError):
        return None


def _write(text: str, *, in_class: bool) -> str:
    body = cst.parse_module(text).body
    own_names: set[str] = set()
    for node in body:
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            own_names.add(node.name.value)
    writer = _FormWriter(frozenset(own_names), in_class=in_class)
    return " ".join(writer.statements(body, NameScope()))


class _FormWriter:
    """Writes nodes as words in brackets, in the order of the code.

    A node is written as its class and its fields, unless it has a writer of its own.
    """

    def __init__(self, own_names: frozenset[str], *, in_class: bool) -> None:
        self._own_names = own_names
        self._in_class = in_class
        self._writers: dict[type[cst.CSTNode], _Writer] = {
            cst.Annotation: self._annotation,
            cst.Arg: self._argument,
            cst.Attribute: self._attribute,
            cst.ClassDef: self._class,
            cst.Float: self._number,
            cst.FunctionDef: self._function,
            cst.ImportAlias: self._import_alias,
            cst.ImportFrom: self._import_from,
            cst.Integer: self._number,
            cst.Lambda: self._lambda,
            cst.MatchKeywordElement: self._match_keyword,
            cst.Name: self._name,
            cst.Param: self._parameter,
        }
        self._writers.update(dict.fromkeys(COMPREHENSIONS, self._comprehension))
        self._writers.update(dict.fromkeys(STRINGS, self._string))

    def statements(self, body: Iterable[CstNode], scope: NameScope) -> Iterator[str]:
        """Write statements, whether on lines of their own or behind a colon or semicolon."""
        for node in body:
            if isinstance(node, _STATEMENT_LINES):
                yield from self.statements(node.body, scope)
            else:
                yield from self._value(node, scope)

    def _value(self, value: CstNode, scope: NameScope) -> Iterator[str]:
        if isinstance(value, _SILENT_NODES):
            return
        if isinstance(value, cst.BaseSuite):
            yield from self._block(value.body, scope)
        elif isinstance(value, cst.CSTNode):
            yield from self._node(value, scope)
        elif isinstance(value, list | tuple):
            yield "["
            for item in value:
                yield from self._value(item, scope)
            yield "]"
        else:
            yield repr(value)

    def _block(self, body: Iterable[CstNode], scope: NameScope) -> Iterator[str]:
        yield "["
        yield from self.statements(body, scope)
        yield "]"

    def _node(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        kind = type(node)
        # A string is written alike whether it stands in one piece or in several.
        name = "String" if kind in STRINGS else kind.__name__
        write = self._writers.get(kind, self._fields)
        yield f"({name}"
        yield from write(node, scope)
        yield ")"

    def _fields(
        self, node: CstNode, scope: NameScope, without: Sequence[str] = ()
    ) -> Iterator[str]:
        for field in fields(node):
            if field.name not in without and not field.name.startswith(_LAYOUT_FIELDS):
                value = getattr(node, field.name)
                yield from self._value(value, scope)

    def _name(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        number = scope.number(node.value)
        if number is not None:
            yield f"#{number}"
        elif node.value in self._own_names and self._is_own_name_visible(scope):
            yield _OWN_NAME
        else:
            yield node.value

    def _is_own_name_visible(self, scope: NameScope) -> bool:
        """Return whether the bare name of the definition means the definition itself.

        Inside a method it means a function of the module, if anything.
        """
        return scope.parent is None or not self._in_class

    def _number(self, node: CstNode, _scope: NameScope) -> Iterator[str]:
        yield repr(node.evaluated_value)

    def _string(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        """Write a string by its value, in however many pieces it stands."""
        for piece in string_pieces(node):
            if isinstance(piece, cst.CSTNode):
                yield from self._value(piece, scope)
            else:
                yield repr(piece)

    def _attribute(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        yield from self._value(node.value, scope)
        yield f".{node.attr.value}"

    def _argument(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        keyword = ""
        if node.keyword:
            keyword = node.keyword.value
        yield f"{node.star}{keyword}="
        yield from self._value(node.value, scope)

    def _match_keyword(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        yield f"{node.key.value}="
        yield from self._value(node.pattern, scope)

    def _import_alias(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        yield dotted_import(node.name)
        yield from self._value(node.asname, scope)

    def _import_from(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        module = "." * len(node.relative)
        if node.module:
            module += dotted_import(node.module)
        yield module
        yield from self._value(node.names, scope)

    def _annotation(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        """Write an annotation in quotes like one without."""
        annotation = node.annotation
        if isinstance(annotation, cst.SimpleString):
            try:
                annotation = cst.parse_expression(str(annotation.evaluated_value))
            except cst.ParserSyntaxError:
                annotation = node.annotation
        yield from self._value(annotation, scope)

    def _parameter(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        yield str(node.star)
        yield from self._value(node.name, scope)
        # Annotations and defaults are evaluated outside of the function.
        outer = scope.parent or scope
        yield from self._value([node.annotation, node.default], outer)

    def _function(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        yield from self._value([node.asynchronous, node.decorators], scope)
        yield from self._definition_name(node, scope)
        inner = scope.open_function(node)
        outer = inner.parent or inner
        yield from self._value([node.type_parameters, node.returns], outer)
        yield from self._value(node.params, inner)
        yield from self._block(_without_docstring(node.body), inner)

    def _class(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        yield from self._value(node.decorators, scope)
        yield from self._definition_name(node, scope)
        arguments = [node.type_parameters, node.bases, node.keywords]
        yield from self._value(arguments, scope)
        inner = scope.open_class(node)
        yield from self._block(_without_docstring(node.body), inner)

    def _definition_name(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        if scope.parent is None:
            yield _OWN_NAME
        else:
            yield from self._value(node.name, scope)

    def _lambda(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        inner = scope.open_function(node)
        yield from self._value([node.params, node.body], inner)

    def _comprehension(self, node: CstNode, scope: NameScope) -> Iterator[str]:
        inner = scope.open_comprehension(node)
        # The first iterable is evaluated outside of the comprehension.
        yield from self._value(node.for_in.iter, scope)
        yield from self._fields(node.for_in, inner, without=("iter",))
        yield from self._fields(node, inner, without=("for_in", *_BRACKETS))


def _without_docstring(suite: CstNode) -> Sequence[CstNode]:
    """Give the statements of a suite without a docstring at its beginning."""
    body: Sequence[CstNode] = suite.body
    if not body:
        return ()
    # The statements of an indented block stand on lines, those behind a colon do not.
    first_line: Sequence[CstNode] = body
    following: Sequence[CstNode] = ()
    if isinstance(body[0], cst.SimpleStatementLine):
        first_line = body[0].body
        following = body[1:]
    if not first_line or not _is_docstring(first_line[0]):
        return body
    return [*first_line[1:], *following]


def _is_docstring(statement: CstNode) -> bool:
    return isinstance(statement, cst.Expr) and isinstance(statement.value, PLAIN_STRINGS)
