"""Why asked: an error that callers may not expect. Asked: whether all of them cope with it."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar, Final, NamedTuple

from goldwright.code_reading.error_routes import ErrorStep
from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.checked_values import checked_values
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
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
from goldwright.offline_agents.inquiries.mistaken_routes import (
    MOST_CALLERS_ABOVE,
    routes_mistaken,
)
from goldwright.offline_agents.inquiries.near_misses import near_misses
from goldwright.offline_agents.inquiries.routes import (
    caught_from,
    done_in_clause,
    handling_of,
    may_be_caught_above,
    raised_on,
    steps_of_callers,
    steps_one_call_further,
    ways_up,
    where_raised,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    asked_parts,
    callers_of,
    each_once,
    finding_at,
    inside_sentence,
    intent_of,
    other_outcomes,
)
from goldwright.offline_agents.prose.prose_writing import write_prose
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Difficulty, Intent

MOST_CALLERS: Final = 5

# All of them ask about the functions that call there, and of no other: an error that they let
# through may be caught further up. They are asked so that "no" means: none of these catches it.
_PHRASINGS: Final = (
    'Does any direct caller catch the {error} "{message}", or does it just pass through?',
    'Do the direct callers catch the {error} "{message}"?',
    'Do the direct callers catch the {error} "{message}", or do they let it through?',
    'Reviewing error handling: do the direct callers catch the {error} "{message}"?',
)
_TWO_LEVELS: Final = (
    'Is the {error} "{message}" caught by the direct callers, or one level above them?',
    'If we raise the {error} "{message}", is it caught in the next two frames of the call stack?',
    'I am reviewing our error handling. Do the callers catch the {error} "{message}", or theirs?',
    'Do the callers catch the {error} "{message}"? If they do not, does the next level up?',
    'Will the {error} "{message}" be caught one or two levels up the call stack?',
    'We raise the {error} "{message}". Does anything catch it one or two calls further up?',
)
_WHOLE_WAY: Final = (
    'Does anything catch the {error} "{message}", and where?',
    'Does something up the call stack catch the {error} "{message}"?',
    'What ends up catching the {error} "{message}"?',
    'Reviewing our error handling: who catches the {error} "{message}"?',
    'Is the {error} "{message}" always caught somewhere up the call stack? Where?',
    'Where does the {error} "{message}" end up? Is it caught?',
)


class _CopingQuestion(NamedTuple):
    """How difficult a question is, what it asks for, and how it can be worded."""

    difficulty: Difficulty
    targets: tuple[str, ...]
    phrasings: tuple[str, ...]


class CallerCoping(Inquiry):
    """Do the callers of a function cope with the error that it raises?"""

    kind: ClassVar[str] = "caller_coping"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("review", "medium"), Cell("review", "hard"))

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
        """Ask about all callers, where they are known and few; and about those one call above."""
        raised = raised_on(code, lead.subject, lead.first)
        if raised is None or not is_easily_said(raised.statement.conditions):
            return
        steps = steps_of_callers(code, lead.subject, lead.first, lead.detail)
        if not 1 <= len(steps) <= MOST_CALLERS or not is_said_once(code, lead.words, lead.subject):
            return
        settles = ("the error and its condition", "all callers", "what each of them catches")
        way = ways_up(code, lead.subject, lead.first, lead.detail)
        if not way and may_be_caught_above(code, steps, lead.subject, lead.detail):
            return
        callers = [step.caller for step in steps]
        targets = each_once([lead.subject], callers)
        above = steps_one_call_further(code, steps, lead.subject, lead.detail)
        callers_above = [step.caller for step in above]
        callers_and_above = each_once(targets, callers_above)
        coping_questions = [_CopingQuestion("medium", targets, _PHRASINGS)]
        if _takes_reading(steps, targets):
            coping_questions.append(_CopingQuestion("hard", targets, _PHRASINGS))
        if len(targets) < len(callers_and_above) and len(above) <= MOST_CALLERS_ABOVE:
            coping_questions.append(_CopingQuestion("hard", callers_and_above, _TWO_LEVELS))
        if way:
            whole = (lead.subject, *(step.caller for step in way))
            coping_questions = [
                _CopingQuestion("medium", whole, _WHOLE_WAY),
                _CopingQuestion("hard", whole, _WHOLE_WAY),
            ]
        slots = {"message": quoted(lead.words), "error": spoken_error(lead.detail)}
        # Whoever asks what the direct callers do wants to know where it ends.
        score = 0.95 if way else 0.5
        for difficulty, question_targets, phrasings in coping_questions:
            yield Question(
                cell=Cell("review", difficulty),
                phrasings=phrasings,
                slots=slots,
                targets=question_targets,
                intent=intent_of(lead, settles),
                score=score,
                rationale="Every caller has to be found, and what stands around its call read.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Give the verdict, the condition, the callers, and what each of them catches."""
        raised = finding_at(code, intent, (Raises,))
        callers = callers_of(code, intent.subject, targets)
        if raised is None or callers is None:
            return None
        line = intent.lines.start
        way = ways_up(code, intent.subject, line, intent.detail)
        if way and {intent.subject, *(step.caller for step in way)} == set(targets):
            return _answer_whole_way(code, raised, callers, way, targets)
        return _answer_by_levels(code, raised, callers, intent, targets)


