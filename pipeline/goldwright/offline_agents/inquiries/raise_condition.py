"""Why asked: an error with a telling message. Asked: what has to be true for it to come up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final

from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries.caller_levels import (
    callers_of_each,
    facts_of_callers,
    mistaken_levels,
)
from goldwright.offline_agents.inquiries.checked_values import (
    checked_values,
    is_easily_said,
    other_errors,
    tried_calls,
    when_it_passes,
)
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.messages import is_said_once, is_telling, quoted
from goldwright.offline_agents.inquiries.near_misses import near_misses, under_others
from goldwright.offline_agents.inquiries.routes import (
    handling_of,
    outlook,
    raised_on,
    steps_of_callers,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    finding_at,
    intent_of,
    other_outcomes,
)
from goldwright.offline_agents.prose import write_prose
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Difficulty, Intent

MOST_CALLERS: Final = 3
# What follows from a check that nothing around it weakens.
_ABOUT_CALLS: Final = (OnlyCallers, CaughtFrom)
# More errors of one function are a list that nobody asks for.
MOST_OTHER_ERRORS: Final = 3

# What is asked beside "when", so that each fact of the answer is asked for.
_VALUES: Final = (
    'I\'m seeing "{message}". When is it raised, and where do the checked values come from?',
    'Which check raises "{message}", and which values does it compare?',
    'Why do I get "{message}"? Where do the values in that check come from?',
    'When is "{message}" raised, and where are the checked values set?',
    'Under which condition do I get "{message}", and how are the values in it computed?',
    'What check fails when I get "{message}", and where does it get its values?',
    '"{message}" - which check raises this, and which values does it look at?',
    'Where do the values come from that decide whether "{message}" is raised?',
    'How are the values computed that lead to "{message}", and what does the check require?',
)
_ARGUMENTS: Final = (
    'What does "{message}" mean, and which arguments cause it?',
    'I get "{message}". What is wrong with the arguments I passed?',
    'Got "{message}". Which arguments are checked, and what do they have to be?',
    '"{message}" - which arguments did I get wrong?',
    'Which arguments lead to "{message}", and under which condition?',
    'Why do I get "{message}"? Which arguments does the check look at?',
    'When is "{message}" raised, and which arguments does that depend on?',
    'How do I have to call this to avoid "{message}"? Which arguments are checked?',
)
_VALUES_AND_ARGUMENTS: Final = (
    'Which check raises "{message}", and where does it get its values?',
    '"{message}" - when is this raised, and which of the checked values are arguments?',
    'What decides whether I get "{message}", and which of those values do I pass in myself?',
    'When is "{message}" raised, and which of the checked values are arguments?',
    'I get "{message}". Is it caused by an argument or by something computed in the function?',
    'Why do I get "{message}"? Which values does the check use, and where do they come from?',
    'Under which condition is "{message}" raised, and are the checked values passed in?',
    'Got "{message}". What is checked, and where do those values come from?',
)
_VALUE_AND_REST: Final = (
    'I get "{message}". Which value is checked, and what happens otherwise?',
    'What triggers "{message}", and what does the code do otherwise?',
    'Got "{message}". Which value is checked, and what happens if it is fine?',
    'When is "{message}" raised, and what happens otherwise?',
    'Which check raises "{message}", and where does the checked value come from?',
    'Why do I get "{message}", and what would the code do otherwise?',
    'Under which condition do we raise "{message}", and what happens if it doesn\'t hold?',
    'Where does the value come from that leads to "{message}", and what happens if it is fine?',
)
_ARGUMENT_AND_REST: Final = (
    'I get "{message}". Which argument is wrong, and what happens if I pass a valid one?',
    '"{message}" - which argument causes it, and what happens otherwise?',
    'Got "{message}". Which argument is checked, and how?',
    'What did I pass wrong if I get "{message}", and what happens with a valid argument?',
    'When does my call end in "{message}"? Which argument is checked, and how?',
    'Which argument triggers "{message}", and what does the code do if it is valid?',
    'Why do I get "{message}"? Which argument is checked, and what happens otherwise?',
    'How is the argument checked that leads to "{message}", and what happens if it passes?',
)
_TRIED: Final = (
    'I get "{message}". Which step failed, and what happens if it succeeds?',
    '"{message}" - what fails before this is raised, and what happens otherwise?',
    'When is "{message}" raised? What was tried before, and what happens if that works?',
    'What goes wrong before "{message}" is raised, and what happens otherwise?',
    'Which call fails when I see "{message}", and what does the code do if it succeeds?',
    'Why do I get "{message}"? What did the code try, and what happens if that works?',
    'Got "{message}". Which call failed before that, and what happens if it doesn\'t?',
    'Under which condition is "{message}" raised, and what happens if nothing fails?',
)
_ERRORS: Final = (
    'I got "{message}". When does that happen, and which other errors does the same code raise?',
    'When is "{message}" raised, and which other errors does the same function raise?',
    'What triggers "{message}", and which other errors can the same function raise?',
    '"{message}" - when do I get this, and what else does the same function raise?',
    'We already handle "{message}". When is it raised, and what else does that function raise?',
    'When do I get "{message}", and which other errors does that code raise?',
    'Under which conditions does the function behind "{message}" raise its errors?',
    'Is "{message}" the only error that function raises? When is each one raised?',
)
_WITH_CALLERS: Final = (
    'Which functions call the check behind "{message}", and do they catch the error?',
    'Do the direct callers handle "{message}", and when is it raised?',
    'Who calls the code that raises "{message}", and is the error caught there?',
    'Which functions call the check for "{message}" directly, and when does it fail?',
    'Before I touch the check behind "{message}": who calls it, and do they catch the error?',
    'What triggers "{message}", who calls that code, and do they handle the error?',
    'Where is the code that raises "{message}" called, and is the error handled there?',
    'When is "{message}" raised, and what do the direct callers do with it?',
    'Which callers does "{message}" reach, and do they catch it?',
    'Trace "{message}" back one call: who calls the code that raises it, and is it caught there?',
)
_TWO_CALLS_UP: Final = (
    'Who calls the check behind "{message}"? Two levels up is enough.',
    'Which functions call the code behind "{message}"? Follow the callers two levels up.',
    'Trace "{message}" back two calls: who calls the code that raises it, and who calls those?',
    'Who calls the code that raises "{message}"? I need two levels of callers.',
    'Who is above the code that raises "{message}", two levels up, and when is it raised?',
    'What is the call path to the check for "{message}"? The last two calls are enough.',
    'Which functions call the check for "{message}"? Include the callers of the callers.',
    'Show me the callers of the code that raises "{message}", two levels up.',
    'Which two calls lead to the check behind "{message}", and when does it fail?',
    'From where is the check for "{message}" called? Go two callers up.',
)


_BACKGROUND: Final = ("what raises it", "the whole condition", "what belongs to the check")
_CALLERS: Final = ("what raises it", "the whole condition", "all callers", "what they catch")
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
                    yield Lead(
                        self.kind, entity_id, site.first, site.last, site.exception, site.message
                    )

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the condition with its background, or for the ways that lead there as well."""
        raised = raised_on(code, lead.subject, lead.first)
        if raised is None or not is_easily_said(raised.statement.conditions):
            return
        if not is_said_once(code, lead.words, lead.subject):
            return
        background = _background(code, raised)
        callers = code.closed_callers(lead.subject) or ()
        if background is not None:
            yield self._question("easy", lead, background.phrasings, _BACKGROUND, (lead.subject,))
        if not 1 <= len(callers) <= MOST_CALLERS:
            return
        direct = (lead.subject, *callers)
        if _handling(code, raised, lead.detail):
            yield self._question("medium", lead, _WITH_CALLERS, _CALLERS, direct)
            # Callers in several files are as far from the message as callers of callers.
            yield self._question("hard", lead, _WITH_CALLERS, _CALLERS, direct)
        further = callers_of_each(code, callers, MOST_CALLERS)
        if further is not None:
            targets = tuple(dict.fromkeys((*direct, *further)))
            yield self._question("hard", lead, _TWO_CALLS_UP, _FURTHER, targets)

    def _question(
        self,
        difficulty: Difficulty,
        lead: Lead,
        phrasings: tuple[str, ...],
        settles: tuple[str, ...],
        targets: tuple[str, ...],
    ) -> Question:
        return Question(
            cell=Cell("debug", difficulty),
            phrasings=phrasings,
            slots={"message": quoted(lead.words)},
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
        if len(targets) == 1:
            background = _background(code, raised)
            further = () if background is None else background.facts
        elif set(targets) <= {intent.subject, *callers}:
            handling = _handling(code, raised, intent.detail)
            tried = tried_calls(code, raised)
            callers_facts = facts_of_callers(code, (intent.subject,), targets)
            further = (*callers_facts, *handling, *tried) if callers_facts and handling else ()
        else:
            further = facts_of_callers(code, (intent.subject, *callers), targets)
        if not further:
            return None
        # Who asks for the callers is told of them first.
        if len(targets) > 1:
            return self._called(intent, targets, code, raised, further)
        neighbours = tuple(other_outcomes(code, raised))
        return AnswerPlan(
            parts=answer_parts(
                intent.subject,
                targets,
                subject_does="raises the error and holds its condition",
                others_do="is on the way to it",
            ),
            opening=_opening(raised.statement, path_of(intent.subject)),
            facts=(raised, *further),
            context=(*checked_values(code, raised), *neighbours),
            neighbours=neighbours,
            falsehoods=tuple(_mistakes(code, raised, neighbours)),
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
        """State the callers with what they do about the error, and then when it is raised."""
        assert isinstance(raised.statement, Raises)  # noqa: S101  # that is what was looked for
        neighbours = tuple(other_outcomes(code, raised))
        routes = [fact for fact in further if isinstance(fact.statement, _ABOUT_CALLS)]
        ends = [fact for fact in further if fact not in routes and fact.entity_id in targets[1:]]
        about_calls = [*routes, *ends]
        remaining_facts = [fact for fact in further if fact not in about_calls]
        calls = write_prose([fact.statement for fact in about_calls])
        return AnswerPlan(
            parts=answer_parts(
                intent.subject,
                targets,
                subject_does="raises the error and holds its condition",
                others_do="is on the way to it",
            ),
            opening=" ".join([*calls, _opening(raised.statement, path_of(intent.subject))]),
            facts=(raised, *about_calls, *remaining_facts),
            context=(*checked_values(code, raised), *neighbours),
            neighbours=neighbours,
            falsehoods=(*mistaken_levels(further), *_mistakes(code, raised, neighbours)),
            said_in_opening=1 + len(about_calls),
            closing=outlook([fact.statement for fact in about_calls]),
        )


@dataclass(frozen=True, slots=True)
class _Background:
    """What is worth asking about an error beside its condition.

    Attributes:
        phrasings: The questions that ask for it.
        facts: The answers.
    """

    phrasings: tuple[str, ...]
    facts: tuple[Finding, ...]


def _background(code: CodeContext, raised: Finding) -> _Background | None:
    """Find two things at least that complete a condition; None where there are none."""
    values = checked_values(code, raised)
    arguments = [value for value in values if isinstance(value.statement, ParameterDefault)]
    # That several arguments have to be given says too little by itself.
    is_enough = len(values) > 1 and not all(map(_must_be_given, values))
    passing_case = when_it_passes(code, raised)
    tried = tried_calls(code, raised)
    further_errors = other_errors(code, raised)
    if is_enough:
        mixed = _VALUES_AND_ARGUMENTS if arguments else _VALUES
        return _Background(_ARGUMENTS if len(arguments) == len(values) else mixed, values)
    if values and passing_case is not None:
        phrasings = _ARGUMENT_AND_REST if arguments else _VALUE_AND_REST
        return _Background(phrasings, (*values, passing_case))
    if tried and passing_case is not None:
        return _Background(_TRIED, (*tried, passing_case))
    if 1 < len(further_errors) <= MOST_OTHER_ERRORS:
        return _Background(_ERRORS, further_errors)
    return None


def _handling(code: CodeContext, raised: Finding, error: str) -> tuple[Finding, ...]:
    """State what each direct caller does with an error; nothing where that is unsure."""
    steps = steps_of_callers(code, raised.entity_id, raised.lines.start, error)
    return handling_of(code, steps, raised)


def _must_be_given(value: Finding) -> bool:
    return isinstance(value.statement, ParameterDefault) and not value.statement.default


def _mistakes(
    code: CodeContext, raised: Finding, neighbours: Sequence[Finding]
) -> Iterator[Finding]:
    yield from islice(under_others(code, raised, neighbours), 1)
    yield from islice(near_misses(code, raised), 1)


def _opening(statement: Raises, path: str) -> str:
    conditions = describe_conditions(statement.path)
    return (
        f"The error comes from `{statement.function}` in `{path}`, which raises "
        f"`{statement.error}` (“{statement.message}”) {conditions}."
    )
