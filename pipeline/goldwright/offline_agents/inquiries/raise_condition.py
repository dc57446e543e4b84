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
    'I\'m seeing "{message}". When is it raised, and where do the values in that check come from?',
    'Which check raises "{message}", and what are the values that it compares?',
    'Why do I get "{message}"? I would like to know where the values come from that it looks at.',
    'How can it come to "{message}"? Tell me the check and the source of what it looks at.',
    'Under which condition do I get "{message}", and how are the values in that condition made?',
    'Someone reported "{message}". Which check is that, and where does it get its values?',
    '"{message}" - when exactly, and which values decide that?',
    'What leads to "{message}"? Give me the test and the origin of everything in it.',
)
_ARGUMENTS: Final = (
    'What does "{message}" mean, and which arguments of the call are behind it?',
    'I get "{message}". What is wrong with the arguments that I passed?',
    'Got "{message}". Which arguments does the check look at, and what do they have to be?',
    '"{message}" - what did I pass wrong, and when exactly is this raised?',
    'Which arguments lead to "{message}"? I need the condition and how they get into it.',
)
_VALUES_AND_ARGUMENTS: Final = (
    'Which check raises "{message}", and where does it get its values: passed in, or made there?',
    '"{message}" - when exactly, and what of that is passed in by the caller?',
    'What decides whether I get "{message}"? Tell me which part of it I pass myself.',
    'When is "{message}" raised, and which of the values in that check are arguments?',
)
_VALUE_AND_REST: Final = (
    'I get "{message}". When is it raised, what is the checked value, and what if that is fine?',
    'What triggers "{message}", which value is that about, and what does the code do otherwise?',
    'Got "{message}". What is checked there, where was that set, and what happens if it is fine?',
    'When does "{message}" come up? Please add where the value comes from, and the other case.',
    'Which check says "{message}", what does it look at, and how does it go on if it passes?',
)
_ARGUMENT_AND_REST: Final = (
    'I get "{message}". Which argument is it about, and what happens if I pass a good one?',
    '"{message}" - when is it raised, by which argument, and what happens otherwise?',
    'Got "{message}". Which argument is checked, and how does it go on if the check passes?',
    'What did I pass wrong if I get "{message}", and what would the code do with a good argument?',
    'When does my call end in "{message}"? I need the argument, the check, and the way on.',
)
_TRIED: Final = (
    'I get "{message}". Which step has failed then, and how would it go on otherwise?',
    '"{message}" - what is tried before that, and what happens if it works?',
    'When does "{message}" come up? Tell me what was tried and what would have followed.',
    'What goes wrong before "{message}" is raised, and what would come if it did not?',
    'Which call fails if I see "{message}", and what does the code do if it succeeds?',
)
_ERRORS: Final = (
    'I got "{message}". When does that happen, and what else can the same code complain about?',
    'When is "{message}" raised, and which other errors does that code raise itself?',
    'What triggers "{message}", and which other errors can come from the same place?',
    'Apart from "{message}", which errors does the code raise that says it? And when each of them?',
    'We handle "{message}" already. When does it come, and what else is raised next to it?',
    'Which mistakes does the code refuse that says "{message}"? I need all of them.',
)
_WITH_CALLERS: Final = (
    'Which functions call the check behind "{message}", when does it fire, and do they catch it?',
    'Trace "{message}" back one call: what raises it and when, who calls that, and is it caught?',
    'When is "{message}" raised, who calls the code that does it, and what becomes of it there?',
    'Which direct callers can run into "{message}", under which condition, and does one catch it?',
    'Before I touch the check behind "{message}": when does it fire, who calls it, who catches it?',
    'I can\'t tell who sets off "{message}". When does it come, who calls there, and do they cope?',
)
_TWO_CALLS_UP: Final = (
    'Trace "{message}" two calls back: when is it raised, who calls that, and who calls those?',
    'Through which functions does one get to "{message}", two calls up, and when is it raised?',
    'When is "{message}" raised? Name the functions that lead there, callers of callers included.',
    'I need the way to "{message}": its condition, the direct callers, and who calls them.',
    'Which functions lead to "{message}" within two calls, and what has to be true for it?',
    'Show me the last two calls before "{message}": all functions that make them, and the check.',
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
