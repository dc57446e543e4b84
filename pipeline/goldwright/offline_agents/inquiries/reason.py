"""Why asked: a comment that says why. Asked: why the code does what it does."""

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from goldwright.code_reading.comments import Comment, comments_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import (
    EFFECTS,
    calls_among,
    denials,
    descriptions,
    follow,
    near,
)
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    finding_at,
    intent_of,
)
from goldwright.offline_agents.statements.reasoned import Reasoned, split_reason
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent
from goldwright.snapshot.identifiers import is_code_shaped

FEWEST_WORDS: Final = 3
MOST_WORDS: Final = 16
MOST_CALLERS: Final = 2
MOST_EFFECTS: Final = 4

# Verbs that comments begin with when they say what the code below does.
_IMPERATIVES: Final = frozenset(
    """
    use skip ignore keep make set add remove check avoid copy call return store wrap force reset
    convert disable enable strip import raise close wait create handle allow clear get put run try
    treat prefer replace save load update delete find patch escape sort split parse compute mark
    drop pass send write read start stop defer delay override restore preserve normalize define
    register encode decode cache resolve flush limit exclude include apply leave move bypass catch
    """.split()
)
_ADVERBS: Final = frozenset("only always explicitly manually temporarily first also".split())
_NO_BEGINNING: Final = frozenset(
    "if when this it that these same todo xxx fixme hack note important type: noqa".split()
)
# Behind a verb these words begin something else than the thing that it is done to.
_NO_OBJECTS: Final = frozenset(
    """
    as to by in on at from for with without into of if when while and or but before after is are was
    be not up out off over until via
    """.split()
)
_POINTERS: Final = frozenset("that this it them these those so here there".split())
_MODALS: Final = frozenset("can could must will would may might should are were have did".split())

_WHY: Final = (
    "{why}?",
    "Going through the code I wondered: {quiet_why}?",
    "{why}? I would like to simplify that.",
    "Does anybody remember the reason? I mean: {quiet_why}?",
    "{why}, and what exactly does the code do there?",
)
_QUOTED: Final = (
    'A comment says "{claim}". What is the point of that?',
    'What is this good for: "{claim}"?',
    'Can I drop the code for "{claim}", or is there a reason for it?',
    '"{claim}" - why is that, and what does the code do about it?',
    'I stumbled over "{claim}". Why is it done?',
    'What would go wrong without this: "{claim}"?',
)
_WHY_WITH_CALLERS: Final = (
    "{why}, and who gets to that code?",
    "{why}, and which code would notice if we stopped?",
    "{why}? And whom does it concern, going by the callers?",
)
_QUOTED_WITH_CALLERS: Final = (
    'What is the reason for this, and which callers does it concern: "{claim}"?',
    'Before I remove "{claim}": why is it there, and who depends on it?',
    '"{claim}" - what is that for, and on whose behalf does the code run?',
)


