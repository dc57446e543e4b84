"""Why asked: a message in the log. Asked: whether it is any trouble, and what happens next."""

import ast
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import ClassVar, Final

from goldwright.code_reading.child_nodes import blocks_below, blocks_of
from goldwright.code_reading.log_calls import log_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries.caller_levels import callers_of_each, facts_of_callers
from goldwright.offline_agents.inquiries.checked_values import (
    causes_of,
    plain_causes_of,
)
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.effects import calls_among, effects_in_order
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.message_sites import lead_of_message
from goldwright.offline_agents.inquiries.message_words import is_said_once, is_telling, quoted
from goldwright.offline_agents.inquiries.mistaken_functions import said_elsewhere
from goldwright.offline_agents.inquiries.near_misses import near_misses, under_others
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    each_once,
    expectation_of_general,
    find_statements,
    finding_at,
    intent_of,
)
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.path_conditions import Path
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 3

_PHRASINGS: Final = (
    'I see "{message}" in the log. What happened, and what does the code do next?',
    'Under which condition do we log "{message}", and what happens then?',
    'What does "{message}" in the log mean, and what happens next?',
    'What causes "{message}" in the log, and what happens then?',
    'Why do we log "{message}", and what happens after that?',
    'When is "{message}" logged, and what does the code do next?',
    'Our log says "{message}". What causes that, and what happens next?',
    'The log shows "{message}". What led to it, and what does the code do then?',
    'What makes us log "{message}", and what does the code do after that?',
    'I found "{message}" in the log. When does that happen, and what comes next?',
)
_WITH_CALLERS: Final = (
    'When is "{message}" logged, and who calls that code?',
    'I see "{message}" in the log. When is it written, and who calls that code?',
    'Which functions call the code that logs "{message}", and when does it log that?',
    'When do we log "{message}", and who calls the code that does?',
    'Where is "{message}" logged, and who calls that function?',
    'What causes "{message}" in the log, and which functions call that code?',
    'Our log says "{message}". When do we write that, and who calls that code?',
)
_TWO_CALLS_UP: Final = (
    'Which calls lead to the log line "{message}"? Include the callers of the callers.',
    'When is "{message}" logged, and what ends up there? I need the callers and their callers.',
    'What leads to "{message}" in the log? I need the condition, the callers and their callers.',
    'I see "{message}" in the log. When is it written? I need the callers and their callers.',
    'Where does the log line "{message}" come from? Show its callers and the callers of those.',
)
_EXPLAINED: Final = (
    'How do we get to the log line "{message}"? I need the direct callers and the condition.',
    'Walk me through the log line "{message}": when is it written, and who calls that code?',
    'Explain when we log "{message}", and which functions call the code that does.',
)
_ONE_CALL_UP: Final = {"general": _WITH_CALLERS, "debug": _WITH_CALLERS, "explain": _EXPLAINED}

_EITHER_WAY: Final = "Either way it then"
# What is done further down has often little to do with the message.
_MOST_NEXT: Final = 3
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_VAGUE: Final = "Nothing in the question says which kind of answer it wants."
_CALLED: Final = "What logs it and all functions that call that have to be found."


