"""Docstrings, and the words that carry their meaning."""

import ast
import re
from collections.abc import Sequence
from typing import Final

from goldwright.code_reading.modules import open_module
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import split_entity_id

# Enough for an estimate within a few hundredths.
SAMPLED_FILES: Final = 200

_WORD: Final = re.compile(r"[a-z]{3,}")
# Words that questions and docstrings have in common whatever they are about.
_FUNCTION_WORDS: Final = frozenset(
    """
    the and for with from that this what when which where who why how does did are was were can
    could would should will has have had not but its our your their there here into out about any
    all each one two some such than then them they you get gets use used uses
    """.split()
)


def docstring_of(codebase: SourceTree, entity_id: str) -> str:
    """Give the docstring of a function or class; empty where it has none or is defined twice."""
    path, name = split_entity_id(entity_id)
    module = open_module(codebase, path)
    node = module.definitions.get(name) if module is not None else None
    if module is None or node is None or name in module.repeated:
        return ""
    return ast.get_docstring(node) or ""


def is_docstring(statement: ast.stmt) -> bool:
    """Check whether a statement is nothing but a text."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def documented_share(codebase: SourceTree, paths: Sequence[str]) -> float:
    """Estimate the share of functions and classes that have a docstring, from some of the files.

    Args:
        codebase: The codebase.
        paths: The files that count; about ``SAMPLED_FILES`` of them are read, evenly spread.

    Returns:
        The share, in 0..1; 0 where there is nothing that could have one.
    """
    step = -(-len(paths) // SAMPLED_FILES) or 1
    documented = definitions = 0
    for path in paths[::step]:
        module = open_module(codebase, path)
        if module is None:
            continue
        for node in module.definitions.values():
            definitions += 1
            documented += ast.get_docstring(node, clean=False) is not None
    return documented / definitions if definitions else 0.0


def content_words(text: str) -> frozenset[str]:
    """Give the words of a text, but for those that any text has."""
    return frozenset(_WORD.findall(text.lower())) - _FUNCTION_WORDS
