"""Why asked: an error with a telling message. Asked: what has to be true for it to come up."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar, Final

from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.caller_levels import (
    callers_of_each,
    facts_of_callers,
    mistaken_levels,
)
from goldwright.offline_agents.inquiries.checked_values import (
    checked_values,
    plain_causes_of,
)
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.effects import calls_among
from goldwright.offline_agents.inquiries.error_background import (
    background_of,
    explanation_of,
)
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.message_sites import lead_of_message
from goldwright.offline_agents.inquiries.message_words import (
    is_said_once,
    is_telling,
    quoted,
    spoken_error,
)
from goldwright.offline_agents.inquiries.mistaken_functions import said_elsewhere
from goldwright.offline_agents.inquiries.mistaken_routes import routes_mistaken
from goldwright.offline_agents.inquiries.near_misses import near_misses, under_others
from goldwright.offline_agents.inquiries.routes import (
    handling_of,
    leaves_function,
    may_be_caught_above,
    raised_on,
    steps_of_callers,
    where_raised,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    each_once,
    finding_at,
    intent_of,
    other_outcomes,
)
from goldwright.offline_agents.prose.prose_writing import write_prose
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.path_conditions import TESTS
from goldwright.plan import Cell
from goldwright.records import Difficulty, Intent

MOST_CALLERS: Final = 3
_LOCAL_NAME: Final = re.compile(r"[^\W\d]\w*")
# What follows from a check that nothing around it weakens.
_ABOUT_CALLS: Final = (OnlyCallers, CaughtFrom)
# Nobody says that he saw it: a caller may keep it from him.
_WITH_CALLERS: Final = (
    'When is the {error} "{message}" raised, and do the callers catch it?',
    'What causes the {error} "{message}", and does any caller catch it?',
    'Under which condition do we raise the {error} "{message}", and do the callers catch it?',
    'Why do we get the {error} "{message}", and which callers catch it, if any?',
    'Do the callers handle the {error} "{message}", and when is it raised?',
    'How does the {error} "{message}" come about, and do the callers handle it?',
    'Debugging the {error} "{message}": when is it raised, and do the callers catch it?',
)
# Where somebody further up may catch it, who asks whether the callers do would be misled.
_REACHED_BY: Final = (
    'When is the {error} "{message}" raised, and who calls that code?',
    'What causes the {error} "{message}", and which functions call that code?',
    'Under which condition do we raise the {error} "{message}", and what calls that code?',
    'Debugging the {error} "{message}": when is it raised, and where is that code called from?',
)
_TWO_CALLS_UP: Final = (
    'How do we get to "{message}"? I need the callers and their callers.',
    'What is the call path to "{message}"? Two levels of callers are enough.',
    'When is "{message}" raised, and what ends up there? I need the callers and their callers.',
    'A user hit "{message}". When is it raised, who calls that code, and who calls the callers?',
    'Where can "{message}" come from? I need the callers, and what calls those.',
    'Before I make the check for "{message}" stricter: who calls it, and who calls those?',
)
# Whoever asks so has met the message, and can say nothing more of it.
_VAGUE: Final = (
    'What is "{message}" about?',
    'A user asked me about "{message}". What do I tell them?',
    'Can somebody explain "{message}" to me?',
    'I came across "{message}". What is behind it?',
    'What is going on when I see "{message}"?',
    'What does "{message}" want to tell me?',
)

_BACKGROUND: Final = ("what raises it", "the whole condition", "what belongs to the check")
_EXPLANATION: Final = ("what raises it", "the whole condition", "what leads to it")
_CALLERS: Final = ("what raises it", "the whole condition", "all callers", "what they catch")
_WAYS: Final = ("what raises it", "the whole condition", "all callers", "how they call it")
_FURTHER: Final = ("what raises it", "the whole condition", "all callers", "the callers of these")
_RATIONALES: Final[Mapping[Difficulty, str]] = {
    "easy": "One function raises it, and its condition stands in that function.",
    "medium": "What raises it and all functions that call that have to be found.",
    "hard": "The ways to it lead over several functions in several files.",
}


class RaiseCondition(Inquiry):
    """When is this error raised?"""

    kind: ClassVar[str] = "raise_condition"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("debug", "easy"),
        Cell("debug", "medium"),
        Cell("debug", "hard"),
        Cell("general", "easy"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the errors with a telling message and conditions that can be said."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            for site in raise_sites(module, function):
                if site.path and is_telling(site.message):
                    entity_id = f"{module.path}::{name}"
                    yield lead_of_message(self.kind, entity_id, site, site.exception)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the condition with its background, or for the ways that lead there as well."""
        raised = raised_on(code, lead.subject, lead.first)
        if raised is None or not is_easily_said(raised.statement.conditions):
            return
        # What makes a loop end early is the condition, and stands in no test on the way.
        if any(condition.kind == "loop_end" for condition in raised.statement.conditions):
            return
        if not is_said_once(code, lead.words, lead.subject) or _is_opaque(code, raised):
            return
        # Nobody sees an error that the function takes back.
        if not leaves_function(code, lead.subject, lead.first, lead.detail):
            return
        callers = code.closed_callers(lead.subject) or ()
        yield from self._alone(lead, code, raised)
        if not 1 <= len(callers) <= MOST_CALLERS:
            return
        direct = (lead.subject, *callers)
        steps = steps_of_callers(code, lead.subject, lead.first, lead.detail)
        is_settled = bool(handling_of(code, steps, raised)) and not may_be_caught_above(
            code, steps, lead.subject, lead.detail
        )
        phrasings = _WITH_CALLERS if is_settled else _REACHED_BY
        settles = _CALLERS if is_settled else _WAYS
        yield self._question("medium", lead, phrasings, settles, direct)
        # Callers in several files are as far from the message as callers of callers.
        yield self._question("hard", lead, phrasings, settles, direct)
        further = callers_of_each(code, callers, MOST_CALLERS)
        if further is not None:
            targets = each_once(direct, further)
            yield self._question("hard", lead, _TWO_CALLS_UP, _FURTHER, targets)

    def _alone(self, lead: Lead, code: CodeContext, raised: Finding) -> Iterator[Question]:
        """Ask about the error itself, with and without saying what is wanted."""
        targets = (lead.subject,)
        background = background_of(code, raised)
        if background is not None:
            yield self._question("easy", lead, background.phrasings, _BACKGROUND, targets)
        if explanation_of(code, raised):
            question = self._question("easy", lead, _VAGUE, _EXPLANATION, targets)
            cell = Cell("general", "easy")
            yield replace(question, cell=cell, score=0.6, expectation="debug")

    def _question(
        self,
        difficulty: Difficulty,
        lead: Lead,
        phrasings: tuple[str, ...],
        settles: tuple[str, ...],
        targets: tuple[str, ...],
    ) -> Question:
        slots = {"message": quoted(lead.words), "error": spoken_error(lead.detail)}
        return Question(
            cell=Cell("debug", difficulty),
            phrasings=phrasings,
            slots=slots,
            targets=targets,
            intent=intent_of(lead, settles),
            score=0.8,
            rationale=_RATIONALES[difficulty],
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the error and its condition, and what was asked for beside that."""
        raised = finding_at(code, intent, (Raises,))
        if raised is None or not isinstance(raised.statement, Raises):
            return None
        callers = code.closed_callers(intent.subject) or ()
        if intent.settles == _EXPLANATION:
            further = explanation_of(code, raised)
        elif len(targets) == 1:
            background = background_of(code, raised)
            further = () if background is None else background.facts
        elif intent.settles == _WAYS:
            calls = tuple(calls_among(code, intent.subject, targets) or ())
            further = _with_causes(code, raised, calls)
        elif set(targets) <= {intent.subject, *callers}:
            handling = _handling(code, raised, intent.detail)
            callers_facts = facts_of_callers(code, (intent.subject,), targets)
            about_calls = (*callers_facts, *handling) if callers_facts and handling else ()
            further = _with_causes(code, raised, about_calls)
        else:
            levels = facts_of_callers(code, (intent.subject, *callers), targets)
            further = _with_causes(code, raised, levels)
        if not further:
            return None
        if len(targets) > 1:
            return self._called(intent, targets, code, raised, further)
        neighbours = tuple(other_outcomes(code, raised))
        opening = where_raised(raised.statement, intent.subject)
        context = (*checked_values(code, raised), *neighbours)
        mistakes = _mistakes(code, raised, neighbours)
        return AnswerPlan(
            parts=_parts(intent.subject, targets),
            opening=opening,
            facts=(raised, *further),
            context=context,
            neighbours=neighbours,
            falsehoods=tuple(mistakes),
            said_in_opening=1,
        )

    def _called(
        self,
        intent: Intent,
        targets: tuple[str, ...],
        code: CodeContext,
        raised: Finding,
        further: Sequence[Finding],
    ) -> AnswerPlan:
        """State when it is raised, and then the callers with what they do about the error."""
        assert isinstance(raised.statement, Raises)  # noqa: S101  # that is what was looked for
        neighbours = tuple(other_outcomes(code, raised))
        routes = [fact for fact in further if isinstance(fact.statement, _ABOUT_CALLS)]
        callers = targets[1:]
        other_facts = [fact for fact in further if fact not in routes]
        ends = [fact for fact in other_facts if fact.entity_id in callers]
        about_calls = [*routes, *ends]
        remaining_facts = [fact for fact in further if fact not in about_calls]
        calls = list(write_prose([fact.statement for fact in about_calls]))
        origin = where_raised(raised.statement, intent.subject)
        parts = _parts(intent.subject, targets)
        told_first = (raised, *about_calls)
        opening = " ".join([origin, *calls])
        context = (*checked_values(code, raised), *neighbours)
        mistakes = _mistakes(code, raised, neighbours, about_calls)
        falsehoods = (*mistaken_levels(further), *mistakes)
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=(*told_first, *remaining_facts),
            context=context,
            neighbours=neighbours,
            falsehoods=falsehoods,
            said_in_opening=len(told_first),
        )


def _parts(subject: str, targets: Sequence[str]) -> tuple[AnswerPart, ...]:
    return answer_parts(
        subject,
        targets,
        subject_does="raises the error and holds its condition",
        others_do="is on the way to it",
        others_role="primary",
    )


def _with_causes(
    code: CodeContext, raised: Finding, about_calls: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Add where a tested name gets its value, or what was tried, where there is room for it."""
    room = max(0, MOST_FACTS - 1 - len(about_calls))
    causes = plain_causes_of(code, raised)[:room] if about_calls else ()
    return (*about_calls, *causes)


def _is_opaque(code: CodeContext, raised: Finding) -> bool:
    """Find out whether a condition is a mere name of which nobody can say what it stands for."""
    last = raised.statement.conditions[-1:]
    last_tests = (test.code for test in last if test.kind in TESTS)
    is_name = any(map(_LOCAL_NAME.fullmatch, last_tests))
    return is_name and not checked_values(code, raised)


def _handling(code: CodeContext, raised: Finding, error: str) -> tuple[Finding, ...]:
    """State what each direct caller does with an error; nothing where that is unsure."""
    steps = steps_of_callers(code, raised.entity_id, raised.lines.start, error)
    return handling_of(code, steps, raised)


def _mistakes(
    code: CodeContext,
    raised: Finding,
    neighbours: Sequence[Finding],
    about_calls: Sequence[Finding] = (),
) -> Iterator[Finding]:
    yield from islice(under_others(code, raised, neighbours), 1)
    yield from islice(near_misses(code, raised), 1)
    yield from routes_mistaken(code, about_calls)
    yield from said_elsewhere(code, raised)
