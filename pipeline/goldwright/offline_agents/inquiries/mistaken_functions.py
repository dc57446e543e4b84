"""Which function a reader would take for another one who goes by words alone."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import neighbouring_function
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.warns import Warns
from goldwright.retrieval.lexical_index import lexical_index

# Of a large codebase, the file of an answer may come far down.
MOST_HITS: Final = 1_000
# Messages with so many words in common are about the same matter.
_FEWEST_SHARED_WORDS: Final = 2
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def mistaken_function(code: CodeContext, words: str, answers: Sequence[str]) -> str | None:
    """Give the function near the answers that is most easily taken for one of them.

    Who calls an answer comes first, and then whom a lexical search for some words puts first.

    Args:
        code: The codebase.
        words: What is asked for, as code or in words.
        answers: The ids of all functions for which it is true.

    Returns:
        The id of another function of a file in which an answer stands: what is said to be elsewhere
        nobody who reads the answer would look up. Where the search finds none, the function that
        stands nearest to the first answer; None where that is alone in its file.
    """
    names = {name_of(answer) for answer in answers}
    graph = code.snapshot.graph
    callers = {site.entity_id for answer in answers for site in graph.callers(answer)}
    files = {path_of(answer) for answer in answers}
    hits = lexical_index(code.snapshot).search(words, limit=MOST_HITS)
    found = [hit.entity_id for hit in hits]
    for other in sorted((*found, *sorted(callers)), key=lambda entity_id: entity_id not in callers):
        is_near = path_of(other) in files and name_of(other) not in names
        if is_near and not _is_nested(other, answers) and _does_something(code, other):
            return other
    return neighbouring_function(code, answers[0])


def said_elsewhere(code: CodeContext, finding: Finding) -> Iterator[Finding]:
    """Yield that the message of a finding stands in another function: the one to be mistaken."""
    statement = finding.statement
    if isinstance(statement, Raises | Logs | Warns):
        mistaken = _with_similar_message(code, finding.entity_id, statement.message)
        mistaken = mistaken or mistaken_function(code, statement.message, [finding.entity_id])
        if mistaken is not None:
            yield finding.refuting(OnlyHolder(name_of(mistaken), statement.message))


def _with_similar_message(code: CodeContext, entity_id: str, message: str) -> str | None:
    """Give the function of the same file whose message has most words in common with another."""
    module = code.module(path_of(entity_id))
    words = _words(message)
    shared: dict[str, int] = {}
    for name in module.definitions if module is not None else ():
        other = f"{path_of(entity_id)}::{name}"
        if other == entity_id or _is_nested(other, [entity_id]) or not _does_something(code, other):
            continue
        for found in find_statements(code, other, (Raises, Logs)):
            in_common = len(words & _words(str(getattr(found.statement, "message", ""))))
            shared[other] = max(shared.get(other, 0), in_common)
    nearest = max(shared, key=lambda other: shared[other], default=None)
    return nearest if nearest is not None and shared[nearest] >= _FEWEST_SHARED_WORDS else None


def _words(message: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(message))


def _is_nested(entity_id: str, answers: Sequence[str]) -> bool:
    """Find out whether it is defined inside an answer, or around one."""
    return any(
        entity_id.startswith(f"{answer}.") or answer.startswith(f"{entity_id}.")
        for answer in answers
    )


def _does_something(code: CodeContext, entity_id: str) -> bool:
    """Find out whether it is a function that is more than declared.

    Special methods are left out: they are called by no name that anybody would think of.
    """
    opened = code.function(entity_id)
    if opened is None or "__" in name_of(entity_id):
        return False
    body = opened[1].body
    is_declared = all(isinstance(node, ast.Pass | ast.Expr) and _is_empty(node) for node in body)
    return not is_declared


def _is_empty(node: ast.Pass | ast.Expr) -> bool:
    return isinstance(node, ast.Pass) or isinstance(node.value, ast.Constant)
