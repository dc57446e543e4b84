"""Why asked: something done to the world outside, by a call of a library. Asked: where, and how."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from goldwright.code_reading.library_uses import (
    LibraryUse,
    closed_library_uses,
    is_unused,
    library_uses_in,
)
from goldwright.code_reading.modules import Module
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.caller_levels import mistaken_levels
from goldwright.offline_agents.inquiries.effects import (
    denials,
    descriptions,
    effects_of_call,
    follow,
    near,
)
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.library_deeds import LibraryDeed, deeds_by_name
from goldwright.offline_agents.inquiries.mistaken_functions import (
    MistakenFunction,
    believed,
    mistaken_function,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    expectation_of_general,
    find_statements,
    intent_of,
    place_of,
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
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.library_callers import LibraryCallers
from goldwright.offline_agents.statements.library_uncalled import LibraryUncalled
from goldwright.offline_agents.statements.lists import either
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

# More calls in one function are a list that nobody asks for.
MOST_EFFECTS: Final = 2
# The first names of a deed are those that a reader thinks of.
MOST_UNCALLED: Final = 3

# What an intent is told by: the question of who wants to know what comes of it.
WHAT_FOLLOWS: Final = "what happens with the result"
ONLY_PLACE: Final = "that it is the only place"

# Where this is tested, the same is done in another way elsewhere.
_VERSION: Final = "sys.version_info"
_ALONE: Final = (
    "Where do we {do}?",
    "Which function {does}?",
    "Looking for the code that {does}.",
    "Can you point me to the place where we {do}?",
    "I need to find the code that {does}.",
    "In which function do we {do}?",
    "Show me the code that {does}.",
    "Which part of the code {does}?",
    "Is there any code here that {does}? Which function is it?",
    "Find the function that {does}.",
    "I want to change how we {do}. Where is that done?",
    "What code {does}?",
)
_HOW: Final = (
    "How do we {do}, and what happens with the result?",
    "Explain how we {do}.",
    "In what way do we {do}, and what becomes of the result?",
    "How exactly do we {do}?",
    "What exactly happens when we {do}?",
    "How do we {do}, and what is passed in?",
)
_WITH_CALLERS: Final = (
    "Which function {does}, who calls it, and how?",
    "Where do we {do}, and which calls lead there?",
    "I want to change how we {do}. Where is that, and how is it called?",
    "If I change how we {do}, which calls are affected?",
    "Looking for the code that {does}, and for the calls of it.",
    "What code {does}, and how do we get there?",
    "Find the function that {does}, and all calls of it.",
    "In which function do we {do}, and from where is that called, and how?",
)
_OF_ONE: Final[PhrasingsByType] = {"locate": _ALONE, "explain": _HOW}
_OF_CALLERS: Final[PhrasingsByType] = {"locate": _WITH_CALLERS, **ONE_CALL_UP}

_RATIONALE_ALONE: Final = "What it does is said in words that its code does not hold."
_RATIONALE_CALLERS: Final = "The call has to be found, and all functions that lead to it."


_CELLS_FOR_ONE: Final = frozenset({Cell("locate", "medium"), Cell("explain", "easy")})


class LibraryCall(Inquiry):
    """Where is something done to the world outside, and who leads there?"""

    kind: ClassVar[str] = "library_call"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("locate", "medium"),
        Cell("locate", "hard"),
        Cell("explain", "easy"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
        Cell("general", "medium"),
        Cell("general", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the calls of libraries whose deed can be said, once for each deed of a function."""
        deeds = deeds_by_name()
        seen: set[tuple[str, str]] = set()
        for use in library_uses_in(module):
            deed = deeds.get(use.name)
            if deed is None or module.function(use.owner) is None:
                continue
            if (use.owner, deed.do) not in seen:
                seen.add((use.owner, deed.do))
                yield Lead(self.kind, use.entity_id, use.line, use.line, use.name, deed.do)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the only function that does it: alone, and with those who lead there."""
        word = lead.detail.rpartition(".")[2]
        # Who checks that nobody else calls it has one search for the word.
        if not _is_only_user(code, lead.detail, lead.subject) or not is_on_few_lines(
            code.snapshot, word
        ):
            return
        yield from self._questions(lead, (lead.subject,), _OF_ONE)
        direct, both_levels = caller_sets(code, lead.subject)
        if direct:
            yield from self._questions(lead, direct, _OF_CALLERS)
        if both_levels:
            yield from self._questions(lead, both_levels, TWO_CALLS_UP)

    def _questions(
        self, lead: Lead, targets: tuple[str, ...], phrasings_by_type: PhrasingsByType
    ) -> Iterator[Question]:
        """Yield a question for each cell whose tier may want so many targets."""
        deed = deeds_by_name()[lead.detail]
        if gives_away(deed.does, targets):
            return
        slots = {"do": deed.do, "does": deed.does}
        is_alone = len(targets) == 1
        rationale = _RATIONALE_ALONE if is_alone else _RATIONALE_CALLERS
        for cell in self.cells:
            is_for_one = cell in _CELLS_FOR_ONE
            if is_for_one is not is_alone or cell.task_type not in phrasings_by_type:
                continue
            phrasings = phrasings_by_type[cell.task_type]
            settles = _settles(cell, is_alone=is_alone)
            # What the standard library calls a deed is seldom what a project calls it, so other
            # questions go before wherever something else can be asked.
            score = 0.6 if cell.task_type == "locate" else 0.4
            yield Question(
                cell=cell,
                phrasings=phrasings,
                slots=slots,
                targets=targets,
                intent=intent_of(lead, settles),
                score=score,
                rationale=rationale,
                expectation=expectation_of_general(cell, "locate"),
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who makes the call, what comes of it, and who leads there."""
        deed = deeds_by_name().get(intent.detail)
        if deed is None or not _is_only_user(code, intent.detail, intent.subject):
            return None
        simple_name = intent.detail.rpartition(".")[2]
        call_id = f"{intent.subject}.{simple_name}"
        all_effects = effects_of_call(code, intent.subject, call_id)
        effects = [effect for effect in all_effects if _stands_around(effect, intent.lines)]
        effects = effects[:MOST_EFFECTS]
        # One of two ways to do it is half an answer.
        if any(_VERSION in test.code for effect in effects for test in effect.statement.conditions):
            return None
        ways = ways_there(code, intent.subject, targets)
        if not effects or ways is None:
            return None
        only_user = _only_user(intent)
        places = list(place_of(code, intent.subject)) if len(targets) == 1 else []
        followed = list(follow(code, effects))
        # That nothing else would do the same belongs to the question of the only place.
        is_place_asked = ONLY_PLACE in intent.settles
        uncalled = list(_uncalled(code, only_user, deed)) if is_place_asked else []
        if is_place_asked:
            # Who asks for the place alone does not ask when it is done there.
            effects = [effect for effect in effects if not effect.statement.conditions]
        # Where callers are asked for, they come before what is done with the result.
        facts = [only_user, *places, *uncalled, *ways, *effects]
        if WHAT_FOLLOWS in intent.settles:
            failures = _failures(code, intent.subject, simple_name, intent.lines)
            facts.extend(failures)
            facts.extend(followed[:1])
        around = near(code, intent.subject, intent.lines)
        if len(targets) > 1:
            mistaken: MistakenFunction | None = MistakenFunction(targets[1], is_likely=True)
        else:
            mistaken = mistaken_function(code, deed.does, [intent.subject])
        denied_effects = denials(effects, around)
        falsehoods = [*mistaken_levels(ways), *denied_effects][:2]
        if mistaken is not None:
            denied = LibraryCallers(intent.detail, (name_of(mistaken.entity_id),))
            falsehoods.append(believed(only_user, mistaken, denied))
        told = () if uncalled else ways
        opening = with_ways(_opening(intent, deed, uncalled), told)
        return AnswerPlan(
            parts=answer_parts(
                intent.subject,
                targets,
                subject_does="makes the call",
                others_do="leads there",
                others_role="primary",
            ),
            opening=opening,
            facts=tuple(facts),
            context=(*followed, *descriptions(code, intent.subject), *around),
            neighbours=tuple(around),
            falsehoods=tuple(falsehoods),
            said_in_opening=1 + len(places) + len(uncalled) + len(told),
            affirms=True,
        )


