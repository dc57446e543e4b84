"""What a record must not say: false statements that a careless reader would believe."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Any, Final, cast

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.error_classes import error_class, is_kind_of
from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.path_implication import implies
from goldwright.offline_agents.answer_limits import MOST_FALSEHOODS
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.inquiries.near_misses import near_misses
from goldwright.offline_agents.statements.call_order import CallOrder
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.declared_result import DeclaredResult
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.maps_to import MapsTo
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.reasoned import Reasoned
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import (
    ConditionalStatement,
    Finding,
    Statement,
    findings_of,
)
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries

# What stands before the last name of a dotted one.
_PREFIX: Final = re.compile(r"(?:\w+\.)+(?=\w)")
# What people write is taken for code where it looks like it.
_CODE_LIKE: Final = re.compile(r"\w_\w|[a-z][A-Z]|\w\(\)")

# Whoever looks at a table, at a class or at the head of a function does not read another one there,
# nor calls in another order than they stand in, nor half of what a ``try`` holds; and that what
# must be defined need not be is no more than the answer denied.
_FAR_FROM_MIND: Final = (
    CallOrder,
    CallsAs,
    MapsTo,
    MayDefine,
    MustDefine,
    OverriddenBy,
    Overrides,
    Takes,
    Tries,
)


def choose_falsehoods(
    plan: AnswerPlan, facts: Sequence[Finding], code: CodeContext
) -> tuple[Finding, ...]:
    """Choose what an answer must not say, the most tempting first.

    What only misreads a condition few would say, nor what merely stands nearby, nor a signature
    that lacks a parameter: one such is taken for want of anything else, and is unlikely. Half of a
    condition is what a short answer may say, so it is never taken. Of sets that only lack a member
    one is enough, for it was overlooked or it was not.
    """
    candidates = _falsehoods(plan, facts, code)
    thinkable = (falsehood for falsehood in candidates if _is_thinkable(falsehood, facts))
    falsehoods = [falsehood for falsehood in thinkable if _is_wrong(falsehood, plan, code)]
    misstatements = [falsehood for falsehood in falsehoods if not falsehood.is_unlikely]
    unlikely = [falsehood for falsehood in falsehoods if falsehood.is_unlikely]
    shrunken = [falsehood for falsehood in misstatements if _lacks_a_member(falsehood, facts)]
    # That a class is overlooked is thinkable; that it lacks what all others define is not.
    shrunken.sort(key=lambda falsehood: isinstance(falsehood.statement, _FAR_FROM_MIND))
    mistakes = _of_each_kind(
        [falsehood for falsehood in misstatements if falsehood not in shrunken], facts
    )
    close_mistakes = [
        falsehood for falsehood in mistakes if not isinstance(falsehood.statement, _FAR_FROM_MIND)
    ]
    tempting = [
        falsehood for falsehood in close_mistakes if not _has_another_level(falsehood, facts)
    ]
    chosen = [falsehood for falsehood in tempting if not _is_far_fetched(falsehood, facts)]
    chosen.extend(shrunken[:1])
    if not chosen:
        rest = sorted((*tempting, *mistakes, *unlikely), key=_is_of_one_place)
        chosen = [replace(falsehood, is_unlikely=True) for falsehood in rest[:1]]
    return tuple(chosen[:MOST_FALSEHOODS])


def _is_wrong(falsehood: Finding, plan: AnswerPlan, code: CodeContext) -> bool:
    """Find out whether neither the plan grants a statement nor the code bears it out."""
    if isinstance(falsehood.statement, plan.granted):
        return False
    return not _is_true(falsehood.statement, falsehood.entity_id, code)


def _is_of_one_place(falsehood: Finding) -> bool:
    """Find out whether it misreads one place of the code.

    Who looks there does not say it: what only stands nearby is named sooner.
    """
    return isinstance(falsehood.statement, (ConditionalStatement, *_FAR_FROM_MIND))


def _is_far_fetched(falsehood: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether it is a fact under other conditions, with another error or another value.

    Who has the function before them says none of these, and who has not would not come to it; nor
    to another result than a signature declares.
    """
    statement = falsehood.statement
    if isinstance(statement, DeclaredResult):
        return True
    if not isinstance(statement, ConditionalStatement):
        return False
    told = _without_outcome(statement)
    facts_alike = _facts_of_kind(statement, facts)
    own_facts = [fact for fact in facts_alike if fact.entity_id == falsehood.entity_id]
    return any(_without_outcome(fact.statement) == told for fact in own_facts)


