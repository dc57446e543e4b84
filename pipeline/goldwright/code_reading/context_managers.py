"""Which errors a ``with`` statement takes, or may take, that come out of its block."""

import ast
from collections.abc import Sequence
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.literal_uses import last_name
from goldwright.code_reading.modules import Function, open_function
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity

# Whose definition is not at hand may be told by its name.
_TELLING_WORDS: Final = ("suppress", "ignor", "catch", "error", "exception", "raises", "wrap")
_GENERATOR_DECORATORS: Final = frozenset({"contextmanager", "asynccontextmanager"})
_EXITS: Final = ("__exit__", "__aexit__")
# More definitions of one name are a name that says nothing.
_MOST_NAMESAKES: Final = 8


def suppressed_error(node: ast.With | ast.AsyncWith) -> ast.expr | None:
    """Give the error that a ``with suppress(...)`` keeps to itself, or None for another context."""
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and call.args:
            name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            name = call.func.id if isinstance(call.func, ast.Name) else name
            if name == "suppress":
                return call.args[0]
    return None


def is_kept_by_manager(snapshot: Snapshot, function: Function, line: int) -> bool:
    """Check whether a ``with`` around a line of a function may take an error that comes out of it.

    A manager that writes the error down and raises it again counts as well: whoever asks what
    becomes of the error wants to hear of it.
    """
    for node in own_nodes(function.body):
        if not isinstance(node, ast.With | ast.AsyncWith):
            continue
        is_inside = node.body[0].lineno <= line <= (node.body[-1].end_lineno or line)
        if is_inside and any(_may_take(snapshot, item.context_expr) for item in node.items):
            return True
    return False


def _may_take(snapshot: Snapshot, manager: ast.expr) -> bool:
    if any(word in ast.unparse(manager).lower() for word in _TELLING_WORDS):
        return True
    namesakes = snapshot.named(last_name(manager))
    return len(namesakes) > _MOST_NAMESAKES or any(
        _is_taking(snapshot, entity) for entity in namesakes
    )


def _is_taking(snapshot: Snapshot, entity: Entity) -> bool:
    """Check whether a generator catches around a ``yield``, or an exit may answer with truth."""
    if entity.kind == "class":
        exits = (open_function(snapshot, f"{entity.entity_id}.{name}") for name in _EXITS)
        return any(opened is not None and _may_answer_true(opened[1]) for opened in exits)
    opened = open_function(snapshot, entity.entity_id)
    if opened is None:
        return False
    decorators = {last_name(decorator) for decorator in opened[1].decorator_list}
    return not decorators.isdisjoint(_GENERATOR_DECORATORS) and _catches_at_yield(opened[1])


def _catches_at_yield(function: Function) -> bool:
    tries = [node for node in own_nodes(function.body) if isinstance(node, ast.Try | ast.TryStar)]
    return any(node.handlers and _has_yield(node.body) for node in tries)


def _has_yield(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(body))


def _may_answer_true(function: Function) -> bool:
    returned = [node.value for node in own_nodes(function.body) if isinstance(node, ast.Return)]
    return any(
        value is not None and not (isinstance(value, ast.Constant) and not value.value)
        for value in returned
    )
