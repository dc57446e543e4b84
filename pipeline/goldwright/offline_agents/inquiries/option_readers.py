"""Why asked: a setting or another name that is read once. Asked: what it changes, step by step."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.effects import (
    calls_among,
    denials,
    descriptions,
    distinct_sentences,
    effects_of_literal,
    follow,
    lookups_among,
    near,
)
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.mistaken_functions import (
    MistakenFunction,
    mistaken_function,
)
from goldwright.offline_agents.inquiries.outside_names import (
    CHECKED,
    is_exported,
    name_leads,
    noun_of,
    use_in,
    users_denied,
    users_finding,
    users_of,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of_all,
    each_once,
    intent_of,
    with_its_file,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.stored import Stored
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 3
# Each target is a fact of its own, and the effects need room beside them.
MOST_TARGETS: Final = 6
FEWEST_EFFECTS: Final = 2
# What comes after that has little to do with the name any more.
MOST_EFFECTS: Final = 4

_ONE_FUNCTION: Final = (
    "What does the {noun} {literal} do?",
    "What difference does the {noun} {literal} make?",
    "How is the {literal} {noun} used?",
    "How does the code handle the {noun} {literal}?",
    "Explain the effect of the {literal} {noun}.",
    "What is the {literal} {noun} used for?",
    "Which effect does the {noun} {literal} have?",
    "Can you explain what the {noun} {literal} does?",
    "Does the {noun} {literal} have any effect, and which?",
    "In what way does the {noun} {literal} change the behaviour?",
    "Walk me through how the {literal} {noun} is handled.",
)
_WHAT_IS_CHECKED: Final = (
    "How does the code handle the {noun} {literal}?",
    "What is done with the {noun} {literal}?",
    "Is the {noun} {literal} handled in a way of its own, and how?",
    "Walk me through how the {literal} {noun} is handled.",
)
_TO_CALLERS: Final = (
    "What does the {noun} {literal} change, and which callers use the result?",
    "Who reads the {literal} {noun}, and what do the callers do with the result?",
    "Which function reads the {noun} {literal}, and who uses its result?",
    "How is the {literal} {noun} read, and what do the callers do with the result?",
    "Where is the {noun} {literal} read, and which functions use the result?",
    "Explain how the {literal} {noun} is read and which callers use the result.",
    "Walk me through how the {noun} {literal} is read and used by the callers.",
    "Follow the {noun} {literal} from where it is read to the functions that use the result.",
)
_FROM_CALLERS: Final = (
    "Which code reads the {noun} {literal}, and who calls it?",
    "Where is the {noun} {literal} read, and which functions call that code?",
    "How is the {literal} {noun} used, and who calls that code?",
    "What is the {noun} {literal} used for, and who calls the code that reads it?",
    "Who reads the {literal} {noun}, and which functions call that code?",
    "Explain how the {noun} {literal} is used and who calls that code.",
    "What does the {literal} {noun} do, and which calls lead to that code?",
    "In which function is the {noun} {literal} read, and which calls lead there?",
)


class OptionReaders(Inquiry):
    """What does a name of the outside world change, and where?"""

    kind: ClassVar[str] = "option_readers"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("explain", "easy"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the names of the outside world that functions look up."""
        yield from name_leads(self.kind, module)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask what it changes in its reader, in the callers of that, and in theirs."""
        use = use_in(code, lead.detail, lead.subject, lead.first)
        if use is None or use.manner != "read":
            return
        noun = noun_of(lead.detail, use.receiver)
        if not _is_only_user(code, lead.detail, noun, lead.subject):
            return
        callers = code.closed_callers(lead.subject) or ()
        further = callers_of_all(code, callers[:MOST_CALLERS], MOST_CALLERS)
        direct = (lead.subject, *callers)
        both_levels = each_once(direct, further)
        sets = ((lead.subject,), direct, both_levels)
        for cell, targets in zip(self.cells, sets, strict=True):
            # Nobody reads a file or a media type on behalf of a caller.
            has_callers = len(targets) > 1 and noun not in CHECKED
            if has_callers == (cell.difficulty == "easy"):
                continue
            if len(targets) <= MOST_TARGETS and are_joined(code, targets, by_calls=True):
                yield self._question(cell, lead, noun, targets, code)

    def _question(
        self, cell: Cell, lead: Lead, noun: str, targets: tuple[str, ...], code: CodeContext
    ) -> Question:
        phrasings: tuple[str, ...] = _WHAT_IS_CHECKED if noun in CHECKED else _ONE_FUNCTION
        score = 0.75
        if len(targets) > 1:
            uses = effects_of_literal(code, lead.subject, lead.detail)
            followed = _followed(code, uses)
            is_returned = _is_returned((*uses, *followed))
            callers = code.closed_callers(lead.subject) or ()
            are_direct = set(targets[1:]) <= set(callers)
            phrasings = _TO_CALLERS if is_returned and are_direct else _FROM_CALLERS
            # Who gets no more than a call out of it is asked for less often.
            score = 0.75 if is_returned else 0.55
        settles = ("who reads it", "what depends on it", "who uses that")
        return Question(
            cell=cell,
            phrasings=phrasings,
            slots={"noun": noun, "literal": lead.detail},
            targets=targets,
            intent=intent_of(lead, settles),
            score=score,
            rationale="The name stands in one function; what it changes has to be followed.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who reads it, what is done with it, and what the callers do with that."""
        line = intent.lines.start
        use = use_in(code, intent.detail, intent.subject, line)
        if use is None:
            return None
        noun = noun_of(intent.detail, use.receiver)
        reading = _reading(code, intent, noun, targets)
        calls = calls_among(code, intent.subject, targets)
        if reading is None or calls is None:
            return None
        uses, followed = reading
        callers = calls
        if _is_returned((*uses, *followed)):
            results = _made_of_results(code, calls[1:])
            callers = [*calls, *results]
        users = users_finding(code, intent.detail, (intent.subject,), line)
        room = MOST_FACTS - 1 - len(callers)
        most_effects = max(1, min(room, MOST_EFFECTS))
        effects = _foremost([*uses, *followed], most_effects)
        effects_nearby = near(code, intent.subject, users.lines)
        falsehoods = distinct_sentences(denials(effects, effects_nearby))[:2]
        has_callers = len(targets) > 1
        if has_callers:
            wrong_place: MistakenFunction | None = MistakenFunction(targets[1], is_likely=True)
        else:
            wrong_place = mistaken_function(code, intent.detail, [intent.subject])
        if wrong_place is not None:
            falsehoods.append(users_denied(users, wrong_place))
        # What comes first is what the opening states.
        first_effect = effects[0]
        is_deed = predicate_of(first_effect.statement) != ""
        said = (first_effect, users) if is_deed else (users, first_effect)
        parts = answer_parts(
            intent.subject, targets, subject_does="reads it", others_do="leads there"
        )
        opening = _opening(noun, intent.detail, users, first_effect)
        facts = (*said, *effects[1:], *callers)
        context = (*uses, *followed, *descriptions(code, intent.subject), *effects_nearby)
        lookups_nearby = lookups_among(effects_nearby)
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=facts,
            context=context,
            neighbours=tuple(lookups_nearby),
            falsehoods=tuple(falsehoods),
            said_in_opening=2 if is_deed else 1,
            affirms=True,
        )


