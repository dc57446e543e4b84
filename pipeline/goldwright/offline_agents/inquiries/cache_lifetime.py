"""Why asked: something that is kept from call to call. Asked: whether it is ever dropped."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.contracts import methods_of
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.name_uses import uses_of
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import neighbouring_function
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.kept_values import fillings, store_of
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    intent_of,
    lead_of_definition,
)
from goldwright.offline_agents.kept_state import KeptState, attribute_state, module_state
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.keeps_results import (
    KeepsResults,
    OnlyClearers,
    cache_decorator,
)
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.only_changers import OnlyChangers, OnlyDroppers
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.starts_as import StartsAs
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.stores_item import StoresItem
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

MOST_DROPPERS: Final = 4
# In ``detail`` for results that a decorator keeps; other leads hold the store as written.
RESULTS: Final = "results"

_OF_MANY: Final = (
    "Does anything ever clear the cache of `{name}`?",
    "What keeps the cache of `{name}` from leaking memory, if anything?",
    "What bounds the cache of `{name}`, if anything?",
    "What invalidates the values that `{name}` caches?",
    "How long does `{name}` keep its cached values, and who clears them?",
    "Who clears the values that `{name}` caches, if anyone?",
    "When are the cached values of `{name}` dropped?",
    "Are the values that `{name}` caches ever cleared, or do they stay for good?",
    "When could `{name}` return a stale value from its cache?",
    "In a long-running process, what limits how much `{name}` caches?",
)
_OF_ONE: Final = (
    "When can `{name}` return a stale value?",
    "When does `{name}` compute its value again instead of returning the cached one?",
    "If the input changes later, does `{name}` notice, or does the first result stick?",
    "Is the value that `{name}` caches ever reset, or does it stay?",
    "Does anything reset the cached value of `{name}`, or does the first one stick?",
    "What resets the value that `{name}` caches on first use?",
    "Which code clears the cached value of `{name}`, if any?",
    "Once `{name}` has computed its value, when is it computed again, if ever?",
    "How long is the cached value of `{name}` kept?",
    "Who invalidates the cached value of `{name}`, if anyone?",
)
_MEANING_OF_RESULTS: Final = (
    "A second call with the same arguments does not run the body again, so a change of anything "
    "else that the result depends on goes unnoticed for as long as the result is kept."
)
_MEANING_OF_ITEMS: Final = (
    "It works a value out only for a key that is not there yet. After that the kept value is "
    "given back{until}, whatever has changed since."
)
_MEANING_OF_VALUE: Final = (
    "The value is worked out on first use and given back from then on{until}, whatever has changed "
    "since."
)
_CLEANING: Final = re.compile(r"clos|clear|reset|stop|exit|clean|shut|flush|remov|delet|invalid")
# What is made on first use and worked out from nothing: no value that could go stale.
_TOOL: Final = re.compile(
    r"(?:await )?(?:\w+\.)*(?:R?Lock|Event|Condition|(?:Bounded)?Semaphore|Barrier|\w*Queue)\("
)
_ATTRIBUTE: Final = re.compile(r"self\.([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class _Keeping:
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


class CacheLifetime(Inquiry):
    """Is what is kept between calls ever dropped?"""

    kind: ClassVar[str] = "cache_lifetime"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("review", "easy"),)

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the functions that keep what they work out, by a decorator or by hand."""
        for name in module.definitions:
            function = module.function(name)
            if function is None or name.rpartition(".")[2] == "__init__":
                continue
            entity_id = f"{module.path}::{name}"
            outer = name.rpartition(".")[0]
            decorator = cache_decorator(module, function)
            # What a function inside another one keeps goes with the call of the outer one.
            if decorator is not None and module.function(outer) is None:
                yield lead_of_definition(self.kind, entity_id, function, RESULTS)
            for finding in fillings(module, name, function):
                if _TOOL.match(str(getattr(finding.statement, "value", ""))):
                    continue
                lines = finding.lines
                store = store_of(finding.statement)
                yield Lead(self.kind, entity_id, lines.start, lines.end, store, "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask by name whether anything drops what is kept, where nothing does.

        Who does would be an answer as well, and a question that names its target has one alone.
        """
        intent = intent_of(lead, ("what is kept", "who throws it away", "whether it can grow"))
        keeping = _keeping(code, intent)
        if keeping is None or keeping.droppers:
            return
        yield Question(
            cell=self.cells[0],
            phrasings=_OF_ONE if _keeps_one(code, lead) else _OF_MANY,
            slots={"name": name_of(lead.subject)},
            targets=(lead.subject,),
            intent=intent,
            score=0.9,
            rationale="What is kept is seen in the function; that nobody else drops it is not.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Give the verdict, what is kept, and everybody who throws it away."""
        keeping = _keeping(code, intent)
        if keeping is None:
            return None
        results = tuple(find_statements(code, intent.subject, (Returned, Raises)))
        callers = callers_of(code, intent.subject, targets)
        circumstances = keeping.circumstances
        facts = [keeping.keeps, keeping.drops, *circumstances]
        if intent.detail != RESULTS:
            facts.extend(results[-1:])
        if len(facts) < FEWEST_FACTS and callers is not None:
            facts.append(callers)
        name = name_of(intent.subject)
        place = f"`{name}` is in `{path_of(intent.subject)}`."
        opening = f"{keeping.verdict} {place} {keeping.meaning}"
        starts = [finding for finding in circumstances if isinstance(finding.statement, StartsAs)]
        supporting = [finding.entity_id for finding in starts]
        parts = answer_parts(
            intent.subject,
            (*targets, *supporting),
            subject_does="keeps what it works out",
            others_do="is what it is kept in",
        )
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=results,
            neighbours=results,
            falsehoods=tuple(_wrong_droppers(code, intent.subject, keeping)),
        )


