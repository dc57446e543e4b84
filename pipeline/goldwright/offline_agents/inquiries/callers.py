"""Why asked: a function with a few known callers. Asked: which calls a change of it would touch."""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.callers import may_be_called_from_elsewhere, may_have_few_callers
from goldwright.code_reading.class_makers import makes_its_own_kind
from goldwright.code_reading.docstrings import content_words, docstring_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import FEWEST_FACTS, MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries import consequences
from goldwright.offline_agents.inquiries.caller_levels import (
    callers_of_each,
    facts_of_callers,
    mistaken_levels,
)
from goldwright.offline_agents.inquiries.deeds import deed_of
from goldwright.offline_agents.inquiries.described_callees import TWO_LEVELS, WAYS_TO_ASK
from goldwright.offline_agents.inquiries.effects import denials, descriptions, near
from goldwright.offline_agents.inquiries.family_calls import is_overridden
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.mistaken_functions import overlooked_caller, wrong_caller
from goldwright.offline_agents.inquiries.named_callees import (
    CALLS,
    SIGNATURE,
    USES,
    WITH_ARGUMENTS,
    WITH_CONDITIONS,
    WITH_SIGNATURE,
    WITH_THEIR_CALLERS,
    questions_by_name,
    without_callee,
)
from goldwright.offline_agents.inquiries.results_of_calls import (
    calls_made,
    calls_told,
    gives_result,
    hangs_on_call,
    uses_told,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    asked_parts,
    called_name,
    callers_of,
    each_once,
    find_statements,
    intent_of,
    lead_of_definition,
    place_of,
    with_its_file,
)
from goldwright.offline_agents.prose.prose_calls import call_in_prose
from goldwright.offline_agents.prose.prose_writing import write_prose
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.plan import Cell
from goldwright.records import Intent
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.task_types import tier_rule

MOST_CALLERS: Final = 4
# A call under more conditions than these takes too long to explain.
MOST_CONDITIONS: Final = 3

# Whoever is said to do the same stands among the first of a search for it.
MOST_NAMESAKES: Final = 20