def _answer_whole_way(
    code: CodeContext,
    raised: Finding,
    callers: Finding,
    way: Sequence[ErrorStep],
    targets: Sequence[str],
) -> AnswerPlan | None:
    """Say who catches it in the end, what comes of it there, and what it passes on its way."""
    statement = raised.statement
    catching = [step for step in way if step.clause]
    passing = [step for step in way if not step.clause]
    handling = handling_of(code, catching, raised)
    if not handling or not isinstance(statement, Raises):
        return None
    passages = [caught_from(step, raised) for step in passing]
    above = [callers_of(code, step.caller, targets) for step in passing]
    if None in above:
        return None
    callers_above = [fact for fact in above if fact is not None]
    told_first = [raised, *handling, *passages]
    facts = [*told_first, callers, *callers_above]
    parts = _parts_of_way(raised.entity_id, way)
    end_of_way = _end_of_way(passing, handling)
    opening = f"{end_of_way} {where_raised(statement, raised.entity_id)}"
    neighbours = tuple(other_outcomes(code, raised))
    context = (*checked_values(code, raised), *neighbours)
    mistakes = _mistakes(code, raised, facts)
    return AnswerPlan(
        parts=parts,
        opening=opening,
        facts=tuple(facts),
        context=context,
        neighbours=neighbours,
        falsehoods=tuple(mistakes),
        said_in_opening=len(told_first),
        affirms=True,
    )


def _parts_of_way(subject: str, steps: Sequence[ErrorStep]) -> tuple[AnswerPart, ...]:
    """List who catches the error, which is what is asked, then its way there and its origin."""
    catching = [step.caller for step in steps if step.clause]
    passing = [step.caller for step in steps if not step.clause]
    ends = [answer_part(caller, "primary", "catches the error") for caller in catching]
    way = [answer_part(caller, "supporting", "lets the error through") for caller in passing]
    return (*ends, *way, answer_part(subject, "supporting", "raises the error"))


def _end_of_way(passing: Sequence[ErrorStep], handling: Sequence[Finding]) -> str:
    """Say in a sentence who catches an error, and what that one does about it."""
    ends: list[str] = []
    for fact in handling:
        caught = fact.statement
        if isinstance(caught, CaughtFrom):
            ends.append(f"in `{caught.caller}`, which catches it with `except {caught.clause}`")
        else:
            ends[-1] += f" and {done_in_clause(fact)}"
    sentence = f"It ends {', and '.join(ends)}"
    if not passing:
        return f"{sentence}."
    names = join_code([name_of(step.caller) for step in passing])
    return f"{sentence}, after it has passed through {names}."


