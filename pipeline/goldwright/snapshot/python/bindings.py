"""Which words of a Python file are data of a piece of its code, and no names of entities.

A narrative about a function may speak of its parameters, local names, the attributes it reads, the
keywords it passes and its literal strings, even where something else in the codebase has the same
name.
"""

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from goldwright.snapshot.language import Bindings

_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Spread = tuple[str, int, int]
_LONGEST_WORD = 80


@lru_cache(maxsize=1024)
def bindings_of(source: str) -> Bindings:
    """Read the bindings of a file; a file that does not parse has none."""
    try:
        with warnings.catch_warnings():
            # What a strange escape in their source says is not for our stderr.
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Bindings({}, {})
    spreads: dict[str, list[tuple[int, int]]] = defaultdict(list)
    imports: dict[str, str] = {}
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        for word, first, last in _spreads(node, called):
            spreads[word].append((first, last))
        imports.update(_imports(node))
    return Bindings({word: tuple(places) for word, places in spreads.items()}, imports)


def _spreads(node: ast.AST, called: set[int]) -> Iterator[_Spread]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            last = node.end_lineno or node.lineno
            yield from ((word, node.lineno, last) for word in _locals(node))
        case ast.comprehension(target=target):
            yield from ((name, target.lineno, target.lineno) for name in _stored(target))
        case ast.Attribute(attr=word) if id(node) not in called:
            yield f".{word}", node.lineno, node.end_lineno or node.lineno
        case ast.keyword(arg=str(word)):
            yield f"={word}", node.lineno, node.end_lineno or node.lineno
        case ast.Constant(value=str(word)) if len(word) <= _LONGEST_WORD and word.split() == [word]:
            yield f"={word}", node.lineno, node.end_lineno or node.lineno


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[str]:
    arguments = function.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    yield from (argument.arg for argument in every if argument)
    outside: set[str] = set()
    inside: set[str] = set()
    for node in _own_nodes(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
                inside.add(name)
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                inside.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                inside.add(name)
            case ast.Global(names=names):
                outside.update(names)
    yield from inside - outside


def _own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """Walk a function's body without entering the functions and classes inside it."""
    waiting: list[ast.AST] = (
        list(function.body) if isinstance(function.body, list) else [function.body]
    )
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_Function, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def _stored(target: ast.AST) -> Iterable[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        case ast.ImportFrom(level=0, module=str(module), names=names):
            for alias in names:
                yield alias.asname or alias.name, module
