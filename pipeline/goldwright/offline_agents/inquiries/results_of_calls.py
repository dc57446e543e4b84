"""What a caller does with its calls of a function: how each is made, or what becomes of it."""

import ast
import re
from collections.abc import Sequence
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.effects import (
    call_nodes,
    distinct_sentences,
    effects_of_call,
    follow_deeds,
    open_caller,
)
from goldwright.offline_agents.inquiries.surroundings import called_name
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Finding, Statement

# A value is followed from name to name, as far as a reader keeps them apart.
MOST_HOPS: Final = 2


def gives_result(code: CodeContext, function_id: str) -> bool:
    """Find out whether a function gives anything back that its callers could do something with."""
    opened = code.function(function_id)
    if opened is None:
        return False
    for node in own_nodes(opened[1].body):
        match node:
            case ast.Yield() | ast.YieldFrom():
                return True
            case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
                return True
            case _:
                pass
    return False


def calls_told(code: CodeContext, caller: str, callee: str) -> list[Finding]:
    """State all calls of a function in another one; nothing where one of them cannot be said."""
    opened = open_caller(code, caller, callee)
    if opened is None:
        return []
    module, function = opened
    effects = [*effects_of_call(code, caller, callee)]
    # What is done with a call says more than what depends on it.
    effects.sort(key=lambda effect: _stands_in_condition(effect, called_name(callee)))
    call_effects: list[Finding] = []
    calls = call_nodes(code, function, caller, callee)
    texts = [module.text.of(call) for call in calls]
    for call, text in zip(calls, texts, strict=True):
        plain = Runs.of_call(module, name_of(caller), function, call)
        if plain is not None and not _is_unpacked(call):
            call_effects.append(plain)
            continue
        effects_naming_it = [effect for effect in effects if text in effect.statement.sentence()]
        on_its_line = [effect for effect in effects_naming_it if _stands_around(effect, call)]
        # What hangs on a call stands on another line: of two that read alike, nobody knows which.
        is_clear = bool(on_its_line) or texts.count(text) == 1
        if not text or not effects_naming_it or not is_clear or _is_unpacked(call):
            return []
        call_effects.extend((on_its_line or effects_naming_it)[:1])
    return _without_narrower(list(dict.fromkeys(call_effects)))


def calls_made(code: CodeContext, caller: str, callee: str) -> list[Finding]:
    """State how a function calls another one, whatever leads there.

    Nothing where one of the calls is too long to be said, or cannot be told from another one.

    Who changes what is called is not asked when.
    """
    opened = open_caller(code, caller, callee)
    if opened is None:
        return []
    module, function = opened
    calls = call_nodes(code, function, caller, callee)
    caller_name, callee_name = name_of(caller), name_of(callee)
    stated = [CallsAs.of_call(module, caller_name, callee_name, call) for call in calls]
    if None in stated or any(map(_is_unpacked, calls)):
        return []
    told = list(filter(None, stated))
    # Of a call that is made twice in the same way, nobody would know that there are two to change.
    statements = {finding.statement for finding in told}
    is_clear = len(statements) == len(told)
    return told if is_clear else []


def uses_told(code: CodeContext, caller: str, callee: str) -> list[Finding]:
    """State what a caller gets and what becomes of it.

    Nothing where it drops what it gets, or where one of its calls stands in no statement that can
    be told.
    """
    effects = list(effects_of_call(code, caller, callee))
    if open_caller(code, caller, callee) is None:
        return []
    if not _are_all_told(code, caller, callee, effects):
        return []
    name = called_name(callee)
    if not effects or any(_is_dropped(effect, name) for effect in effects):
        return []
    # Who only gives it back has no use for it, and nobody knows who has.
    if all(_is_given_back(effect, name) for effect in effects):
        return []
    hops = MOST_HOPS if len(effects) == 1 else 1
    ways = [_way_of_value(code, effect, hops) for effect in effects]
    if not all(ways):
        return []
    return distinct_sentences(told for way in ways for told in way)


def _way_of_value(code: CodeContext, effect: Finding, hops: int) -> list[Finding]:
    """State what becomes of a value that is put into a name, and from there into the next.

    Returns:
        The effect and what follows; nothing where nobody learns what the value is for.
    """
    names = _kept_names(effect)
    if len(names) > 1:
        return _ways_of_parts(code, effect, names)
    told = [effect]
    while _is_kept_under_name(told[-1]) and len(told) <= hops:
        deeds = follow_deeds(code, told[-1:])
        following = [deed for deed in deeds if deed not in told]
        if not following:
            return []
        names = _kept_names(told[-1])
        # Where it is given to somebody at last says more than what else is made of it before.
        handed_on = [deed for deed in following if not _is_kept_under_name(deed)]
        last_uses = [deed for deed in handed_on if _names_any(deed, names)]
        told.append((last_uses or following)[0])
    return told


