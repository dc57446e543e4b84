"""Why asked: a class with a few subclasses. Asked: which there are, and what each overrides."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from goldwright.code_reading.contracts import abstract_reason, base_names, does_nothing, methods_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.class_nouns import (
    common_part,
    has_namesakes,
    is_kind_of_its_own,
    noun_of_class,
    with_article,
)
from goldwright.offline_agents.inquiries.effects import descriptions, descriptions_of_class
from goldwright.offline_agents.inquiries.family_overrides import Kinship, kinship_of
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.open_methods import (
    ORDINARY_METHODS,
    are_mandatory,
    lacks_methods,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    class_headers,
    find_statements,
    intent_of,
    lead_of_definition,
    opened_classes,
    place_of,
)
from goldwright.offline_agents.statements.empty_method import EmptyMethod
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.must_define import MustDefine
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.set_by_subclasses import SetBySubclasses
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

# What an intent is told by: the question of who wants to add one, or of who wants an overview.
ADDING: Final = "what a new one overrides"
OVERVIEW: Final = "what each overrides"

_SOME_METHODS: Final = "methods, besides `__init__` and the like,"

_EXTEND: Final = (
    "I want to add another {noun}{where}. Which {methods} do the existing ones override?",
    "I'm adding {a_noun}{where}. Which {methods} do the existing {noun} classes override?",
    "Which {methods} do the {noun} classes{within} override? I want to write another one.",
    "What do the existing {noun} classes{within} have in common? I want to add another one.",
    "How do I write my own {noun}{where}? Which {methods} do the existing ones override?",
    "If I write my own {noun}{where}, what do I derive from, and which methods do I override?",
    "For a new {noun}{where}, which classes can I copy from, and which {methods} do they override?",
    "Need to add {a_noun}{where}. Which {methods} do the existing ones override?",
)
_GENERAL: Final = (
    "Which {noun} classes are there{where}, and which inherited methods does each override?",
    "What {noun} classes exist{where}, and what does each of them override?",
    "How do the {noun} classes{where} differ in what they override?",
    "Give me an overview of the {noun} classes{where} and what each overrides.",
    "I need to choose between the {noun} classes{where}. Which methods does each override?",
    "Which {noun} classes do we have{where}, and how do they differ in what they override?",
    "In which methods do the {noun} classes{where} differ from their base class?",
    "Show me the {noun} implementations{where} and the methods they override.",
)
_BY_TASK_TYPE: Final = {"extend": _EXTEND, "general": _GENERAL}


class Family(Inquiry):
    """Which classes of a kind are there, and what does each of them override?"""

    kind: ClassVar[str] = "family"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("extend", "medium"),
        Cell("extend", "hard"),
        Cell("general", "medium"),
        Cell("general", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the classes with methods of their own whose name holds a noun."""
        for name, node in module.definitions.items():
            if not isinstance(node, ast.ClassDef) or module.class_definition(name) is None:
                continue
            entity_id = f"{module.path}::{name}"
            noun = noun_of_class(entity_id)
            if not noun or not is_kind_of_its_own(noun, base_names(module, name)):
                continue
            if set(methods_of(module, name)) - ORDINARY_METHODS:
                yield lead_of_definition(self.kind, entity_id, node)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the class and all its subclasses by the noun that they have in common."""
        subject = lead.subject
        kinship = kinship_of(code, subject)
        if kinship is None:
            return
        noun = noun_of_class(lead.subject)
        targets = (lead.subject, *kinship.members)
        part = common_part(targets, noun)
        is_joined = are_joined(code, targets, by_calls=False)
        if gives_away(f"{noun} . {part}", targets) or not is_joined:
            return
        # Whoever asks for "the middleware classes" means those without this base as well.
        if has_namesakes(code.snapshot, noun, part, targets):
            return
        for cell in self.cells:
            is_extend = cell.task_type == "extend"
            is_extendable = kinship.is_flat and kinship.methods and not lacks_methods(subject, code)
            if not (is_extendable if is_extend else kinship.is_varied):
                continue
            where = f" {'for' if is_extend else 'in'} {part}" if part else ""
            within = f" in {part}" if part else ""
            settles = ("all existing subclasses", "which of them override what")
            detail = ADDING if is_extend else OVERVIEW
            slots = {
                "noun": noun,
                "a_noun": with_article(noun),
                "where": where,
                "within": within,
                "methods": _SOME_METHODS if kinship.has_ordinary else "methods",
            }
            phrasings = _BY_TASK_TYPE[cell.task_type]
            yield Question(
                cell=cell,
                phrasings=phrasings,
                slots=slots,
                targets=targets,
                intent=intent_of(lead, settles, detail=detail),
                score=0.5,
                rationale="The class and all its subclasses have to be found and compared.",
                expectation=None if is_extend else "explain",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the whole family, and what each of them overrides or all of them do."""
        module = code.module(path_of(intent.subject))
        kinship = kinship_of(code, intent.subject)
        if module is None or kinship is None or set(kinship.members) - set(targets):
            return None
        names = tuple(map(name_of, kinship.subclasses))
        subclasses = OnlySubclasses(name_of(intent.subject), names)
        headers = class_headers(code, kinship.subclasses)
        family = Finding(subclasses, intent.subject, intent.lines, elsewhere=headers)
        overridden = [_overridden(intent, kinship, method) for method in kinship.methods]
        if intent.detail == OVERVIEW:
            own_facts = [*_further_generations(code, kinship), *kinship.overrides]
            opening = _overview(intent.subject, family)
        else:
            own_facts = [*_attributes(code, kinship, module, intent)]
            duties = [duty for method in overridden for duty in _duty(code, module, method)]
            # What is alike is told in one sentence.
            own_facts.extend(sorted(duties, key=_kind_of_duty))
            # Who asks what they override is not told by what some have in common.
            if not kinship.is_shared:
                own_facts.extend(kinship.overrides)
            opening = _advice(intent.subject, names, kinship)
        # What is cut off would leave a class out.
        if len(own_facts) >= MOST_FACTS:
            return None
        return AnswerPlan(
            parts=tuple(_parts(intent.subject, kinship.members)),
            opening=opening,
            facts=(family, *own_facts),
            context=tuple(_context(code, kinship, intent.subject)),
            neighbours=tuple(overridden),
            falsehoods=tuple(_careless(overridden, names)),
            said_in_opening=1 if intent.detail == OVERVIEW else 0,
        )


