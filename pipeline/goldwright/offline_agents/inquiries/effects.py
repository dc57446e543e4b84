"""What a function does with something: the statements about it that speak of a piece of code."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.precedence import turned_precedence
from goldwright.offline_agents.inquiries.surroundings import (
    called_name,
    callers_of,
    find_statements,
    namesake_lines,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.catalog import DEEDS
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import (
    ConditionalStatement,
    Finding,
    Statement,
)
from goldwright.offline_agents.statements.stored import Stored
from goldwright.path_conditions import Path
from goldwright.records import FileRange

# More calls of one function in another one are a list.
MOST_CALLS: Final = 3

_CODE: Final = re.compile(r"`([^`]+)`")
_LOOKED_UP: Final = re.compile(r"[\[(][\"'][\w-]+[\"']")


def effects_with(code: CodeContext, entity_id: str, pattern: str) -> Iterator[Finding]:
    """Find the statements of a function whose code matches a pattern, from top to bottom."""
    for finding in without_retold_arguments(effects_in_order(code, entity_id)):
        sentence = finding.statement.sentence()
        # The first piece of code is the name of the function itself.
        pieces = _CODE.findall(sentence)[1:]
        if isinstance(finding.statement, Passes):
            # What is handed on beside it says nothing of it.
            pieces = pieces[:1]
        if any(re.search(pattern, piece) for piece in pieces) and not _is_repeated(finding):
            yield finding


def effects_in_order(code: CodeContext, entity_id: str) -> list[Finding]:
    """List what a function does, from top to bottom."""
    effects = find_statements(code, entity_id, DEEDS)
    return sorted(effects, key=lambda effect: effect.lines.start)


def without_retold_arguments(effects: Sequence[Finding]) -> list[Finding]:
    """Leave out what a call is given where the statement around it says that, if it can be said."""
    statement_lines = [
        effect.lines for effect in effects if not isinstance(effect.statement, Passes)
    ]
    return [effect for effect in effects if not _is_retold_argument(effect, statement_lines)]


def _is_retold_argument(effect: Finding, statement_lines: Sequence[FileRange]) -> bool:
    """Find out whether a finding is what a call is given, and stands in another statement."""
    if not isinstance(effect.statement, Passes):
        return False
    return any(lines.contains(effect.lines) for lines in statement_lines)


def effects_of_literal(code: CodeContext, entity_id: str, literal: str) -> list[Finding]:
    """Find what a function does with a string literal, the most direct first."""
    pattern = rf"[\"']{re.escape(literal)}[\"']"

    def distance(finding: Finding) -> tuple[int, int]:
        return directness(finding, pattern), finding.lines.start

    return sorted(effects_with(code, entity_id, pattern), key=distance)


def effects_of_call(code: CodeContext, entity_id: str, callee: str) -> Iterator[Finding]:
    """Find what a function does with a call of another one."""
    simple_name = called_name(callee)
    others = namesake_lines(code, entity_id, callee)
    for effect in effects_with(code, entity_id, rf"(?<!\w){re.escape(simple_name)}\("):
        if not any(effect.lines.start <= line <= effect.lines.end for line in others):
            yield effect


def call_nodes(code: CodeContext, function: Function, caller: str, callee: str) -> list[ast.Call]:
    """List the calls of a callee that a function makes by itself, going by their name.

    Left out is what the call graph knows to be of something else that is called so.
    """
    name = called_name(callee)
    others = namesake_lines(code, caller, callee)
    calls: list[ast.Call] = []
    for node in own_nodes(function.body):
        match node:
            case ast.Call(func=ast.Name(id=called)) | ast.Call(func=ast.Attribute(attr=called)):
                if called == name and node.lineno not in others:
                    calls.append(node)
            case _:
                continue
    return sorted(calls, key=lambda call: call.lineno)


def open_caller(code: CodeContext, caller: str, callee: str) -> tuple[Module, Function] | None:
    """Open a function whose calls of another one are told, each when it is made.

    Returns:
        None where it cannot be read, or where a lambda in it calls by that name: nobody sees when.
    """
    opened = code.function(caller)
    if opened is None:
        return None
    name = called_name(callee)
    _, function = opened
    for node in own_nodes(function.body):
        if isinstance(node, ast.Lambda) and _calls_by_name(node, name):
            return None
    return opened


def _calls_by_name(inner: ast.Lambda, name: str) -> bool:
    """Find out whether a lambda calls something by a name, or by an attribute of that name."""
    for node in ast.walk(inner):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name:
            return True
    return False


def plain_calls(code: CodeContext, caller: str, callee: str) -> list[Finding]:
    """State all calls of a function as they are written; nothing where one depends on too much."""
    opened = open_caller(code, caller, callee)
    if opened is None:
        return []
    module, function = opened
    calls = call_nodes(code, function, caller, callee)
    caller_name = name_of(caller)
    stated = [Runs.of_call(module, caller_name, function, call) for call in calls]
    findings = [finding for finding in stated if finding is not None]
    are_all_stated = len(findings) == len(calls)
    return list(dict.fromkeys(findings)) if are_all_stated else []


def calls_among(code: CodeContext, subject: str, targets: Sequence[str]) -> list[Finding] | None:
    """State who calls the subject, and how each further target does so.

    Returns:
        Nothing for the subject alone; None where the callers are not all known, or where it
        cannot be said what one of them makes of its call.
    """
    if len(targets) == 1:
        return []
    callers = callers_of(code, subject, targets)
    if callers is None:
        return None
    facts = [callers]
    for target in targets[1:]:
        callees = [caller for caller in targets if target in (code.closed_callers(caller) or ())]
        effects: list[Finding] = []
        calls: list[Finding] = []
        if callees:
            callee = callees[0]
            effects = list(effects_of_call(code, target, callee))[:1]
            calls = plain_calls(code, target, callee)
        # Under which name the result is kept is no matter of who calls.
        is_kept = any(isinstance(effect.statement, Assigned | Stored) for effect in effects)
        if not effects or is_kept or len(calls) > 1:
            effects = calls[:MOST_CALLS] or effects
        if not effects:
            return None
        facts.extend(effects)
    return facts


def follow(code: CodeContext, uses: Sequence[Finding]) -> Iterator[Finding]:
    """Find what becomes of the values that were put into names, further down in the function."""
    for use in uses:
        if not isinstance(use.statement, Assigned):
            continue
        names = use.statement.targets
        # Inside a literal it would be another word.
        any_name = "|".join(map(re.escape, names))
        pattern = rf"(?<![\w.\"'-])(?:{any_name})(?!\w)"
        for finding in effects_with(code, use.entity_id, pattern):
            is_below = finding.lines.start > use.lines.end
            is_anew = any(is_given_anew(finding, name, pattern) for name in names)
            if is_below and finding not in uses and not is_anew:
                yield finding


def follow_deeds(code: CodeContext, uses: Sequence[Finding]) -> list[Finding]:
    """Find what becomes of values as ``follow`` does: what is done with them before what depends.

    A value that only decides something stands in a condition.
    """
    deeds: list[Finding] = []
    changes: list[Finding] = []
    further_tests: list[Finding] = []
    for use in uses:
        statement = use.statement
        names = statement.targets if isinstance(statement, Assigned) else ()
        for finding in follow(code, [use]):
            if finding not in uses:
                is_change = any(_is_change_of(finding.statement, name) for name in names)
                is_deed = any(_is_done_with(finding.statement, name) for name in names)
                (changes if is_change else deeds if is_deed else further_tests).append(finding)
    return [*deeds, *changes, *further_tests]


def _is_done_with(statement: Statement, name: str) -> bool:
    """Find out whether a statement speaks of a value outside of its conditions."""
    plain = statement
    if isinstance(statement, ConditionalStatement):
        # Every kind of statement is a dataclass.
        plain = cast("Statement", replace(cast("Any", statement), path=()))
    whole_name = rf"(?<![\w.]){re.escape(name)}(?!\w)"
    return re.search(whole_name, plain.sentence()) is not None


def _is_change_of(statement: Statement, name: str) -> bool:
    """Find out whether a statement does something to the value, and nothing with it."""
    if not isinstance(statement, Runs):
        return False
    return statement.call.startswith(f"{name}.")


def is_given_anew(finding: Finding, name: str, pattern: str) -> bool:
    """Find out whether a name gets another value, which has nothing to do with the one before."""
    statement = finding.statement
    if not isinstance(statement, Assigned) or statement.target != name:
        return False
    tests = [condition.code for condition in statement.path]
    pieces = (statement.value, *tests)
    return not any(re.search(pattern, piece) for piece in pieces)


def distinct_sentences(findings: Iterable[Finding]) -> list[Finding]:
    """List findings, those that say the same once."""
    by_sentence = {finding.statement.sentence(): finding for finding in findings}
    return list(by_sentence.values())


def near(code: CodeContext, entity_id: str, lines: FileRange) -> list[Finding]:
    """Find what else a function does, what stands nearest to some lines first."""

    def distance(finding: Finding) -> tuple[int, int]:
        start = finding.lines.start
        return abs(start - lines.start), start

    return sorted(find_statements(code, entity_id, DEEDS), key=distance)


def descriptions(code: CodeContext, entity_id: str) -> Iterator[Finding]:
    """Find what a function is for in its author's words, and what the class around it is for."""
    yield from find_statements(code, entity_id, (Described,))
    outer, _, _ = entity_id.rpartition(".")
    if outer.startswith(f"{path_of(entity_id)}::"):
        yield from descriptions_of_class(code, outer)


