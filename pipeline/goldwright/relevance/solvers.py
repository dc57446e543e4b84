"""What answers a task from a context alone: the port, and a solver that needs no model."""

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from goldwright.errors import QuarantineError

_DOCUMENT = re.compile(r"^\[document \d+\]\n", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMED_CODE = re.compile(r"`([A-Za-z_][A-Za-z0-9_.]*)`")
_PATH_LINE = re.compile(r"^[\w./-]+\.py$")


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer, and what it took.

    Attributes:
        answer: Code, a name or a text; empty where there is none.
        total_tokens: Input and output of all calls for it.
        usd: What these cost, in dollars.
    """

    answer: str
    total_tokens: int = 0
    usd: float = 0.0


class UnsolvedError(QuarantineError):
    """No answer can be had now, which is no wrong answer.

    Attributes:
        total_tokens: What the calls for it took all the same.
        usd: What these cost, in dollars.
    """

    def __init__(self, reason: str, *, total_tokens: int = 0, usd: float = 0.0) -> None:
        """State why, and what was paid."""
        super().__init__(reason)
        self.total_tokens = total_tokens
        self.usd = usd


class Solver(Protocol):
    """Answers a question from a context, and from nothing that it saw before."""

    @property
    def name(self) -> str:
        """As results record it: `offline:…`, or a model's name."""
        ...

    async def solve(self, query: str, context: str, *, seed: int) -> Solution:
        """Answer.

        Args:
            query: The question.
            context: Documents, all that the solver may use.
            seed: Settles whatever chance has a part in the answer; another one for every trial.

        Raises:
            UnsolvedError: No answer can be had now.
        """
        ...


@dataclass(frozen=True, slots=True)
class ExtractiveSolver:
    """Answers with what the context holds, word for word; it knows nothing by itself.

    Asked for code, it returns the definitions of the context that the question names in code marks,
    with all others that these use, and with imports of the standard library that they need. Asked
    anything else, it returns the qualified name of the document that shares most words with the
    question, and nothing where none shares any.
    """

    name: str = "offline:extractive"

    async def solve(self, query: str, context: str, *, seed: int) -> Solution:  # noqa: ARG002
        """Answer; chance has no part in it."""
        return Solution(extract_answer(query, context))


def extract_answer(query: str, context: str) -> str:
    """Answer with what a context holds, as `ExtractiveSolver` says; empty for want of it."""
    documents = _DOCUMENT.split(context)[1:]
    named_code = _NAMED_CODE.findall(query)
    asked_names = [name.rpartition(".")[2] for name in named_code]
    code = _definitions_of(asked_names, documents)
    return code or _best_name(query, documents)


def _definitions_of(asked_names: Sequence[str], documents: Iterable[str]) -> str:
    """Return the definitions asked for, and those of the context that they need, as one module."""
    definitions: dict[str, ast.stmt] = {}
    for document in documents:
        for statement in _statements(document):
            for name in _names_defined(statement):
                definitions.setdefault(name, statement)
    needed: dict[str, ast.stmt] = {}
    unread = [name for name in asked_names if name in definitions]
    while unread:
        name = unread.pop()
        if name in needed or name not in definitions:
            continue
        needed[name] = definitions[name]
        unread += _names_used(definitions[name])
    if not needed:
        return ""
    # In the order of the documents, since a module-level value may be used by the next one.
    needed_names = [name for name in definitions if name in needed]
    statements = [ast.unparse(definitions[name]) for name in needed_names]
    used_modules = _modules_used(needed.values())
    modules = sorted(used_modules - set(needed))
    imports = [f"import {module}" for module in modules]
    parts = ["from __future__ import annotations", *imports, *statements]
    return "\n".join(parts) + "\n"


def _statements(document: str) -> Iterator[ast.stmt]:
    """Yield the top-level statements of a document, whose first lines may be its name and path."""
    lines = document.splitlines()
    for start in range(min(3, len(lines))):
        text = "\n".join(lines[start:])
        try:
            tree = ast.parse(_dedent(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        yield from (statement for statement in tree.body if _names_defined(statement))
        return


def _dedent(text: str) -> str:
    lines_with_text = (line for line in text.splitlines() if line.strip())
    first = next(lines_with_text, "")
    indentation = first.removesuffix(first.lstrip())
    if not indentation:
        return text
    return re.sub(f"^{indentation}", "", text, flags=re.MULTILINE)


def _names_defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    return []


def _names_used(statement: ast.stmt) -> list[str]:
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]


def _modules_used(statements: Iterable[ast.stmt]) -> set[str]:
    used = {name for statement in statements for name in _names_used(statement)}
    used_modules = used & sys.stdlib_module_names
    return {name for name in used_modules if not hasattr(builtins, name)}


def _best_name(query: str, documents: Iterable[str]) -> str:
    """Return the qualified name of the document nearest to a question in words, or nothing."""
    query_words = _words(query)
    best, most = "", 0
    for document in documents:
        shared = len(query_words & _words(document))
        if shared > most and (name := _qualified_name(document)):
            best, most = name, shared
    return best


def _words(text: str) -> set[str]:
    parts = [part for name in _WORD.findall(text) for part in name.split("_")]
    return {part.lower() for part in parts if len(part) > 3}


def _qualified_name(document: str) -> str:
    """Read the name and path that a document of an entity begins with; empty where it has none."""
    name, _, following = document.partition("\n")
    path = following.partition("\n")[0]
    if not _PATH_LINE.match(path) or not name:
        return ""
    path_in_package = path.removesuffix(".py").removesuffix("/__init__")
    module = path_in_package.replace("/", ".")
    return f"{module.removeprefix('src.')}.{name}"
