"""Why asked: an error with a telling message. Asked: what has to be true for it to come up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import ClassVar, Final

from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, path_of
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
from goldwright.offline_agents.inquiries.routes import caught_by_callers, raised_on
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    finding_at,
    intent_of,
    other_outcomes,
)
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Difficulty, Intent

MOST_CALLERS: Final = 3
# More errors of one function are a list that nobody asks for.
MOST_OTHER_ERRORS: Final = 3

# What is asked beside "when", so that each fact of the answer is asked for.
_VALUES: Final = (
    'When is "{message}" raised, and where do the checked values come from?',
    'Which check raises "{message}", and what does it compare?',
    'Why do I get "{message}"?',
    'What causes "{message}"?',
    'Under which condition do I get "{message}"?',
    'How does "{message}" come about?',
    'I\'m seeing "{message}". What does the code check there?',
    '"{message}" - what exactly is being checked?',
)
_ARGUMENTS: Final = (
    'What does "{message}" mean, and which argument is wrong?',
    'I get "{message}". Which of my arguments is the problem?',
    'Which argument does the check behind "{message}" look at?',
    '"{message}" - what did I pass wrong?',
    'When is "{message}" raised, and which arguments decide that?',
    'Got "{message}". Which argument is checked, and how?',
)
_VALUES_AND_ARGUMENTS: Final = (
    'Which check raises "{message}", and which of its values do I pass in?',
    'What decides whether I get "{message}"?',
    'When is "{message}" raised, and which of the values come from the caller?',
    'I keep getting "{message}". Which values does the check look at?',
    '"{message}" - which condition is that, and where do its values come from?',
)
_VALUE_AND_REST: Final = (
    'When is "{message}" raised, and what happens otherwise?',
    'What triggers "{message}", and what does the code do if the check passes?',
    'Got "{message}". What is being checked there?',
    'Which check says "{message}", and what happens if it passes?',
    'Why do I get "{message}", and what would happen otherwise?',
)
_ARGUMENT_AND_REST: Final = (
    'I get "{message}". Which argument is it about, and what happens with a valid one?',
    'When is "{message}" raised, for which argument, and what happens otherwise?',
    'Which argument causes "{message}", and what does the function do with a valid one?',
    'What did I pass wrong if I get "{message}"?',
    'Got "{message}". Which argument is checked, and what happens if it is fine?',
)
_TRIED: Final = (
    'I get "{message}". Which step failed?',
    'What fails before "{message}" is raised, and what happens if it works?',
    'Which call has failed when I see "{message}"?',
    '"{message}" - what does the code try before it raises that?',
    'When is "{message}" raised, and what happens if the attempt succeeds?',
)
_ERRORS: Final = (
    'When is "{message}" raised, and which other errors can the same function raise?',
    'I got "{message}". What else can that function complain about?',
    'Which errors besides "{message}" does the same function raise, and when?',
    'What triggers "{message}", and which other errors are raised next to it?',
    'Apart from "{message}", what does that function refuse?',
    'We handle "{message}" already. Which other errors can that function raise?',
)
_WITH_CALLERS: Final = (
    'When is "{message}" raised, and who calls that code? Do they catch it?',
    'Which functions call the check behind "{message}", and do they catch the error?',
    'Trace "{message}" back one call: when is it raised, and who calls that code?',
    'Before I change the check behind "{message}": when does it fail, and who calls it?',
    'Which callers run into "{message}", and does any of them catch it?',
    'I need to know what raises "{message}", and whether its callers handle it.',
    'What raises "{message}", and which functions call that?',
)
_TWO_CALLS_UP: Final = (
    'Trace "{message}" two calls back: when is it raised, and who leads there?',
    'Which call chains lead to "{message}"? Two levels up is enough.',
    'When is "{message}" raised? List the callers two levels up.',
    'How do we get to "{message}"? Follow the callers two levels up.',
    'Show me what calls the code behind "{message}", and what calls those functions.',
    'Who calls the function that raises "{message}", and who calls its callers?',
    'What has to happen for "{message}", and through which callers do we get there?',
)


_SETTLES: Final[Mapping[Difficulty, tuple[str, ...]]] = {
    "easy": ("what raises it", "the whole condition", "what belongs to the check"),
    "medium": ("what raises it", "the whole condition", "all callers", "what they catch"),
    "hard": ("what raises it", "the whole condition", "all callers", "the callers of these"),
}
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
            yield self._question("easy", lead, background.phrasings, (lead.subject,))
        if not 1 <= len(callers) <= MOST_CALLERS:
            return
        if caught_by_callers(code, raised, lead.detail) is not None:
            yield self._question("medium", lead, _WITH_CALLERS, (lead.subject, *callers))
        further = _callers_of_each(code, callers)
        if further is not None:
            targets = tuple(dict.fromkeys((lead.subject, *callers, *further)))
            yield self._question("hard", lead, _TWO_CALLS_UP, targets)

    def _question(
        self,
        difficulty: Difficulty,
        lead: Lead,
        phrasings: tuple[str, ...],
        targets: tuple[str, ...],
    ) -> Question:
        return Question(
            cell=Cell("debug", difficulty),
            phrasings=phrasings,
            slots={"message": quoted(lead.words)},
            targets=targets,
            intent=intent_of(lead, _SETTLES[difficulty]),
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
            handling = caught_by_callers(code, raised, intent.detail) or ()
            tried = tried_calls(code, raised)
            further = (*tried, *_callers_facts(code, (intent.subject,), targets), *handling)
        else:
            further = _callers_facts(code, (intent.subject, *callers), targets)
        if not further:
            return None
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
            falsehoods=(*_wrong_levels(further), *_mistakes(code, raised, neighbours)),
            said_in_opening=1,
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
    rest = when_it_passes(code, raised)
    tried = tried_calls(code, raised)
    others = other_errors(code, raised)
    if is_enough:
        mixed = _VALUES_AND_ARGUMENTS if arguments else _VALUES
        return _Background(_ARGUMENTS if len(arguments) == len(values) else mixed, values)
    if values and rest is not None:
        phrasings = _ARGUMENT_AND_REST if arguments else _VALUE_AND_REST
        return _Background(phrasings, (*values, rest))
    if tried and rest is not None:
        return _Background(_TRIED, (*tried, rest))
    if 1 < len(others) <= MOST_OTHER_ERRORS:
        return _Background(_ERRORS, others)
    return None


def _must_be_given(value: Finding) -> bool:
    return isinstance(value.statement, ParameterDefault) and not value.statement.default


def _callers_of_each(code: CodeContext, callers: Sequence[str]) -> tuple[str, ...] | None:
    """Give the callers of some functions; None where one has none that are known, or too many."""
    further: list[str] = []
    for caller in callers:
        above = code.closed_callers(caller)
        if not above or len(above) > MOST_CALLERS:
            return None
        further.extend(above)
    return tuple(further)


def _callers_facts(
    code: CodeContext, callees: Sequence[str], targets: Sequence[str]
) -> tuple[Finding, ...]:
    """State who calls each of some functions; nothing where one of them cannot be told."""
    facts = [callers_of(code, callee, targets) for callee in callees]
    told = [fact for fact in facts if fact is not None]
    return tuple(told) if len(told) == len(facts) else ()


def _wrong_levels(facts: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the callers of a caller as the direct ones: a level is easily skipped."""
    sets = [fact for fact in facts if isinstance(fact.statement, OnlyCallers)]
    for fact, above in islice(pairwise(sets), 1):
        direct, further = set(fact.statement.members), above.statement.members
        if direct.isdisjoint(further):
            yield fact.refuting(fact.statement.with_members(further))


def _mistakes(
    code: CodeContext, raised: Finding, neighbours: Sequence[Finding]
) -> Iterator[Finding]:
    yield from islice(under_others(code, raised, neighbours), 1)
    yield from islice(near_misses(code, raised), 1)


def _opening(statement: Raises, path: str) -> str:
    conditions = describe_conditions(statement.path)
    return (
        f"It comes from `{statement.function}` in `{path}`, which raises `{statement.error}` "
        f"with the message “{statement.message}” {conditions}."
    )
