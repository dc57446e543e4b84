"""Why asked: a class that leaves methods to its subclasses. Asked: what another one must define."""

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.contracts import abstract_reason, base_names, methods_of
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import FEWEST_FACTS, MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.class_nouns import (
    has_namesakes,
    is_kind_of_its_own,
    noun_of_class,
    part_of,
    with_article,
)
from goldwright.offline_agents.inquiries.contract_methods import (
    ContractMethods,
    read_contract_methods,
    unwritten_duties,
)
from goldwright.offline_agents.inquiries.effects import descriptions, descriptions_of_class
from goldwright.offline_agents.inquiries.family_calls import (
    call_of,
    called_by,
    callers_of_family,
    family_of,
)
from goldwright.offline_agents.inquiries.hidden_names import gives_away
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.open_methods import are_mandatory
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    class_headers,
    find_statements,
    intent_of,
    lead_of_definition,
    place_of,
    with_its_file,
)
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.set_by_subclasses import SetBySubclasses
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.takes import Takes
from goldwright.plan import Cell
from goldwright.records import Intent

MOST_METHODS: Final = 6
# Entities of an easy question of this task type, the class itself not counted.
MOST_METHODS_BY_NAME: Final = 3
FEWEST_TARGETS: Final = 2

_BY_NAME: Final = (
    "What must a subclass of `{name}` define, and with which signatures?",
    "Which methods must I implement in a subclass of `{name}`, and what do they take?",
    "How do I write my own `{name}`? Which methods are mandatory, and what do they take?",
    (
        "I'm writing a subclass of `{name}`. Which methods do I have to implement, and how "
        "are they declared?"
    ),
    "If I derive from `{name}`, which methods do I have to define, and with which parameters?",
    "To subclass `{name}`, which methods do I implement, and with which parameters?",
    "For a custom `{name}`, which methods are required, and what are their signatures?",
    "List the methods that a subclass of `{name}` has to implement, with their signatures.",
)
# Not what can be inherited: hooks and private methods are told by nobody, and would be asked for.
_WITHOUT_SIGNATURES: Final = (
    "What must a subclass of `{name}` define?",
    "Which methods of `{name}` do I have to override in a subclass?",
    "I'm subclassing `{name}`. What do I have to implement?",
    "How do I subclass `{name}`? Which methods are mandatory?",
    "If I derive from `{name}`, what am I forced to define?",
    "To subclass `{name}`, what do I have to implement at least?",
    "For a subclass of `{name}`, which methods are required?",
    "Need to subclass `{name}`. Which methods are required?",
)
_WITH_CALLERS: Final = (
    "I'm writing my own {noun}{where}. Which methods must it have, and who calls them?",
    "What must {a_noun}{where} implement, and which code calls those methods?",
    "Which methods does {a_noun}{where} have to implement, and where are they called?",
    "Before I write another {noun}{where}: which methods are required, and how are they used?",
    "Need to write my own {noun}{where}. Which methods does it take, and who calls them?",
    "If I add {a_noun}{where}, which methods do I implement, and where do they get called?",
    (
        "Who calls the methods that {a_noun}{where} has to implement, and what do they do "
        "with the results?"
    ),
    "To add {a_noun}{where}, which methods do I implement, and how are they called?",
)
_BY_NOUN: Final = (
    "I want to add another {noun}{where}. What must it define, and what has that base already?",
    "What must every {noun}{where} implement, and which classes do so today?",
    (
        "Which methods does a new {noun}{where} have to define, and which existing ones can "
        "I copy from?"
    ),
    "How do I add {a_noun}{where}? Which methods are required, and what can I use as an example?",
    "If I write my own {noun}{where}, what do I have to implement, and are there examples?",
    (
        "To add {a_noun}{where}, which methods do I implement, and which existing classes "
        "can I look at?"
    ),
    "Are there examples of {a_noun}{where}, and which methods must a new one define?",
    "Need to add {a_noun}{where}. What does it have to implement, and what derives from its base?",
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
                entity_id = f"{module.path}::{name}"
                method_names = ", ".join(left_open)
                yield lead_of_definition(self.kind, entity_id, node, method_names)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask by name for the methods alone, and without it for those who use and fulfil them."""
        left_open = lead.detail.split(", ")
        if not are_mandatory(lead.subject, left_open, code):
            return
        methods = tuple(f"{lead.subject}.{method}" for method in left_open)
        if len(methods) <= MOST_METHODS_BY_NAME:
            yield Question(
                cell=Cell("extend", "easy"),
                phrasings=_BY_NAME if _says_enough(lead.subject, code) else _WITHOUT_SIGNATURES,
                slots={"name": name_of(lead.subject)},
                targets=(lead.subject, *methods),
                intent=intent_of(lead, ("each method that must be defined", "how it is declared")),
                score=0.7,
                rationale="The class says itself what it leaves open.",
            )
        family = family_of(lead.subject, code)
        noun = _noun_of_its_own(lead.subject, family, code)
        if not noun:
            return
        part = part_of(lead.subject, noun)
        where = f" for {part}" if part else ""
        slots = {"noun": noun, "a_noun": with_article(noun), "where": where}
        callers = callers_of_family(lead.subject, methods, code)
        for targets, phrasings in (
            ((lead.subject, *family), _BY_NOUN),
            ((lead.subject, *methods, *callers), _WITH_CALLERS),
        ):
            if len(targets) < FEWEST_TARGETS or gives_away(f"{noun} . {where}", targets):
                continue
            if phrasings is _WITH_CALLERS and not callers:
                continue
            for cell in self.cells[1:]:
                yield Question(
                    cell=cell,
                    phrasings=phrasings,
                    slots=slots,
                    targets=targets,
                    intent=intent_of(lead, ("each method that must be defined", "who uses it")),
                    score=0.5,
                    rationale="Who fulfils or uses the contract stands apart from it.",
                )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State every method that is left open, who calls them, and who defines them already."""
        module = code.module(path_of(intent.subject))
        if module is None or module.class_definition(name_of(intent.subject)) is None:
            return None
        methods = read_contract_methods(module, name_of(intent.subject))
        family = family_of(intent.subject, code)
        duties = list(unwritten_duties(intent, family, code))
        uses = _uses(intent, methods, targets, code)
        # What all subclasses do is only borne out where they are part of the answer.
        if uses is None or (duties and not set(family) <= set(targets)):
            return None
        facts = [*methods.left_open, *duties, *uses]
        if not uses and family and set(family) <= set(targets):
            names = tuple(map(name_of, family))
            statement = OnlySubclasses(name_of(intent.subject), names)
            headers = class_headers(code, family)
            facts.append(Finding(statement, intent.subject, intent.lines, elsewhere=headers))
        # Who asks for the uses knows the signatures from them.
        if not uses or len(facts) < FEWEST_FACTS:
            room = MOST_FACTS - len(facts)
            facts.extend(_that_fit(methods.signatures, room))
        if len(facts) < FEWEST_FACTS:
            room = MOST_FACTS - len(facts)
            facts.extend(methods.ready[:room])
        described: list[Finding] = []
        for name in methods.names:
            described.extend(descriptions(code, f"{intent.subject}.{name}"))
        is_checked = "ABC" in base_names(module, name_of(intent.subject))
        return AnswerPlan(
            parts=tuple(_parts(intent, targets, code)),
            opening=_opening(intent.subject, methods, duties, is_checked=is_checked),
            facts=tuple(facts),
            context=(
                *described,
                *methods.signatures,
                *_examples(family, methods, code),
                *methods.ready,
                *methods.hooks,
            ),
            neighbours=tuple(methods.ready),
            falsehoods=tuple(_needless(methods.ready)),
            said_in_opening=len(methods.left_open),
        )


def _noun_of_its_own(subject: str, family: Sequence[str], code: CodeContext) -> str:
    """Say what the objects of a class are called; empty where others may be called so, too."""
    noun = noun_of_class(subject)
    module = code.module(path_of(subject))
    bases = base_names(module, name_of(subject)) if module is not None else []
    if not noun or not is_kind_of_its_own(noun, bases):
        return ""
    part = part_of(subject, noun)
    is_shared = has_namesakes(code.snapshot, noun, part, (subject, *family))
    return "" if is_shared else noun


def _says_enough(class_id: str, code: CodeContext) -> bool:
    """Find out whether the open methods and their heads are answer enough."""
    module = code.module(path_of(class_id))
    if module is None:
        return False
    methods = read_contract_methods(module, name_of(class_id))
    statements = (*methods.left_open, *methods.signatures)
    return len(statements) >= FEWEST_FACTS


def _uses(
    intent: Intent, methods: ContractMethods, targets: Sequence[str], code: CodeContext
) -> list[Finding] | None:
    """State who calls the open methods, and what each makes of it.

    Returns:
        Nothing where the question is not about them; None where it cannot be said what one does.
    """
    method_ids = [f"{intent.subject}.{name}" for name in methods.names]
    callers = callers_of_family(intent.subject, method_ids, code)
    if not callers or not set(callers) <= set(targets):
        return []
    uses = list(called_by(intent.subject, method_ids, code))
    for caller in callers:
        call = call_of(caller, method_ids, code)
        if call is None:
            return None
        uses.append(call)
    return uses


def _opening(
    class_id: str, methods: ContractMethods, duties: Sequence[Finding], *, is_checked: bool
) -> str:
    statements = [finding.statement for finding in methods.left_open]
    reasons = {statement.why for statement in statements if isinstance(statement, MustDefine)}
    names = methods.names
    is_one = len(names) == 1
    are = "is" if is_one else "are"
    attributes = [
        duty.statement.attribute for duty in duties if isinstance(duty.statement, SetBySubclasses)
    ]
    also = f", and give it the class attribute {join_code(attributes)}" if attributes else ""
    if len(attributes) > 1:
        also = also.replace("attribute", "attributes")
    advice = f"Derive from {with_its_file(class_id)} and define {join_code(names)}"
    demand = " or ".join(sorted(reasons))
    consequence = _consequence(reasons, is_one=is_one, is_checked=is_checked)
    return f"{advice}, which {are} {demand} there{also}.{consequence}"


def _consequence(reasons: Collection[str], *, is_one: bool, is_checked: bool) -> str:
    """Say what becomes of a class that leaves a method out."""
    if reasons == {"not implemented"}:
        raises = "it raises" if is_one else "they raise"
        return f" As inherited, {raises} `NotImplementedError`."
    if reasons == {"abstract"} and is_checked:
        left_out = "it" if is_one else "one of them"
        return f" Python refuses to make objects of a class that leaves {left_out} out."
    return ""


def _that_fit(signatures: Sequence[Finding], room: int) -> Sequence[Finding]:
    """Choose all signatures, or what all methods take; half of them would be told for no reason."""
    parameters = [signature for signature in signatures if isinstance(signature.statement, Takes)]
    choices = (signatures, parameters)
    fitting_choices = (choice for choice in choices if len(choice) <= room)
    return next(fitting_choices, ())


def _examples(
    family: Sequence[str], methods: ContractMethods, code: CodeContext
) -> Iterator[Finding]:
    """Yield what the existing subclasses do in the methods that another one has to define."""
    for subclass in family:
        yield from place_of(code, subclass)
        yield from descriptions_of_class(code, subclass)
        for name in methods.names:
            yield from find_statements(code, f"{subclass}.{name}", (Raises, Returned))


def _is_class(entity_id: str, code: CodeContext) -> bool:
    entity = code.snapshot.entity(entity_id)
    return entity is not None and entity.kind == "class"


def _parts(intent: Intent, targets: Sequence[str], code: CodeContext) -> Iterator[AnswerPart]:
    yield answer_part(intent.subject, "primary", "is the contract")
    for target in targets:
        if target.startswith(f"{intent.subject}."):
            yield answer_part(target, "supporting", "must be defined")
        elif target != intent.subject:
            does = "fulfils the contract" if _is_class(target, code) else "calls what it demands"
            yield answer_part(target, "supporting", does)


def _needless(own_methods: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what somebody could think must be defined, and need not be."""
    for finding in own_methods:
        if isinstance(finding.statement, MayDefine):
            statement = MustDefine(finding.statement.base, finding.statement.method, "abstract")
            yield Finding(statement, finding.entity_id, finding.lines)