def _is_only_user(code: CodeContext, literal: str, noun: str, function: str) -> bool:
    """Check whether a function is the only one with a name, which no list of exports has either."""
    is_only_user = users_of(code, literal, noun) == (function,)
    return is_only_user and not is_exported(code, literal)


def _reading(
    code: CodeContext, intent: Intent, noun: str, targets: tuple[str, ...]
) -> tuple[list[Finding], list[Finding]] | None:
    """Find what is done with the name in the one function that reads it, and what follows there.

    Returns:
        None where others use it too, or where it cannot be said what is done with it.
    """
    uses = effects_of_literal(code, intent.subject, intent.detail)
    if not uses or not _is_only_user(code, intent.detail, noun, intent.subject):
        return None
    followed = _followed(code, uses)
    # What is put into a name and never seen again has effects that cannot be said.
    if _is_kept_under(uses[0], intent.detail) or (not followed and _is_only_named(uses)):
        return None
    is_alone = len(targets) == 1
    if is_alone and not _is_decided_here(uses, followed):
        return None
    return uses, followed


def _is_kept_under(use: Finding, literal: str) -> bool:
    statement = use.statement
    return isinstance(statement, Stored) and literal in statement.place


def _is_decided_here(uses: Sequence[Finding], followed: Sequence[Finding]) -> bool:
    """Find out whether the function itself acts on the name, and does not keep it for others."""
    for use in (*uses, *followed):
        match use.statement:
            case Assigned(target=target) if "." in target:
                return False
            case Stored(place=place) if place.startswith("self."):
                return False
            case _:
                continue
    return len(uses) + len(followed) >= FEWEST_EFFECTS


def _followed(code: CodeContext, uses: Sequence[Finding]) -> list[Finding]:
    """Find what becomes of a value in its function, and of what is made of it there."""
    near_by = list(follow(code, uses))
    further = [effect for effect in follow(code, near_by) if effect not in uses]
    distinct = dict.fromkeys((*near_by, *further))
    return sorted(distinct, key=lambda effect: effect.lines.start)


def _is_only_named(uses: Sequence[Finding]) -> bool:
    return all(
        isinstance(use.statement, Assigned) and "." not in use.statement.target for use in uses
    )


def _foremost(effects: Sequence[Finding], room: int) -> list[Finding]:
    """Keep so many effects: the first ones, and what is given back at the end."""
    chosen = list(effects[:room])
    returns = (effect for effect in effects if isinstance(effect.statement, Returned))
    returned = next(returns, None)
    if room > 1 and returned is not None and returned not in chosen:
        chosen[-1] = returned
    return chosen


def _is_returned(effects: Sequence[Finding]) -> bool:
    """Find out whether the function hands what it makes of the name to its callers."""
    return any(isinstance(effect.statement, Returned) for effect in effects)


def _made_of_results(code: CodeContext, calls: Sequence[Finding]) -> Iterator[Finding]:
    """Find what callers do next with what they were given, one thing each."""
    for call in calls:
        uses = list(follow(code, [call]))
        yield from uses[:1]


def _opening(noun: str, literal: str, users: Finding, effect: Finding) -> str:
    """Say who alone reads it, and what that changes there, where one sentence can."""
    reader = with_its_file(users.entity_id)
    reads = f"In product code only {reader} reads the {noun} `{literal}`"
    does = predicate_of(effect.statement)
    if not does:
        return f"{reads}."
    conditions = describe_conditions(effect.statement.conditions)
    when = f" {conditions}" if conditions else ""
    return f"{reads}: it {does}{when}."