def _without_outcome(statement: Statement) -> Statement:
    """Give a statement without its conditions, its error and its value."""
    # Every kind of statement is a dataclass.
    fields_told = {field.name for field in fields(cast("Any", statement))}
    blank = dict.fromkeys(fields_told & {"error", "value"}, "")
    return cast("Statement", replace(cast("Any", statement), path=(), **blank))


def _of_each_kind(falsehoods: Sequence[Finding], facts: Sequence[Finding]) -> list[Finding]:
    """Leave one of those that exchange a method of a contract, and put levels of a log last."""
    contracts = [falsehood for falsehood in falsehoods if _is_of_contract(falsehood)]
    # That a method may be left out that must not is believed sooner than the reverse.
    contracts.sort(key=lambda falsehood: isinstance(falsehood.statement, MustDefine))
    levels = [falsehood for falsehood in falsehoods if _has_another_level(falsehood, facts)]
    apart = [*contracts, *levels]
    usual_falsehoods = [falsehood for falsehood in falsehoods if falsehood not in apart]
    return [*contracts[:1], *usual_falsehoods, *levels]


def _is_of_contract(falsehood: Finding) -> bool:
    """Find out whether it tells if subclasses have to define a method."""
    return isinstance(falsehood.statement, MustDefine | MayDefine)


