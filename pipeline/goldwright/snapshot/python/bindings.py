"""Which words of a Python file are data of a piece of its code, and no names of entities.

A narrative about a function may speak of its parameters, local names, the attributes it reads, the
keywords it passes and its literal strings, even where something else in the codebase has the same
name.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from goldwright.snapshot.entities import Span
from goldwright.snapshot.language import Bindings, BoundWord
from goldwright.snapshot.python.parsing import UnparsableError, parse_module

# In characters; what is longer or holds a blank is text, not a word that prose would quote.
_LONGEST_WORD: Final = 80
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@lru_cache(maxsize=1024)
def bindings_of(source: str) -> Bindings:
    """Read the bindings of a file; a file that does not parse has none."""
    try:
        tree = parse_module(source)
    except UnparsableError:
        return Bindings({}, {})
    spans: dict[BoundWord, list[Span]] = defaultdict(list)
    imports: dict[str, str] = {}
    called_attributes = _called_attributes(tree)
    for node in ast.walk(tree):
        if node in called_attributes:
            continue
        for bound_word, span in _bound_words(node):
            spans[bound_word].append(span)
        imports.update(_imported_names(node))
    spans_by_word = {word: tuple(places) for word, places in spans.items()}
    return Bindings(spans_by_word, imports)


def _called_attributes(tree: ast.Module) -> set[ast.AST]:
    """Collect the attributes that are called: these are methods, and no data."""
    called: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called.add(node.func)
    return called


def _bound_words(node: ast.AST) -> Iterator[tuple[BoundWord, Span]]:
    """Yield the words that a node binds, each with the lines on which it is data."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            span = _lines_of(node)
            for name in _local_names(node):
                yield ("local", name), span
        case ast.comprehension(target=target):
            # The loop of a comprehension has no line of its own.
            span = Span(target.lineno, target.lineno)
            for name in _names_in(target):
                yield ("local", name), span
        case ast.Attribute(attr=word):
            yield ("attribute", word), _lines_of(node)
        # ``**options`` has no name.
        case ast.keyword(arg=str(word)):
            yield ("value", word), _lines_of(node)
        case ast.Constant(value=str(word)) if _is_word(word):
            yield ("value", word), _lines_of(node)


def _lines_of(node: ast.stmt | ast.expr | ast.keyword) -> Span:
    return Span(node.lineno, node.end_lineno or node.lineno)


def _is_word(text: str) -> bool:
    if len(text) > _LONGEST_WORD:
        return False
    return text.split() == [text]


def _local_names(function: _Function) -> Iterator[str]:
    """Yield the parameters of a function and the names that its body binds."""
    yield from _parameters(function.args)
    bound: set[str] = set()
    declared_global: set[str] = set()
    for node in _body_nodes(function):
        if isinstance(node, ast.Global):
            declared_global.update(node.names)
        else:
            bound.update(_stored_name(node))
    yield from bound - declared_global


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
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
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


def _names_in(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id


def _imported_names(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, each with its module; relative ones stay inside."""
    match node:
        case ast.Import(names=names):
            for alias in names:
                # ``import a.b`` binds ``a``.
                top_level = alias.name.partition(".")[0]
                yield alias.asname or top_level, alias.name
        case ast.ImportFrom(level=0, module=str(module), names=names):
            for alias in names:
                yield alias.asname or alias.name, module
