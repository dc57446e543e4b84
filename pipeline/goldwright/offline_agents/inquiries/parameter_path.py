"""Why asked: an argument that is handed down through several functions. Asked: how it travels."""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.code_reading.parameters import handed_on
from goldwright.offline_agents.answer_limits import FEWEST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries import consequences
from goldwright.offline_agents.inquiries.effects import (
    denials,
    descriptions,
    effects_with,
)
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.parameter_handover import Handover, handover_of
from goldwright.offline_agents.inquiries.parameter_hops import (
    leads_to,
)
from goldwright.offline_agents.inquiries.parameter_uses import (
    is_kept,
    pattern_of,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    answer_parts,
    find_statements,
    intent_of,
    with_its_file,
)
from goldwright.offline_agents.prose.prose_writing import NO_OTHER_TAKER
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.only_takers import OnlyTakers
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent, Role
from goldwright.snapshot.identifier_leaks import leaked_identifiers, split_identifiers

# A shorter name, or one of everybody's, means another thing in each function.
SHORTEST_NAME: Final = 5

_EXPLAIN: Final = (
    "What happens to the `{parameter}` argument{place}, from call to call?",
    "Where does the `{parameter}` argument{place} end up, and which functions hand it on?",
    "Which functions is `{parameter}` passed through{place}, and what is it used for in the end?",
    "What is the `{parameter}` argument{place} used for, and how does it get there?",
    "How does the `{parameter}` argument{place} get to the place where it is used?",
)
_EXTEND: Final = (
    (
        "I want to add an argument next to `{parameter}`{place}. Which functions does "
        "`{parameter}` pass through?"
    ),
    "Which functions do I have to change{place} to pass another argument along with `{parameter}`?",
    "Where is `{parameter}` passed on{place}? I need to pass another argument the same way.",
    "How is `{parameter}` handed down{place}? I want to pass another argument along with it.",
    "I need a new flag next to `{parameter}`{place}. Which functions take it and pass it on?",
)


# Where it is kept for later, nobody is told what it decides.
_EXPLAIN_KEPT: Final = (
    "Where does the `{parameter}` argument{place} get stored, and how does it get there?",
    "Which functions is `{parameter}` passed through{place}, and where is it stored?",
    "How does the `{parameter}` argument{place} get to the place where it is stored?",
)
# Where not all are known who give it, only those are asked for that take it.
_EXTEND_BELOW: Final = (
    (
        "I want to add an argument next to `{parameter}`{place}. Which functions take it and pass "
        "it on?"
    ),
    "Which functions take `{parameter}`{place} and pass it on? I want to add another argument.",
    "How is `{parameter}` passed from function to function{place}? I want to add one next to it.",
    "Where does `{parameter}` go{place}? I want to pass a second argument the same way.",
)
_TAKERS: Final = ("all functions that take it", "each hop")
_END: Final = "what is done with it"


