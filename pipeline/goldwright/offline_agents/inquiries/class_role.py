"""Why asked: an object that speaks up by its messages. Asked: what it is, and who makes it."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.class_makers import closed_makers
from goldwright.code_reading.contracts import abstract_reason, methods_of
from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.modules import Module
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import descriptions, descriptions_of_class
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.message_sites import (
    how_it_is_said,
    lead_of_message,
    message_sites,
)
from goldwright.offline_agents.inquiries.message_words import is_telling, quoted
from goldwright.offline_agents.inquiries.routes import leaves_function, raised_on
from goldwright.offline_agents.inquiries.surroundings import (
    asked_parts,
    callers_of,
    calls_in,
    each_once,
    expectation_of_general,
    find_statements,
    intent_of,
)
from goldwright.offline_agents.inquiries.ways_to_deed import with_ways
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.only_makers import OnlyMakers
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent
from goldwright.retrieval.quotations import holders_of, quotation_of
from goldwright.snapshot.product_code import is_product_code

MOST_MAKERS: Final = 4
# Of the functions above a maker; more of them would be another question.
MOST_ABOVE: Final = 4

_GENERAL: Final = (
    'Which class {says} "{said}", and where do we create instances of it?',
    'Which class {says} "{said}", and where is it instantiated? I want to patch it in a test.',
    'I want to mock the class that {says} "{said}" in a test. Which one is it, who creates it?',
)
_GENERAL_WITH_CALLERS: Final = (
    'Where do we instantiate the class that {says} "{said}", and from where do we get there?',
    'Which class {says} "{said}", where is it instantiated, and who calls that code?',
    'Which class {says} "{said}"? I need to know who instantiates it, and who calls that code.',
)
_LOCATE: Final = (
    'Where is the class that {says} "{said}", and where do we instantiate it?',
    'Which class {says} "{said}", and which functions instantiate it?',
    'Point me to the class behind "{said}" and to every function that creates one.',
    'I want to replace the class that {says} "{said}". Where is it, and who instantiates it?',
    'Find the class that "{said}" comes from and all places that instantiate it.',
    'Who instantiates the class behind "{said}", and in which file is it defined?',
    'What class {says} "{said}", and where in the code is it instantiated?',
)
_BY_CELL: Final = {
    Cell("general", "medium"): _GENERAL,
    Cell("general", "hard"): _GENERAL_WITH_CALLERS,
    Cell("locate", "hard"): _LOCATE,
}
# A message that comes under more conditions than these takes too long to explain.
MOST_CONDITIONS: Final = 3
_ERROR_NAME: Final = re.compile(r"(?:Error|Exception|Warning|Mixin)$")


class ClassRole(Inquiry):
    """What is this object, who makes it, and what does it keep?"""

    kind: ClassVar[str] = "class_role"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("general", "medium"),
        Cell("general", "hard"),
        Cell("locate", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield classes with an ``__init__`` of their own, by the messages of their methods."""
        for name, node in module.definitions.items():
            if not isinstance(node, ast.ClassDef) or module.class_definition(name) is None:
                continue
            methods = methods_of(module, name)
            is_open = any(map(abstract_reason, methods.values()))
            if "__init__" not in methods or is_open or _ERROR_NAME.search(name):
                continue
            for method in methods.values():
                for site in message_sites(module, method):
                    if site.path is not None and is_telling(site.message):
                        entity_id = f"{module.path}::{name}"
                        yield lead_of_message(self.kind, entity_id, site, method.name)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the class with those who make its objects, and for what gets them going."""
        makers = _makers(code, lead.subject)
        if not makers:
            return
        method = f"{lead.subject}.{lead.detail}"
        above = _callers_above(code, makers)
        class_and_makers = (lead.subject, method, *makers)
        makers_and_above = (*class_and_makers, *above)
        hard_targets = makers_and_above if above else ()
        target_sets = {
            # Who finds the method has found the class: the medium question is within reach.
            Cell("general", "medium"): class_and_makers,
            Cell("general", "hard"): hard_targets,
            Cell("locate", "hard"): class_and_makers,
        }
        message = quoted(lead.words)
        is_raised = _is_raised(code, lead)
        says = "raises" if is_raised else "logs"
        # Nobody sees an error that the method takes back.
        if is_raised and _is_taken_back(code, method, lead.first):
            return
        # A mark that opens a value which is cut off is no end of a quotation.
        has_odd_mark = message.count("'") % 2 == 1
        is_torn = has_odd_mark and message.endswith("'")
        is_given_away = is_torn or gives_away(message, makers_and_above)
        if is_given_away or not _is_said_only_in(code, message, lead.subject):
            return
        # The whole message: half of one says nothing about a class.
        slots = {"said": message, "says": says}
        intent = intent_of(lead, ("what it is", "who makes it", "what can go wrong in it"))
        for cell, targets in target_sets.items():
            # Of several methods that say it, none is the answer.
            names_method = method in targets
            if not targets or (names_method and not _is_said_only_in(code, message, method)):
                continue
            # Whoever wants the makers has mostly the name of the class: that goes before.
            score = 0.1 if cell.task_type == "general" else 0.8
            yield Question(
                cell=cell,
                phrasings=_BY_CELL[cell],
                slots=slots,
                targets=each_once(targets),
                intent=intent,
                score=score,
                rationale="The message is in one method, the makers are elsewhere.",
                expectation=expectation_of_general(cell, "explain"),
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who makes such objects, and what can go wrong in them."""
        subject = intent.subject
        name = name_of(subject)
        speech = _speech(code, intent)
        makers = _makers(code, subject)
        entity = code.snapshot.entity(subject)
        if speech is None or entity is None or not makers:
            return None
        if len(speech.statement.conditions) > MOST_CONDITIONS:
            return None
        first_line = entity.spans[0].first
        start = FileRange(file=entity.path, start=first_line, end=first_line)
        calls: list[FileRange] = []
        for maker in makers:
            calls.extend(calls_in(code, maker, subject))
        statement = OnlyMakers(name, tuple(map(name_of, makers)))
        only_makers = Finding(statement, subject, start, elsewhere=tuple(calls))
        place = Finding(DefinedIn(name, entity.path), subject, start)
        facts = [speech, only_makers, *_asked_for(code, intent, targets, place)]
        context = [*descriptions_of_class(code, subject), place]
        for maker in makers:
            context.extend(descriptions(code, maker))
        initializer = f"{subject}.__init__"
        context.extend(find_statements(code, initializer, (Assigned,)))
        errors = [error for error in _errors(code, subject) if error != speech]
        # Who asks who makes it hears that first.
        introduction = _opening(speech, name, entity.path)
        opening = with_ways(introduction, (only_makers,))
        method = f"{subject}.{intent.detail}"
        parts = asked_parts(
            [method], targets, asked_do="has its part in it", given_is="gives the message"
        )
        falsehoods = _other_makers(code, only_makers, makers)
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=tuple(context),
            neighbours=tuple(errors),
            falsehoods=tuple(falsehoods),
            said_in_opening=2,
        )


