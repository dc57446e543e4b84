"""Why asked: a function that takes several steps. Asked: which, in which order, and under what."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from goldwright.code_reading.call_order import CallSequence, call_sequence
from goldwright.code_reading.callers import NamedCall
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.errors import RaiseSite
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import descriptions, effects_in_order
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.message_sites import lead_of_message, message_sites
from goldwright.offline_agents.inquiries.message_words import is_telling, quoted
from goldwright.offline_agents.inquiries.mistaken_functions import said_elsewhere
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    answer_parts,
    callers_of,
    each_once,
    find_statements,
    finding_at,
    intent_of,
    sources_of,
    with_its_file,
)
from goldwright.offline_agents.prose.prose_writing import write_prose
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_order import CallOrder
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

# Where nothing but the calls is told, a single one has no order.
FEWEST_CALLEES: Final = 2
# More functions at a time are not kept in mind, and each of them is a fact.
MOST_CALLEES: Final = 5
FEWEST_STEPS: Final = 3
MOST_CALLERS: Final = 3
# A function and what it calls, as far as that is no matter of a single look.
FEWEST_HARD_TARGETS: Final = 4

_ALL_STEPS: Final = (
    'What does the code that {verb} "{message}" do, step by step?',
    'Walk me through the function that {verb} "{message}".',
    'How does the code that {verb} "{message}" work?',
    'I have to document the function that {verb} "{message}". What are its steps?',
    'Before I refactor the code that {verb} "{message}": what exactly does it do?',
    'Can you explain the function that {verb} "{message}", step by step?',
)
# Whoever takes a function apart has to know what it calls.
_CALLS: Final = (
    'Before I refactor the code that {verb} "{message}": which helpers does it call, and when?',
    'Which of our functions does the code that {verb} "{message}" call, and when?',
    'Can you explain which helpers the code that {verb} "{message}" calls, and when?',
)
_ALL_STEPS_AND_CALLERS: Final = (
    'What does the code that {verb} "{message}" do, step by step, and who calls it?',
    'Who calls the code that {verb} "{message}", and what does it do, step by step?',
    'Before I refactor the code that {verb} "{message}": who calls it, and what does it do?',
    'Walk me through the function that {verb} "{message}": its callers, and then its steps.',
    'How does the code that {verb} "{message}" work, and who calls it?',
    'Can you explain who calls the code that {verb} "{message}", and what it does?',
)
_CALLS_AND_CALLERS: Final = (
    'Who calls the code that {verb} "{message}", and which helpers does that code call?',
    'Before I move the code that {verb} "{message}": who calls it, and what does it call?',
    'Which helpers does the code that {verb} "{message}" call, and who calls it?',
    'Who calls the code that {verb} "{message}", and what does it call itself?',
)


@dataclass(frozen=True, slots=True)
class _DerivedSteps:
    """What a function does, as far as it is asked.

    Attributes:
        calls: What it calls of the product.
        told: The steps as statements, from top to bottom.
        are_all: Whether these are all that it does, and not the calls alone.
    """

    calls: CallSequence
    effects: tuple[Finding, ...]
    are_all: bool


class Steps(Inquiry):
    """What is done in which order?"""

    kind: ClassVar[str] = "steps"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("explain", "medium"), Cell("explain", "hard"))

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the messages of functions that call several others; the first one of each."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            entity_id = f"{module.path}::{name}"
            for site in message_sites(module, function):
                if site.path is not None and is_telling(site.message):
                    verb = "raises" if isinstance(site, RaiseSite) else "logs"
                    yield lead_of_message(self.kind, entity_id, site, verb)
                    break

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for all steps, or for the calls, by the message that stands among them.

        Where all callers are known, they are asked for as well.
        """
        steps = _steps(code, lead.subject)
        if steps is None:
            return
        targets = (lead.subject, *steps.calls.callees)
        callers = code.closed_callers(lead.subject) or ()
        with_callers = each_once(targets, callers)
        for cell in self.cells:
            if cell.difficulty == "medium" or _is_spread(targets):
                yield _question(cell, lead, steps, targets)
            if len(with_callers) > len(targets) and len(callers) <= MOST_CALLERS:
                yield _question(cell, lead, steps, with_callers)

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the order of the calls, each step with its condition, and the message."""
        message = finding_at(code, intent, (Raises, Logs))
        steps = _steps(code, intent.subject)
        entity = code.snapshot.entity(intent.subject)
        if message is None or steps is None or entity is None:
            return None
        facts = list(steps.effects)
        if message not in facts:
            facts = sorted((*facts, message), key=lambda fact: fact.lines.start)
        names = steps.calls.in_order
        # Where every step is told, their order is seen from them; so is that of some of the calls.
        if not steps.are_all and len(names) == len(steps.calls.callees) > 1:
            span = entity.spans[0]
            lines = FileRange(file=entity.path, start=span.first, end=span.last)
            order = CallOrder(name_of(intent.subject), names)
            facts.insert(0, Finding(order, entity.entity_id, lines))
        # A function may call itself, and whoever asks another question may not want this one.
        others = {intent.subject, *steps.calls.callees}
        callers = [target for target in targets if target not in others]
        has_callers = callers != []
        opening, said_in_opening = _opening(intent, steps, facts[0], is_introduced=has_callers)
        if callers:
            only_callers = callers_of(code, intent.subject, targets)
            if only_callers is None or len(facts) >= MOST_FACTS:
                return None
            # Who asks for the callers is told of them first.
            facts.insert(0, only_callers)
            said_in_opening += 1
            introduction = write_prose([only_callers.statement])
            opening = " ".join([*introduction, opening])
        context: list[Finding] = list(descriptions(code, intent.subject))
        for callee in steps.calls.callees:
            context.extend(descriptions(code, callee))
        context.extend(find_statements(code, intent.subject, (Assigned,)))
        parts = _parts(intent.subject, steps.calls.callees, callers)
        mistakes = said_elsewhere(code, message)
        neighbours = find_statements(code, intent.subject, (Raises, Logs))
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=tuple(context),
            said_in_opening=said_in_opening,
            falsehoods=tuple(mistakes),
            neighbours=tuple(neighbours),
        )


def _is_spread(targets: Sequence[str]) -> bool:
    """Find out whether one look into one file does not show all that is asked for."""
    files = set(map(path_of, targets))
    return len(targets) >= FEWEST_HARD_TARGETS and len(files) > 1


def _question(cell: Cell, lead: Lead, steps: _DerivedSteps, targets: tuple[str, ...]) -> Question:
    settles: tuple[str, ...] = ("all steps", "their order", "their conditions")
    phrasings: tuple[str, ...] = _ALL_STEPS if steps.are_all else _CALLS
    if len(targets) > 1 + len(steps.calls.callees):
        settles = (*settles, "all callers")
        phrasings = _ALL_STEPS_AND_CALLERS if steps.are_all else _CALLS_AND_CALLERS
    slots = {"message": quoted(lead.words), "verb": lead.detail}
    return Question(
        cell=cell,
        phrasings=phrasings,
        slots=slots,
        targets=targets,
        intent=intent_of(lead, settles),
        # Behind questions that name a function: few developers ask for one by its message.
        score=0.1,
        rationale="Every function that is called on the way has to be found.",
    )


def _parts(subject: str, callees: Sequence[str], callers: Sequence[str]) -> tuple[AnswerPart, ...]:
    parts = answer_parts(
        subject, (subject, *callees), subject_does="takes the steps", others_do="is called there"
    )
    calling = [answer_part(caller, "supporting", "calls it") for caller in callers]
    return (*parts, *calling)


def _opening(
    intent: Intent, steps: _DerivedSteps, first_fact: Finding, *, is_introduced: bool
) -> tuple[str, int]:
    """Say what is called, or the first of all steps; and how many facts that states."""
    calls = steps.calls
    start = with_its_file(intent.subject)
    first_word = ""
    if not is_introduced:
        # It was asked for by a message: first of all, somebody wants to know which one it is.
        start, first_word = f"It is {start}, which", "first "
    if not steps.are_all and 1 < len(calls.in_order) == len(calls.callees):
        first, *between, last = calls.in_order
        then = "".join(f", then `{name}`" for name in between)
        return f"{start} calls `{first}`{then} and then `{last}`.", 1
    names = [name_of(callee) for callee in calls.callees]
    if not steps.are_all and len(names) > 1:
        listed = join_code(names)
        return f"{start} calls {listed}.", 0
    if first_fact.statement.conditions:
        # Nobody should think that it always does.
        first_word = ""
    conditions = describe_conditions(first_fact.statement.conditions)
    when = f" {conditions}" if conditions else ""
    return f"{start} {first_word}{predicate_of(first_fact.statement)}{when}.", 1


def _steps(code: CodeContext, subject: str) -> _DerivedSteps | None:
    """Find the steps of a function: all, or the calls alone; None where neither can be told."""
    calls = call_sequence(code.snapshot, subject)
    if calls is None or not 1 <= len(calls.callees) <= MOST_CALLEES:
        return None
    all_effects = effects_in_order(code, subject)
    effects = [effect for effect in all_effects if not isinstance(effect.statement, Passes)]
    # Room for the message and the order.
    most = MOST_FACTS - 2
    deed_lines = _deed_lines(code, subject)
    deeds = [
        effect
        for effect in effects
        if effect.lines.start in deed_lines or _holds_call(effect, calls.calls)
    ]
    sources = sources_of(code, deeds)
    if len(deeds) + len(sources) <= most:
        deeds.extend(sources)
        deeds.sort(key=lambda effect: effect.lines.start)
    told_lines = {effect.lines.start for effect in deeds}
    if deed_lines <= told_lines and FEWEST_STEPS <= len(deeds) <= most:
        are_all = _tells(calls.calls, deeds)
        if are_all or len(calls.callees) >= FEWEST_CALLEES:
            return _DerivedSteps(calls, tuple(deeds), are_all=are_all)
    with_calls = [effect for effect in effects if _holds_call(effect, calls.calls)]
    if not _tells(calls.calls, with_calls) or not FEWEST_CALLEES <= len(with_calls) <= most:
        return None
    return _DerivedSteps(calls, tuple(with_calls), are_all=False)


def _holds_call(effect: Finding, calls: Sequence[NamedCall]) -> bool:
    return any(_stands_in(call, effect) for call in calls)


def _stands_in(call: NamedCall, effect: Finding) -> bool:
    lines = effect.lines
    return lines.start <= call.first and call.last <= lines.end


def _tells(calls: Sequence[NamedCall], effects: Sequence[Finding]) -> bool:
    """Find out whether every call stands in a step, or in the condition of one."""
    conditions = [step for effect in effects for step in effect.statement.conditions]
    tested_code = " ".join(condition.code for condition in conditions)
    for call in calls:
        call_start = rf"(?<!\w){re.escape(call.name)}\("
        is_tested = re.search(call_start, tested_code)
        if not is_tested and not any(_stands_in(call, effect) for effect in effects):
            return False
    return True


def _deed_lines(code: CodeContext, subject: str) -> frozenset[int]:
    """Give the first lines of all statements by which a function does something."""
    opened = code.function(subject)
    if opened is None:
        return frozenset()
    module, function = opened
    reached = statements_of(function, module.text)
    nodes = [item.node for item in reached]
    return frozenset(node.lineno for node in nodes if _does_something(node))


def _does_something(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Return(value=None | ast.Constant(value=None)):
            return False
        case ast.AnnAssign(value=None):
            return False
        case ast.Expr() | ast.Return() | ast.Raise() | ast.Delete() | ast.AugAssign():
            return True
        case ast.Assign() | ast.AnnAssign() | ast.Assert() | ast.With() | ast.AsyncWith():
            return True
        case _:
            return False
