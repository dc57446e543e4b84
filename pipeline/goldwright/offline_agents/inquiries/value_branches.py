"""Why asked: a value that several functions compare. Asked: where it makes which difference."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.child_nodes import walk
from goldwright.code_reading.literal_uses import closed_literal_uses, literals_in
from goldwright.code_reading.modules import Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import (
    calls_among,
    denials,
    effects_of_literal,
    near,
)
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.outside_names import users_finding
from goldwright.offline_agents.inquiries.surroundings import answer_parts, intent_of
from goldwright.offline_agents.statements.statement import Finding
from goldwright.plan import Cell
from goldwright.records import Intent

FEWEST_USERS: Final = 2
MOST_USERS: Final = 6

# Words that say nothing by themselves, and values of Python and of the machine it runs on.
_PLAIN: Final = frozenset(
    """
    __main__ __init__ __name__ utf-8 utf8 ascii latin-1 win32 linux darwin posix nt self name type
    value key none None True False
    """.split()
)
_VALUE: Final = re.compile(r"[A-Za-z][\w.+/-]{2,}")
_SPECIFIC: Final = re.compile(r"[._/+-]")
_COMPARED: Final = re.compile(r"[=!]=|\bin\b|\bmatch\b|\bcase\b")

_EXTEND: Final = (
    'I want to add an alternative to "{value}"{of}. Which places check for that value?',
    'A new value should be treated like "{value}"{of}. What has to be changed, and where?',
    'Which branches need a twin if I introduce something beside "{value}"{of}?',
    'Say I support one more value next to "{value}"{of}: which code compares it today?',
    'Where do I have to touch the code to get another choice like "{value}"{of} through?',
    'We plan a variant of "{value}"{of}. Which functions tell it apart, and what do they do then?',
    'Before I split "{value}"{of} in two: who looks for it, and to what effect?',
)
_EXPLAIN: Final = (
    'What difference does "{value}"{of} make, all over the code?',
    'What is special about "{value}"{of}? Who checks for it, and what happens then?',
    'Which decisions depend on "{value}"{of}, and how do they turn out?',
    'Explain how "{value}"{of} changes what the code does.',
    'Where is "{value}"{of} told apart from the rest, and with what effect?',
)


class ValueBranches(Inquiry):
    """Where does a value make a difference, and which?"""

    kind: ClassVar[str] = "value_branches"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("extend", "medium"),
        Cell("extend", "hard"),
        Cell("explain", "medium"),
        Cell("explain", "hard"),
        Cell("general", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the values that a function compares something with, once for each value."""
        compared = _compared_with(module)
        seen: set[str] = set()
        for value, use in literals_in(module):
            if value in seen or value not in compared or not use.owner:
                continue
            if _VALUE.fullmatch(value) and value not in _PLAIN:
                seen.add(value)
                yield Lead(self.kind, use.entity_id, use.line, use.line, value, "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for all functions that hold the value, where each is seen to decide by it."""
        users = _users(code, lead.detail)
        if not users or users[0] != lead.subject:
            return
        noun = _noun(code, lead.detail)
        if not noun and not _SPECIFIC.search(lead.detail):
            # The same word may mean another thing in each of the places.
            return
        slots = {"value": lead.detail, "of": f" of {noun}" if noun else ""}
        for cell in self.cells:
            yield Question(
                cell=cell,
                phrasings=_EXTEND if cell.task_type == "extend" else _EXPLAIN,
                slots=slots,
                targets=users,
                intent=intent_of(lead, ("all functions that compare it", "what each does then")),
                score=0.75,
                rationale="The places that decide by the value know nothing of one another.",
                expectation="explain" if cell.task_type == "general" else None,
            )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State who holds the value, and what each of them does where it is met."""
        value = intent.detail
        users = _users(code, value)
        if not users or set(users) != set(targets):
            return None
        effects = [effects_of_literal(code, user, value) for user in users]
        if not all(effects):
            return None
        whole = users_finding(code, value, users)
        first_effects = [found[0] for found in effects]
        second_effects = [finding for found in effects for finding in found[1:2]]
        facts = [whole, *first_effects, *second_effects]
        context: list[Finding] = [finding for found in effects for finding in found[2:]]
        calls = calls_among(code, users[0], users) if len(users) > 1 else None
        context.extend(calls or ())
        for user, found in zip(users, effects, strict=True):
            context.extend(near(code, user, found[0].lines))
        return AnswerPlan(
            parts=answer_parts(
                users[0], users, subject_does="decides by the value", others_do="decides by it too"
            ),
            opening=_opening(value, users),
            facts=tuple(facts[:MOST_FACTS]),
            context=tuple(context),
            neighbours=tuple(context),
            falsehoods=tuple(denials(first_effects, second_effects))[:2],
            said_in_opening=1,
        )


def _compared_with(module: Module) -> set[str]:
    """Give the strings that something in a file is compared with."""
    values: set[str] = set()
    for node in walk(module.tree):
        sides: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            sides = [node.value]
        for side in sides:
            elements = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
            for element in elements:
                if isinstance(element, ast.Constant) and isinstance(element.value, str):
                    values.add(element.value)
    return values


def _users(code: CodeContext, value: str) -> tuple[str, ...]:
    """Give all functions that hold a value; empty where unknown, too many, or not all decide."""
    uses = closed_literal_uses(code.snapshot, value)
    if not uses:
        return ()
    users = tuple(dict.fromkeys(use.entity_id for use in uses))
    names = {name_of(user) for user in users}
    is_small = FEWEST_USERS <= len(users) == len(names) <= MOST_USERS
    if not is_small or any(code.function(user) is None for user in users):
        return ()
    for use in uses:
        line = code.snapshot.source(use.path).lines[use.line - 1]
        if not _COMPARED.search(line):
            return ()
    return users


def _noun(code: CodeContext, value: str) -> str:
    """Give the name of what the value is compared with, where it is the same everywhere."""
    uses = closed_literal_uses(code.snapshot, value) or ()
    names = {use.receiver for use in uses}
    name = names.pop() if len(names) == 1 else ""
    return name.strip("_").replace("_", " ") if len(name) > 2 else ""


def _opening(value: str, users: Sequence[str]) -> str:
    places = [f"`{name_of(user)}` in `{path_of(user)}`" for user in users]
    listed = f"{', '.join(places[:-1])} and {places[-1]}"
    return f'The value `"{value}"` makes a difference in {listed}, and nowhere else.'
