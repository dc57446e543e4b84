"""How something is kept from call to call, and who throws it away."""

import ast
import re
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.name_uses import uses_of
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.cache_verdicts import (
    MEANING_OF_RESULTS,
    meaning_of_store,
    verdict_on_results,
    verdict_on_store,
)
from goldwright.offline_agents.inquiries.kept_values import fillings
from goldwright.offline_agents.kept_state import KeptState, attribute_state, module_state
from goldwright.offline_agents.statements.keeps_results import KeepsResults, OnlyClearers
from goldwright.offline_agents.statements.only_changers import OnlyChangers, OnlyDroppers
from goldwright.offline_agents.statements.starts_as import StartsAs
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.stores_item import StoresItem
from goldwright.records import FileRange, Intent

_MOST_DROPPERS: Final = 4
# In ``detail`` for results that a decorator keeps; other leads hold the store as written.
RESULTS: Final = "results"
_ATTRIBUTE: Final = re.compile(r"self\.([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Keeping:
    """How something is kept, and what throws it away.

    Attributes:
        keeps: The statement that fills it.
        drops: The statement of who throws it away.
        droppers: Who does, by qualified name.
        circumstances: Further true statements about the keeping.
        verdict: Whether it can grow or go stale, in a sentence.
        meaning: What that means for those who call it.
    """

    keeps: Finding
    drops: Finding
    droppers: tuple[str, ...]
    circumstances: tuple[Finding, ...]
    verdict: str
    meaning: str


def has_parameters(function: Function) -> bool:
    """Find out whether a function can be given anything."""
    arguments = function.args
    parameters = (*arguments.args, *arguments.kwonlyargs)
    return bool(parameters or arguments.vararg or arguments.kwarg)


def keeping_of(code: CodeContext, intent: Intent) -> Keeping | None:
    """Find out what a function keeps and who throws it away; None where that is not sure.

    Args:
        code: The codebase.
        intent: Whose subject is the function; its detail is what it keeps things in, or
            ``RESULTS``, and its lines are where it does so.
    """
    opened = code.function(intent.subject)
    if opened is None:
        return None
    module, function = opened
    if intent.detail == RESULTS:
        return _kept_results(code, intent.subject, module, function)
    for finding in fillings(module, name_of(intent.subject), function):
        if finding.lines == intent.lines:
            return _kept_value(code, intent, finding)
    return None


def _kept_results(
    code: CodeContext, subject: str, module: Module, function: Function
) -> Keeping | None:
    name = name_of(subject)
    keepings = KeepsResults.find(module, name, function)
    keeps = next(iter(keepings), None)
    clearers = _clearers(code, subject)
    if keeps is None or clearers is None or not isinstance(keeps.statement, KeepsResults):
        return None
    has_arguments = has_parameters(function)
    verdict = verdict_on_results(keeps.statement.decorator, clearers, has_arguments=has_arguments)
    only_clearers = OnlyClearers(name, clearers)
    drops = Finding(only_clearers, subject, _span(code, subject))
    return Keeping(keeps, drops, clearers, (), verdict, MEANING_OF_RESULTS)


def _clearers(code: CodeContext, subject: str) -> tuple[str, ...] | None:
    """Give the functions of the product that clear kept results; None where unsure."""
    simple_name = name_of(subject).rpartition(".")[2]
    files = product_files_with(code.snapshot, simple_name)
    if files is None or not is_on_few_lines(code.snapshot, simple_name):
        return None
    clearers: dict[str, None] = {}
    for path in files:
        module = code.module(path)
        if module is None:
            return None
        for name, node in module.definitions.items():
            if not isinstance(node, ast.ClassDef) and _clears(node, simple_name):
                clearers[name] = None
    # Under ``cache_clear`` anything can be called through a variable or a table.
    uses = uses_of(code.snapshot, files, simple_name)
    if any(use.kind == "string" for use in uses):
        return None
    return tuple(clearers)


def _clears(function: ast.AST, simple_name: str) -> bool:
    for node in walk(function):
        if isinstance(node, ast.Attribute) and node.attr == "cache_clear":
            value = node.value
            last = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
            if last == simple_name:
                return True
    return False


def _kept_value(code: CodeContext, intent: Intent, filling: Finding) -> Keeping | None:
    is_item = isinstance(filling.statement, StoresItem)
    state = _state_of(code, intent.subject, intent.detail, is_item=is_item)
    if state is None or not is_on_few_lines(code.snapshot, state.name):
        return None
    # Whoever else puts a value under a key may replace the one that is kept there.
    if is_item and any(changer != intent.subject for changer in state.changers("put")):
        return None
    keeper = name_of(intent.subject)
    droppers = _droppers(state, intent.subject)
    changer_ids = state.changers("put", "drop", "replace")
    changers = tuple(map(name_of, changer_ids))
    if len(droppers) > _MOST_DROPPERS or keeper not in changers:
        return None
    changes = state.changes("put", "drop", "replace")
    own_lines = [use.first for use in changes if use.owner == keeper]
    first = min(own_lines)
    place = FileRange(file=path_of(intent.subject), start=first, end=first)
    only_droppers = OnlyDroppers(keeper, state.name, droppers)
    drops = Finding(only_droppers, intent.subject, place)
    start = _start(code, state.home, state.name)
    is_weak = start is not None and "Weak" in start.statement.sentence()
    circumstances = [] if start is None else [start]
    # Who else fills it matters where it can grow.
    if is_item and len(changers) > 1 and changers[0] == keeper:
        only_changers = OnlyChangers(state.name, changers)
        circumstances.append(Finding(only_changers, intent.subject, place))
    verdict = verdict_on_store(state.name, droppers, is_item=is_item, is_weak=is_weak)
    meaning = meaning_of_store(droppers, is_item=is_item, is_weak=is_weak)
    return Keeping(filling, drops, droppers, tuple(circumstances), verdict, meaning)


def _droppers(state: KeptState, subject: str) -> tuple[str, ...]:
    """Give who takes anything out, or puts something else in place of the whole."""
    takers = state.changers("drop")
    replacers = [changer for changer in state.changers("replace") if changer != subject]
    dropper_ids = dict.fromkeys((*takers, *replacers))
    return tuple(map(name_of, dropper_ids))


def _state_of(code: CodeContext, subject: str, store: str, *, is_item: bool) -> KeptState | None:
    attribute = _ATTRIBUTE.fullmatch(store)
    if attribute is None:
        path = path_of(subject)
        start = _start(code, path, store)
        return module_state(code, path, store) if start is not None else None
    class_name = name_of(subject).rpartition(".")[0]
    if not class_name:
        return None
    class_id = f"{path_of(subject)}::{class_name}"
    return attribute_state(code, class_id, attribute[1], is_handed_on=not is_item)


def _start(code: CodeContext, home: str, name: str) -> Finding | None:
    module = code.module(home) if "::" not in home else None
    return None if module is None else StartsAs.find_for(module, name)


def _span(code: CodeContext, subject: str) -> FileRange:
    entity = code.snapshot.entity(subject)
    assert entity is not None  # noqa: S101  # the function was opened by its id
    span = entity.spans[0]
    return FileRange(file=entity.path, start=span.first, end=span.last)
