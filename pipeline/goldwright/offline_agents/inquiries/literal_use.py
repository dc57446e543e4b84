"""Why asked: a header, a setting or another name from outside. Asked: where it is dealt with."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.literal_uses import LiteralUse
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.caller_levels import mistaken_levels
from goldwright.offline_agents.inquiries.effects import (
    denials,
    descriptions,
    distinct_sentences,
    effects_of_literal,
    follow,
    lookups_among,
    near,
)
from goldwright.offline_agents.inquiries.hidden_names import gives_away
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
    spoken_name,
    use_in,
    users_denied,
    users_finding,
    users_of,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    expectation_of_general,
    find_statements,
    intent_of,
    with_its_file,
)
from goldwright.offline_agents.inquiries.ways_to_deed import (
    ONE_CALL_UP,
    TWO_CALLS_UP,
    PhrasingsByType,
    caller_sets,
    ways_there,
    with_ways,
)
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

# What an intent is told by: the question of who wants to know how the code gets there.
WHO_LEADS_THERE: Final = "who leads there"

_READ_ONCE: Final = (
    "Where do we read the {noun} {literal}?",
    "Which function reads the {literal} {noun}?",
    "I want to change how the {noun} {literal} is interpreted. Where is it read?",
    "What code reads the {noun} {literal}?",
    "Does anything still read the {noun} {literal}, and where?",
    "Who reads the {literal} {noun} in our code?",
    "The {literal} {noun} seems to have no effect. Which code should read it?",
    "Find the code that reads the {noun} {literal}.",
    "In which function is the {literal} {noun} read?",
    "Can you point me to the code that reads the {noun} {literal}?",
    "Looking for the code that reads the {literal} {noun}.",
    "Is the {noun} {literal} still used, and if so, where?",
    "Show me where the {noun} {literal} is read.",
)
_STORED_ONCE: Final = (
    "Where do we set the {noun} {literal}?",
    "Which function sets the {literal} {noun}?",
    "Who sets the {noun} {literal} in our code?",
    "What code sets the {noun} {literal}?",
    "I need to change the value of the {literal} {noun}. Where is it set?",
    "Looking for the code that sets the {noun} {literal}.",
    "The {literal} {noun} has the wrong value. Which function sets it?",
    "Find the code that sets the {literal} {noun}.",
    "In which function is the {noun} {literal} set?",
    "Can you point me to the code that sets the {noun} {literal}?",
)
_COMPARED_ONCE: Final = (
    "Where do we check for the {noun} {literal}?",
    "Which function checks for the {noun} {literal}?",
    "What code handles the {noun} {literal}?",
    "Looking for the code that handles the {noun} {literal}.",
    "Does anything here handle the {noun} {literal}, and where?",
    "In which function do we check for the {noun} {literal}?",
    "Find the code that handles the {noun} {literal}.",
    "Can you point me to the code that checks for the {noun} {literal}?",
)
_READ_IN_WORDS: Final = (
    'Where do we read the "{words}" {noun}?',
    'Which function reads the "{words}" {noun}?',
    'Do we still use the "{words}" {noun}? Which function reads it?',
    'What code reads the "{words}" {noun}?',
    'The "{words}" {noun} seems to have no effect. Which code should read it?',
    'I want to change how we interpret the "{words}" {noun}. Where is it read?',
    'Can you point me to the code that reads the "{words}" {noun}?',
    'Find the code that reads the "{words}" {noun}.',
    'Is there any code that still reads the "{words}" {noun}?',
)
_STORED_IN_WORDS: Final = (
    'Where do we set the "{words}" {noun}?',
    'Which function sets the "{words}" {noun}?',
    'What code sets the "{words}" {noun}?',
    'Looking for the code that sets the "{words}" {noun}.',
    'The "{words}" {noun} has the wrong value. Which function sets it?',
    'Find the code that sets the "{words}" {noun}.',
    'In which function is the "{words}" {noun} set?',
    'Can you point me to the code that sets the "{words}" {noun}?',
    'I want to change the "{words}" {noun}. Where is it set?',
)
# Whoever asks so has met the name, and can say nothing more of it.
_VAGUE: Final = (
    "What do we use the {noun} {literal} for?",
    "What does the {literal} {noun} do in our code?",
    "Do we do anything with the {noun} {literal}, and what?",
    "What is the {noun} {literal} good for in here?",
    "How do we treat the {literal} {noun}?",
    "Somebody asked me about the {noun} {literal}. What do we do with it?",
)
_SEVERAL: Final = (
    "Where is the {noun} {literal} used? I need all places.",
    "List all functions that use the {literal} {noun}.",
    "Show me all code that reads or sets the {literal} {noun}.",
    "Which of our functions use the {noun} {literal}?",
    "What functions read or set the {literal} {noun}?",
    "In which functions is the {noun} {literal} used?",
    "Find all uses of the {literal} {noun} in our code.",
    "Can you list every function that uses the {noun} {literal}?",
)
_WITH_CALLERS: Final = (
    "Which function handles the {noun} {literal}, who calls it, and how?",
    "Where is the {literal} {noun} handled, and which calls lead there?",
    "I want to change how we handle the {noun} {literal}. Where is that, and how is it called?",
    "If I change how we handle the {noun} {literal}, which calls are affected?",
    "Looking for the code that handles the {literal} {noun}, and for the calls of it.",
    "What code handles the {noun} {literal}, and how do we get there?",
    "Find the code that handles the {literal} {noun}, and all calls of it.",
    "In which function is the {noun} {literal} handled, and from where is that called, and how?",
    "Who handles the {literal} {noun}, and which calls lead to that code?",
)


class LiteralUseInquiry(Inquiry):
    """Where is this name of the outside world dealt with?"""

    kind: ClassVar[str] = "literal_use"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("locate", "easy"),
        Cell("locate", "medium"),
        Cell("locate", "hard"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
        Cell("general", "easy"),
        Cell("general", "medium"),
        Cell("general", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the names of the outside world that functions look up or store under."""
        yield from name_leads(self.kind, module)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the only user, for all few of them, or for the user and its callers."""
        use = use_in(code, lead.detail, lead.subject, lead.first)
        noun = "" if use is None else noun_of(lead.detail, use.receiver)
        users = users_of(code, lead.detail, noun)
        if use is None or users is None:
            return
        slots = {"noun": noun, "literal": lead.detail}
        if len(users) > 1:
            other_users = [user for user in users if user != lead.subject]
            targets = (lead.subject, *other_users)
            if are_joined(code, targets, by_calls=False):
                yield self._hard(lead, _SEVERAL, slots, targets)
            return
        slots_alone = {**slots, "words": spoken_name(lead.detail, noun)}
        intent = intent_of(lead, ("the function", "its file", "what it does with the name"))
        for cell, phrasings in _phrasings_alone(lead.detail, noun, use.manner):
            # Messages are asked for in these cells, too, and names are all there is in others.
            score = 0.5 if cell == Cell("locate", "easy") else 0.7
            yield Question(
                cell=cell,
                phrasings=phrasings,
                slots=slots_alone,
                targets=(lead.subject,),
                intent=intent,
                score=score,
                rationale="The name stands in one function, whose own name says nothing of it.",
                expectation=expectation_of_general(cell, "locate"),
            )
        direct, both_levels = caller_sets(code, lead.subject)
        if direct:
            yield self._hard(lead, _WITH_CALLERS, slots, direct)
        deed = _deed(use.manner, noun, lead.detail)
        for targets, phrasings_by_type in ((direct, ONE_CALL_UP), (both_levels, TWO_CALLS_UP)):
            if targets and not gives_away(deed["does"], targets):
                yield from self._ways_there(lead, phrasings_by_type, deed, targets)

    def _ways_there(
        self,
        lead: Lead,
        phrasings_by_type: PhrasingsByType,
        slots: dict[str, str],
        targets: tuple[str, ...],
    ) -> Iterator[Question]:
        """Yield a question for each cell in which somebody follows calls."""
        intent = intent_of(lead, ("the function", "what it does", WHO_LEADS_THERE))
        for cell in self.cells:
            if cell.task_type in phrasings_by_type:
                yield Question(
                    cell=cell,
                    phrasings=phrasings_by_type[cell.task_type],
                    slots=slots,
                    targets=targets,
                    intent=intent,
                    score=0.7,
                    rationale="The name has to be found, and all functions that lead there.",
                    expectation=expectation_of_general(cell, "locate"),
                )

    def _hard(
        self,
        lead: Lead,
        phrasings: tuple[str, ...],
        slots: dict[str, str],
        targets: tuple[str, ...],
    ) -> Question:
        return Question(
            cell=self.cells[2],
            phrasings=phrasings,
            slots=slots,
            targets=targets,
            intent=intent_of(lead, ("all functions that are asked for", "their files")),
            score=0.8,
            rationale="The places stand in several files, and all of them have to be found.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who uses the name, where that is, and what is done with it."""
        line = intent.lines.start
        use = use_in(code, intent.detail, intent.subject, line)
        if use is None:
            return None
        noun = noun_of(intent.detail, use.receiver)
        users = users_of(code, intent.detail, noun)
        if users is None:
            return None
        other_users = [user for user in users if user != intent.subject]
        users = (intent.subject, *other_users)
        uses = _uses_by_user(code, intent, users)
        if uses is None:
            return None
        facts = [users_finding(code, intent.detail, users, line)]
        if WHO_LEADS_THERE not in intent.settles:
            facts.extend(_places(code, targets))
        followed = tuple(follow(code, uses[intent.subject]))
        has_callers = len(targets) > len(users)
        ways = ways_there(code, intent.subject, targets) if has_callers else ()
        if ways is None:
            return None
        # Where callers are asked for, they come before what is done with the name.
        facts.extend(ways)
        facts.extend(uses[user][0] for user in users)
        effects_nearby = near(code, intent.subject, facts[0].lines)
        denied = [*mistaken_levels(ways), *denials(uses[intent.subject], effects_nearby)]
        falsehoods = distinct_sentences(denied)[:2]
        if has_callers:
            wrong_place: MistakenFunction | None = MistakenFunction(targets[1], is_likely=True)
        else:
            wrong_place = mistaken_function(code, intent.detail, users)
        if len(users) == 1 and wrong_place is not None:
            falsehoods.append(users_denied(facts[0], wrong_place))
        # Who asks for callers alone hears of them first.
        told = ways if WHO_LEADS_THERE in intent.settles else ()
        opening = with_ways(_opening(code, intent, use, users), told)
        return AnswerPlan(
            parts=answer_parts(
                intent.subject,
                targets,
                subject_does="deals with the name",
                others_do="calls it" if has_callers else "deals with it too",
                others_role="primary",
            ),
            opening=opening,
            facts=tuple(facts),
            context=(
                *uses[intent.subject][1:],
                *followed,
                *descriptions(code, intent.subject),
                *effects_nearby,
            ),
            neighbours=tuple(lookups_among(effects_nearby)),
            falsehoods=tuple(falsehoods),
            said_in_opening=_said_in_opening(users, intent) + len(told),
            affirms=True,
        )