def _keeps_one(code: CodeContext, lead: Lead) -> bool:
    """Find out whether a function keeps a single value, and not one for each key or argument."""
    opened = code.function(lead.subject)
    if opened is None:
        return False
    module, function = opened
    if lead.detail == RESULTS:
        return not _has_parameters(function)
    for finding in fillings(module, name_of(lead.subject), function):
        if finding.lines.start == lead.first:
            return isinstance(finding.statement, Assigned)
    return False


def _has_parameters(function: Function) -> bool:
    """Find out whether a function can be given anything."""
    arguments = function.args
    parameters = (*arguments.args, *arguments.kwonlyargs)
    return bool(parameters or arguments.vararg or arguments.kwarg)


def _keeping(code: CodeContext, intent: Intent) -> _Keeping | None:
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
) -> _Keeping | None:
    name = name_of(subject)
    keepings = KeepsResults.find(module, name, function)
    keeps = next(iter(keepings), None)
    clearers = _clearers(code, subject)
    if keeps is None or clearers is None or not isinstance(keeps.statement, KeepsResults):
        return None
    has_arguments = _has_parameters(function)
    verdict = _verdict_on_results(keeps.statement.decorator, clearers, has_arguments=has_arguments)
    only_clearers = OnlyClearers(name, clearers)
    drops = Finding(only_clearers, subject, _span(code, subject))
    return _Keeping(keeps, drops, clearers, (), verdict, _MEANING_OF_RESULTS)


def _verdict_on_results(decorator: str, clearers: Sequence[str], *, has_arguments: bool) -> str:
    if clearers:
        return f"It is dropped only when {join_code(clearers)} clears it."
    if not has_arguments:
        return "Nothing ever drops it: the first result stays until the process ends."
    if "None" in decorator or "lru" not in decorator:
        return "Nothing ever drops it, and it grows with every new set of arguments."
    return (
        "Nobody drops it on purpose, but it cannot grow without bound: beyond its limit the "
        "decorator lets go of what was used least recently."
    )


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


