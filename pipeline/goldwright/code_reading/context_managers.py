"""Which errors a ``with`` statement takes, or may take, that come out of its block."""

import ast
from collections.abc import Sequence
from typing import Final

from goldwright.code_reading.child_nodes import contains, name_or_attribute, own_nodes, own_tries
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
        if not isinstance(call, ast.Call) or not call.args:
            continue
        if name_or_attribute(call.func) == "suppress":
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
        first = node.body[0].lineno
        last = node.body[-1].end_lineno or line
        if not first <= line <= last:
            continue
        if any(_may_take(snapshot, item.context_expr) for item in node.items):
            return True
    return False


def _may_take(snapshot: Snapshot, manager: ast.expr) -> bool:
    if any(word in ast.unparse(manager).lower() for word in _TELLING_WORDS):
        return True
    namesakes = snapshot.named(last_name(manager))
    if len(namesakes) > _MOST_NAMESAKES:
        return True
    return any(_is_taking(snapshot, entity) for entity in namesakes)


def _is_taking(snapshot: Snapshot, entity: Entity) -> bool:
    """Check whether a generator catches around a ``yield``, or an exit may answer with truth."""
    if entity.kind == "class":
        exit_ids = [f"{entity.entity_id}.{name}" for name in _EXITS]
        exits = filter(None, (open_function(snapshot, exit_id) for exit_id in exit_ids))
        return any(_may_answer_true(function) for _, function in exits)
    opened = open_function(snapshot, entity.entity_id)
    if opened is None:
        return False
    _, function = opened
    decorators = {last_name(decorator) for decorator in function.decorator_list}
    is_manager = not decorators.isdisjoint(_GENERATOR_DECORATORS)
    return is_manager and _catches_at_yield(function)


def _catches_at_yield(function: Function) -> bool:
    catching = [node for node in own_tries(function.body) if node.handlers]
    return any(_has_yield(node.body) for node in catching)


def _has_yield(body: Sequence[ast.stmt]) -> bool:
    return contains(body, ast.Yield, ast.YieldFrom)


def _may_answer_true(function: Function) -> bool:
    returns = [node for node in own_nodes(function.body) if isinstance(node, ast.Return)]
    return any(node.value is not None and not _is_false(node.value) for node in returns)


def _is_false(value: ast.expr) -> bool:
    """Find out whether an expression is a constant that counts as false."""
    return isinstance(value, ast.Constant) and not value.value
