"""Who calls a function: a set that is closed only where two derivations agree.

The call graph resolves names; the walk over names resolves none. Where a name is used in a place
that the graph does not know as a caller, nobody can say that the callers are all known.
"""

import ast
import importlib.resources
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Final, Literal

from goldwright.code_reading.child_nodes import child_nodes, name_or_attribute, own_tries
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.dispatched_names import is_dispatched, is_in_listed_module
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.name_uses import uses_of
from goldwright.code_reading.outside_bases import is_called_from_outside
from goldwright.path_conditions import Path
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.product_code import is_product_code

_Try = ast.Try | ast.TryStar
_TABLE: Final = "standard_methods.toml"

Reach = Literal["name", "self", "other"]


def closed_callers(
    snapshot: Snapshot, entity_id: str, files: Collection[str]
) -> tuple[str, ...] | None:
    """Give all functions that call a function; None where nobody can say that these are all.

    The graph misses a call on an object of which it does not know the class. Where nothing else in
    the codebase bears the name, and it is no word that objects of other libraries answer to, the
    walk alone is enough.

    Args:
        snapshot: The codebase.
        entity_id: The function.
        files: The files in which its simple name is used; callers in other files do not count.

    Returns:
        The ids of the callers, in the order of their files and lines; empty where there are none.
    """
    path, qualified_name = split_entity_id(entity_id)
    name = qualified_name.rpartition(".")[2]
    is_listed = is_in_listed_module(snapshot, path)
    if is_dispatched(snapshot, name) or is_listed or is_called_from_outside(snapshot, entity_id):
        return None
    callers = {site.entity_id for site in snapshot.graph.callers(entity_id)}
    by_graph = {caller for caller in callers if split_entity_id(caller)[0] in files}
    may_be_more = _is_unmistakable(snapshot, entity_id)
    by_walk: dict[str, None] = {}
    for use in uses_of(snapshot, files, name):
        if use.kind == "import":
            continue
        caller = use.owner_id
        if not may_be_more and caller not in by_graph:
            # The two derivations differ already; of a common name most files need no look.
            return None
        calling = snapshot.entity(caller)
        if use.kind != "call" or calling is None or calling.kind == "class":
            # In a table, as a default, as a decorator, handed on: who calls it then is not known;
            # nor is it of a function without a name in the body of a class.
            return None
        if caller == entity_id:
            # It calls itself, so that "no other code calls it" would be false to the letter.
            return None
        by_walk[caller] = None
    is_same = set(by_walk) == by_graph
    is_sure = may_be_more and by_graph < set(by_walk)
    return tuple(by_walk) if is_same or is_sure else None


def may_have_few_callers(snapshot: Snapshot, entity_id: str, most: int) -> bool:
    """Check whether a function may have closed callers, at least one and at most so many.

    It looks at the graph alone and reads no file: of most functions of a large codebase this tells
    that their callers need not be looked for.

    Args:
        snapshot: The codebase.
        entity_id: The function; an ``__init__`` has the callers of its class.
        most: How many callers there may be (at least 1).
    """
    made_class = entity_id.removesuffix(".__init__")
    sites = snapshot.graph.callers(made_class)
    callers = {site.entity_id for site in sites if is_product_code(snapshot, site.path)}
    if not callers:
        return made_class == entity_id and _is_unmistakable(snapshot, entity_id)
    return len(callers) <= most


def may_be_called_from_elsewhere(snapshot: Snapshot, entity_id: str) -> bool:
    """Check whether callers of a function, or theirs, may stand in another file than its own.

    As ``may_have_few_callers``, it reads no file.
    """
    own_path, name = split_entity_id(entity_id.removesuffix(".__init__"))
    direct = snapshot.graph.callers(entity_id.removesuffix(".__init__"))
    further = [site for caller in direct for site in snapshot.graph.callers(caller.entity_id)]
    if any(site.path != own_path for site in (*direct, *further)):
        return True
    # Of a name that nothing else bears, the graph may miss calls.
    files = product_files_with(snapshot, name.rpartition(".")[2])
    may_be_more = _is_unmistakable(snapshot, entity_id)
    return may_be_more and files is not None and len(files) > 1


def _is_unmistakable(snapshot: Snapshot, entity_id: str) -> bool:
    _, qualified_name = split_entity_id(entity_id)
    name = qualified_name.rpartition(".")[2]
    if _may_be_of_anything(name) or name.startswith("__"):
        return False
    return _definitions_by_name(snapshot)[name] == 1


def _may_be_of_anything(name: str) -> bool:
    """Tell whether objects of other libraries may answer to a name.

    They may where it is a single word, or one that methods of Python's own libraries bear.
    """
    return "_" not in name.strip("_") or name in _standard_methods()


@cache
def _standard_methods() -> frozenset[str]:
    path = importlib.resources.files(__package__).joinpath(_TABLE)
    table = tomllib.loads(path.read_text("utf-8"))
    return frozenset(table["names"].split())


@lru_cache(maxsize=2)
def _definitions_by_name(snapshot: Snapshot) -> Counter[str]:
    """Count the functions and classes of each simple name."""
    entities = snapshot.entities()
    return Counter(entity.simple_name for entity in entities if entity.kind != "variable")


