"""Why asked: a warning that something is on its way out. Asked: what sets it off, what is next."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.code_reading.warning_advice import split_advice
from goldwright.code_reading.warning_calls import warning_sites
from goldwright.offline_agents.code_context import CodeContext, path_of
from goldwright.offline_agents.inquiries import consequences
from goldwright.offline_agents.inquiries.checked_values import causes_of
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.message_words import is_said_once, is_telling, quoted
from goldwright.offline_agents.inquiries.mistaken_functions import said_elsewhere
from goldwright.offline_agents.inquiries.near_misses import near_misses
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of,
    find_statements,
    finding_at,
    intent_of,
)
from goldwright.offline_agents.statements.advises import Advises
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.warns import Warns
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_OUTCOMES: Final = 2
MOST_CALLERS: Final = 4

_ADVICE_WANTED: Final = (
    'I get the warning "{message}". What triggers it, and what should I use instead?',
    'How do I get rid of "{message}"? What triggers it, and what is the replacement?',
    'What triggers "{message}", and what should I change?',
    'Why do I get the warning "{message}", and what should I use instead?',
    'When do we warn "{message}", and what is advised instead?',
    'Which use triggers "{message}", and does the old way still work?',
    '"{message}" - what triggers this warning, and what should I use instead?',
    'Does the old way still work after "{message}"? What should I use instead?',
    'Can I ignore "{message}" for now? What triggers it, and what is the replacement?',
)
_GENERAL: Final = (
    'I see the warning "{message}". When is it given, and what does the code do after it?',
    'Is "{message}" something to act on now? What happens if I ignore it?',
    'When do we warn "{message}", and what happens then?',
    'What is behind the warning "{message}", and does anything break?',
    'We want to silence "{message}". When is it given, and what happens after it?',
    'Should I worry about "{message}"? When is it given, and what happens then?',
    'Why do I get the warning "{message}", and what does the code do after it?',
    'What triggers the warning "{message}", and what does the code do next?',
)
_WITH_CALLERS: Final = (
    'Which code calls the function that warns "{message}", and when does it warn?',
    'Explain the warning "{message}": when is it given, and who calls that code?',
    'Which calls lead to the warning "{message}", and what happens after it?',
    'Who calls the code behind the warning "{message}", and what does it do after warning?',
    'How do we get to the warning "{message}"? Which functions call that code?',
    'When is the warning "{message}" given, and who calls the code that gives it?',
    'What triggers the warning "{message}", and from where is that code called?',
    'Where does the warning "{message}" come from, and which functions call that code?',
)
_BY_TASK_TYPE: Final = {"debug": _ADVICE_WANTED, "general": _GENERAL, "explain": _WITH_CALLERS}
_OUTCOMES: Final = (Returned, Raises, Assigned)
_CATEGORY: Final = re.compile(r"Deprecat|RemovedIn|FutureWarning")


class Deprecation(Inquiry):
    """What is on its way out, and what takes its place?"""

    kind: ClassVar[str] = "deprecation"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("debug", "easy"),
        Cell("general", "easy"),
        Cell("explain", "medium"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the warnings about what will go, with a telling complaint."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            for site in warning_sites(module, function):
                complaint, advice = split_advice(site.message)
                sentence = complaint.partition(". ")[0]
                complaint = sentence if is_telling(sentence) else complaint
                is_about_end = _CATEGORY.search(site.category) is not None
                if (
                    is_about_end
                    and "`" not in site.message
                    and site.path is not None
                    and is_telling(complaint)
                ):
                    entity_id = f"{module.path}::{name}"
                    yield Lead(self.kind, entity_id, site.first, site.last, advice, complaint)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the trigger and the replacement, or for those who get there."""
        message = quoted(lead.words)
        callers = code.closed_callers(lead.subject) or ()
        if gives_away(message, (lead.subject, *callers)):
            return
        if not is_said_once(code, lead.words, lead.subject):
            return
        settles = ("when the warning is given", "what to do instead", "what happens then")
        for cell in self.cells:
            is_alone = cell.difficulty == "easy"
            if not is_alone and not 0 < len(callers) <= MOST_CALLERS:
                continue
            if cell.task_type == "debug" and not lead.detail:
                # Nothing in the code says what to use instead.
                continue
            targets = (lead.subject,) if is_alone else (lead.subject, *callers)
            yield Question(
                cell=cell,
                phrasings=_BY_TASK_TYPE[cell.task_type],
                slots={"message": message},
                targets=targets,
                intent=intent_of(lead, settles),
                score=0.9,
                rationale="The warning and its condition stand in one function.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the warning with its condition, its advice, and what the code does then."""
        warning = finding_at(code, intent, (Warns,))
        if warning is None or not isinstance(warning.statement, Warns):
            return None
        statement = warning.statement
        advice = finding_at(code, intent, (Advises,))
        then = list(_outcomes_after(code, intent, warning))
        causes = causes_of(code, warning)
        callers = callers_of(code, intent.subject, targets)
        if not then or not is_easily_said(statement.path) or (len(targets) > 1 and callers is None):
            return None
        facts = [warning]
        if advice is not None:
            facts.append(advice)
        facts.extend(then[:1])
        if callers is not None and len(targets) > 1:
            facts.append(callers)
        if len(facts) <= MOST_OUTCOMES:
            facts.extend(causes[:1])
            facts.extend(then[1:MOST_OUTCOMES])
        outcomes = tuple(find_statements(code, intent.subject, _OUTCOMES))
        other_warnings = tuple(find_statements(code, intent.subject, (Warns, Advises)))
        parts = answer_parts(
            intent.subject,
            targets,
            subject_does="gives the warning",
            others_do="calls it",
            others_role="primary",
        )
        opening = _opening(statement, path_of(intent.subject))
        context = (*causes, *outcomes)
        neighbours = (*other_warnings, *outcomes)
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=context,
            neighbours=neighbours,
            falsehoods=tuple(_mistakes(code, warning)),
            said_in_opening=1,
            closing=consequences.WARNING_ALONE,
        )


def _mistakes(code: CodeContext, warning: Finding) -> Iterator[Finding]:
    """Yield that it comes under a condition nearly its own, or out of a neighbour.

    Not that it is raised: people say so of warnings, and mean that it is given.
    """
    yield from islice(near_misses(code, warning), 1)
    yield from said_elsewhere(code, warning)


def _outcomes_after(code: CodeContext, intent: Intent, warning: Finding) -> Iterator[Finding]:
    """Find what the function does below the warning, on the same way or on every way."""
    assert isinstance(warning.statement, Warns)  # noqa: S101  # that is what was looked for
    path = warning.statement.path
    for finding in find_statements(code, intent.subject, _OUTCOMES):
        statement = finding.statement
        if finding.lines.start <= warning.lines.end:
            continue
        if isinstance(statement, Returned | Raises | Assigned):
            is_result = isinstance(statement, Returned | Raises)
            own_path = statement.path
            is_start_of_path = path[: len(own_path)] == own_path
            is_on_way = is_result and is_start_of_path
            starts_with_path = own_path[: len(path)] == path
            is_because_of_it = starts_with_path and path != ()
            if is_on_way or is_because_of_it:
                yield finding


def _opening(statement: Warns, path: str) -> str:
    conditions = describe_conditions(statement.path) or "every time it is called"
    place = f"`{statement.function}` in `{path}`"
    message = statement.message.rstrip(".")
    return f"{place} gives that `{statement.category}` {conditions}: “{message}”."