def descriptions_of_class(code: CodeContext, class_id: str) -> Iterator[Finding]:
    """Find what a class is for in its author's words."""
    module = code.module(path_of(class_id))
    if module is None:
        return
    name = name_of(class_id)
    definition = module.class_definition(name)
    if definition is not None:
        yield from Described.find_in(module, name, definition)


def neighbouring_function(code: CodeContext, entity_id: str) -> str | None:
    """Give the function nearest to another one in its file, neither inside nor around it."""
    module = code.module(path_of(entity_id))
    opened = code.function(entity_id)
    if module is None or opened is None:
        return None
    line = opened[1].lineno
    own_name = name_of(entity_id)
    distances: dict[str, int] = {}
    for name in module.definitions:
        function = module.function(name)
        is_inside = f"{name}.".startswith(f"{own_name}.")
        is_around = own_name.startswith(f"{name}.")
        is_apart = not is_inside and not is_around
        # What Python calls by itself nobody takes for anything else.
        simple_name = name.rpartition(".")[2]
        is_called_by_name = not simple_name.startswith("__")
        if function is not None and is_apart and is_called_by_name:
            distances[name] = abs(function.lineno - line)
    nearest = min(distances, key=lambda name: (distances[name], name), default=None)
    if nearest is None:
        return None
    return f"{module.path}::{nearest}"


