"""A codebase as the trust card reads it: every Python file once, trees on demand."""

import ast
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.file_guard import guarded
from goldwright.snapshot.product_code import product_code_among
from goldwright.trust_card.source.modules import (
    CodeDefinition,
    FunctionNode,
    ModuleReading,
    parse_source,
    read_module,
)
from goldwright.trust_card.source.names import ImportResolver

# Enough for the cited files of a dataset; a tree is some 30 times as large as its text.
_TREES_KEPT: Final = 64
_PYTHON_SUFFIXES: Final = (".py", ".pyi")


class CodeReading:
    """The Python files of a codebase, read without the index that the agents use.

    Attributes:
        modules: What each file defines and imports, by path; files that cannot be parsed are left
            out.
        names: Resolves names through the imports of these files.
    """

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self.modules: dict[str, ModuleReading] = {}
        for path in tree.source_files:
            # What the snapshot's workers could not read may crash the parser here.
            if path.endswith(_PYTHON_SUFFIXES) and path not in tree.unparsed:
                self._read(path)
        self.names = ImportResolver(self.modules)
        self.parsed = lru_cache(maxsize=_TREES_KEPT)(self._parse)
        self._functions = lru_cache(maxsize=_TREES_KEPT)(self._read_functions)

    def text(self, path: str) -> str:
        """The text of a file; empty where there is no such file."""
        if not self._tree.has_text(path):
            return ""
        return self._tree.source(path).text

    def lines(self, path: str) -> tuple[str, ...]:
        """The lines of a file without their ends; none where there is no such file."""
        if not self._tree.has_text(path):
            return ()
        return self._tree.source(path).lines

    @cached_property
    def product_paths(self) -> tuple[str, ...]:
        """The files that are neither tests nor documents nor somebody else's code."""
        return product_code_among(self._tree, self.modules)

    def definitions(self, paths: tuple[str, ...] | None = None) -> Iterator[CodeDefinition]:
        """Yield the classes and functions of files, of all files by default."""
        if paths is None:
            paths = tuple(self.modules)
        for path in paths:
            yield from self.modules[path].definitions

    def function_at(self, path: str, line: int) -> FunctionNode | None:
        """The innermost function around a line, decorators left out."""
        innermost = None
        for node in self._functions(path):
            if node.lineno <= line <= (node.end_lineno or node.lineno):
                innermost = node
        return innermost

    def _read(self, path: str) -> None:
        def read() -> ModuleReading | None:
            tree = parse_source(self.text(path))
            return None if tree is None else read_module(path, tree)

        module = guarded(self._tree, path, "reading it for the trust card", read, None)
        if module is not None:
            self.modules[path] = module

    def _read_functions(self, path: str) -> list[FunctionNode]:
        """Every function of a file, outer ones before those inside them."""
        tree = self.parsed(path)
        if tree is None:
            return []
        return [node for node in ast.walk(tree) if isinstance(node, FunctionNode)]

    def _parse(self, path: str) -> ast.Module | None:
        if path not in self.modules:
            return None
        return parse_source(self.text(path))
