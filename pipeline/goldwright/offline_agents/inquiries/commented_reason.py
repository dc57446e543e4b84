"""Why asked: a comment that says why. Asked: why the code does what it does."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, Final

from goldwright.code_reading.comments import comments_of
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.comment_subjects import (
    is_alone,
    is_of_something_else,
    names_code,
    speaks_of,
)
from goldwright.offline_agents.inquiries.effects import (
    calls_among,
    denials,
    descriptions,
    follow,
    near,
    without_retold_arguments,
)
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    finding_at,
    inside_sentence,
    intent_of,
    origins,
    with_its_file,
)
from goldwright.offline_agents.inquiries.why_questions import as_why_clause, why_question
from goldwright.offline_agents.statements.catalog import DEEDS
from goldwright.offline_agents.statements.reasoned import Reasoned, split_reason
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

FEWEST_WORDS: Final = 3
FEWEST_WORDS_ALONE: Final = 5
MOST_WORDS: Final = 16
MOST_CALLERS: Final = 2
MOST_ACTS: Final = 3

_NO_BEGINNING: Final = frozenset(
    "if when this it that these same todo xxx fixme hack note important type: noqa".split()
)
_POINTERS: Final = frozenset("that this it them these those so here there".split())
_NO_ENDS: Final = frozenset(
    """
    a an the and or but nor than as if when while with without of for from into by at to is are was
    were be been being has have had only just also not mostly simply partly probably mainly so
    """.split()
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|has|have|needs?|must|should|tends?|may|can|will|gets?|does|do|be)\b"
)

# What is asked of a comment that says what the code does, of one that says how things are, and of
# both where the function is named or its callers are asked for as well.
_WHY: Final = (
    "{why}?",
    "Is there a reason {that_we}?",
    "Can you tell me {that_we}?",
    "I don't see {that_we}. What is the reason?",
    "Somebody asked me {that_we}. What is the answer?",
    'A comment says "{claim}". Why do we do that?',
    'There is a comment saying "{claim}". What is it good for?',
    'What is the reason for this comment: "{claim}"?',
)
_WHY_IN: Final = (
    "In `{name}`, {quiet_why}?",
    "{why} in `{name}`?",
    "I am reading `{name}`. Do you know {that_we} there?",
    "Is there a reason {that_we} in `{name}`?",
    "Can you explain {that_we} in `{name}`?",
    'There is a comment in `{name}` saying "{claim}". Why is that needed?',
    'What is the reason for the comment "{claim}" in `{name}`?',
)
_QUOTED: Final = (
    'There is a comment saying "{claim}". Why is that, and what does the code do about it?',
    'What is the reason for this comment: "{claim}"?',
    'Why does a comment say "{claim}", and what does the code do there?',
    'A comment says "{claim}". What does the code below it do, and why?',
    'I came across the comment "{claim}". Why is that so, and how does the code handle it?',
    'Explain the comment "{claim}": what does the code there do, and why?',
    'In a comment it says "{claim}". Why is that, and what is done about it?',
    'How is the comment "{claim}" meant, and what does the code below it do?',
)
_QUOTED_IN: Final = (
    'There is a comment in `{name}` saying "{claim}". Why is that?',
    'What is the reason for the comment "{claim}" in `{name}`?',
    'Why does a comment in `{name}` say "{claim}"?',
    'A comment in `{name}` says "{claim}". What does the code do about it, and why?',
    'I am reading `{name}` and see the comment "{claim}". Why is that so?',
    'Can you explain the comment "{claim}" in `{name}`?',
    'Explain why there is a comment "{claim}" in `{name}`.',
    'In `{name}`, a comment says "{claim}". Why is that so?',
)
_WITH_CALLERS: Final = (
    'What is the reason for the comment "{claim}", and who calls that code?',
    'Why does a comment say "{claim}", and which functions call that code?',
    'A comment says "{claim}". What is the reason, and who calls that function?',
    'There is a comment saying "{claim}". Why is that, and which functions call that code?',
    'Which functions call the code with the comment "{claim}", and what is the reason for it?',
    'Who calls the code with the comment "{claim}", and why is the comment there?',
    'I want to change the code with the comment "{claim}". What is the reason, and who calls it?',
    'Explain the reason for the comment "{claim}" and who calls that code.',
)


class CommentedReason(Inquiry):
    """Why does the code do what it does?"""

    kind: ClassVar[str] = "reason"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("explain", "easy"),
        Cell("general", "easy"),
        Cell("explain", "medium"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the comments that give a reason for something that can be asked about."""
        leads = list(_leads(self.kind, module))
        claims = Counter(lead.words for lead in leads)
        # What is said twice cannot be asked for by its words.
        yield from (lead for lead in leads if claims[lead.words] == 1)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the reason alone, and for the callers as well."""
        subject, claim = lead.subject, lead.words
        why = why_question(claim)
        # A comment that says what the code does explains itself only with its reason.
        is_short = len(claim.split()) < FEWEST_WORDS_ALONE
        if not why and (is_short or not _VERB.search(claim)):
            return
        slots = {
            "name": name_of(subject),
            "why": why,
            "quiet_why": inside_sentence(why),
            "that_we": as_why_clause(why),
            "claim": claim,
        }
        settles = ("the reason", "what the code does there")
        alone = _WHY if why else _QUOTED
        in_function = _WHY_IN if why else _QUOTED_IN
        rows: list[tuple[Cell, tuple[str, ...], tuple[str, ...]]] = []
        rows.append((self.cells[0], (subject,), in_function))
        # Said in few words it may be asked of any code.
        if not is_short:
            rows.append((self.cells[1], (subject,), alone))
        callers = code.closed_callers(subject)
        if callers and len(callers) <= MOST_CALLERS:
            rows.append((self.cells[2], (subject, *callers), _WITH_CALLERS))
        for cell, targets, phrasings in rows:
            yield Question(
                cell=cell,
                phrasings=phrasings,
                slots=slots,
                targets=targets,
                intent=intent_of(lead, settles),
                score=0.7,
                rationale="The reason stands in a comment, and what it is for in the code below.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Quote the reason, and state what the code does at that place."""
        reasoned = finding_at(code, intent, (Reasoned,))
        statement = _statement_at(intent, code)
        if reasoned is None or statement is None or not isinstance(reasoned.statement, Reasoned):
            return None
        effects = _acts(code, intent.subject, statement)
        effects_nearby = near(code, intent.subject, intent.lines)
        callers = calls_among(code, intent.subject, targets)
        if not effects or callers is None:
            return None
        facts = [reasoned, *effects]
        more: list[Finding] = []
        for effect in effects:
            more.extend(origins(code, intent.subject, effect.statement.conditions, effect.lines))
        more.extend(follow(code, effects))
        missing = max(0, FEWEST_FACTS - len(facts))
        facts.extend(more[:missing])
        facts.extend(callers)
        comment = reasoned.statement
        place = with_its_file(intent.subject)
        opening = (
            f"The comment above `{comment.code}` in {place} gives the reason: “{comment.words}”."
        )
        # What that very line does is said with it, where nothing has to hold for it.
        first_effect = effects[0]
        is_on_that_line = first_effect.lines.start == reasoned.lines.end
        is_said_at_once = is_on_that_line and not first_effect.statement.conditions
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="holds the code", others_do="gets there"
            ),
            opening=opening,
            facts=tuple(facts),
            context=(*descriptions(code, intent.subject), *effects_nearby),
            neighbours=tuple(find_statements(code, intent.subject, (Reasoned,))),
            falsehoods=tuple(denials(effects, effects_nearby))[:3],
            said_in_opening=2 if is_said_at_once else 1,
        )