def _asked_for(
    code: CodeContext, intent: Intent, targets: Sequence[str], place: Finding
) -> Iterator[Finding]:
    """State what each question asks for beside the message and the makers."""
    makers = _makers(code, intent.subject)
    above = set(_callers_above(code, makers))
    if above and above <= set(targets):
        for maker in makers:
            callers = callers_of(code, maker, targets)
            if callers is not None:
                yield callers
    else:
        yield place


def _other_makers(
    code: CodeContext, only_makers: Finding, makers: Sequence[str]
) -> Iterator[Finding]:
    """Yield that the callers of a maker make the objects: one goes a call too far up."""
    # What an answer does not cite is no name that it may speak of.
    files = {path_of(only_makers.entity_id), *map(path_of, makers)}
    all_callers = _callers_above(code, makers)
    callers = [caller for caller in all_callers if path_of(caller) in files]
    above = tuple(map(name_of, callers))
    statement = only_makers.statement
    is_apart = above and set(above).isdisjoint(statement.members)
    if is_apart and len(set(above)) == len(above):
        falsehood = statement.with_members(above[:1])
        yield only_makers.refuting(falsehood)


def _is_said_only_in(code: CodeContext, message: str, owner: str) -> bool:
    """Find out whether nothing but a definition and what is around it holds a message."""
    for holder in holders_of(quotation_of(message), code.snapshot):
        holder_id = holder.entity_id
        is_around = owner.startswith(f"{holder_id}.")
        is_inside = f"{holder_id}.".startswith(f"{owner}.")
        # Tests quote what they expect.
        if is_product_code(code.snapshot, holder.path) and not is_around and not is_inside:
            return False
    return True


