"""Why asked: a class with subclasses that do its work. Asked: what another one has to define."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from goldwright.code_reading.contracts import abstract_reason, methods_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.class_nouns import area_of, is_said_twice, noun_of_class
from goldwright.offline_agents.inquiries.effects import effects_of_call
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.surroundings import find_statements, intent_of
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.family_callers import FamilyCallers
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

MOST_METHODS: Final = 6
MOST_SUBCLASSES: Final = 8
MOST_NAMED: Final = 5
MOST_CALLERS: Final = 5
FEWEST_TARGETS: Final = 2
FEWEST_TOLD: Final = 4

_BY_NAME: Final = (
    "What must a new subclass of `{name}` define?",
    "Which methods of `{name}` are left to me if I derive from it?",
    "I derive from `{name}`: what is mandatory, and what can stay?",
    "How do I write my own `{name}`?",
    "Give me the checklist for implementing `{name}`.",
    "What is the smallest class that fulfils `{name}`?",
    "Someone wants a custom `{name}`. What do they have to write?",
)
_WITH_CALLERS: Final = (
    "What must a {noun} of my own in the {area} code provide, and who will call that?",
    "I am writing a new {noun} for {area}. Which methods are a must, and when are they called?",
    "Which hooks does every {noun} of {area} have to fill, and from where are they invoked?",
    "Before I write another {noun} for the {area} part: what is demanded, and what uses it?",
    "Our {noun} has to fit into {area}. What do I define, and which code relies on it?",
    "If my {noun} in {area} leaves something out, what breaks? I need the duties and their users.",
)
_BY_NOUN: Final = (
    "I want to add another {noun} to the {area}. What must it define, and which ones are there?",
    "How would a new {noun} for the {area} have to look, and what can I copy from?",
    "We need one more {noun} in the {area}. What is its contract, and who fulfils it already?",
    "Planning a further {noun} for the {area}: which methods are a must, and where are examples?",
    "What does it take to write a {noun} for the {area}? Show me the existing ones too.",
    "Which kinds of {noun} does the {area} have, and what would mine need?",
    "To support our own {noun} in the {area}, what do I implement?",
    "Could you list each {noun} of the {area} and what all of them must provide?",
)


class Contract(Inquiry):
    """What must another one of a kind define?"""

    kind: ClassVar[str] = "contract"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("extend", "easy"),
        Cell("extend", "medium"),
        Cell("extend", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the classes that leave methods to their subclasses."""
        for name, node in module.definitions.items():
            if not isinstance(node, ast.ClassDef) or module.class_definition(name) is None:
                continue
            methods = methods_of(module, name)
            left_open = [key for key, method in methods.items() if abstract_reason(method)]
            if 1 <= len(left_open) <= MOST_METHODS:
                last = node.end_lineno or node.lineno
                entity_id = f"{module.path}::{name}"
                yield Lead(self.kind, entity_id, node.lineno, last, ", ".join(left_open), "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask by name for the methods alone, and without it for those who use and fulfil them."""
        if not _are_mandatory(lead.subject, lead.detail.split(", "), code):
            return
        methods = tuple(f"{lead.subject}.{method}" for method in lead.detail.split(", "))
        settles = ("each method that must be defined", "what can stay as it is")
        yield Question(
            cell=Cell("extend", "easy"),
            phrasings=_BY_NAME,
            slots={"name": name_of(lead.subject)},
            targets=(lead.subject, *methods[:3]),
            intent=intent_of(lead, settles),
            score=0.7,
            rationale="The class says itself what it leaves open.",
        )
        noun, area = noun_of_class(lead.subject), area_of(lead.subject)
        if not noun or not area or is_said_twice(noun, area):
            return
        family = _family_of(lead.subject, code)
        callers = _callers(lead.subject, methods, code)
        for targets, phrasings in (
            ((lead.subject, *family), _BY_NOUN),
            ((lead.subject, *methods, *callers), _WITH_CALLERS),
        ):
            if len(targets) < FEWEST_TARGETS or gives_away(f"{noun} . {area}", targets):
                continue
            if phrasings is _WITH_CALLERS and not callers:
                continue
            for cell in self.cells[1:]:
                yield Question(
                    cell=cell,
                    phrasings=phrasings,
                    slots={"noun": noun, "area": area},
                    targets=targets,
                    intent=intent_of(lead, ("each method that must be defined", "who uses it")),
                    score=0.8,
                    rationale="Who fulfils or uses the contract stands apart from it.",
                )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State every method that is left open, who calls them, and who defines them already."""
        path, base = path_of(intent.subject), name_of(intent.subject)
        module = code.module(path)
        if module is None or module.class_definition(base) is None:
            return None
        methods = _read_methods(module, base)
        method_ids = tuple(f"{intent.subject}.{method}" for method in methods.names)
        callers = _callers(intent.subject, method_ids, code)
        if not set(callers) <= set(targets):
            callers = ()
        facts = [*methods.left_open]
        family = _family_of(intent.subject, code)
        if family and set(family) <= set(targets):
            names = tuple(map(name_of, family))
            facts.append(Finding(OnlySubclasses(base, names), intent.subject, intent.lines))
        if callers:
            facts.extend(_called_by(intent.subject, method_ids, code))
        facts.extend(methods.signatures[: max(0, MOST_FACTS - len(facts))])
        facts.extend(methods.ready[: max(0, FEWEST_TOLD - len(facts))])
        places = [_place(target, code) for target in targets[1:]]
        context = [place for place in places if place is not None]
        for caller in callers:
            for method_id in method_ids:
                context.extend(effects_of_call(code, caller, method_id))
        return AnswerPlan(
            parts=tuple(_parts(intent, targets, code)),
            opening=_opening(base, path, method_ids),
            facts=tuple(facts),
            # More than a few would hide what matters.
            context=(
                *methods.signatures,
                *context,
                *methods.ready[:MOST_NAMED],
                *_examples(family, methods, code),
            ),
            neighbours=tuple(methods.ready),
            falsehoods=tuple(_needless(methods.ready)),
        )


@dataclass(frozen=True, slots=True)
class _Methods:
    """The methods of a class: those that it leaves open, what they take, and the others."""

    left_open: list[Finding]
    signatures: list[Finding]
    ready: list[Finding]

    @property
    def names(self) -> list[str]:
        """The simple names of the open ones."""
        statements = [finding.statement for finding in self.left_open]
        return [each.method for each in statements if isinstance(each, MustDefine)]


def _read_methods(module: Module, base: str) -> _Methods:
    methods = _Methods([], [], [])
    for method, function in methods_of(module, base).items():
        name = f"{base}.{method}"
        demands = list(MustDefine.find(module, name, function))
        methods.left_open.extend(demands)
        if demands:
            methods.signatures.extend(Takes.find(module, name, function))
        if not method.startswith("_"):
            methods.ready.extend(MayDefine.find(module, name, function))
    return methods


def _opening(base: str, path: str, method_ids: Sequence[str]) -> str:
    names = [name_of(method).rpartition(".")[2] for method in method_ids]
    noun = "method" if len(names) == 1 else "methods"
    return (
        f"It derives from `{base}` in `{path}` and defines the {noun} {join_code(names)}, "
        f"which `{base}` leaves open."
    )


def _family_of(class_id: str, code: CodeContext) -> tuple[str, ...]:
    """Give the subclasses of a class; empty where not all are known, or there are too many."""
    subclasses = code.closed_subclasses(class_id) or ()
    names = {name_of(subclass) for subclass in subclasses}
    is_clear = len(names) == len(subclasses) <= MOST_SUBCLASSES
    # Those that derive from a subclass would belong to the set as well.
    is_open = any(code.snapshot.graph.subclasses(subclass) for subclass in subclasses)
    return subclasses if is_clear and not is_open else ()


def _callers(class_id: str, method_ids: Sequence[str], code: CodeContext) -> tuple[str, ...]:
    """Give all who call the open methods; empty where they are not all known for each of them."""
    callers: dict[str, None] = {}
    for method_id in method_ids:
        of_method = code.family_callers(
            class_id, name_of(method_id).rpartition(".")[2], _descendants(class_id, code)
        )
        if not of_method:
            return ()
        callers.update(dict.fromkeys(of_method))
    names = {name_of(caller) for caller in callers}
    is_clear = len(names) == len(callers) <= MOST_CALLERS
    return tuple(callers) if is_clear else ()


def _descendants(class_id: str, code: CodeContext) -> tuple[str, ...]:
    found: dict[str, None] = {}
    pending = [class_id]
    while pending:
        for subclass in code.snapshot.graph.subclasses(pending.pop()):
            if subclass not in found:
                found[subclass] = None
                pending.append(subclass)
    return tuple(found)


def _called_by(class_id: str, method_ids: Sequence[str], code: CodeContext) -> Iterator[Finding]:
    for method_id in method_ids:
        method = name_of(method_id)
        callers = code.family_callers(
            class_id, method.rpartition(".")[2], _descendants(class_id, code)
        )
        entity = code.snapshot.entity(method_id)
        if entity is not None:
            span = entity.spans[0]
            lines = FileRange(file=entity.path, start=span.first, end=span.last)
            yield Finding(FamilyCallers(method, tuple(map(name_of, callers))), method_id, lines)


def _are_mandatory(class_id: str, methods: Sequence[str], code: CodeContext) -> bool:
    """Find out whether every subclass that is no base itself defines what is left open."""
    for subclass in code.closed_subclasses(class_id) or ():
        module = code.module(path_of(subclass))
        if module is None or code.snapshot.graph.subclasses(subclass):
            continue
        own = methods_of(module, name_of(subclass))
        if not set(methods) <= set(own):
            return False
    return True


def _examples(family: Sequence[str], methods: _Methods, code: CodeContext) -> Iterator[Finding]:
    """Yield what the existing subclasses do in the methods that another one has to define."""
    for subclass in family:
        for name in methods.names:
            yield from find_statements(code, f"{subclass}.{name}", (Raises, Returned))


def _place(target: str, code: CodeContext) -> Finding | None:
    entity = code.snapshot.entity(target)
    if entity is None:
        return None
    first = entity.spans[0].first
    lines = FileRange(file=entity.path, start=first, end=first)
    return Finding(DefinedIn(entity.name, entity.path), target, lines)


def _is_class(entity_id: str, code: CodeContext) -> bool:
    entity = code.snapshot.entity(entity_id)
    return entity is not None and entity.kind == "class"


def _parts(intent: Intent, targets: Sequence[str], code: CodeContext) -> Iterator[AnswerPart]:
    yield AnswerPart(intent.subject, "primary", f"`{name_of(intent.subject)}` is the contract.")
    for target in targets:
        if target.startswith(f"{intent.subject}."):
            yield AnswerPart(target, "supporting", f"`{name_of(target)}` must be defined.")
        elif target != intent.subject:
            does = "fulfils the contract" if _is_class(target, code) else "calls what it demands"
            yield AnswerPart(target, "supporting", f"`{name_of(target)}` {does}.")


def _needless(own_methods: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what somebody could think must be defined, and need not be."""
    for found in own_methods:
        if isinstance(found.statement, MayDefine):
            statement = MustDefine(found.statement.base, found.statement.method, "abstract")
            yield Finding(statement, found.entity_id, found.lines)
