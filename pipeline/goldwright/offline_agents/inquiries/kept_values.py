"""Where a function keeps a value that it has worked out, because it has none yet."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.offline_agents.statements.stores_item import StoresItem

_PLAIN_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_ATTRIBUTE: Final = re.compile(r"self\.([A-Za-z_]\w*)")


def fillings(module: Module, name: str, function: Function) -> Iterator[Finding]:
    """Find where a function keeps a value because it has none yet."""
    stores_seen: set[str] = set()
    for kind in (StoresItem, Assigned):
        for finding in kind.find(module, name, function):
            store = store_of(finding.statement)
            if store in stores_seen or not store or not _is_first_time(finding.statement, store):
                continue
            stores_seen.add(store)
            if _gives_back(module, function, store):
                yield finding


def _gives_back(module: Module, function: Function, store: str) -> bool:
    """Find out whether a function returns what it has kept, by itself or through a variable."""
    names: set[str] = set()
    returned: list[ast.expr] = []
    for node in own_nodes(function.body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if _is_kept(module.text.of(value), store):
                    names.add(name)
            case ast.Return(value=ast.expr() as value):
                returned.append(value)
            case _:
                continue
    texts = [module.text.of(value) for value in returned]
    return any(_is_kept(text, store) or text in names for text in texts)


def _is_kept(value: str, store: str) -> bool:
    """Find out whether a value is what is kept, and not something that is worked out with it."""
    found = rf"{re.escape(store)}(?:\[[^\[\]]*\]|\.(?:get|setdefault|pop)\([^()]*\))?"
    return re.fullmatch(found, value) is not None


def store_of(statement: Statement) -> str:
    """Give what a statement fills, as written: an attribute of ``self`` or a name; else empty."""
    match statement:
        case StoresItem(store=store) if _ATTRIBUTE.fullmatch(store) or _PLAIN_NAME.fullmatch(store):
            return store
        case Assigned(target=target) if _ATTRIBUTE.fullmatch(target):
            return target
        case _:
            return ""


def _is_first_time(statement: Statement, store: str) -> bool:
    """Find out whether the last condition on the way says that nothing is kept yet."""
    if not isinstance(statement, StoresItem | Assigned) or not statement.path:
        return False
    if "(" not in statement.value:
        # A flag or something that was handed in is not worked out.
        return False
    condition = statement.path[-1]
    if isinstance(statement, Assigned):
        forms = {("if", f"{store} is None"), ("unless", store), ("unless", f"{store} is not None")}
        return (condition.kind, condition.code) in forms
    key = statement.key
    absence = f"{key} not in {store}"
    presence = f"{key} in {store}"
    forms = {("if", absence), ("unless", presence), ("except", "KeyError")}
    return (condition.kind, condition.code) in forms
