"""Functions of a module that stand alone: they use helpers beside them and the standard library."""

import ast
import builtins
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

# What reaches outside, or is another thing at every call.
_OUTSIDE: Final = frozenset(
    """
    asyncio builtins ctypes datetime exec eval globals importlib input inspect locals logging open
    os platform print random secrets shutil signal socket ssl subprocess sys tempfile threading
    time uuid warnings
    """.split()
)
_MOST_HELPERS: Final = 2
# Shorter ones are mere aliases; longer ones are no task that one answer holds.
_LINES: Final = range(3, 60)
_FEWEST_WORDS: Final = 4
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s|\n\s*\n")


@dataclass(frozen=True, slots=True)
class PlainFunction:
    """A function, and what it takes to run it.

    Attributes:
        name: Its name, at the top of its module.
        node: Its definition.
        helpers: Functions of the same module that it uses, directly or through others.
        source: A module of its own: imports, helpers and the function, as they stand in the file.
        sentence: The first sentence of its docstring, without code marks.
    """

    name: str
    node: ast.FunctionDef
    helpers: tuple[str, ...]
    source: str
    sentence: str


def plain_functions(text: str) -> Iterator[PlainFunction]:
    """Find the functions of a module that stand alone and say in words what they do."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    module = _PlainModule(tree)
    for name, node in module.functions.items():
        sentence = _sentence(node)
        if not sentence or not _is_plain(node):
            continue
        needed = module.needed_by(name)
        if needed is None:
            continue
        imports, functions = needed
        helpers = tuple(function for function in functions if function != name)
        if len(helpers) <= _MOST_HELPERS:
            source = module.source_of(imports, functions)
            yield PlainFunction(name, node, helpers, source, sentence)


class _PlainModule:
    def __init__(self, tree: ast.Module) -> None:
        definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        counts = Counter(node.name for node in definitions)
        # What is defined twice is another thing at each place.
        once = [node for node in definitions if counts[node.name] == 1]
        self.functions: Mapping[str, ast.FunctionDef] = {node.name: node for node in once}
        self._imports: dict[str, ast.stmt] = {}
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)) and _is_of_standard_library(node):
                for alias in node.names:
                    bound_name = alias.asname or alias.name
                    first_part = bound_name.partition(".")[0]
                    self._imports[first_part] = node

    def needed_by(self, name: str) -> tuple[list[ast.stmt], list[str]] | None:
        """Return imports and functions that a function needs, or None where it needs more."""
        imports: list[ast.stmt] = []
        functions: list[str] = []
        unread = [name]
        while unread:
            function = unread.pop()
            if function in functions:
                continue
            if not _is_plain(self.functions[function]):
                return None
            functions.append(function)
            for used in _free_names(self.functions[function]):
                if not self._is_at_hand(used):
                    return None
                if used in self.functions:
                    unread.append(used)
                elif used in self._imports:
                    imports.append(self._imports[used])
        return imports, functions

    def _is_at_hand(self, name: str) -> bool:
        if name in _OUTSIDE:
            return False
        is_of_module = name in self.functions or name in self._imports
        return is_of_module or hasattr(builtins, name)

    def source_of(self, imports: Sequence[ast.stmt], functions: Sequence[str]) -> str:
        lines = dict.fromkeys(ast.unparse(statement) for statement in imports)
        definitions = [
            ast.unparse(node) for name, node in self.functions.items() if name in functions
        ]
        parts = ["from __future__ import annotations", *lines, *definitions]
        return "\n".join(parts) + "\n"


def _is_of_standard_library(statement: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(statement, ast.ImportFrom):
        modules = [statement.module or ""]
        if statement.level:
            return False
    else:
        modules = [alias.name for alias in statement.names]
    roots = {module.partition(".")[0] for module in modules}
    return roots <= sys.stdlib_module_names and not roots & _OUTSIDE


def _is_plain(function: ast.FunctionDef) -> bool:
    last_line = function.end_lineno or function.lineno
    lines = last_line - function.lineno + 1
    if function.decorator_list or lines not in _LINES:
        return False
    unfit = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
    return not any(isinstance(node, unfit) for node in ast.walk(function))


def _free_names(function: ast.FunctionDef) -> list[str]:
    """List the names that a function reads and does not bind; annotations are not run."""
    arguments = function.args
    argument_nodes = ast.walk(arguments)
    bound = {argument.arg for argument in argument_nodes if isinstance(argument, ast.arg)}
    read_names: dict[str, None] = {}
    keyword_defaults = filter(None, arguments.kw_defaults)
    runs = [*function.body, *arguments.defaults, *keyword_defaults]
    for node in (node for statement in runs for node in ast.walk(statement)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                read_names.setdefault(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str() as name):
                bound.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                # An import within a function may be of anything.
                import_texts = [f"import {alias.name}" for alias in aliases]
                read_names.update(dict.fromkeys(import_texts))
    return [name for name in read_names if name not in bound]


def _sentence(function: ast.FunctionDef) -> str:
    """Return the first sentence of a docstring; empty where it is short or names the function."""
    docstring = ast.get_docstring(function) or ""
    first_piece = _SENTENCE_END.split(docstring.strip(), maxsplit=1)[0]
    sentence = " ".join(first_piece.split())
    words = re.findall(r"[A-Za-z]+", sentence)
    escaped_name = re.escape(function.name)
    is_named = re.search(rf"\b{escaped_name}\b", sentence)
    if len(words) < _FEWEST_WORDS or is_named or ">>>" in sentence:
        return ""
    return sentence.replace("`", "").replace("*", "")