class LogMeaning(Inquiry):
    """Is a message in the log any trouble?"""

    kind: ClassVar[str] = "log_meaning"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("general", "easy"),
        Cell("general", "medium"),
        Cell("general", "hard"),
        Cell("debug", "medium"),
        Cell("debug", "hard"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the messages that are logged under conditions."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            for site in log_sites(module, function):
                if site.path and is_telling(site.message):
                    entity_id = f"{module.path}::{name}"
                    yield lead_of_message(self.kind, entity_id, site, site.level)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask about the message alone, or about those who get there as well."""
        if not is_said_once(code, lead.words, lead.subject):
            return
        callers = code.closed_callers(lead.subject) or ()
        direct = each_once([lead.subject], callers)
        further = callers_of_each(code, callers, MOST_CALLERS) or ()
        callers_of_both_levels = each_once(direct, further)
        alone = (lead.subject,)
        sets = [("easy", alone), ("medium", direct)]
        # Callers in several files are as far from the message as callers of callers.
        sets.append(("hard", direct))
        if len(callers_of_both_levels) > len(direct):
            sets.append(("hard", callers_of_both_levels))
        for cell in self.cells:
            for difficulty, targets in sets:
                if cell.difficulty == difficulty and len(callers) <= MOST_CALLERS:
                    yield self._question(cell, lead, targets, is_two_levels=targets != direct)

    def _question(
        self, cell: Cell, lead: Lead, targets: tuple[str, ...], *, is_two_levels: bool
    ) -> Question:
        phrasings = _ONE_CALL_UP[cell.task_type]
        if len(targets) == 1:
            phrasings = _PHRASINGS
        elif is_two_levels:
            phrasings = _TWO_CALLS_UP
        slots = {"message": quoted(lead.words)}
        settles = ("when it is logged", "what happens next", "who gets there")
        # Debugging has the errors as well; what a line means is asked of logs alone.
        score = 0.45 if cell.task_type == "debug" else 0.7
        rationale = _VAGUE if cell.task_type == "general" else _CALLED
        return Question(
            cell=cell,
            phrasings=phrasings,
            slots=slots,
            targets=targets,
            intent=intent_of(lead, settles),
            score=score,
            rationale=rationale,
            expectation=expectation_of_general(cell, "debug"),
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State when it is logged, what comes of it, and who gets there."""
        logged = finding_at(code, intent, (Logs,))
        if logged is None or not isinstance(logged.statement, Logs):
            return None
        statement = logged.statement
        if not is_easily_said(statement.path):
            return None
        causes = causes_of(code, logged)
        follows = _what_follows(code, logged)
        if len(targets) == 1:
            ends = tuple(_raised_again(code, logged))
            is_whole = bool(causes) and bool(ends or follows)
            further = (*causes, *ends, *follows) if is_whole else ()
        else:
            further = _ways_there(code, intent, targets)
        if not further:
            return None
        if len(targets) > 1:
            # That a name has some value, or something was caught, says little without its cause.
            further = (*plain_causes_of(code, logged), *further)
        outcomes = tuple(find_statements(code, intent.subject, (Returned, Raises, Logs)))
        context = (*causes, *follows, *outcomes)
        parts = answer_parts(
            intent.subject,
            targets,
            subject_does="logs the message",
            others_do="gets there",
            others_role="primary",
        )
        # Who asks what leads there does not ask what comes next.
        told_next = follows if len(targets) == 1 else ()
        opening = _opening(code, logged, told_next)
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=(logged, *further),
            context=context,
            neighbours=outcomes,
            falsehoods=tuple(_mistakes(code, logged, outcomes)),
            said_in_opening=1,
        )


def _what_follows(code: CodeContext, logged: Finding) -> tuple[Finding, ...]:
    """Find what is done behind the message; nothing where that cannot be said."""
    effects = effects_in_order(code, logged.entity_id)
    following = _next_in_block(code, logged)
    match following:
        case [*before, ast.Raise(exc=None)] if before:
            # That the error goes on up is told by itself.
            following = before
        case _:
            pass
    if following:
        by_line = {effect.lines.start: effect for effect in reversed(effects)}
        next_statements = following[:_MOST_NEXT]
        next_effects = [by_line.get(statement.lineno) for statement in next_statements]
        # Where one cannot be said, such as a ``continue``, the others are not what happens next.
        sayable = [effect for effect in next_effects if effect is not None]
        are_all_sayable = len(sayable) == len(next_effects)
        return tuple(sayable) if are_all_sayable else ()
    # Behind the last of its block, it goes on with what is done in any case.
    path = logged.statement.conditions
    next_line = _line_behind_block(code, logged)
    on_next_line = [effect for effect in effects if effect.lines.start == next_line]
    behind = [effect for effect in on_next_line if _is_outside(effect.statement.conditions, path)]
    return tuple(behind[:1])


def _line_behind_block(code: CodeContext, logged: Finding) -> int | None:
    """Give the line of what is done next behind the block that a message ends."""
    opened = code.function(logged.entity_id)
    if opened is None:
        return None
    _, function = opened
    following = _following(function.body, logged.lines.start)
    return None if following is None else following.lineno