class ParameterPath(Inquiry):
    """How does an argument get from where it is given to where it counts?"""

    kind: ClassVar[str] = "parameter_path"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("explain", "medium"),
        Cell("explain", "hard"),
        Cell("extend", "medium"),
        Cell("extend", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the parameters of a function that it hands on under the same name or another."""
        for name, node in module.definitions.items():
            if isinstance(node, ast.ClassDef) or module.function(name) is None:
                continue
            entity_id = f"{module.path}::{name}"
            parameters = {call.parameter for call in handed_on(module, node)}
            for parameter in sorted(parameters):
                if len(parameter) >= SHORTEST_NAME and not parameter.startswith("_"):
                    yield Lead(self.kind, entity_id, node.lineno, node.lineno, parameter, "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for all functions that take it, where each is reached from the first."""
        handover = handover_of(code, lead.detail)
        if handover is None or handover.takers[0] != lead.subject:
            return
        targets = (*handover.takers, *handover.suppliers)
        place = _file_of_all(targets)
        spoken = f"`{lead.detail}`{place}"
        if leaked_identifiers(spoken, targets) or split_identifiers(spoken, targets):
            return
        phrasings_by_type = {
            "extend": _EXTEND if handover.is_whole else _EXTEND_BELOW,
            "explain": _EXPLAIN if _is_used_up(handover.ends) else _EXPLAIN_KEPT,
        }
        slots = {"parameter": lead.detail, "place": place}
        for cell in self.cells:
            settles = _TAKERS if cell.task_type == "extend" else (*_TAKERS, _END)
            yield Question(
                cell=cell,
                phrasings=phrasings_by_type[cell.task_type],
                slots=slots,
                targets=targets,
                intent=intent_of(lead, settles),
                # Behind what names a function: few ask for the whole way of an argument.
                score=0.2,
                rationale="The argument is handed on from function to function.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who takes it, how each hands it on, and what the last ones do with it."""
        parameter = intent.detail
        handover = handover_of(code, parameter)
        if handover is None or {*handover.takers, *handover.suppliers} != set(targets):
            return None
        first = handover.takers[0]
        line = intent.lines.start
        lines = FileRange(file=path_of(first), start=line, end=line)
        names = tuple(map(name_of, handover.takers))
        only_takers = OnlyTakers(parameter, names)
        all_takers = Finding(only_takers, first, lines)
        facts = [all_takers, *handover.supply, *handover.hops]
        # Who adds another argument needs to know where the way ends, and not all that is done.
        if _END in intent.settles:
            facts.extend((*handover.ends, *handover.on_the_way))
        else:
            facts.extend(handover.ends[:1])
        defaults = list(_defaults(code, handover.takers, parameter))
        # Nobody asks for the defaults: they are facts only where there would be too few.
        missing = max(0, FEWEST_FACTS - len(facts))
        facts.extend(defaults[:missing])
        pattern = pattern_of(parameter)
        further: list[Finding] = []
        for end in handover.ends:
            further.extend(effects_with(code, end.entity_id, pattern))
        described = [finding for taker in handover.takers for finding in descriptions(code, taker)]
        further_targets = [taker for taker in targets if taker != first]
        parts = (
            *answer_parts(first, (first,), subject_does="takes it first", others_do=""),
            *_parts(further_targets, handover),
        )
        opening = _opening(parameter, handover)
        context = (*defaults, *described, *further)
        denied = tuple(denials([*handover.ends, *handover.supply], further))[:1]
        return AnswerPlan(
            parts=parts,
            opening=opening,
            facts=tuple(facts),
            context=context,
            neighbours=tuple(further),
            falsehoods=denied,
            said_in_opening=1,
            closing=_closing(intent, handover),
        )


def _file_of_all(targets: Sequence[str]) -> str:
    """Say in which file all functions stand; nothing where they stand in several.

    Many functions may have a local name like that of the argument: who asks knows where he looks.
    """
    paths = {path_of(target) for target in targets}
    if len(paths) > 1:
        return ""
    (path,) = paths
    *_, directory, name = ("", *path.split("/"))
    spoken_path = f"{directory}/{name}" if name == "__init__.py" else name
    return f" in `{spoken_path}`"


def _closing(intent: Intent, handover: "Handover") -> str:
    if _END in intent.settles:
        return ""
    takers = [name_of(taker) for taker in handover.takers]
    givers = [name_of(supplier) for supplier in handover.suppliers]
    return consequences.of_travelling_along(takers, givers)


def _is_used_up(ends: Sequence[Finding]) -> bool:
    return not any(is_kept(end) for end in ends)


def _parts(further_targets: Sequence[str], handover: Handover) -> Iterator[AnswerPart]:
    for target in further_targets:
        # Whoever takes it belongs to the way; who gives it is where the way begins.
        role: Role = "supporting" if target in handover.suppliers else "primary"
        does = "gives it" if target in handover.suppliers else "takes it further down"
        yield answer_part(target, role, does)


def _defaults(code: CodeContext, takers: Sequence[str], parameter: str) -> Iterator[Finding]:
    for taker in takers:
        for finding in find_statements(code, taker, (ParameterDefault,)):
            statement = finding.statement
            if not isinstance(statement, ParameterDefault) or statement.parameter != parameter:
                continue
            if statement.default:
                yield finding


def _opening(parameter: str, handover: Handover) -> str:
    first, *further_takers = handover.takers
    first_hops = [hop for hop in handover.hops if hop.entity_id == first]
    direct = [taker for taker in further_takers if any(leads_to(hop, taker) for hop in first_hops)]
    others = [name_of(taker) for taker in further_takers if taker not in direct]
    receivers = join_code([name_of(taker) for taker in direct])
    way = _first_hop(parameter, handover, receivers)
    if others:
        receivers = join_code(others)
        way = f"{way}, and from there it is handed on to {receivers}"
    elif len(direct) == len(first_hops) == 1:
        when = describe_conditions(first_hops[0].statement.conditions)
        way = f"{way} {when}".rstrip()
    names_of_ends = dict.fromkeys(name_of(end.entity_id) for end in handover.ends)
    ends = join_code(list(names_of_ends))
    # Under another name it may well go on from there.
    far = "" if ends == receivers else f"; under that name it goes as far as {ends}"
    return f"{way}{far}. {NO_OTHER_TAKER}"


def _first_hop(parameter: str, handover: Handover, receivers: str) -> str:
    """Say who takes the argument first and hands it on, and who calls that function."""
    # Others may well call the later ones and give them a value of their own.
    entry = with_its_file(handover.takers[0])
    if not handover.suppliers:
        return f"{entry} takes `{parameter}` and hands it on to {receivers}"
    givers = join_code([name_of(supplier) for supplier in handover.suppliers])
    verb = "calls" if len(handover.suppliers) == 1 else "call"
    # What they give may be a value of any name, or none.
    return f"{givers} {verb} {entry}, which takes `{parameter}` and hands it on to {receivers}"