def _leads(kind: str, module: Module) -> Iterator[Lead]:
    for name in module.definitions:
        function = module.function(name)
        if function is None:
            continue
        entity_id = f"{module.path}::{name}"
        findings = Reasoned.find(module, name, function)
        reasons = {reason.lines.start: reason for reason in findings}
        for comment in comments_of(module, function):
            claim, _ = split_reason(comment.text)
            reason = reasons.get(comment.first)
            if reason is None or not _is_telling(claim) or not names_code(comment, reason):
                continue
            if comment.is_run_together or is_of_something_else(comment, module, function):
                continue
            if is_alone(comment.statement, module, function) or speaks_of(comment, reason):
                first, last = reason.lines.start, reason.lines.end
                node = type(comment.statement).__name__
                yield Lead(kind, entity_id, first, last, node, claim)


def _acts(code: CodeContext, subject: str, statement: ast.stmt) -> list[Finding]:
    """Find what is done right below a comment: by the statement, or where its test holds.

    Statements that follow it without a blank line or another comment belong to it.
    """
    opened = code.function(subject)
    if opened is None:
        return []
    module, function = opened
    first, last = statement.lineno, _last_line(statement)
    for reached in statements_of(function, module.text):
        node = reached.node
        has_body = hasattr(node, "body") or hasattr(statement, "body")
        if not has_body and node.lineno == last + 1 and node.col_offset == statement.col_offset:
            last = _last_line(node)
    everything = find_statements(code, subject, DEEDS)
    acts = [act for act in everything if first <= act.lines.start <= last]
    distinct_acts = without_retold_arguments(acts)
    return sorted(distinct_acts, key=lambda act: act.lines.start)[:MOST_ACTS]


def _last_line(statement: ast.stmt) -> int:
    # What is done otherwise is not what the comment speaks of.
    last = statement.body[-1] if isinstance(statement, ast.If) else statement
    return last.end_lineno or last.lineno


def _statement_at(intent: Intent, code: CodeContext) -> ast.stmt | None:
    opened = code.function(intent.subject)
    for comment in comments_of(*opened) if opened is not None else ():
        if comment.first == intent.lines.start:
            return comment.statement
    return None


def _is_telling(claim: str) -> bool:
    """Find out whether what a comment says can be quoted to somebody who asks why."""
    words = claim.split()
    is_sized = FEWEST_WORDS <= len(words) <= MOST_WORDS
    # A pronoun at the end means something that the asker does not see, and other words go on.
    if not is_sized or words[-1].lower().strip(",") in _POINTERS | _NO_ENDS:
        return False
    first_word = words[0].lower().strip(",.:")
    return first_word not in _NO_BEGINNING and claim[0].isalpha()