def _following(block: Sequence[ast.stmt], line: int) -> ast.stmt | None:
    """Find what is done behind the inner block with a line; None at the end of a function or turn
    of a loop.
    """
    around = [statement for statement in block if _has_line(statement, line)]
    for statement in around:
        for inner in blocks_below(statement):
            if inner[0].lineno <= line <= (inner[-1].end_lineno or line):
                following = _following(inner, line)
                if following is not None or isinstance(statement, _LOOPS):
                    return following
        place = block.index(statement) + 1
        return block[place] if place < len(block) else None
    return None


def _has_line(statement: ast.stmt, line: int) -> bool:
    """Find out whether a line is one of those of a statement."""
    last = statement.end_lineno or statement.lineno
    return statement.lineno <= line <= last


def _raised_again(code: CodeContext, logged: Finding) -> Iterator[Finding]:
    """Find out that the error of the clause goes on up, behind the message."""
    for handled in find_statements(code, logged.entity_id, (Handles,)):
        statement = handled.statement
        is_around = handled.lines.contains(logged.lines)
        if isinstance(statement, Handles) and is_around and statement.outcome == "reraised":
            yield handled


def _next_in_block(code: CodeContext, logged: Finding) -> Sequence[ast.stmt]:
    """List the statements that stand behind a message in its block."""
    opened = code.function(logged.entity_id)
    if opened is None:
        return ()
    for block in blocks_of(opened[1]):
        for place, statement in enumerate(block):
            if statement.lineno == logged.lines.start and isinstance(statement, ast.Expr):
                return block[place + 1 :]
    return ()


def _is_outside(conditions: Path, path: Path) -> bool:
    """Find out whether some conditions hold where others do, in the same loops."""
    loops = [condition for condition in path if condition.kind in {"for", "while"}]
    is_in_loops = all(loop in conditions for loop in loops)
    further_conditions = (step for step in conditions if step not in path)
    return is_in_loops and all(step.kind == "loop_end" for step in further_conditions)


def _ways_there(code: CodeContext, intent: Intent, targets: Sequence[str]) -> tuple[Finding, ...]:
    """State who calls the function, and either what they make of it or who calls these."""
    callers = code.closed_callers(intent.subject) or ()
    if set(targets) <= {intent.subject, *callers}:
        return tuple(calls_among(code, intent.subject, targets) or ())
    return facts_of_callers(code, (intent.subject, *callers), targets)


def _mistakes(
    code: CodeContext, logged: Finding, neighbours: Sequence[Finding]
) -> Iterator[Finding]:
    yield from islice(under_others(code, logged, neighbours), 1)
    yield from islice(near_misses(code, logged), 1)
    yield from said_elsewhere(code, logged)


def _opening(code: CodeContext, logged: Finding, follows: Sequence[Finding]) -> str:
    statement = logged.statement
    assert isinstance(statement, Logs)  # noqa: S101  # that is what was looked for
    place = f"`{statement.function}` in `{path_of(logged.entity_id)}`"
    conditions = describe_conditions(statement.path)
    start = f"{place} logs “{statement.message}” as `{statement.level}` {conditions}"
    # Only what needs no other conditions surely follows from them.
    surely = takewhile(
        lambda finding: _is_outside(finding.statement.conditions, statement.path), follows
    )
    effects = list(surely)
    match _next_in_block(code, logged):
        case [*_, ast.Raise(exc=None)]:
            # Whatever is done before, this is how it ends.
            return f"{start}, and raises the exception again."
        case _:
            pass
    if effects:
        *first, last = [predicate_of(effect.statement) for effect in effects]
        earlier = ", ".join(first)
        deeds = f"{earlier} and {last}" if first else last
        if all(effect.statement.conditions == statement.path for effect in effects):
            return f"{start}, and then {deeds}."
        if all(effect.statement.conditions == () for effect in effects):
            return f"{start}. {_EITHER_WAY} {deeds}."
    return f"{start}."
