"""Questions that name a function and want its callers: the function is known, they are the answer.

Nobody describes a function whose name he has. The callers alone are expected, so the lines of the
function itself bear nothing out: who calls it shows in the calls.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPart, AnswerPlan, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import calls_in, intent_of, place_of
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Difficulty, Intent, TaskType
from goldwright.snapshot.product_code import is_product_code

# What an intent is told by: the question of who wants to change the signature, or of who wants to
# know what the result is good for.
CALLS: Final = "the calls"
USES: Final = "the result"

WITH_ARGUMENTS: Final = ("all callers", "what each hands over")
WITH_DEEDS: Final = ("all callers", "what each does")
WITH_THEIR_CALLERS: Final = ("all callers", "their callers")

BY_NAME: Final = (
    "Which calls break if I add a required parameter to `{name}`?",
    "Before I change the signature of `{name}`: who calls it, and with which arguments?",
    "I want to add a parameter to `{name}`. Which calls do I have to update?",
    "If I add a parameter to `{name}`, which calls do I have to update?",
    "Who calls `{name}`, and with which arguments? I need to pass another one.",
    "Where do we call `{name}`, and with which arguments? I need to pass another one.",
)
_USES: Final = (
    "What do the callers of `{name}` do with the result?",
    "Who calls `{name}`, and what do they do with the result?",
    "Where do we use the result of `{name}`, and for what?",
    "If I change what `{name}` returns, which callers are affected, and how?",
    "I want to change the result of `{name}`. Who uses it, and how?",
)
_TWO_LEVELS: Final = (
    "`{name}` needs a value that only the callers of its callers have. Who has to pass it down?",
    "`{name}` gets a new argument, and its callers have to get it from theirs. What do I change?",
    "`{name}` needs one more argument, from its callers' callers. Which functions are affected?",
)


def questions_on_named(
    lead: Lead, callers: Sequence[str], further: Sequence[str], code: CodeContext
) -> Iterator[Question]:
    """Ask for the callers of a function by its name, and for the callers of these as well."""
    name = name_of(lead.subject)
    # Where a call shows no class, nobody sees by its line what is called.
    linked = {site.entity_id for site in code.snapshot.graph.callers(lead.subject)}
    if not linked.issuperset(callers) or not _is_unmistakable(name, lead.subject, code):
        return
    both_levels = tuple(dict.fromkeys((*callers, *further)))
    rows: list[tuple[TaskType, Difficulty, tuple[str, ...], str, tuple[str, ...]]] = [
        ("extend", "medium", BY_NAME, CALLS, WITH_ARGUMENTS),
        ("general", "medium", _USES, USES, WITH_DEEDS),
        ("general", "hard", _USES, USES, WITH_DEEDS),
        ("extend", "hard", _TWO_LEVELS, CALLS, WITH_THEIR_CALLERS),
    ]
    for task_type, difficulty, phrasings, detail, settles in rows:
        targets = both_levels if settles == WITH_THEIR_CALLERS else tuple(callers)
        is_one_level = settles == WITH_THEIR_CALLERS and len(both_levels) == len(callers)
        if lead.subject in targets or is_one_level:
            continue
        yield Question(
            cell=Cell(task_type, difficulty),
            phrasings=phrasings,
            slots={"name": name},
            targets=targets,
            intent=intent_of(replace(lead, detail=detail), settles),
            score=0.75,
            rationale="The function is named; all that lead to it have to be found.",
            expectation="explain" if task_type == "general" else None,
        )


def without_callee(
    plan: AnswerPlan, intent: Intent, targets: Sequence[str], code: CodeContext
) -> AnswerPlan | None:
    """Take a function that the question names out of its answer, where its callers are all of it.

    Returns:
        None where too little is left to be said.
    """
    subject = intent.subject
    place = f"`{name_of(subject)}` in `{path_of(subject)}`"
    facts = list(_at_calls(plan.facts, subject, code))
    places = [finding for target in targets for finding in place_of(code, target)]
    facts.extend(places[: max(0, FEWEST_FACTS - len(facts))])
    if len(facts) < FEWEST_FACTS:
        return None
    parts = [
        AnswerPart(target, "primary", f"`{name_of(target)}` is one of those that lead there.")
        for target in targets
    ]
    return replace(
        plan,
        parts=tuple(parts),
        opening=plan.opening.replace(place, f"`{name_of(subject)}`"),
        facts=tuple(facts),
        context=tuple(finding for finding in plan.context if finding.entity_id != subject),
        neighbours=tuple(finding for finding in plan.neighbours if finding.entity_id != subject),
        falsehoods=tuple(
            falsehood
            for falsehood in _at_calls(plan.falsehoods, subject, code)
            if set(falsehood.statement.members) <= set(map(name_of, targets))
        ),
        named=subject,
    )


def _at_calls(findings: Sequence[Finding], subject: str, code: CodeContext) -> Iterator[Finding]:
    """Yield findings, but for what a function says itself; who calls it shows in the calls."""
    callers = code.closed_callers(subject) or ()
    calls = [(caller, line) for caller in callers for line in calls_in(code, caller, subject)]
    for finding in findings:
        if finding.entity_id != subject:
            yield finding
        elif isinstance(finding.statement, OnlyCallers) and calls:
            (caller, first), *others = calls
            elsewhere = tuple(line for _, line in others)
            yield replace(finding, entity_id=caller, lines=first, also=(), elsewhere=elsewhere)


def _is_unmistakable(name: str, subject: str, code: CodeContext) -> bool:
    """Find out whether no other definition of product code goes by the name."""
    return all(
        entity.entity_id == subject
        or entity.name != name
        or not is_product_code(code.snapshot, entity.path)
        for entity in code.snapshot.named(name.rpartition(".")[2])
    )