def _ways_of_parts(code: CodeContext, effect: Finding, names: Sequence[str]) -> list[Finding]:
    """State what becomes of each part of a value; nothing where that is not told of all of them."""
    told = [effect]
    following = follow_deeds(code, [effect])
    deeds = [deed for deed in following if deed != effect]
    for name in names:
        uses = [deed for deed in deeds if _names(deed, name)]
        if not uses:
            return []
        told.extend(uses[:1])
    return distinct_sentences(told)


def _names(deed: Finding, name: str) -> bool:
    """Find out whether what is done names something, its conditions apart."""
    whole_name = rf"(?<![\w.]){re.escape(name)}(?!\w)"
    return re.search(whole_name, predicate_of(deed.statement)) is not None


def _names_any(deed: Finding, names: Sequence[str]) -> bool:
    """Find out whether what is done names something of several, its conditions apart."""
    return any(_names(deed, name) for name in names)


def _kept_names(finding: Finding) -> list[str]:
    """Give the local names that a value is put into, but for those that say it is dropped."""
    statement = finding.statement
    targets = statement.targets if isinstance(statement, Assigned) else ()
    return [target for target in targets if target.isidentifier() and target.strip("_")]


def _is_kept_under_name(finding: Finding) -> bool:
    """Find out whether a value only gets a local name; an attribute keeps it for others."""
    statement = finding.statement
    targets = statement.targets if isinstance(statement, Assigned) else ()
    return targets != () and all(target.isidentifier() for target in targets)


def _without_narrower(effects: Sequence[Finding]) -> list[Finding]:
    """Leave out a call that is made under fewer conditions too.

    "Runs f(x) if a" would be read as if it were not run otherwise.
    """
    return [effect for effect in effects if not _has_wider(effect, effects)]


def _has_wider(effect: Finding, effects: Sequence[Finding]) -> bool:
    """Find out whether one of several effects is the same call under fewer conditions."""
    return any(_is_wider(other.statement, effect.statement) for other in effects)


def _is_wider(other: Statement, statement: Statement) -> bool:
    match other, statement:
        case Runs(call=wider), Runs(call=narrower) if wider == narrower:
            return set(other.conditions) < set(statement.conditions)
        case _:
            return False


def _are_all_told(code: CodeContext, caller: str, callee: str, effects: Sequence[Finding]) -> bool:
    opened = code.function(caller)
    if opened is None:
        return True
    for call in call_nodes(code, opened[1], caller, callee):
        if not any(_stands_around(effect, call) for effect in effects):
            return False
    return True


def _stands_around(effect: Finding, call: ast.Call) -> bool:
    """Find out whether a call begins on a line of a statement."""
    return effect.lines.start <= call.lineno <= effect.lines.end


def hangs_on_call(effect: Finding, callee: str) -> bool:
    """Find out whether a statement depends on what a call gives back."""
    return _stands_in_condition(effect, called_name(callee))


def _is_unpacked(call: ast.Call) -> bool:
    """Find out whether a call hands on arguments that are not written in it."""
    is_starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    keyword_names = [keyword.arg for keyword in call.keywords]
    return is_starred or None in keyword_names


def _stands_in_condition(finding: Finding, name: str) -> bool:
    call_start = f"{name}("
    conditions = finding.statement.conditions
    return any(call_start in condition.code for condition in conditions)


def _is_given_back(finding: Finding, name: str) -> bool:
    """Find out whether a call is returned as it is."""
    statement = finding.statement
    if not isinstance(statement, Returned):
        return False
    plain_call = rf"(?:await )?[\w.]*(?<!\w){re.escape(name)}\([^()]*\)"
    return re.fullmatch(plain_call, statement.value) is not None


def _is_dropped(effect: Finding, name: str) -> bool:
    """Find out whether a statement makes a call for what it does, and not for what comes back."""
    statement = effect.statement
    if not isinstance(statement, Runs):
        return False
    # Whatever stands before the name is the object that it is called on.
    call_start = rf"(?:await )?[\w.]*(?<!\w){re.escape(name)}\("
    return re.match(call_start, statement.call) is not None
