"""The subclasses of a class, and who calls the methods that they share."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import effects_of_call, plain_calls
from goldwright.offline_agents.statements.family_callers import FamilyCallers
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import FileRange

MOST_CALLERS: Final = 5
MOST_SUBCLASSES: Final = 8


def family_of(class_id: str, code: CodeContext) -> tuple[str, ...]:
    """Give the subclasses of a class; empty where not all are known, or there are too many."""
    subclasses = code.closed_subclasses(class_id) or ()
    names = {name_of(subclass) for subclass in subclasses}
    is_clear = len(names) == len(subclasses) <= MOST_SUBCLASSES
    # Those that derive from a subclass would belong to the set as well.
    graph = code.snapshot.graph
    is_open = any(map(graph.subclasses, subclasses))
    return subclasses if is_clear and not is_open else ()


def is_overridden(function_id: str, code: CodeContext) -> bool:
    """Find out whether a function is a method that a class below its own defines as well."""
    owner, _, method = name_of(function_id).rpartition(".")
    class_id = f"{path_of(function_id)}::{owner}"
    members = _descendants(class_id, code) if owner else ()
    namesakes = (f"{member}.{method}" for member in members)
    entities = map(code.snapshot.entity, namesakes)
    return any(entity is not None for entity in entities)


def callers_of_family(
    class_id: str, method_ids: Sequence[str], code: CodeContext
) -> tuple[str, ...]:
    """Give all who call the open methods; empty where they are not all known for each of them."""
    callers: dict[str, None] = {}
    for method_id in method_ids:
        of_method, _ = _split_callers(class_id, method_id, code)
        if not of_method:
            return ()
        callers.update(dict.fromkeys(of_method))
    names = {name_of(caller) for caller in callers}
    is_clear = len(names) == len(callers) <= MOST_CALLERS
    return tuple(callers) if is_clear else ()


def _split_callers(
    class_id: str, method_id: str, code: CodeContext
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give those who call a method of a family, and apart from them what overrides it."""
    descendants = _descendants(class_id, code)
    method = _simple_name(method_id)
    members = (class_id, *descendants)
    definitions = {f"{member}.{method}" for member in members}
    callers = code.family_callers(class_id, method, descendants)
    overrides = tuple(caller for caller in callers if caller in definitions)
    other_callers = tuple(caller for caller in callers if caller not in definitions)
    return other_callers, overrides


def _simple_name(entity_id: str) -> str:
    return name_of(entity_id).rpartition(".")[2]


def _descendants(class_id: str, code: CodeContext) -> tuple[str, ...]:
    descendants: dict[str, None] = {}
    pending = [class_id]
    while pending:
        for subclass in code.snapshot.graph.subclasses(pending.pop()):
            if subclass not in descendants:
                descendants[subclass] = None
                pending.append(subclass)
    return tuple(descendants)


def called_by(class_id: str, method_ids: Sequence[str], code: CodeContext) -> Iterator[Finding]:
    """State who calls each of some methods, as the base class or a subclass defines them."""
    for method_id in method_ids:
        callers, overrides = _split_callers(class_id, method_id, code)
        entity = code.snapshot.entity(method_id)
        if entity is not None:
            span = entity.spans[0]
            lines = FileRange(file=entity.path, start=span.first, end=span.last)
            names = tuple(map(name_of, callers))
            statement = FamilyCallers(name_of(method_id), names, is_extended=bool(overrides))
            yield Finding(statement, method_id, lines)


def call_of(caller: str, method_ids: Sequence[str], code: CodeContext) -> Finding | None:
    """State how a caller calls the first of some open methods of which that can be said."""
    for method_id in method_ids:
        for finding in (
            *plain_calls(code, caller, method_id),
            *effects_of_call(code, caller, method_id),
        ):
            return finding
    return None
