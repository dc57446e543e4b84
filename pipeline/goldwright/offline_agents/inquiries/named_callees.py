"""Questions that name a function and want its callers: the function is known, they are the answer.

Nobody describes a function whose name he has. The callers alone are expected, so the lines of the
function itself bear nothing out: who calls it shows in the calls. Only the easy questions of who
wants to change its signature expect the function as well.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    calls_in,
    each_once,
    expectation_of_general,
    intent_of,
    place_of,
    with_its_file,
)
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent
from goldwright.snapshot.mentions.mention_coverage import MentionScope, uncovered_mentions
from goldwright.snapshot.product_code import is_product_code

# What an intent is told by: the question of who wants to change the signature, of who wants to know
# what the result is good for, or of who wants to know how the code gets there.
CALLS: Final = "the calls"
USES: Final = "the result"
WAYS: Final = "the ways there"

WITH_ARGUMENTS: Final = ("all callers", "what each hands over")
SIGNATURE: Final = "what it takes now"
WITH_SIGNATURE: Final = (*WITH_ARGUMENTS, SIGNATURE)
WITH_DEEDS: Final = ("all callers", "what each does")
WITH_CONDITIONS: Final = ("all callers", "when each calls")
WITH_THEIR_CALLERS: Final = ("all callers", "their callers")

# Where tests call it as well, a question says that they are not meant.
_BY_NAME: Final = (
    "Which calls{aside} break if I add a required parameter to `{name}`?",
    "Before I change the signature of `{name}`: who calls it{aside}, and with which arguments?",
    "I want to add a parameter to `{name}`. Which calls{aside} do I have to update?",
    "If I add a parameter to `{name}`, which calls{aside} do I have to update?",
    "Who calls `{name}`{aside}, and with which arguments? I need to pass another one.",
    "Where do we call `{name}`{aside}, and with which arguments? I need to pass another one.",
)
_BY_NAME_SIGNATURE: Final = (
    "I want to add a parameter to `{name}`. What does it take now, and who calls it{aside}?",
    "What is the signature of `{name}`, and who calls it{aside}? I want to add a parameter.",
)
_USES: Final = (
    "What do the callers of `{name}`{aside} do with the result?",
    "Who calls `{name}`{aside}, and what do they do with the result?",
    "Where do we use the result of `{name}`{aside}, and for what?",
    "If I change what `{name}` returns, which callers{aside} are affected, and how?",
    "I want to change the result of `{name}`. Who uses it{aside}, and how?",
)
_REVIEWED_USES: Final = (
    "A pull request changes what `{name}` returns. Which callers{aside} rely on it, and how?",
    "Reviewing a change of what `{name}` returns: who uses the result{aside}, and for what?",
    "A fix in `{name}` changes its result. Which code{aside} does that affect, and how?",
    "If this pull request changes what `{name}` returns, how are its callers{aside} affected?",
)
_REVIEWED_CALLS: Final = (
    "A pull request adds a parameter to `{name}`. Which calls{aside} should it touch?",
    (
        "I am reviewing a pull request that adds a parameter to `{name}`. Who calls it{aside}, "
        "and with which arguments?"
    ),
    "If this pull request makes `{name}` take one more argument, which calls{aside} break?",
    "A pull request changes the signature of `{name}`. Which calls{aside} have to change with it?",
)
_LOCATED: Final = (
    "Where do we call `{name}`{aside}, and when?",
    "Where and when is `{name}` called{aside}?",
    "When do we call `{name}`{aside}, and where is that?",
)
_TWO_LEVELS: Final = (
    "I need to thread a new argument to `{name}`. Who calls it{aside}, and who calls those?",
    "I want to pass a new argument down to `{name}`. Who calls it{aside}, and who calls those?",
    "I have to get a new value into `{name}`. What calls it{aside}, and what calls that?",
)
_CONDITIONS: Final = (
    "Who calls `{name}`{aside}, and under which conditions?",
    "When is `{name}` called{aside}, and by which functions?",
    "Under which conditions do we call `{name}`{aside}? I need all the callers.",
    "Which functions{aside} call `{name}`, and when?",
)
_CHAIN: Final = (
    "How do we get to `{name}`{aside}? I need its callers, and what calls those.",
    "Who calls `{name}`{aside}, and who calls the callers?",
    "What ends up calling `{name}`{aside}? I need the callers and their callers.",
)
_MADE: Final = (
    "Where do we instantiate `{name}`{aside}, and with which arguments?",
    "Which functions{aside} instantiate `{name}`, and what do they pass?",
    "Where is `{name}` instantiated{aside}, and with what?",
    "Who instantiates `{name}`{aside}, and which arguments does it get there?",
)
_MADE_WHEN: Final = (
    "When do we instantiate `{name}`{aside}, and in which functions?",
    "Where is `{name}` instantiated{aside}, and under which conditions?",
    "Which functions{aside} instantiate `{name}`, and when?",
)
_MADE_CHAIN: Final = (
    "What ends up instantiating `{name}`{aside}? I need the callers and their callers.",
    "Where do we instantiate `{name}`{aside}, and from where do we get there?",
    "How do we end up with a `{name}`{aside}? Who creates it, and who calls that code?",
)
# No ``latest/`` and no ``contest.py``.
_OF_TESTS: Final = re.compile(r"(?:^|[/_.-])(?:conf)?test", re.IGNORECASE)
_MAKES: Final = ".__init__"


@dataclass(frozen=True, slots=True)
class _WayToAsk:
    """How the callers of a named function are asked for in a cell.

    Attributes:
        cell: Where such a question belongs.
        phrasings: Its wordings, with a place for the name.
        detail: What the intent is told by.
        settles: What a right answer settles.
    """

    cell: Cell
    phrasings: tuple[str, ...]
    detail: str
    settles: tuple[str, ...]


_WAYS_TO_ASK: Final = (
    _WayToAsk(Cell("general", "easy"), _USES, USES, WITH_DEEDS),
    _WayToAsk(Cell("explain", "easy"), _CONDITIONS, WAYS, WITH_CONDITIONS),
    _WayToAsk(Cell("review", "easy"), _REVIEWED_USES, USES, WITH_DEEDS),
    _WayToAsk(Cell("locate", "medium"), _LOCATED, WAYS, WITH_CONDITIONS),
    _WayToAsk(Cell("extend", "medium"), _BY_NAME, CALLS, WITH_ARGUMENTS),
    _WayToAsk(Cell("extend", "hard"), _TWO_LEVELS, CALLS, WITH_THEIR_CALLERS),
    _WayToAsk(Cell("review", "medium"), _REVIEWED_USES, USES, WITH_DEEDS),
    _WayToAsk(Cell("review", "hard"), _REVIEWED_USES, USES, WITH_DEEDS),
    _WayToAsk(Cell("review", "medium"), _REVIEWED_CALLS, CALLS, WITH_ARGUMENTS),
    _WayToAsk(Cell("review", "hard"), _REVIEWED_CALLS, CALLS, WITH_ARGUMENTS),
    _WayToAsk(Cell("general", "medium"), _USES, USES, WITH_DEEDS),
    _WayToAsk(Cell("general", "hard"), _USES, USES, WITH_DEEDS),
    _WayToAsk(Cell("explain", "medium"), _CONDITIONS, WAYS, WITH_CONDITIONS),
    _WayToAsk(Cell("explain", "hard"), _CHAIN, WAYS, WITH_THEIR_CALLERS),
)
# Three callers in two files are what the tier of hard ones asks for, and one search finds them:
# they go behind what takes reading.
_EASILY_FOUND: Final = 0.5
_FOUND_AT_ONCE: Final = tuple(
    way
    for way in _WAYS_TO_ASK
    if way.cell.difficulty == "hard" and way.settles != WITH_THEIR_CALLERS
)
# Whoever asks for the makers of an object has the name of its class.
_WAYS_TO_ASK_FOR_MAKERS: Final = (
    _WayToAsk(Cell("general", "easy"), _MADE, WAYS, WITH_ARGUMENTS),
    _WayToAsk(Cell("explain", "easy"), _MADE_WHEN, WAYS, WITH_CONDITIONS),
    _WayToAsk(Cell("extend", "medium"), _BY_NAME, CALLS, WITH_ARGUMENTS),
    _WayToAsk(Cell("extend", "hard"), _TWO_LEVELS, CALLS, WITH_THEIR_CALLERS),
    _WayToAsk(Cell("general", "medium"), _MADE, WAYS, WITH_ARGUMENTS),
    _WayToAsk(Cell("general", "hard"), _MADE_CHAIN, WAYS, WITH_THEIR_CALLERS),
    _WayToAsk(Cell("explain", "medium"), _MADE_WHEN, WAYS, WITH_CONDITIONS),
    _WayToAsk(Cell("explain", "hard"), _MADE_CHAIN, WAYS, WITH_THEIR_CALLERS),
)


def questions_by_name(
    lead: Lead, callers: Sequence[str], further: Sequence[str], code: CodeContext
) -> Iterator[Question]:
    """Ask for the callers of a function by its name; whoever has that of an inner one has them."""
    if code.function(lead.subject.rpartition(".")[0]) is not None:
        return
    aside = aside_of_tests(lead.subject, code)
    # Of one caller alone there is too little to tell.
    if len(callers) > 1:
        yield _question_with_subject(lead, callers, _BY_NAME, WITH_ARGUMENTS, aside)
    yield _question_with_subject(lead, callers, _BY_NAME_SIGNATURE, WITH_SIGNATURE, aside)
    yield from _questions_on_named(lead, callers, further, code)


def _question_with_subject(
    lead: Lead,
    callers: Sequence[str],
    phrasings: tuple[str, ...],
    settles: tuple[str, ...],
    aside: str,
) -> Question:
    """Ask by the name; whether the callers stand near enough for that, the tier tells."""
    slots = {"name": name_of(lead.subject), "aside": aside}
    subject_and_callers = (lead.subject, *callers)
    return Question(
        cell=Cell("extend", "easy"),
        phrasings=phrasings,
        slots=slots,
        targets=subject_and_callers,
        intent=intent_of(lead, settles, detail=CALLS),
        score=0.6,
        rationale="The function is named, and its callers stand in the same file.",
    )


def _questions_on_named(
    lead: Lead, callers: Sequence[str], further: Sequence[str], code: CodeContext
) -> Iterator[Question]:
    """Ask for the callers of a function by its name, and for the callers of these as well.

    Of a constructor, they are asked for as those who make objects of the class.
    """
    name = name_of(lead.subject)
    # Where a call shows no class, nobody sees by its line what is called.
    sites = code.snapshot.graph.callers(lead.subject)
    linked = {site.entity_id for site in sites}
    if not linked.issuperset(callers) or not _is_unmistakable(name, lead.subject, code):
        return
    both_levels = each_once(callers, further)
    is_made = name.endswith(_MAKES)
    aside = aside_of_tests(lead.subject, code)
    asides_of_callers = (aside_of_tests(caller, code) for caller in callers)
    aside_of_levels = aside or next(filter(None, asides_of_callers), "")
    for way in _WAYS_TO_ASK_FOR_MAKERS if is_made else _WAYS_TO_ASK:
        has_two_levels = way.settles == WITH_THEIR_CALLERS
        targets = both_levels if has_two_levels else tuple(callers)
        if lead.subject in targets or (has_two_levels and len(both_levels) == len(callers)):
            continue
        is_of_class = is_made and way.detail == WAYS
        asked_name = name.removesuffix(_MAKES) if is_of_class else name
        asked_aside = aside_of_levels if has_two_levels else aside
        slots = {"name": asked_name, "aside": asked_aside}
        intent = intent_of(lead, way.settles, detail=way.detail)
        score = _EASILY_FOUND if way in _FOUND_AT_ONCE else 0.75
        yield Question(
            cell=way.cell,
            phrasings=way.phrasings,
            slots=slots,
            targets=targets,
            intent=intent,
            score=score,
            rationale="The function is named; all that lead to it have to be found.",
            expectation=expectation_of_general(way.cell, "explain"),
        )


def aside_of_tests(subject: str, code: CodeContext) -> str:
    """Give the words by which a question leaves out what is no product code and calls it, too."""
    snapshot = code.snapshot
    sites = snapshot.graph.callers(subject)
    paths = [path_of(site.entity_id) for site in sites]
    aside = [path for path in paths if not is_product_code(snapshot, path)]
    if not aside:
        return ""
    are_tests = all(map(_OF_TESTS.search, aside))
    return " outside the tests" if are_tests else " in the product code"


def without_callee(
    plan: AnswerPlan, intent: Intent, targets: Sequence[str], code: CodeContext
) -> AnswerPlan | None:
    """Take a function that the question names out of its answer, where its callers are all of it.

    Returns:
        None where too little is left to be said.
    """
    subject = intent.subject
    place = with_its_file(subject)
    facts = list(_at_calls(plan.facts, subject, code))
    places = [finding for target in targets for finding in place_of(code, target)]
    missing = max(0, FEWEST_FACTS - len(facts))
    facts.extend(places[:missing])
    if len(facts) < FEWEST_FACTS or not _is_borne_out(facts, targets, code):
        return None
    deed = "is one of those that lead there"
    parts = [answer_part(target, "primary", deed) for target in targets]
    opening = plan.opening.replace(place, f"`{name_of(subject)}`")
    falsehoods = [
        falsehood
        for falsehood in _at_calls(plan.falsehoods, subject, code)
        if _are_near(falsehood.statement.members, targets, code)
    ]
    context = _told_of_others(plan.context, subject)
    neighbours = _told_of_others(plan.neighbours, subject)
    return replace(
        plan,
        parts=tuple(parts),
        opening=opening,
        facts=tuple(facts),
        context=context,
        neighbours=neighbours,
        falsehoods=tuple(falsehoods),
        named=subject,
    )


def _told_of_others(findings: Iterable[Finding], subject: str) -> tuple[Finding, ...]:
    """Leave out what is told of a function itself."""
    return tuple(finding for finding in findings if finding.entity_id != subject)


def _are_near(names: Sequence[str], targets: Sequence[str], code: CodeContext) -> bool:
    """Find out whether names are those of targets, or of definitions in the files of targets."""
    known = set(map(name_of, targets))
    paths = set(map(path_of, targets))
    further_names = (name for name in names if name not in known)
    for name in further_names:
        if not any(code.snapshot.entity(f"{path}::{name}") for path in paths):
            return False
    return True


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


def _is_borne_out(facts: Sequence[Finding], targets: Sequence[str], code: CodeContext) -> bool:
    """Find out whether the calls alone show what the facts name: a dataset keeps no reason.

    Of ``reader.parse()`` nobody sees whose ``parse`` it is where several classes have one.
    """
    files = frozenset(map(path_of, targets))
    for fact in facts:
        scope = MentionScope(frozenset(targets), files, fact.cited_lines())
        if uncovered_mentions(fact.statement.sentence(), scope, code.snapshot):
            return False
    return True


def _is_unmistakable(name: str, subject: str, code: CodeContext) -> bool:
    """Find out whether no other definition of product code goes by the name."""
    simple_name = name.rpartition(".")[2]
    for entity in code.snapshot.named(simple_name):
        is_namesake = entity.entity_id != subject and entity.name == name
        if is_namesake and is_product_code(code.snapshot, entity.path):
            return False
    return True