def _uses_by_user(
    code: CodeContext, intent: Intent, users: Sequence[str]
) -> dict[str, list[Finding]] | None:
    """State what each user does with a name; None where that of one, or the one asked for, is not.

    The question turns on one of the uses, so what is done there comes first.
    """
    uses = {user: effects_of_literal(code, user, intent.detail) for user in users}
    of_subject = uses[intent.subject]
    of_subject.sort(key=lambda effect: not effect.lines.contains(intent.lines))
    # What is told of who uses the name is told of its first line there.
    first = users_finding(code, intent.detail, users).lines
    is_told = bool(of_subject) and (
        first == intent.lines or of_subject[0].lines.contains(intent.lines)
    )
    return uses if is_told and all(uses.values()) else None


def _said_in_opening(users: Sequence[str], intent: Intent) -> int:
    """Count the facts that the opening states: who uses the name, and where that is."""
    is_place_told = len(users) == 1 and WHO_LEADS_THERE not in intent.settles
    return 2 if is_place_told else 1


def _deed(manner: str, noun: str, literal: str) -> dict[str, str]:
    """Say what is done with a name, behind "we" and behind "the function that"."""
    do, does = ("read", "reads") if manner == "read" else ("set", "sets")
    if manner == "read" and noun in CHECKED:
        do, does = "check for", "checks for"
    thing = f"the {noun} {literal}"
    return {"do": f"{do} {thing}", "does": f"{does} {thing}"}