class Callers(Inquiry):
    """Who calls a function, with what, and what for?"""

    kind: ClassVar[str] = "callers"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("locate", "medium"),
        Cell("review", "easy"),
        Cell("review", "medium"),
        Cell("review", "hard"),
        Cell("extend", "easy"),
        Cell("extend", "medium"),
        Cell("extend", "hard"),
        Cell("general", "easy"),
        Cell("general", "medium"),
        Cell("general", "hard"),
        Cell("explain", "easy"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the functions; what they do is read from their docstrings later.

        What is imported as well is somebody else's function, of which only a stand-in is ours.
        """
        imported_names: set[str] = set()
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom):
                imported_names.update(alias.asname or alias.name for alias in node.names)
        own_names = [name for name in module.definitions if name not in imported_names]
        for name in own_names:
            function = module.function(name)
            own_name = name.rpartition(".")[2]
            is_made = own_name == "__init__"
            if function is not None and (is_made or not own_name.startswith("__")):
                entity_id = f"{module.path}::{name}"
                yield lead_of_definition(self.kind, entity_id, function)

    def may_serve(self, lead: Lead, cell: Cell, code: CodeContext) -> bool:
        """Rule out what has no few callers, and what is called in its own file alone."""
        if not may_have_few_callers(code.snapshot, lead.subject, MOST_CALLERS):
            return False
        fewest_files, _ = tier_rule(cell).files
        return fewest_files < 2 or may_be_called_from_elsewhere(code.snapshot, lead.subject)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the function and all its callers: by its name, and by what it does."""
        callers = code.few_callers(lead.subject, MOST_CALLERS)
        if not callers or not _are_calls_all(lead.subject, code):
            return
        further = callers_of_each(code, callers, MOST_CALLERS) or ()
        yield from questions_by_name(lead, callers, further, code)
        deed = deed_of(code.snapshot, lead.subject)
        targets = (lead.subject, *callers)
        if not deed or gives_away(deed, targets) or _is_done_elsewhere(code, deed, lead.subject):
            return
        slots = {"deed": deed}
        both_levels = each_once(targets, further)
        if len(both_levels) > len(targets) and not gives_away(deed, both_levels):
            yield Question(
                cell=Cell("extend", "hard"),
                phrasings=TWO_LEVELS,
                slots=slots,
                targets=both_levels,
                intent=intent_of(lead, WITH_THEIR_CALLERS, detail=CALLS),
                score=0.45,
                rationale="The callers of all callers have to be found, and none is named.",
            )
        has_result = gives_result(code, lead.subject)
        for cell in self.cells:
            for phrasings, settles in WAYS_TO_ASK.get(cell.task_type, ()):
                is_extend = cell.task_type == "extend"
                if cell.difficulty == "easy" or not (is_extend or has_result):
                    continue
                detail = CALLS if is_extend else USES
                yield Question(
                    cell=cell,
                    phrasings=phrasings,
                    slots=slots,
                    targets=targets,
                    intent=intent_of(lead, settles, detail=detail),
                    score=0.45,
                    rationale="All callers have to be found, and none of them is named.",
                    expectation=None if is_extend else "explain",
                )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State all callers, and the calls with what is handed over or comes of it."""
        plan = _plan(intent, targets, code)
        if plan is None or intent.subject in targets:
            return plan
        return without_callee(plan, intent, targets, code)


def _are_calls_all(subject: str, code: CodeContext) -> bool:
    """Find out whether the calls of a function are all that a change of it concerns."""
    class_id = subject.removesuffix(".__init__")
    # Objects are made where no class is named, too: by ``cls`` or as copies.
    if class_id != subject and makes_its_own_kind(code.snapshot, class_id):
        return False
    # A call may reach a subclass: whoever changes the method has to change that one as well.
    return not is_overridden(subject, code)


def _plan(intent: Intent, targets: tuple[str, ...], code: CodeContext) -> AnswerPlan | None:
    callers = code.closed_callers(intent.subject)
    all_callers = callers_of(code, intent.subject, targets)
    if not callers or all_callers is None:
        return None
    if not set(targets) <= {intent.subject, *callers}:
        return _two_levels(code, intent, targets, callers)
    takes = list(find_statements(code, intent.subject, (Takes,)))
    effects_by_caller = _told_of_callers(intent, callers, code)
    if not effects_by_caller or (intent.detail == CALLS and not takes):
        return None
    effects = [effect for effects in effects_by_caller for effect in effects]
    facts = [all_callers, *effects]
    if any(len(fact.statement.conditions) > MOST_CONDITIONS for fact in facts):
        return None
    signature = [*takes, *_defaults(code, intent.subject)] if SIGNATURE in intent.settles else []
    further = [] if signature or intent.detail != CALLS else takes
    facts = [*signature, *facts]
    facts = _completed(code, facts, further, (*callers, intent.subject))
    context = list(descriptions(code, intent.subject))
    around: list[Finding] = []
    for caller, effects in zip(callers, effects_by_caller, strict=True):
        context.extend(descriptions(code, caller))
        around.extend(near(code, caller, effects[0].lines))
    first = [effects[0] for effects in effects_by_caller]
    only_call = None if signature else _only_call(intent.subject, effects_by_caller)
    # What it takes now is asked first.
    told = write_prose([finding.statement for finding in signature])
    opening = " ".join(told) or _opening(intent.subject, callers, only_call)
    parts = _parts(intent.subject, targets, is_signature_asked=bool(signature))
    denied = tuple(denials(first, around))[:1]
    falsehoods = (
        *overlooked_caller(code, all_callers, callers),
        *wrong_caller(code, all_callers, callers),
        *denied,
    )
    said_in_opening = len(signature) or (1 if only_call is None else 2)
    return AnswerPlan(
        parts=parts,
        opening=opening,
        facts=tuple(facts),
        context=tuple(context),
        neighbours=tuple(around),
        falsehoods=falsehoods,
        said_in_opening=said_in_opening,
    )


def _told_of_callers(
    intent: Intent, callers: Sequence[str], code: CodeContext
) -> list[list[Finding]]:
    """Find what is told of each caller; nothing where one of them has nothing to be told of."""
    tell = uses_told if intent.detail == USES else calls_told
    if intent.settles in {WITH_ARGUMENTS, WITH_SIGNATURE}:
        tell = calls_made
    effects_by_caller = [tell(code, caller, intent.subject) for caller in callers]
    if not all(effects_by_caller):
        return []
    effects = [effect for effects in effects_by_caller for effect in effects]
    if intent.settles == WITH_CONDITIONS and not _settle_conditions(effects, intent.subject):
        return []
    return effects_by_caller


def _only_call(subject: str, effects_by_caller: Sequence[Sequence[Finding]]) -> Finding | None:
    """Give the only call of a function, where there is one and it can be told."""
    effects = effects_by_caller[0]
    call = effects[0]
    # One of several calls would be taken for the only one.
    called = f"{called_name(subject)}("
    calls = [effect for effect in effects if called in effect.statement.sentence()]
    is_sayable = predicate_of(call.statement) != "" or isinstance(call.statement, CallsAs)
    is_only_call = len(effects_by_caller) == len(calls) == 1 and is_sayable
    return call if is_only_call else None


def _parts(
    subject: str, targets: Sequence[str], *, is_signature_asked: bool
) -> tuple[AnswerPart, ...]:
    if is_signature_asked:
        does = {"subject_does": "is what they call", "others_do": "calls it"}
        return answer_parts(subject, targets, **does, others_role="primary")
    return asked_parts([subject], targets, asked_do="leads to it", given_is="is what they call")


def _settle_conditions(effects: Sequence[Finding], callee: str) -> bool:
    """Find out whether calls are made under conditions, and the statements are those of the calls.

    Nobody asks under which conditions where most have none, and what hangs on the result of a call
    does not tell when it is made.
    """
    conditional_effects = [effect for effect in effects if effect.statement.conditions]
    is_conditional = 2 * len(conditional_effects) >= len(effects) > 0
    if not is_conditional:
        return False
    return not any(hangs_on_call(effect, callee) for effect in effects)


def _is_done_elsewhere(code: CodeContext, deed: str, subject: str) -> bool:
    """Find out whether another function is said to do the same: nobody would know which."""
    hits = lexical_index(code.snapshot).search(deed, limit=MOST_NAMESAKES)
    words = content_words(deed.partition(" ")[2])
    for hit in hits:
        if hit.entity_id == subject:
            continue
        # All that the question says may stand in another docstring, in other words around it.
        docstring = docstring_of(code.snapshot, hit.entity_id)
        beginning = docstring.partition("\n\n")[0]
        if deed_of(code.snapshot, hit.entity_id) == deed or words <= content_words(beginning):
            return True
    return False


def _completed(
    code: CodeContext,
    facts: Sequence[Finding],
    further: Sequence[Finding],
    entity_ids: Sequence[str],
) -> list[Finding]:
    """Add what else can be told, and then where functions are, until there are facts enough."""
    places = [place for entity_id in entity_ids for place in place_of(code, entity_id)]
    missing = max(0, FEWEST_FACTS - len(facts))
    completions = [*further, *places]
    return [*facts, *completions[:missing]]


def _two_levels(
    code: CodeContext, intent: Intent, targets: tuple[str, ...], callers: tuple[str, ...]
) -> AnswerPlan | None:
    """State who has to hand an argument on and who has to give it, and who calls whom."""
    levels = facts_of_callers(code, (intent.subject, *callers), targets)
    if not levels:
        return None
    # Of a function that is not sought nobody wants to see more than the calls.
    is_sought = intent.subject in targets and intent.detail == CALLS
    further: list[Finding] = []
    if is_sought:
        further.extend(find_statements(code, intent.subject, (Takes,)))
    else:
        for caller in callers:
            further.extend(calls_made(code, caller, intent.subject))
    told = list(levels)
    if len(callers) == len(further) == 1 and not is_sought:
        # How the only caller calls it is said where it is named.
        told.insert(1, further.pop())
    elif not is_sought and len(told) < FEWEST_FACTS:
        # One of several calls would be taken for the only one.
        has_room = len(told) + len(further) <= MOST_FACTS
        told.extend(further if has_room else [])
        further = []
    context = [finding for target in targets for finding in descriptions(code, target)]
    direct = {intent.subject, *callers}
    above = [target for target in targets if target not in direct]
    parts = _parts(intent.subject, targets, is_signature_asked=False)
    opening = _opening_of_levels(intent, told, callers, above, is_sought=is_sought)
    said_in_opening = 0 if is_sought else len(told)
    facts = _completed(code, told, further, (*callers, *above))
    return AnswerPlan(
        parts=parts,
        opening=opening,
        said_in_opening=said_in_opening,
        facts=tuple(facts),
        context=tuple(context),
        falsehoods=tuple(mistaken_levels(levels)),
    )


def _opening_of_levels(
    intent: Intent,
    told: Sequence[Finding],
    callers: Sequence[str],
    above: Sequence[str],
    *,
    is_sought: bool,
) -> str:
    """Say what a new argument means for a function and both levels, or only who calls whom."""
    if not is_sought:
        return " ".join(write_prose([finding.statement for finding in told]))
    subject = with_its_file(intent.subject)
    names = list(map(name_of, callers))
    names_above = list(map(name_of, above))
    return consequences.of_argument_from_above(subject, names, names_above)


def _defaults(code: CodeContext, subject: str) -> Iterator[Finding]:
    """State which parameters may be left out today."""
    for finding in find_statements(code, subject, (ParameterDefault,)):
        if isinstance(finding.statement, ParameterDefault) and finding.statement.default:
            yield finding


def _opening(subject: str, callers: Sequence[str], call: Finding | None = None) -> str:
    """Say who calls a function; of a single caller, how it does so where one sentence can."""
    place = with_its_file(subject)
    if call is not None:
        caller = name_of(callers[0])
        callee = name_of(subject)
        return call_in_prose(caller, callee, call.statement, place)
    listed = join_code([name_of(caller) for caller in callers])
    verb = "calls" if len(callers) == 1 else "call"
    return f"{listed} {verb} {place}; no other product code does."
