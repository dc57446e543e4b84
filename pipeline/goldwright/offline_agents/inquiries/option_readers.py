"""Why asked: a setting or another name that is read once. Asked: what it changes, step by step."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.effects import (
    calls_among,
    denials,
    descriptions,
    effects_of_literal,
    follow,
    lookups_among,
    near,
    neighbouring_function,
)
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.literal_use import name_leads
from goldwright.offline_agents.inquiries.outside_names import (
    noun_of,
    use_in,
    users_denied,
    users_finding,
    users_of,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    callers_of_all,
    intent_of,
)
from goldwright.offline_agents.prose import predicate_of
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_CALLERS: Final = 3
# Each target is a fact of its own, and the effects need room beside them.
MOST_TARGETS: Final = 6
FEWEST_EFFECTS: Final = 2

_ONE_FUNCTION: Final = (
    "What does the {noun} {literal} change?",
    "What happens if I set the {noun} {literal}?",
    "Explain the effect of the {literal} {noun}, please.",
    "How is the {noun} {literal} evaluated, step by step?",
    "Going by the code, what is the {literal} {noun} good for?",
    "Does it make a difference whether the {noun} {literal} is there, and what difference?",
    "Under which conditions does the {literal} {noun} matter?",
    "I'd like to understand what the code makes of the {noun} {literal}.",
    "Can you walk me through how the {literal} {noun} is handled?",
    "With and without the {noun} {literal}: what does the code do differently?",
)
_WITH_CALLERS: Final = (
    "What does the {noun} {literal} change, from where it is read to who uses the result?",
    "How does the {literal} {noun} travel through the code once it is read?",
    "Follow the {noun} {literal} for me: who reads it, and who calls that code?",
    "Explain the way of the {literal} {noun} from its reader up to the code that relies on it.",
    "Which functions are affected by the {noun} {literal}, and how is it read?",
    "Walk me through everything that depends on the {literal} {noun}.",
    "I can't see how the {noun} {literal} takes effect. Who reads it, and who calls that?",
    "Starting from the {literal} {noun}: what is done with it, and who triggers that?",
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
        use = use_in(code, lead.detail, lead.subject)
        if use is None or use.manner != "read":
            return
        noun = noun_of(lead.detail, use.receiver)
        if users_of(code, lead.detail, noun) != (lead.subject,):
            return
        callers = code.closed_callers(lead.subject) or ()
        further = callers_of_all(code, callers[:MOST_CALLERS], MOST_CALLERS)
        sets = (
            (lead.subject,),
            (lead.subject, *callers),
            tuple(dict.fromkeys((lead.subject, *callers, *further))),
        )
        for cell, targets in zip(self.cells, sets, strict=True):
            if len(targets) <= MOST_TARGETS and are_joined(code, targets, by_calls=True):
                yield self._question(cell, lead, noun, targets)

    def _question(self, cell: Cell, lead: Lead, noun: str, targets: tuple[str, ...]) -> Question:
        return Question(
            cell=cell,
            phrasings=_ONE_FUNCTION if len(targets) == 1 else _WITH_CALLERS,
            slots={"noun": noun, "literal": lead.detail},
            targets=targets,
            intent=intent_of(lead, ("who reads it", "what depends on it", "who uses that")),
            score=0.75,
            rationale="The name stands in one function; what it changes has to be followed.",
        )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who reads it, what is done with it, and what the callers do with that."""
        use = use_in(code, intent.detail, intent.subject)
        if use is None:
            return None
        noun = noun_of(intent.detail, use.receiver)
        uses = effects_of_literal(code, intent.subject, intent.detail)
        followed = list(follow(code, uses))
        if not uses or users_of(code, intent.detail, noun) != (intent.subject,):
            return None
        if len(targets) == 1 and not _is_decided_here(uses, followed):
            return None
        callers = calls_among(code, intent.subject, targets)
        if callers is None:
            return None
        users = users_finding(code, intent.detail, (intent.subject,))
        effects = [*uses, *followed][: MOST_FACTS - 1 - len(callers)]
        others = near(code, intent.subject, users.lines)
        falsehoods = list(denials(effects, others))[:2]
        has_callers = len(targets) > 1
        wrong_place = targets[1] if has_callers else neighbouring_function(code, intent.subject)
        if wrong_place is not None:
            falsehoods.append(users_denied(users, intent.detail, wrong_place))
        return AnswerPlan(
            parts=answer_parts(
                intent.subject, targets, subject_does="reads it", others_do="leads there"
            ),
            opening=_opening(noun, intent.detail, effects[0], targets),
            facts=(*effects, users, *callers),
            context=(*uses, *followed, *descriptions(code, intent.subject), *others),
            neighbours=tuple(lookups_among(others)),
            falsehoods=tuple(falsehoods)[:3],
            said_in_opening=1,
        )


def _is_decided_here(uses: Sequence[Finding], followed: Sequence[Finding]) -> bool:
    """Find out whether the function itself acts on the name, and does not keep it for others."""
    for use in uses:
        if isinstance(use.statement, Assigned) and "." in use.statement.target:
            return False
    return len(uses) + len(followed) >= FEWEST_EFFECTS


def _opening(noun: str, literal: str, effect: Finding, targets: tuple[str, ...]) -> str:
    """Say what it changes, where, and who gets there."""
    name, path = name_of(targets[0]), path_of(targets[0])
    statement = effect.statement
    does = predicate_of(statement) or "reads it"
    conditions = describe_conditions(statement.conditions)
    when = f" {conditions}" if conditions else ""
    start = f"The {noun} `{literal}` takes effect in `{name}` in `{path}`, which {does}{when}."
    if len(targets) == 1:
        return start
    names = join_code([name_of(target) for target in targets[1:]])
    return f"{start} The way there leads through {names}."