class Reason(Inquiry):
    """Why does the code do what it does?"""

    kind: ClassVar[str] = "reason"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("explain", "easy"),
        Cell("general", "easy"),
        Cell("explain", "medium"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the comments that give a reason for something that can be asked about."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            reasons = {found.lines.start: found for found in Reasoned.find(module, name, function)}
            for comment in comments_of(module, function):
                claim, _ = split_reason(comment.text)
                found = reasons.get(comment.first)
                if found is not None and _is_telling(claim) and _names_code(comment, found):
                    yield Lead(
                        self.kind,
                        f"{module.path}::{name}",
                        found.lines.start,
                        found.lines.end,
                        _kind_of(comment),
                        claim,
                    )

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the reason alone, and for the callers as well."""
        why = _question(lead.words)
        slots = {"why": why, "quiet_why": why[:1].lower() + why[1:], "claim": lead.words}
        settles = ("the reason", "what the code does there")
        alone = _WHY if why else _QUOTED
        rows: list[tuple[Cell, tuple[str, ...], tuple[str, ...]]] = []
        rows.extend((cell, (lead.subject,), alone) for cell in self.cells[:2])
        callers = code.closed_callers(lead.subject)
        if callers and len(callers) <= MOST_CALLERS:
            with_callers = _WHY_WITH_CALLERS if why else _QUOTED_WITH_CALLERS
            rows.append((self.cells[2], (lead.subject, *callers), with_callers))
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
        last = statement.end_lineno or statement.lineno
        everything = list(find_statements(code, intent.subject, EFFECTS))
        effects = [found for found in everything if statement.lineno <= found.lines.start <= last]
        others = near(code, intent.subject, intent.lines)
        behind = [found for found in others if found.lines.start > last]
        if not effects:
            return None
        more = [*follow(code, effects), *behind]
        facts = [reasoned, *effects[:MOST_EFFECTS], *more[: max(0, 2 - len(effects))]]
        callers = calls_among(code, intent.subject, targets)
        if callers is None:
            return None
        facts.extend(callers)
        reason = reasoned.statement.reason
        claim = _claim_at(intent, code)
        opening = (
            f"“{claim}”, says the comment above `{reasoned.statement.code}` in "
            f"`{name_of(intent.subject)}`, and gives the reason: “{reason}”. The code is on line "
            f"{reasoned.lines.end} of `{path_of(intent.subject)}`."
        )
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="holds the code", others_do="gets there"
            ),
            opening=opening,
            facts=tuple(facts),
            context=(*descriptions(code, intent.subject), *others),
            neighbours=tuple(find_statements(code, intent.subject, (Reasoned,))),
            falsehoods=tuple(denials(effects, others))[:3],
            said_in_opening=1,
        )


def _claim_at(intent: Intent, code: CodeContext) -> str:
    opened = code.function(intent.subject)
    for comment in comments_of(*opened) if opened is not None else ():
        if comment.first == intent.lines.start:
            return split_reason(comment.text)[0]
    return ""


def _statement_at(intent: Intent, code: CodeContext) -> ast.stmt | None:
    opened = code.function(intent.subject)
    for comment in comments_of(*opened) if opened is not None else ():
        if comment.first == intent.lines.start:
            return comment.statement
    return None


def _kind_of(comment: Comment) -> str:
    return type(comment.statement).__name__


def _is_telling(claim: str) -> bool:
    """Find out whether what a comment says can be quoted to somebody who asks why."""
    words = claim.split()
    is_sized = FEWEST_WORDS <= len(words) <= MOST_WORDS
    # A pronoun at the end means something that the asker does not see.
    if not is_sized or words[-1].lower() in _POINTERS:
        return False
    return words[0].lower().strip(",.:") not in _NO_BEGINNING and claim[0].isalpha()


def _names_code(comment: Comment, found: Finding) -> bool:
    """Find out whether what a comment names stands in the line below it, too."""
    assert isinstance(found.statement, Reasoned)  # noqa: S101  # that is what was found
    names = [word.strip(".,;:()'\"") for word in " ".join(split_reason(comment.text)).split()]
    return all(name in found.statement.code for name in names if is_code_shaped(name))


def _question(claim: str) -> str:
    """Make a question of what a comment says; empty where that would be no good English."""
    words = claim.split()
    is_code = any(is_code_shaped(word.strip(".,;:()'")) for word in words)
    if is_code or re.search(r"[=\[\]{}<>|#()/_;.]", claim):
        return ""
    first, second = words[0].lower(), words[1].lower()
    tail = " ".join(words[1:])
    if first == "don't":
        return f"Why don't we {tail}"
    if first == "we" and second not in _MODALS:
        return f"Why do we {tail}"
    if first in _ADVERBS and second in _IMPERATIVES and len(words) > 2:
        first, second = second, words[2].lower()
        tail = " ".join(words[1:])
        return f"Why do we {words[0].lower()} {tail}" if second not in _NO_OBJECTS else ""
    # "Set as default" lacks the thing that is set, and no question can be made of it.
    is_imperative = first in _IMPERATIVES and second not in _NO_OBJECTS
    return f"Why do we {first} {tail}" if is_imperative else ""
