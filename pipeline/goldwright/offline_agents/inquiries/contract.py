"""Why asked: a class with subclasses that do its work. Asked: what another one has to define."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import ClassVar, Final

from goldwright.code_reading.contracts import abstract_reason, methods_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.surroundings import find_statements, intent_of
from goldwright.offline_agents.statements.defined_in import DefinedIn
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

_BY_NAME: Final = (
    "What must a new subclass of `{name}` define?",
    "Which methods of `{name}` are left to me if I derive from it?",
    "I derive from `{name}`: what is mandatory, and what can stay?",
    "How do I write my own `{name}`?",
    "Give me the checklist for implementing `{name}`.",
    "What is the smallest class that fulfils `{name}`?",
    "Someone wants a custom `{name}`. What do they have to write?",
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
_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NO_NOUNS: Final = frozenset(
    "base abstract mixin impl abc class interface protocol type object meta generic".split()
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
        """Ask for the methods alone by name, or for them and all subclasses without it."""
        subclasses = code.closed_subclasses(lead.subject)
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
        noun, area = _noun(lead.subject), _area(lead.subject)
        if not subclasses or len(subclasses) > MOST_SUBCLASSES or not noun or not area:
            return
        settles = ("each method that must be defined", "all existing subclasses")
        for cell in self.cells[1:]:
            yield Question(
                cell=cell,
                phrasings=_BY_NOUN,
                slots={"noun": noun, "area": area},
                targets=(lead.subject, *subclasses),
                intent=intent_of(lead, settles),
                score=0.8,
                rationale="The subclasses stand in other files than the class they fulfil.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State every method that is left open, and who defines them already."""
        path, base = path_of(intent.subject), name_of(intent.subject)
        module = code.module(path)
        if module is None or module.class_definition(base) is None:
            return None
        open_methods: list[Finding] = []
        own_methods: list[Finding] = []
        for method, function in methods_of(module, base).items():
            open_methods.extend(MustDefine.find(module, f"{base}.{method}", function))
            if not method.startswith("_"):
                own_methods.extend(MayDefine.find(module, f"{base}.{method}", function))
        facts = list(open_methods)
        family = _family(intent, code)
        wants_family = any(path_of(target) != path for target in targets)
        if wants_family and family is None:
            return None
        if wants_family and family is not None:
            facts.append(family)
        places = [_place(target, code) for target in targets[1:] if wants_family]
        facts.extend(place for place in places if place is not None)
        if len(facts) < 4:
            facts.extend(own_methods[: 4 - len(facts)])
        examples = _examples(targets[1:], open_methods, code) if wants_family else ()
        names = [
            f"`{found.statement.method}`"
            for found in open_methods
            if isinstance(found.statement, MustDefine)
        ]
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        noun = "method" if len(names) == 1 else "methods"
        opening = (
            f"It derives from `{base}` in `{path}` and defines the {noun} {listed}, "
            f"which `{base}` leaves open."
        )
        return AnswerPlan(
            parts=tuple(_parts(intent, targets)),
            opening=opening,
            facts=tuple(facts),
            # More than a few would hide what matters.
            context=(
                *_signatures(intent, open_methods, code),
                *own_methods[:MOST_NAMED],
                *examples,
            ),
            neighbours=tuple(own_methods),
            falsehoods=tuple(_needless(own_methods)),
        )


def _signatures(
    intent: Intent, open_methods: Sequence[Finding], code: CodeContext
) -> Iterator[Finding]:
    """State the parameters of the methods that are left open: whoever defines them needs these."""
    for found in open_methods:
        if isinstance(found.statement, MustDefine):
            method = f"{intent.subject}.{found.statement.method}"
            yield from find_statements(code, method, (Takes,))


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


def _family(intent: Intent, code: CodeContext) -> Finding | None:
    subclasses = code.closed_subclasses(intent.subject)
    names = tuple(name_of(subclass) for subclass in subclasses or ())
    if not names or len(set(names)) < len(names) or len(names) > MOST_SUBCLASSES:
        return None
    return Finding(OnlySubclasses(name_of(intent.subject), names), intent.subject, intent.lines)


def _place(target: str, code: CodeContext) -> Finding | None:
    entity = code.snapshot.entity(target)
    if entity is None:
        return None
    first = entity.spans[0].first
    lines = FileRange(file=entity.path, start=first, end=first)
    return Finding(DefinedIn(entity.name, entity.path), target, lines)


def _examples(
    subclasses: Sequence[str], open_methods: Sequence[Finding], code: CodeContext
) -> Iterator[Finding]:
    """Yield what the existing subclasses do in the methods that another one has to define."""
    for subclass in subclasses:
        for found in open_methods:
            if isinstance(found.statement, MustDefine):
                method = f"{subclass}.{found.statement.method}"
                yield from find_statements(code, method, (Raises, Returned))


def _parts(intent: Intent, targets: Sequence[str]) -> Iterator[AnswerPart]:
    yield AnswerPart(intent.subject, "primary", f"`{name_of(intent.subject)}` is the contract.")
    for target in targets:
        if target.startswith(f"{intent.subject}."):
            yield AnswerPart(target, "supporting", f"`{name_of(target)}` must be defined.")
        elif target != intent.subject:
            yield AnswerPart(target, "supporting", f"`{name_of(target)}` fulfils the contract.")


def _needless(own_methods: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what somebody could think must be defined, and need not be."""
    for found in own_methods:
        if isinstance(found.statement, MayDefine):
            statement = MustDefine(found.statement.base, found.statement.method, "abstract")
            yield Finding(statement, found.entity_id, found.lines)


def _noun(class_id: str) -> str:
    """Give the last telling word of a class name, which is what people call such a thing."""
    words = [word.lower() for word in _WORD.findall(name_of(class_id).rpartition(".")[2])]
    telling = [word for word in words if word not in _NO_NOUNS and len(word) > 3]
    return telling[-1] if telling else ""


def _area(class_id: str) -> str:
    """Give the part of the codebase in a word: the folder of the file, or the file itself."""
    path = PurePosixPath(path_of(class_id))
    words = [part for part in (*path.parts[1:-1], path.stem) if part not in {"base", "__init__"}]
    plain = [word for word in words if word.isalpha()]
    return f"{plain[-1]} code" if plain else ""