def _is_raised(code: CodeContext, lead: Lead) -> bool:
    """Find out whether the message of a lead is that of an error, and not of a log."""
    method = f"{lead.subject}.{lead.detail}"
    opened = code.function(method)
    if opened is None:
        return False
    sites = raise_sites(*opened)
    return any(site.first == lead.first for site in sites)


def _is_taken_back(code: CodeContext, method: str, line: int) -> bool:
    """Find out whether a method may catch the error again that it raises on a line."""
    raised = raised_on(code, method, line)
    error = ""
    if raised and isinstance(raised.statement, Raises):
        error = raised.statement.error
    return not leaves_function(code, method, line, error)


def _callers_above(code: CodeContext, makers: Sequence[str]) -> tuple[str, ...]:
    """Give all functions that call a maker; empty where they are not all known, or too many."""
    above: dict[str, None] = {}
    for maker in makers:
        callers = code.closed_callers(maker)
        if callers is None:
            return ()
        above.update(dict.fromkeys(callers))
    return tuple(above) if len(above) <= MOST_ABOVE else ()


def _makers(code: CodeContext, class_id: str) -> tuple[str, ...]:
    """Give all functions that make objects of a class; empty where they are not all known."""
    name = name_of(class_id)
    simple_name = name.rpartition(".")[2]
    files = product_files_with(code.snapshot, simple_name)
    if files is None:
        return ()
    makers = closed_makers(code.snapshot, class_id, files) or ()
    if not makers or not is_on_few_lines(code.snapshot, simple_name):
        return ()
    maker_names = {name_of(maker) for maker in makers}
    own_prefix = f"{name}."
    is_own = any(maker_name.startswith(own_prefix) for maker_name in maker_names)
    are_told_apart = len(maker_names) == len(makers) <= MOST_MAKERS
    return makers if are_told_apart and not is_own else ()


def _speech(code: CodeContext, intent: Intent) -> Finding | None:
    """Find the statement whose message the question quotes."""
    method = f"{intent.subject}.{intent.detail}"
    for finding in find_statements(code, method, (Raises, Logs)):
        if finding.lines == intent.lines:
            return finding
    return None


def _errors(code: CodeContext, class_id: str) -> Iterator[Finding]:
    module = code.module(path_of(class_id))
    if module is None:
        return
    for method in methods_of(module, name_of(class_id)):
        method_id = f"{class_id}.{method}"
        yield from find_statements(code, method_id, (Raises,))


def _opening(speech: Finding, name: str, path: str) -> str:
    statement = speech.statement
    assert isinstance(statement, Raises | Logs)  # noqa: S101  # that is what was looked for
    conditions = describe_conditions(statement.path)
    says = how_it_is_said(statement)
    place = f"It is the class `{name}` in `{path}`"
    return f"{place}: `{statement.function}` {says} {conditions}".rstrip() + "."
