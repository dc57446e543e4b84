"""Why asked: an argument that is handed down through several functions. Asked: how it travels."""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.code_reading.parameters import functions_taking, handed_on
from goldwright.offline_agents.answer_limits import FEWEST_FACTS, MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.effects import denials, effects_with
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    intent_of,
)
from goldwright.offline_agents.statements.hands_on import HandsOn
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.only_takers import OnlyTakers
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent
from goldwright.snapshot.identifier_leaks import leaked_identifiers, split_identifiers

MOST_TAKERS: Final = 6
# A shorter name, or one of everybody's, means another thing in each function.
SHORTEST_NAME: Final = 5

_EXPLAIN: Final = (
    "How does `{parameter}` get from the caller to the place where it counts?",
    "Where does the `{parameter}` that I pass end up? Follow it call by call.",
    "Through which functions does `{parameter}` travel, and what is done with it at the end?",
    "I hand in `{parameter}` and see no effect. Which way does it take through the code?",
    "Trace the `{parameter}` argument for me, from the outermost function to the innermost.",
    "Who takes `{parameter}`, who only hands it on, and what is the default on the way?",
    "Explain the way of the argument `{parameter}` through the call chain.",
    "What happens to `{parameter}` between the call and its use?",
)
_EXTEND: Final = (
    "I need one more argument that travels like `{parameter}`. Which signatures must change?",
    "Another option should be handed down the same way as `{parameter}`. What do I touch?",
    "To thread a further value through next to `{parameter}`: which functions pass it along?",
    "Beside `{parameter}` I want to give a second setting. Where does it have to be taken over?",
    "If I rename `{parameter}`, which functions take it and which calls hand it on?",
    "Adding a sibling of `{parameter}`: in which functions does it have to appear, in what order?",
    "My new flag must reach the same code as `{parameter}`. Which hops does it have to make?",
)


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
        takers = _takers(code, lead.detail)
        if not takers or takers[0] != lead.subject:
            return
        spoken = f"`{lead.detail}`"
        if leaked_identifiers(spoken, takers) or split_identifiers(spoken, takers):
            return
        for cell in self.cells:
            is_extend = cell.task_type == "extend"
            yield Question(
                cell=cell,
                phrasings=_EXTEND if is_extend else _EXPLAIN,
                slots={"parameter": lead.detail},
                targets=takers,
                intent=intent_of(lead, ("all functions that take it", "each hop", "its end")),
                score=0.75,
                rationale="The argument is handed on from function to function.",
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who takes it, how each hands it on, and what the last ones do with it."""
        parameter = intent.detail
        takers = _takers(code, parameter)
        if not takers or set(takers) != set(targets):
            return None
        entity = code.snapshot.entity(takers[0])
        hops = list(_hops(code, takers, parameter))
        if entity is None or not hops:
            return None
        lines = FileRange(file=entity.path, start=intent.lines.start, end=intent.lines.start)
        whole = Finding(OnlyTakers(parameter, tuple(map(name_of, takers))), takers[0], lines)
        handing = {found.entity_id for found in hops}
        ends = [taker for taker in takers if taker not in handing]
        uses = [list(effects_with(code, end, rf"(?<![\w.]){parameter}(?!\w)")) for end in ends]
        if not all(uses):
            return None
        last_uses = [found[0] for found in uses]
        defaults = list(_defaults(code, takers, parameter))
        facts = [whole, *hops, *last_uses]
        # Nobody asks for the defaults: they are facts only where there would be too few.
        facts.extend(defaults[: max(0, FEWEST_FACTS - len(facts))])
        further = [finding for found in uses for finding in found[1:]]
        return AnswerPlan(
            parts=answer_parts(
                takers[0], takers, subject_does="takes it first", others_do="takes it further down"
            ),
            opening=_opening(parameter, takers, ends),
            facts=tuple(facts[:MOST_FACTS]),
            context=(*defaults, *further),
            neighbours=tuple(further),
            falsehoods=tuple(denials(last_uses, further))[:1],
            said_in_opening=1,
        )


def _takers(code: CodeContext, parameter: str) -> tuple[str, ...]:
    """Give all functions with a parameter, in the order of the hops; empty for no such way."""
    takers = functions_taking(code.snapshot, parameter) or ()
    names = {name_of(taker) for taker in takers}
    is_clear = 1 < len(takers) == len(names) <= MOST_TAKERS
    if not is_clear or any(code.function(taker) is None for taker in takers):
        return ()
    if not are_joined(code, takers, by_calls=True):
        return ()
    hops = {
        (hop.entity_id, callee)
        for hop in _hops(code, takers, parameter)
        for callee in takers
        if _is_callee(hop, callee)
    }
    reached = {callee for _, callee in hops}
    starts = [taker for taker in takers if taker not in reached]
    # Several beginnings would be several ways.
    if len(starts) != 1:
        return ()
    ordered = list(starts)
    for taker in ordered:
        ordered.extend(
            callee for caller, callee in sorted(hops) if caller == taker and callee not in ordered
        )
    return tuple(ordered) if len(ordered) == len(takers) else ()


def _hops(code: CodeContext, takers: Sequence[str], parameter: str) -> Iterator[Finding]:
    """Find where one of the functions hands the parameter on to another one of them."""
    for taker in takers:
        seen: set[str] = set()
        for finding in find_statements(code, taker, (HandsOn,)):
            statement = finding.statement
            if not isinstance(statement, HandsOn) or statement.parameter != parameter:
                continue
            callees = [other for other in takers if other != taker and _is_callee(finding, other)]
            if callees and callees[0] not in seen:
                seen.add(callees[0])
                yield finding


def _is_callee(hop: Finding, taker: str) -> bool:
    assert isinstance(hop.statement, HandsOn)  # noqa: S101  # hops are nothing else
    called = hop.statement.callee.rpartition(".")[2]
    name = name_of(taker)
    if name.endswith(".__init__"):
        name = name.removesuffix(".__init__")
    return taker != hop.entity_id and name.rpartition(".")[2] == called


def _defaults(code: CodeContext, takers: Sequence[str], parameter: str) -> Iterator[Finding]:
    for taker in takers:
        for finding in find_statements(code, taker, (ParameterDefault,)):
            statement = finding.statement
            if not isinstance(statement, ParameterDefault) or statement.parameter != parameter:
                continue
            if statement.default:
                yield finding


def _opening(parameter: str, takers: Sequence[str], ends: Sequence[str]) -> str:
    names = [name_of(taker) for taker in takers]
    ending = join_code([name_of(end) for end in ends]) if ends else ""
    where = f"; it ends in {ending}, where it is used" if ends else ""
    return (
        f"`{parameter}` comes in at `{names[0]}` in `{path_of(takers[0])}` and is handed on to "
        f"{join_code(names[1:])}{where}. No other function takes it."
    )