def _phrasings_alone(
    literal: str, noun: str, manner: str
) -> Iterator[tuple[Cell, tuple[str, ...]]]:
    """Yield how to ask about the only user: by the name, and in words where it has some.

    Nobody says a header, an option or a file in other words than its own.
    """
    is_read = manner == "read"
    by_name: tuple[str, ...] = _READ_ONCE if is_read else _STORED_ONCE
    if noun in CHECKED:
        by_name = _COMPARED_ONCE if is_read else _STORED_ONCE
    yield Cell("locate", "easy"), by_name
    yield Cell("general", "easy"), _VAGUE
    if spoken_name(literal, noun):
        yield Cell("locate", "medium"), _READ_IN_WORDS if is_read else _STORED_IN_WORDS
    elif noun == "header":
        yield Cell("locate", "medium"), by_name


def _places(code: CodeContext, targets: Sequence[str]) -> Iterator[Finding]:
    for target in targets:
        yield from find_statements(code, target, (DefinedIn,))


def _opening(code: CodeContext, intent: Intent, use: LiteralUse, users: Sequence[str]) -> str:
    noun = noun_of(intent.detail, use.receiver)
    has_export = is_exported(code, intent.detail)
    string = _as_string(intent)
    if len(users) > 1:
        listed = join_code([name_of(user) for user in users])
        the = "Outside `__all__`, the" if has_export else "The"
        return f"{the} {noun} {string} is used in {listed} and nowhere else in product code."
    outside = "outside `__all__`, " if has_export else ""
    deed = _deed(use.manner, noun, f"`{intent.detail}`")["does"]
    elsewhere = f"{outside}no other product code has the string {string}"
    return f"It is {with_its_file(intent.subject)} that {deed}; {elsewhere}."


def _as_string(intent: Intent) -> str:
    """Quote the name as the code does: a parameter of the same name is something else."""
    return f'`"{intent.detail}"`'
