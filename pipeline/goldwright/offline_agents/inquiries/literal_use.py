"""Why asked: a header, a setting or another name from outside. Asked: where it is dealt with."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.literal_uses import LiteralUse, literals_in
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
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
    neighbouring_function,
)
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.outside_names import (
    noun_of,
    spoken_name,
    use_in,
    users_denied,
    users_finding,
    users_of,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    intent_of,
)
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 2

_READ_ONCE: Final = (
    "Where do we read the {noun} {literal}?",
    "Which function looks at the {literal} {noun}?",
    "I want to change how the {noun} {literal} is interpreted - where is it read?",
    "Need a pointer: what evaluates the {noun} {literal}?",
    "What code takes the {literal} {noun} into account?",
    "Does anything here honour the {noun} {literal}, and where?",
    "Setting a breakpoint where the {noun} {literal} gets read: which function is that?",
    "The {literal} {noun} seems to have no effect. Which code should be looking at it?",
    "Trying to find out who evaluates the {noun} {literal}.",
    "In which file is the {literal} {noun} dealt with?",
    "Can somebody point me at the code that picks up the {noun} {literal}?",
    "Looking for the place where the {literal} {noun} is read.",
    "Is the {noun} {literal} still used, and if so, by what?",
)
_STORED_ONCE: Final = (
    "Where do we set the {noun} {literal}?",
    "Which function fills in the {literal} {noun}?",
    "Something adds the {noun} {literal}. What is it?",
    "Who sets the {noun} {literal}, and in which file?",
    "I need to change the value of the {literal} {noun} that we produce. Where is it put in?",
    "Looking for the code that writes the {noun} {literal}.",
    "The {literal} {noun} comes out wrong. Which function puts it there?",
)
_COMPARED_ONCE: Final = (
    "Where do we check for the {noun} {literal}?",
    "Which function tests for the {noun} {literal}?",
    "What code treats the {noun} {literal} in its own way?",
    "Looking for the place where the {noun} {literal} makes a difference.",
    "Does anything here know of the {noun} {literal}, and where?",
)
_READ_IN_WORDS: Final = (
    "Where do we read the {words} {noun}?",
    "Which function looks at the {words} {noun}?",
    "There is a {noun} for {words}, I think. Which function reads it?",
    "What code takes the {words} {noun} into account?",
    "The {words} {noun} seems to have no effect. Which code should be looking at it?",
    "In which function is the {words} {noun} dealt with?",
    "I want to change how we interpret the {words} {noun}. Where is it read?",
    "Can somebody point me at the code that picks up the {words} {noun}?",
    "Trying to find out who evaluates the {words} {noun}.",
    "Need a pointer to the function that reads the {noun} for {words}.",
    "Is there still any code that honours the {words} {noun}?",
)
_STORED_IN_WORDS: Final = (
    "Where do we set the {words} {noun}?",
    "Which function fills in the {words} {noun}?",
    "Something sets the {words} {noun}. What is it?",
    "Looking for the code that writes the {words} {noun}.",
    "The {words} {noun} comes out wrong. Which function puts it there?",
)
_SEVERAL: Final = (
    "Which places deal with the {noun} {literal}?",
    "List all code that knows of the {literal} {noun}.",
    "Where does the {noun} {literal} come up in our code? All of it, please.",
    "Show me everybody who reads or sets the {literal} {noun}.",
    "Which of our functions work with the {noun} {literal}?",
)
_WITH_CALLERS: Final = (
    "Which function deals with the {noun} {literal}, and who calls it?",
    "Where is the {literal} {noun} dealt with, and which code calls that directly?",
    "I want to change how we treat the {noun} {literal}. Where is that, and who calls it?",
    "Map out the handling of the {literal} {noun}: the code itself and what calls it.",
    "If I touched the way we treat the {noun} {literal}, which callers would feel it?",
    "Looking for the code that treats the {literal} {noun} and for its direct callers.",
)


class LiteralUseInquiry(Inquiry):
    """Where is this name of the outside world dealt with?"""

    kind: ClassVar[str] = "literal_use"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("locate", "easy"),
        Cell("locate", "medium"),
        Cell("locate", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the names of the outside world that functions look up or store under."""
        yield from name_leads(self.kind, module)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the only user, for all few of them, or for the user and its callers."""
        use = use_in(code, lead.detail, lead.subject)
        noun = "" if use is None else noun_of(lead.detail, use.receiver)
        users = users_of(code, lead.detail, noun)
        if use is None or users is None:
            return
        slots = {"noun": noun, "literal": lead.detail}
        if len(users) > 1:
            targets = (lead.subject, *(user for user in users if user != lead.subject))
            if are_joined(code, targets, by_calls=False):
                yield self._hard(lead, _SEVERAL, slots, targets)
            return
        for cell, phrasings in _phrasings_alone(lead.detail, noun, use.manner):
            yield Question(
                cell=cell,
                phrasings=phrasings,
                slots={**slots, "words": spoken_name(lead.detail, noun)},
                targets=(lead.subject,),
                intent=intent_of(lead, ("the function", "its file", "what it does with the name")),
                # Messages are asked for in easy cells, too, and names are all there is in others.
                score=0.5 if cell.difficulty == "easy" else 0.7,
                rationale="The name stands in one function, whose own name says nothing of it.",
            )
        callers = code.closed_callers(lead.subject)
        if callers and len(callers) <= MOST_CALLERS:
            yield self._hard(lead, _WITH_CALLERS, slots, (lead.subject, *callers))

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
        use = use_in(code, intent.detail, intent.subject)
        if use is None:
            return None
        noun = noun_of(intent.detail, use.receiver)
        users = users_of(code, intent.detail, noun)
        if users is None:
            return None
        users = (intent.subject, *(user for user in users if user != intent.subject))
        uses = {user: effects_of_literal(code, user, intent.detail) for user in users}
        if not all(uses.values()):
            return None
        facts = [users_finding(code, intent.detail, users, intent.lines.start)]
        facts.extend(_places(code, targets))
        # The question turns on one of the uses, so what is done there comes first.
        uses[intent.subject].sort(key=lambda found: not found.lines.contains(intent.lines))
        facts.extend(uses[user][0] for user in users)
        followed = tuple(follow(code, uses[intent.subject]))
        has_callers = len(targets) > len(users)
        calls = calls_among(code, intent.subject, targets) if has_callers else []
        if calls is None:
            return None
        facts.extend(calls)
        others = near(code, intent.subject, facts[0].lines)
        falsehoods = distinct_sentences(denials(uses[intent.subject], others))[:2]
        wrong_place = targets[1] if has_callers else neighbouring_function(code, intent.subject)
        if len(users) == 1 and wrong_place is not None:
            falsehoods.append(users_denied(facts[0], intent.detail, wrong_place))
        return AnswerPlan(
            parts=answer_parts(
                intent.subject,
                targets,
                subject_does="deals with the name",
                others_do="calls it" if has_callers else "deals with it too",
            ),
            opening=_opening(intent, noun, use, users),
            facts=tuple(facts),
            context=(
                *uses[intent.subject][1:],
                *followed,
                *descriptions(code, intent.subject),
                *others,
            ),
            neighbours=tuple(lookups_among(others)),
            falsehoods=tuple(falsehoods),
            said_in_opening=2 if len(users) == 1 else 0,
        )


def _phrasings_alone(
    literal: str, noun: str, manner: str
) -> Iterator[tuple[Cell, tuple[str, ...]]]:
    """Yield how to ask for the only user: by the name, and in words where it has some.

    Nobody says a header, an option or a file in other words than its own.
    """
    is_read = manner == "read"
    by_name: tuple[str, ...] = _READ_ONCE if is_read else _STORED_ONCE
    if noun in {"file", "media type"}:
        by_name = _COMPARED_ONCE if is_read else _STORED_ONCE
    yield Cell("locate", "easy"), by_name
    if spoken_name(literal, noun):
        yield Cell("locate", "medium"), _READ_IN_WORDS if is_read else _STORED_IN_WORDS
    elif noun == "header":
        yield Cell("locate", "medium"), by_name


def name_leads(kind: str, module: Module) -> Iterator[Lead]:
    """Yield the names of the outside world that functions of a file look up or store under."""
    seen: set[tuple[str, str]] = set()
    for literal, use in literals_in(module):
        is_handled = use.manner in {"read", "stored"} and module.function(use.owner) is not None
        key = (use.owner, literal)
        if is_handled and noun_of(literal, use.receiver) and key not in seen:
            seen.add(key)
            yield Lead(kind, use.entity_id, use.line, use.line, literal, "")


def _places(code: CodeContext, targets: Sequence[str]) -> Iterator[Finding]:
    for target in targets:
        yield from find_statements(code, target, (DefinedIn,))


def _opening(intent: Intent, noun: str, use: LiteralUse, users: Sequence[str]) -> str:
    does = "looks at" if use.manner == "read" else "sets"
    start = f"The {noun} `{intent.detail}` is dealt with"
    if len(users) > 1:
        count = {2: "two", 3: "three"}[len(users)]
        return f"{start} in {count} functions, which belong together."
    return (
        f"It is `{name_of(intent.subject)}` in `{path_of(intent.subject)}` that {does} the {noun} "
        f"`{intent.detail}`; in product code the name is used in no other function."
    )