def _kept_value(code: CodeContext, intent: Intent, filling: Finding) -> _Keeping | None:
    is_item = isinstance(filling.statement, StoresItem)
    state = _state_of(code, intent.subject, intent.detail, is_item=is_item)
    if state is None or not is_on_few_lines(code.snapshot, state.name):
        return None
    # Whoever else puts a value under a key may replace the one that is kept there.
    if is_item and any(changer != intent.subject for changer in state.changers("put")):
        return None
    keeper = name_of(intent.subject)
    takers = state.changers("drop")
    replacers = [changer for changer in state.changers("replace") if changer != intent.subject]
    dropper_ids = dict.fromkeys((*takers, *replacers))
    droppers = tuple(map(name_of, dropper_ids))
    changer_ids = state.changers("put", "drop", "replace")
    changers = tuple(map(name_of, changer_ids))
    if len(droppers) > MOST_DROPPERS or keeper not in changers:
        return None
    changes = state.changes("put", "drop", "replace")
    own_lines = [use.first for use in changes if use.owner == keeper]
    first = min(own_lines)
    place = FileRange(file=path_of(intent.subject), start=first, end=first)
    only_droppers = OnlyDroppers(keeper, state.name, droppers)
    drops = Finding(only_droppers, intent.subject, place)
    circumstances: list[Finding] = []
    start = _start(code, state.home, state.name)
    is_weak = False
    if start is not None:
        is_weak = "Weak" in start.statement.sentence()
        circumstances.append(start)
    # Who else fills it matters where it can grow.
    if is_item and len(changers) > 1 and changers[0] == keeper:
        only_changers = OnlyChangers(state.name, changers)
        circumstances.append(Finding(only_changers, intent.subject, place))
    verdict = _verdict(state.name, droppers, is_item=is_item, is_weak=is_weak)
    meaning = _meaning(droppers, is_item=is_item, is_weak=is_weak)
    return _Keeping(filling, drops, droppers, tuple(circumstances), verdict, meaning)


def _wrong_droppers(code: CodeContext, subject: str, keeping: _Keeping) -> Iterator[Finding]:
    """Yield that somebody near by throws it away, where nobody does."""
    drops = keeping.drops
    match drops.statement:
        case OnlyDroppers(keeper=keeper, state=state, droppers=()):
            suspects = _suspects(code, subject, keeping)
            for suspect in suspects[:1]:
                yield replace(drops, statement=OnlyDroppers(keeper, state, (suspect,)))
        case OnlyClearers(function=function, clearers=()):
            for caller in (code.closed_callers(subject) or ())[:1]:
                yield replace(drops, statement=OnlyClearers(function, (name_of(caller),)))
        case _:
            return


def _suspects(code: CodeContext, subject: str, keeping: _Keeping) -> list[str]:
    """Name who may be thought to throw it away: who changes it too, who cleans up, who is near."""
    statements = [finding.statement for finding in keeping.circumstances]
    name = name_of(subject)
    closed_sets = [statement for statement in statements if isinstance(statement, OnlyChangers)]
    changers = [changer for closed in closed_sets for changer in closed.changers if changer != name]
    module = code.module(path_of(subject))
    class_name = name.rpartition(".")[0]
    own_methods = methods_of(module, class_name) if module is not None and class_name else {}
    cleaning_methods = filter(_CLEANING.search, own_methods)
    cleaners = [f"{class_name}.{method}" for method in cleaning_methods]
    neighbour = neighbouring_function(code, subject)
    near = []
    if neighbour is not None and "__" not in neighbour:
        near.append(name_of(neighbour))
    return [*changers, *cleaners, *near]


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


def _verdict(name: str, droppers: Sequence[str], *, is_item: bool, is_weak: bool) -> str:
    if is_weak and not droppers:
        return f"Nobody drops it by hand, but `{name}` holds its keys weakly and lets go with them."
    if droppers:
        verb = (
            "throws it away or replaces it" if len(droppers) == 1 else "throw it away or replace it"
        )
        return f"It does not stay for good, but {join_code(droppers)} alone {verb}."
    if is_item:
        return f"Nothing is ever dropped: what `{name}` holds for a key stays there."
    return f"Nothing ever drops it: once `{name}` is set, it stays as long as the object lives."


def _meaning(droppers: Sequence[str], *, is_item: bool, is_weak: bool) -> str:
    if is_item:
        until = " until it is dropped" if droppers or is_weak else ""
        return _MEANING_OF_ITEMS.format(until=until)
    return _MEANING_OF_VALUE.format(until=" until the attribute is reset" if droppers else "")


def _span(code: CodeContext, subject: str) -> FileRange:
    entity = code.snapshot.entity(subject)
    assert entity is not None  # noqa: S101  # the function was opened by its id
    span = entity.spans[0]
    return FileRange(file=entity.path, start=span.first, end=span.last)