def denials(effects: Sequence[Finding], siblings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield false statements about effects: under other conditions, or of the sibling's value.

    Args:
        effects: What is denied.
        siblings: Further effects of the same function, whose values may be taken for these.
    """
    true_statements = {finding.statement for finding in (*effects, *siblings)}
    for effect in effects:
        statement = effect.statement
        false_statements = [next(statement.falsehoods(()), None)]
        if isinstance(statement, Assigned):
            false_statements[:0] = _with_turned_precedence(statement)
            false_statements.extend(_with_sibling_values(statement, siblings))
        for false_statement in false_statements[:2]:
            if false_statement is not None and false_statement not in true_statements:
                yield effect.refuting(false_statement)


def lookups_among(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the statements that put something looked up by name into a name."""
    for finding in findings:
        if isinstance(finding.statement, Assigned) and _LOOKED_UP.search(finding.statement.value):
            yield finding


def _is_repeated(finding: Finding) -> bool:
    """Find out whether a condition is said twice: what it speaks of has changed in between."""
    path: Path = getattr(finding.statement, "path", ())
    conditions = [(condition.kind, condition.code) for condition in path]
    return len(set(conditions)) < len(conditions)


def _with_turned_precedence(statement: Assigned) -> Iterator[Statement]:
    for value in turned_precedence(statement.value):
        yield replace(statement, value=value)


def _with_sibling_values(statement: Assigned, siblings: Sequence[Finding]) -> Iterator[Statement]:
    """Yield the assignment with the value of another one that only looks up another name."""
    if not _LOOKED_UP.search(statement.value):
        return
    for sibling in lookups_among(siblings):
        assignment = sibling.statement
        if not isinstance(assignment, Assigned) or assignment.function != statement.function:
            continue
        is_alike = _without_names(assignment.value) == _without_names(statement.value)
        if assignment.target != statement.target and is_alike:
            yield replace(statement, value=assignment.value)


def _without_names(value: str) -> str:
    """Give a value without the names that it looks up."""
    return _LOOKED_UP.sub("", value)


def directness(finding: Finding, pattern: str) -> int:
    """Say how directly a statement speaks of something.

    Returns:
        0 where it stands in what is done, 1 in a condition that has to hold, 2 elsewhere.
    """
    sentence = finding.statement.sentence()
    deed, _, unless = sentence.partition(" unless ")
    deed = deed.partition(" if ")[0]
    if re.search(pattern, deed):
        return 0
    return 2 if re.search(pattern, unless) else 1