def _has_another_level(falsehood: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether nothing but the level of a message is wrong."""
    statement = falsehood.statement
    if not isinstance(statement, Logs):
        return False
    messages = (fact.statement for fact in facts if isinstance(fact.statement, Logs))
    messages_at_level = (replace(message, level=statement.level) for message in messages)
    return statement in messages_at_level


def _is_thinkable(falsehood: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether somebody could say it: not that a function calls itself for its own result.

    Nor that a value comes back where it was just tested to be nothing, nor what differs from a fact
    in nothing but how a name is written, nor a comment on code that stands somewhere else.
    """
    statement = falsehood.statement
    if isinstance(statement, Reasoned) and _CODE_LIKE.search(statement.words):
        return False
    value = str(getattr(statement, "value", ""))
    simple_name = statement.subject.rpartition(".")[2]
    if any(_holds_a_caller(member, facts) for member in statement.members):
        return False
    own_call = rf"(?<![\w]){re.escape(simple_name)}\("
    is_own_call = re.search(own_call, value) is not None
    denied = {test.code for test in statement.conditions if test.kind == "unless"}
    if is_own_call or value in denied:
        return False
    return not _differs_in_prefix(falsehood, facts)


def _holds_a_caller(member: str, facts: Sequence[Finding]) -> bool:
    """Find out whether a function is defined around one that is a member of a set in fact.

    Who says that the outer one calls something is not wrong where the inner one does.
    """
    for fact in facts:
        members = fact.statement.members
        if member not in members and any(name.startswith(f"{member}.") for name in members):
            return True
    return False


def _differs_in_prefix(falsehood: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether a fact says the same but for what a call goes through, or for its object."""
    statement = falsehood.statement
    plain = _PREFIX.sub("", statement.sentence())
    same_subject = [fact for fact in facts if fact.statement.subject == statement.subject]
    sentences = (fact.statement.sentence() for fact in same_subject)
    plain_sentences = (_PREFIX.sub("", sentence) for sentence in sentences)
    return plain in plain_sentences


def _lacks_a_member(falsehood: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether a false statement names a part of the set that a fact names whole."""
    statement = falsehood.statement
    members = set(statement.members)
    if not members:
        return False
    facts_alike = _facts_of_kind(statement, facts)
    whole_sets = (set(fact.statement.members) for fact in facts_alike)
    return any(members < whole_set for whole_set in whole_sets)


def _facts_of_kind(statement: Statement, facts: Sequence[Finding]) -> list[Finding]:
    """Choose the facts that are statements of the same kind."""
    kind = type(statement)
    return [fact for fact in facts if type(fact.statement) is kind]


def _falsehoods(plan: AnswerPlan, facts: Sequence[Finding], code: CodeContext) -> Iterator[Finding]:
    """Yield false statements: the inquiry's own, those of each fact in turn, misread conditions."""
    true_findings = (*facts, *plan.context, *plan.neighbours)
    true_statements = {finding.statement for finding in true_findings}
    alternatives = [finding.statement for finding in (*plan.facts, *plan.neighbours)]
    yield from {falsehood.statement: falsehood for falsehood in plan.falsehoods}.values()
    # The kind's own are not said a second time.
    yielded: set[Statement] = {finding.statement for finding in plan.falsehoods}
    sources = [(fact, list(fact.statement.falsehoods(alternatives))) for fact in facts]
    for place in range(MOST_FALSEHOODS):
        for fact, falsehoods in sources:
            if place < len(falsehoods):
                falsehood = falsehoods[place]
                is_new = falsehood not in true_statements and falsehood not in yielded
                # Whatever falls off its end returns None as well, under any condition.
                is_new = is_new and getattr(falsehood, "value", "") != "None"
                if is_new and not _is_true(falsehood, fact.entity_id, code):
                    yielded.add(falsehood)
                    yield fact.refuting(falsehood)
    for fact in facts:
        for near_miss in islice(near_misses(code, fact), 1):
            if near_miss.statement not in yielded:
                yielded.add(near_miss.statement)
                yield near_miss


def _is_true(statement: Statement, entity_id: str, code: CodeContext) -> bool:
    """Find out whether the function says it in another place, there under more conditions or not.

    A reader who finds it there, and further conditions around it, would not call it false.
    """
    opened = code.function(entity_id)
    if opened is None:
        return False
    module, function = opened
    name = name_of(entity_id)
    findings = findings_of(type(statement), module, name, function)
    if _may_hold_elsewhere(statement, module, function, findings):
        return True
    told = [finding.statement for finding in findings]
    if isinstance(statement, Runs):
        told.extend(_calls_alike(statement, module, name, function))
    if isinstance(statement, Raises):
        by_kind = list(_as_its_kinds(told, statement.error, module, code))
        told.extend(by_kind)
    return any(_covers(said, statement) for said in told)


def _calls_alike(
    statement: Runs, module: Module, name: str, function: Function
) -> Iterator[Statement]:
    """Yield where a function makes the same call as part of something else, as in ``x = f()``."""
    for node in own_nodes(function.body):
        if isinstance(node, ast.Call) and module.text.of(node) == statement.call:
            made = Runs.of_call(module, name, function, node)
            if made is not None:
                yield made.statement


def _may_hold_elsewhere(
    statement: Statement, module: Module, function: Function, findings: Sequence[Finding]
) -> bool:
    """Find out whether a function does the same in a place whose conditions cannot be told."""
    if not isinstance(statement, Returned | Runs | Handles):
        return False
    told_lines = {finding.lines.start for finding in findings}
    value = getattr(statement, "value", "")
    done = value or getattr(statement, "call", "")
    for node in own_nodes(function.body):
        match statement, node:
            case (Returned(), ast.Return(value=ast.expr() as deed)) | (Runs(), ast.Expr(deed)):
                is_told = getattr(node, "lineno", 0) in told_lines
                if not is_told and module.text.of(deed) == done:
                    return True
            case Handles(outcome="reraised"), ast.Raise(exc=None):
                # It may be the clause for one kind of what is said to be raised again.
                return True
    return False


def _as_its_kinds(
    told: Sequence[Statement], error: str, module: Module, code: CodeContext
) -> Iterator[Statement]:
    """Yield what is raised as an error of another class, where it is one by inheritance."""
    wanted = error_class(code.snapshot, module, error)
    for said in told:
        if not isinstance(said, Raises) or wanted is None:
            continue
        raised = error_class(code.snapshot, module, said.error)
        # Where nobody knows, it is not said either.
        if raised is None or is_kind_of(code.snapshot, raised, wanted) is not False:
            yield replace(said, error=error)


def _covers(said: Statement, statement: Statement) -> bool:
    if said == statement:
        return True
    if type(said) is not type(statement) or not isinstance(said, ConditionalStatement):
        return False
    # Every kind of statement is a dataclass.
    bare_said = replace(cast("Any", said), path=())
    message = str(getattr(statement, "message", ""))
    said_parts = str(getattr(said, "message", ""))
    # A message that holds another one whole is taken for that one.
    if message and all(part in said_parts for part in fixed_parts(message)):
        bare_said = replace(bare_said, message=message)
    bare_statement = replace(cast("Any", statement), path=())
    is_same: bool = bare_said == bare_statement
    is_part = set(statement.conditions) <= set(said.conditions)
    return is_same and (is_part or implies(statement.conditions, said.conditions))