def _further_generations(code: CodeContext, kinship: Kinship) -> Iterator[Finding]:
    """State the subclasses of subclasses."""
    for parent in kinship.members:
        subclasses = code.closed_subclasses(parent) or ()
        entity = code.snapshot.entity(parent)
        if subclasses and entity is not None:
            first = entity.spans[0].first
            lines = FileRange(file=entity.path, start=first, end=first)
            family = OnlySubclasses(name_of(parent), tuple(map(name_of, subclasses)))
            yield Finding(family, parent, lines, elsewhere=class_headers(code, subclasses))


def _overridden(intent: Intent, kinship: Kinship, method: str) -> Finding:
    definers = kinship.definers[method]
    is_every = len(definers) == len(kinship.subclasses)
    statement = OverriddenBy(name_of(intent.subject), method, definers, is_every)
    return Finding(statement, intent.subject, intent.lines)


def _attributes(
    code: CodeContext, kinship: Kinship, module: Module, intent: Intent
) -> Iterator[Finding]:
    """State the attributes that all subclasses set."""
    subclasses = opened_classes(code, kinship.subclasses)
    yield from SetBySubclasses.find_in(module, name_of(intent.subject), subclasses)


def _duty(code: CodeContext, module: Module, overridden: Finding) -> Iterator[Finding]:
    """State of a method in common whether a subclass has to define it."""
    statement = overridden.statement
    if not isinstance(statement, OverriddenBy):
        return
    name = f"{statement.base}.{statement.method}"
    function = module.function(name)
    base_id = overridden.entity_id
    methods = [statement.method]
    if function is not None and abstract_reason(function) and are_mandatory(base_id, methods, code):
        # That all define it goes without saying.
        yield from MustDefine.find(module, name, function)
        return
    yield overridden
    if function is not None and does_nothing(function):
        yield from EmptyMethod.find(module, name, function)


def _kind_of_duty(finding: Finding) -> int:
    kinds = (OverriddenBy, MustDefine, EmptyMethod)
    return [type(finding.statement) is kind for kind in kinds].index(True)


def _context(code: CodeContext, kinship: Kinship, class_id: str) -> Iterator[Finding]:
    yield from descriptions_of_class(code, class_id)
    for method in kinship.methods:
        yield from descriptions(code, f"{class_id}.{method}")
        yield from find_statements(code, f"{class_id}.{method}", (Takes, Returned))
    for member in kinship.members:
        yield from place_of(code, member)
    for member in kinship.members:
        yield from descriptions_of_class(code, member)
    for method in kinship.methods:
        for member in kinship.members:
            yield from find_statements(code, f"{member}.{method}", (Returned, Raises, Runs))


def _careless(overridden: Sequence[Finding], names: Sequence[str]) -> Iterator[Finding]:
    """Deny what only some of the family define: it is said of all, or of the others."""
    for overriding in overridden:
        statement = overriding.statement
        if isinstance(statement, OverriddenBy) and not statement.is_every:
            wrong = replace(statement, definers=tuple(names), is_every=True)
            yield Finding(wrong, overriding.entity_id, overriding.lines)


def _parts(class_id: str, subclasses: Sequence[str]) -> Iterator[AnswerPart]:
    # Who asks for those that there are wants these; what they derive from leads to them.
    for subclass in subclasses:
        yield answer_part(subclass, "primary", "is one of the family")
    yield answer_part(class_id, "supporting", "is what all of them derive from")


def _overview(class_id: str, family: Finding) -> str:
    """State all the direct subclasses, and where the class itself is."""
    base = f"`{name_of(class_id)}`"
    place = f"{base} in `{path_of(class_id)}`"
    return family.statement.sentence().replace(base, place, 1)


def _advice(class_id: str, names: Sequence[str], kinship: Kinship) -> str:
    """Say what to derive from, and what is common to those that exist."""
    every = [method for method in kinship.methods if len(kinship.definers[method]) == len(names)]
    start = f"Derive from `{name_of(class_id)}` in `{path_of(class_id)}`"
    if every:
        return f"{start} and override {join_code(every)}, as all that exist do."
    return f"{start}; those that exist differ in what they override."