def _failures(code: CodeContext, subject: str, name: str, lines: FileRange) -> Iterator[Finding]:
    """State what becomes of the errors that a call is guarded against."""
    clauses: set[int] = set()
    for call in find_statements(code, subject, (CallHandling,)):
        statement = call.statement
        if not isinstance(statement, CallHandling) or not _stands_around(call, lines):
            continue
        if statement.callee.rpartition(".")[2] == name:
            clauses.update(call.clauses)
    for handled in find_statements(code, subject, (Handles,)):
        if handled.lines.start in clauses:
            yield handled


def _stands_around(finding: Finding, lines: FileRange) -> bool:
    """Find out whether some lines begin on one of a statement."""
    return finding.lines.start <= lines.start <= finding.lines.end


def _opening(intent: Intent, deed: LibraryDeed, uncalled: Sequence[Finding]) -> str:
    """Say who does it, and that nobody else does, by this call or by another one."""
    place = with_its_file(intent.subject)
    nobody = f"no other product code calls `{intent.detail}`"
    for finding in uncalled:
        if isinstance(finding.statement, LibraryUncalled):
            alternatives = either(finding.statement.names)
            nobody = f"{nobody}, and none calls {alternatives}"
    return f"It is {place} that {deed.does}; {nobody}."


def _settles(cell: Cell, *, is_alone: bool) -> tuple[str, ...]:
    if not is_alone:
        return ("the function", "what it does", "who leads there")
    if cell.task_type == "locate":
        return ("the function", "its file", ONLY_PLACE)
    return ("the function", "what it does", WHAT_FOLLOWS)