def _answer_by_levels(
    code: CodeContext,
    raised: Finding,
    callers: Finding,
    intent: Intent,
    targets: tuple[str, ...],
) -> AnswerPlan | None:
    """Say of the direct callers, and of those above them where they are asked for, who catches."""
    if not isinstance(raised.statement, Raises):
        return None
    line = intent.lines.start
    steps = steps_of_callers(code, intent.subject, line, intent.detail)
    if not steps:
        return None
    above: tuple[ErrorStep, ...] = ()
    if not set(targets) <= {intent.subject, *(step.caller for step in steps)}:
        above = steps_one_call_further(code, steps, intent.subject, intent.detail)
    handling = handling_of(code, steps, raised)
    handling_above = handling_of(code, above, raised)
    if not handling or (above and not handling_above):
        return None
    fates = [fact for fact in handling if _is_fate(fact)]
    outcomes = [fact for fact in handling if not _is_fate(fact)]
    about_calls = [callers, *fates]
    facts = [raised, *about_calls, *outcomes]
    for step in steps:
        callers_above = callers_of(code, step.caller, targets) if above else None
        if callers_above is not None and not step.clause:
            facts.append(callers_above)
    facts.extend(handling_above)
    neighbours = tuple(other_outcomes(code, raised))
    context = (*checked_values(code, raised), *neighbours)
    sentences = list(write_prose([fact.statement for fact in about_calls]))
    # Where one sentence says who calls it and what they do about it, the verdict is in it.
    is_whole = not above and len(sentences) == 1
    verdict = _verdict_above(steps, above) if above else _verdict(steps)
    if is_whole:
        what_they_do = inside_sentence(sentences[0])
        verdict = f"{_yes_or_no(steps)}: {what_they_do}"
    origin = where_raised(raised.statement, intent.subject)
    parts = asked_parts(
        [intent.subject], targets, asked_do="is on its way up", given_is="raises the error"
    )
    said_in_opening = 1 + len(about_calls) if is_whole else 1
    mistakes = _mistakes(code, raised, facts)
    return AnswerPlan(
        parts=parts,
        opening=f"{verdict} {origin}",
        facts=tuple(facts),
        context=context,
        neighbours=neighbours,
        falsehoods=tuple(mistakes),
        said_in_opening=said_in_opening,
    )


def _takes_reading(steps: Sequence[ErrorStep], targets: Sequence[str]) -> bool:
    """Find out whether callers differ in what they do, or stand far from one another."""
    ways_to_cope = {bool(step.clause) for step in steps}
    files = set(map(path_of, targets))
    is_spread = len(files) > 2
    return len(ways_to_cope) > 1 or is_spread


def _is_fate(finding: Finding) -> bool:
    return isinstance(finding.statement, CaughtFrom)


def _mistakes(code: CodeContext, raised: Finding, facts: Sequence[Finding]) -> Iterator[Finding]:
    """Yield that somebody catches it who does not, or the reverse; and a condition misread."""
    yield from routes_mistaken(code, facts)
    yield from islice(near_misses(code, raised), 1)
    yield from said_elsewhere(code, raised)


def _verdict_above(steps: Sequence[ErrorStep], above: Sequence[ErrorStep]) -> str:
    """Say in one sentence who copes within two calls."""
    catching = _names_of_catching((*steps, *above))
    passing = dict.fromkeys(_names_of_passing(steps))
    open_above = dict.fromkeys(_names_of_passing(above))
    passage = f"it passes through {join_code(list(passing))}"
    if not catching:
        return "No, neither the direct callers nor those that call them catch it."
    catches = "catches" if len(catching) == 1 else "catch"
    caught_by = f"{join_code(catching)} {catches} it"
    if not open_above:
        return f"Yes: {passage}, but {caught_by}."
    lets = "lets" if len(open_above) == 1 else "let"
    listed = join_code(list(open_above))
    exceptions = f"{listed} {lets} it through"
    return f"Not everywhere: {passage}; {caught_by}, but {exceptions}."


def _names_of_catching(steps: Sequence[ErrorStep]) -> list[str]:
    return [name_of(step.caller) for step in steps if step.clause]


def _names_of_passing(steps: Sequence[ErrorStep]) -> list[str]:
    return [name_of(step.caller) for step in steps if not step.clause]


def _yes_or_no(steps: Sequence[ErrorStep]) -> str:
    caught = [bool(step.clause) for step in steps]
    if all(caught):
        return "Yes"
    return "Not everywhere" if any(caught) else "No"


def _verdict(steps: Sequence[ErrorStep]) -> str:
    """Say in one sentence who copes."""
    passing = _names_of_passing(steps)
    catching = _names_of_catching(steps)
    if not catching:
        if len(passing) == 1:
            return f"No, `{passing[0]}` lets it through."
        if len(passing) == 2:  # neither and nor are for two
            first, second = passing
            return f"No, neither `{first}` nor `{second}` catches it."
        return f"No, none of {join_code(passing)} catches it."
    catches = "catches" if len(catching) == 1 else "catch"
    if not passing:
        return f"Yes, {join_code(catching)} {catches} it."
    lets = "lets" if len(passing) == 1 else "let"
    caught_by = f"{join_code(catching)} {catches} it"
    exceptions = f"{join_code(passing)} {lets} it through"
    return f"Not everywhere: {caught_by}, but {exceptions}."