def callers_by_name(
    snapshot: Snapshot, name: str, files: Collection[str], definitions: Collection[str]
) -> tuple[str, ...] | None:
    """Give all functions that call anything of a name, where the name means one thing only.

    Args:
        snapshot: The codebase.
        name: The simple name.
        files: The files in which it stands; callers in other files do not count.
        definitions: The ids of the functions that it means; a method and what overrides it.

    Returns:
        The ids of the callers in the order of files and lines, what overrides the method and goes
        on to it among them; None where it is used in another way, where something else bears the
        name, where that may be put together at run time, and where it is a single word that is
        called on something of which the graph does not know the class.
    """
    entities = chain.from_iterable(map(snapshot.entities_in, files))
    namesakes = (entity for entity in entities if entity.simple_name == name)
    is_shared = any(entity.entity_id not in definitions for entity in namesakes)
    is_hook = any(is_called_from_outside(snapshot, definition) for definition in definitions)
    if is_shared or is_hook or is_dispatched(snapshot, name):
        return None
    sites = (site for definition in definitions for site in snapshot.graph.callers(definition))
    by_graph = {site.entity_id for site in sites}
    is_word = _may_be_of_anything(name)
    callers: dict[str, None] = {}
    for use in uses_of(snapshot, files, name):
        caller = use.owner_id
        if use.kind != "call" or snapshot.entity(caller) is None:
            return None
        if is_word and caller not in by_graph and caller not in definitions:
            return None
        lines = snapshot.source(use.path).lines
        line = lines[use.line - 1]
        if caller in definitions and f"super().{name}(" not in line:
            # What overrides the method may call it on another object too.
            return None
        callers[caller] = None
    return tuple(callers)


@dataclass(frozen=True, slots=True)
class NamedCall:
    """A call by the last part of the name that is called.

    Attributes:
        name: The simple name, as in ``add`` for ``self.basket.add()``.
        catches: What is caught around it, clause by clause, the innermost ``try`` first.
        path: The whole condition under which its statement is reached; None where unclear.
        result: What becomes of the result: ``returned``, ``assigned``, ``dropped`` or ``used``.
        first, last: The lines of the call.
        reach: ``name``: it is called by its bare name. ``self``: on ``self`` or ``cls``.
            ``other``: on anything else.
        clauses: The first lines of the clauses that catch it, in the order of ``catches``.
        statement: The first line of its statement.
        end: The line and the column where it ends: of two calls in a statement, the one that ends
            first is made first.
    """

    name: str
    catches: tuple[str, ...]
    path: Path | None
    result: str
    first: int
    last: int
    reach: Reach
    clauses: tuple[int, ...] = ()
    statement: int = 0
    end: tuple[int, int] = (0, 0)


def called_names(module: Module, function: Function) -> tuple[NamedCall, ...]:
    """List the calls of a function by name, in the order of its statements."""
    calls: list[NamedCall] = []
    tries = _tries(function.body)
    for reached in statements_of(function, module.text):
        for call in _own_calls(reached.node):
            name = name_or_attribute(call.func)
            if not name:
                continue
            handlers = list(_handlers_around(tries, call))
            catches = [_caught(handler, module) for handler in handlers]
            clauses = [handler.lineno for handler in handlers]
            named_call = NamedCall(
                name=name,
                catches=tuple(catches),
                path=reached.path,
                result=_result(reached.node, call),
                first=call.lineno,
                last=call.end_lineno or call.lineno,
                reach=_reach(call),
                clauses=tuple(clauses),
                statement=reached.node.lineno,
                end=end_of(call),
            )
            calls.append(named_call)
    return tuple(calls)


def end_of(call: ast.Call) -> tuple[int, int]:
    """Give the line and the column where a call ends."""
    return call.end_lineno or call.lineno, call.end_col_offset or 0


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
            pending.extend(child_nodes(node))


def _reach(call: ast.Call) -> Reach:
    if isinstance(call.func, ast.Name):
        return "name"
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    is_own = isinstance(receiver, ast.Name) and receiver.id in {"self", "cls"}
    return "self" if is_own else "other"


def _tries(body: list[ast.stmt]) -> list[_Try]:
    """Give the ``try`` statements of a function, the innermost first."""
    return sorted(own_tries(body), key=_falling_line)


def _falling_line(node: _Try) -> int:
    return -node.lineno


def _handlers_around(tries: Sequence[_Try], call: ast.Call) -> Iterator[ast.ExceptHandler]:
    """Yield the ``except`` clauses around a call, those of the innermost ``try`` first."""
    for node in tries:
        if _stands_in(call, node.body):
            yield from node.handlers


def _caught(handler: ast.ExceptHandler, module: Module) -> str:
    return module.text.of(handler.type) if handler.type else "BaseException"


def _stands_in(call: ast.Call, body: list[ast.stmt]) -> bool:
    last = body[-1]
    return body[0].lineno <= call.lineno <= (last.end_lineno or last.lineno)


def _result(statement: ast.stmt, call: ast.Call) -> str:
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Await):
        value = value.value
    if value is not call:
        return "used"
    if isinstance(statement, ast.Return):
        return "returned"
    return "assigned" if isinstance(statement, ast.Assign | ast.AnnAssign) else "dropped"