def _is_only_user(code: CodeContext, name: str, subject: str) -> bool:
    """Find out whether a function is the only one that does what a call does, by any name."""
    deed = deeds_by_name()[name]
    uses: Sequence[LibraryUse] | None = closed_library_uses(code.snapshot, deed.names)
    if uses is None or {use.entity_id for use in uses} != {subject}:
        return False
    called_words = {use.name.rpartition(".")[2] for use in uses}
    rivals = [rival for rival in deed.rivals if rival.rpartition(".")[2] not in called_words]
    return all(is_unused(code.snapshot, rival) for rival in rivals)


def _uncalled(code: CodeContext, only_user: Finding, deed: LibraryDeed) -> Iterator[Finding]:
    """State which other calls that would do the same nobody makes: that it is the only place."""
    assert isinstance(only_user.statement, LibraryCallers)  # noqa: S101  # it is nothing else
    called = only_user.statement.name
    further_names = [name for name in deed.names if name != called]
    at_hand = [name for name in further_names if _is_at_hand(name, called)]
    others = [name for name in at_hand if is_unused(code.snapshot, name)]
    if others:
        statement = LibraryUncalled(called, tuple(others[:MOST_UNCALLED]))
        yield replace(only_user, statement=statement)


def _is_at_hand(name: str, called: str) -> bool:
    """Find out whether a library is there for sure: that of Python, or the one that is called."""
    package = name.partition(".")[0]
    called_package = called.partition(".")[0]
    return package in sys.stdlib_module_names or package == called_package


def _only_user(intent: Intent) -> Finding:
    lines = FileRange(file=intent.lines.file, start=intent.lines.start, end=intent.lines.end)
    only_caller = LibraryCallers(intent.detail, (name_of(intent.subject),))
    return Finding(only_caller, intent.subject, lines)
