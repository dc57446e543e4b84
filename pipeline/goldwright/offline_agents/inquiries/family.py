"""Why asked: a class with a few subclasses. Asked: what all of them define, and which there are."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from goldwright.code_reading.contracts import abstract_reason, methods_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.class_nouns import area_of, is_said_twice, noun_of_class
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
from goldwright.offline_agents.statements.derives import Derives
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

FEWEST_SUBCLASSES: Final = 2
# With the class itself these are as many as a person holds in mind, and as a record may hold.
MOST_MEMBERS: Final = 8
# Further methods are details of single subclasses.
MOST_METHODS: Final = 3
MOST_OPEN: Final = 3
# What every class may define says nothing of its kind.
_ORDINARY: Final = frozenset(
    """
    __init__ __repr__ __str__ __eq__ __ne__ __hash__ __reduce__ __getstate__ __setstate__ __len__
    __copy__ __deepcopy__ __del__ __new__ __slots__ __init_subclass__ __class_getitem__
    """.split()
)

_EXTEND: Final = (
    "I want to add another kind of {noun} ({area}). What must mine define, and what is there?",
    "How would a new {noun} in the {area} code have to look? Show me what I can copy from.",
    "We need one more {noun} beside those in {area}. Which methods do the others define?",
    "Planning a further {noun} for {area}: what do all existing ones implement?",
    "What does it take to write my own {noun} for the {area} part, going by the existing ones?",
    "To support a custom {noun} in {area}, what do I derive from and what do I override?",
    "Say I plug a {noun} of my own into {area}. Which methods are expected of it?",
    "My own {noun} should work like the ones of {area}. What is common to all of them?",
)
_GENERAL: Final = (
    "Which kinds of {noun} does the {area} code know, and what does each define itself?",
    "Give me an overview of the {noun} classes around {area}: who overrides what?",
    "What sorts of {noun} are there in {area}, and what does each define by itself?",
    "Which {noun} implementations does {area} have, and which methods does each override?",
    "I am new to {area}. Which {noun} variants exist, and what do they have in common?",
    "Can you list every {noun} of {area} with what it defines itself?",
)


class Family(Inquiry):
    """Which classes of a kind are there, and what does each of them define?"""

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
            noun, area = noun_of_class(entity_id), area_of(entity_id)
            if not noun or not area or is_said_twice(noun, area):
                continue
            if set(methods_of(module, name)) - _ORDINARY:
                last = node.end_lineno or node.lineno
                yield Lead(self.kind, entity_id, node.lineno, last, f"{noun}|{area}", "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the class and all its subclasses by the noun that they have in common."""
        kinship = _kinship(code, lead.subject)
        if kinship is None:
            return
        noun, _, area = lead.detail.partition("|")
        targets = (lead.subject, *kinship.members)
        if gives_away(f"{noun} . {area}", targets) or not are_joined(code, targets, by_calls=False):
            return
        settles = ("all existing subclasses", "which of them define what", "what is left open")
        for cell in self.cells:
            is_extend = cell.task_type == "extend"
            yield Question(
                cell=cell,
                phrasings=_EXTEND if is_extend else _GENERAL,
                slots={"noun": noun, "area": area},
                targets=targets,
                intent=intent_of(lead, settles),
                score=0.7,
                rationale="The class and all its subclasses have to be found and compared.",
                expectation=None if is_extend else "explain",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the whole family, and who defines the methods that they have in common."""
        base, path = name_of(intent.subject), path_of(intent.subject)
        module = code.module(path)
        kinship = _kinship(code, intent.subject)
        if module is None or kinship is None or set(kinship.members) - set(targets):
            return None
        names = tuple(map(name_of, kinship.subclasses))
        family = Finding(OnlySubclasses(base, names), intent.subject, intent.lines)
        overridden = [_overridden(intent, kinship, method) for method in kinship.methods]
        facts = [family, *_further_generations(code, kinship), *overridden]
        own: list[Finding] = []
        for method in (*kinship.methods, *methods_of(module, base)):
            finding = _own_method(module, base, method)
            if finding is not None and finding not in own:
                own.append(finding)
        left_open = [found for found in own if isinstance(found.statement, MustDefine)]
        facts.extend(left_open[:MOST_OPEN])
        facts.extend([found for found in own if found not in left_open][:1])
        context = list(_context(code, kinship, intent.subject))
        # The opening names the whole family.
        said = 1 if len(kinship.members) == len(kinship.subclasses) else 0
        return AnswerPlan(
            parts=tuple(_parts(intent.subject, kinship.members)),
            opening=_opening(base, path, names, kinship, left_open),
            facts=tuple(facts),
            context=tuple(context),
            neighbours=tuple(own),
            falsehoods=tuple(_careless(overridden, names)),
            said_in_opening=said,
        )


@dataclass(frozen=True, slots=True)
class _Kinship:
    """The subclasses of a class, all of them, and the methods that several direct ones define.

    Attributes:
        subclasses: The ids of the direct ones.
        members: The ids of all, those that derive from others included.
        methods: The simple names of methods, what most of them define first.
        definers: The qualified names of the subclasses that define a method.
    """

    subclasses: tuple[str, ...]
    members: tuple[str, ...]
    methods: tuple[str, ...]
    definers: dict[str, tuple[str, ...]]


def _kinship(code: CodeContext, class_id: str) -> _Kinship | None:
    """Compare the subclasses of a class; None where not all are known, or they share nothing."""
    if len(code.snapshot.graph.subclasses(class_id)) < FEWEST_SUBCLASSES:
        return None
    subclasses = code.closed_subclasses(class_id) or ()
    members = _descendants(code, class_id)
    module = code.module(path_of(class_id))
    if module is None or members is None or len(subclasses) < FEWEST_SUBCLASSES:
        return None
    definers = _definers(code, subclasses)
    own = methods_of(module, name_of(class_id))
    # What the base class knows of is the contract; private details come last.
    shared = [method for method in definers if len(definers[method]) > 1 and method in own]

    def weight(method: str) -> tuple[int, bool, str]:
        return -len(definers[method]), method.startswith("_"), method

    methods = tuple(sorted(shared, key=weight)[:MOST_METHODS])
    return _Kinship(subclasses, members, methods, definers) if methods else None


def _descendants(code: CodeContext, class_id: str) -> tuple[str, ...] | None:
    """Give all classes that derive from a class, generation by generation; None where unsure."""
    members: dict[str, None] = {}
    pending = [class_id]
    while pending:
        parent = pending.pop(0)
        is_parent = bool(code.snapshot.graph.subclasses(parent))
        subclasses = code.closed_subclasses(parent) if is_parent else ()
        if subclasses is None or len(members) + len(subclasses) > MOST_MEMBERS:
            return None
        members.update(dict.fromkeys(subclasses))
        pending.extend(subclasses)
    names = {name_of(member) for member in members}
    # Two of one name cannot be told apart in a sentence.
    return tuple(members) if len(names) == len(members) else None


def _definers(code: CodeContext, subclasses: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Give the names of the subclasses that define a method, by method."""
    definers: dict[str, tuple[str, ...]] = {}
    for subclass in subclasses:
        module = code.module(path_of(subclass))
        if module is None or module.class_definition(name_of(subclass)) is None:
            return {}
        for method in methods_of(module, name_of(subclass)):
            if method not in _ORDINARY:
                definers[method] = (*definers.get(method, ()), name_of(subclass))
    return definers


def _further_generations(code: CodeContext, kinship: _Kinship) -> Iterator[Finding]:
    """State the subclasses of subclasses."""
    for parent in kinship.members:
        subclasses = code.closed_subclasses(parent) or ()
        entity = code.snapshot.entity(parent)
        if subclasses and entity is not None:
            names = tuple(map(name_of, subclasses))
            first = entity.spans[0].first
            lines = FileRange(file=entity.path, start=first, end=first)
            yield Finding(OnlySubclasses(name_of(parent), names), parent, lines)


def _overridden(intent: Intent, kinship: _Kinship, method: str) -> Finding:
    definers = kinship.definers[method]
    is_every = len(definers) == len(kinship.subclasses)
    statement = OverriddenBy(name_of(intent.subject), method, definers, is_every)
    return Finding(statement, intent.subject, intent.lines)


def _own_method(module: Module, base: str, method: str) -> Finding | None:
    function = module.function(f"{base}.{method}")
    if function is None or method in _ORDINARY:
        return None
    kind = MustDefine if abstract_reason(function) else MayDefine
    return next(kind.find(module, f"{base}.{method}", function), None)


def _context(code: CodeContext, kinship: _Kinship, class_id: str) -> Iterator[Finding]:
    for target in (class_id, *kinship.subclasses):
        entity = code.snapshot.entity(target)
        if entity is not None:
            first = entity.spans[0].first
            lines = FileRange(file=entity.path, start=first, end=first)
            yield Finding(DefinedIn(entity.name, entity.path), target, lines)
    for method in kinship.methods:
        yield from find_statements(code, f"{class_id}.{method}", (Takes, Returned))
    for subclass in kinship.subclasses:
        module = code.module(path_of(subclass))
        if module is not None:
            yield from Derives.find_in(module, name_of(subclass))


def _careless(overridden: Sequence[Finding], names: Sequence[str]) -> Iterator[Finding]:
    """Deny what only some of the family define: it is said of all, or of the others."""
    for found in overridden:
        statement = found.statement
        if isinstance(statement, OverriddenBy) and not statement.is_every:
            wrong = replace(statement, definers=tuple(names), is_every=True)
            yield Finding(wrong, found.entity_id, found.lines)


def _parts(class_id: str, subclasses: Sequence[str]) -> Iterator[AnswerPart]:
    yield AnswerPart(class_id, "primary", f"`{name_of(class_id)}` is what all of them derive from.")
    for subclass in subclasses:
        yield AnswerPart(subclass, "supporting", f"`{name_of(subclass)}` is one of the family.")


def _opening(
    base: str, path: str, names: Sequence[str], kinship: _Kinship, left_open: Sequence[Finding]
) -> str:
    every = [method for method in kinship.methods if len(kinship.definers[method]) == len(names)]
    common = every or list(kinship.methods[:1])
    who = "all" if every else "most"
    if len(kinship.definers[common[0]]) * 2 < len(names):
        who = "some"
    existing = f"{who} of the existing ones, {join_code(names)}, define {join_code(common)}"
    if who == "all":
        existing = f"the existing ones, {join_code(names)}, all define {join_code(common)}"
    if not left_open:
        return (
            f"They derive from `{base}` in `{path}`: {existing}, and `{base}` itself leaves "
            "nothing open."
        )
    noun = "method" if len(left_open) == 1 else "methods"
    methods = [
        found.statement.method for found in left_open if isinstance(found.statement, MustDefine)
    ]
    return (
        f"They derive from `{base}` in `{path}`, which leaves the {noun} {join_code(methods)} "
        f"open; {existing}."
    )
