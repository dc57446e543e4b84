"""Who calls a function: a set that is closed only where two derivations agree.

The call graph resolves names; the word scan knows nothing but words. Where a name stands in the
code of a place that the graph does not know as a caller, nobody can say that the callers are all
known, and then the set is not closed.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from goldwright.code_reading.conditions import Path, own_nodes, statements_of
from goldwright.code_reading.errors import caught_names
from goldwright.code_reading.modules import Module, open_function
from goldwright.code_reading.word_index import occurrences
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call of a function.

    Attributes:
        caller: The id of the function that holds the call.
        first, last: The lines of the call.
        path: The whole condition under which its statement is reached; None where unclear.
        catches: The classes that ``except`` clauses around the call catch, innermost first.
        result: What becomes of the result: ``returned``, ``assigned``, ``dropped`` or ``used``.
        arguments: The arguments, as written.
    """

    caller: str
    first: int
    last: int
    path: Path | None
    catches: tuple[str, ...]
    result: str
    arguments: tuple[str, ...]


def closed_callers(
    snapshot: Snapshot, entity_id: str, files: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Give all functions that call a function, or use it in any other way; None where not closed.

    Args:
        snapshot: The codebase.
        entity_id: The function.
        files: The files in whose words its simple name occurs.

    Returns:
        The ids of the callers, in the order of their files and lines; empty where there are none.
    """
    name = split_entity_id(entity_id)[1].rpartition(".")[2]
    by_graph = {site.entity_id for site in snapshot.graph.callers(entity_id)}
    by_words: dict[str, None] = {}
    for path in files:
        for occurrence in occurrences(snapshot, path, name):
            if occurrence.is_definition or occurrence.before == "import":
                continue
            owner = _owner(snapshot, path, occurrence.line)
            if owner is None:
                # A use at the level of a module: in a table, as a default, as a decorator.
                return None
            if owner != entity_id:
                by_words[owner] = None
    return tuple(by_words) if set(by_words) == by_graph else None


def call_sites(snapshot: Snapshot, caller: str, callee: str) -> tuple[CallSite, ...]:
    """List the calls of one function in another, with what is caught around each."""
    opened = open_function(snapshot, caller)
    if opened is None:
        return ()
    module, function = opened
    name = split_entity_id(callee)[1].rpartition(".")[2]
    if name == "__init__":
        name = split_entity_id(callee)[1].rpartition(".")[0].rpartition(".")[2]
    sites: list[CallSite] = []
    for reached in statements_of(function, module.text):
        for call in _own_calls(reached.node):
            if _called_name(call) != name:
                continue
            site = CallSite(
                caller=caller,
                first=call.lineno,
                last=call.end_lineno or call.lineno,
                path=reached.path,
                catches=_catches_around(function.body, call, module),
                result=_result(reached.node, call),
                arguments=tuple(module.text.of(argument) for argument in call.args),
            )
            sites.append(site)
    return tuple(sites)


def _owner(snapshot: Snapshot, path: str, line: int) -> str | None:
    """Give the innermost function around a line; None outside functions."""
    owner = None
    size = 0
    for entity in snapshot.entities_in(path):
        if entity.kind not in {"function", "method"}:
            continue
        for span in entity.spans:
            if span.touches(line, line) and (owner is None or span.last - span.first < size):
                owner, size = entity.entity_id, span.last - span.first
    return owner


def _own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls of a statement; those in the blocks of a compound one are not its own."""
    blocks = {"body", "orelse", "finalbody", "handlers", "cases"}
    pending: list[object] = []
    for name, value in ast.iter_fields(statement):
        if name not in blocks:
            pending.extend(value if isinstance(value, list) else [value])
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call):
            yield node
        if isinstance(node, ast.AST) and not isinstance(node, ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))


def _called_name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _catches_around(body: list[ast.stmt], call: ast.Call, module: Module) -> tuple[str, ...]:
    catches: list[str] = []
    for node in own_nodes(body):
        if isinstance(node, ast.Try | ast.TryStar) and _stands_in(call, node.body):
            names = [name for handler in node.handlers for name in caught_names(handler, module)]
            # Outer statements come first in the walk, and the innermost is asked first.
            catches = [*names, *catches]
    return tuple(dict.fromkeys(catches))


def _stands_in(call: ast.Call, body: list[ast.stmt]) -> bool:
    first, last = body[0].lineno, body[-1].end_lineno or body[-1].lineno
    return first <= call.lineno <= last


def _result(statement: ast.stmt, call: ast.Call) -> str:
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Await):
        value = value.value
    if value is not call:
        return "used"
    if isinstance(statement, ast.Return):
        return "returned"
    return "assigned" if isinstance(statement, ast.Assign | ast.AnnAssign) else "dropped"
