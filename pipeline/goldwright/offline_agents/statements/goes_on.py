"""Statement: where a function goes on in a loop after it has caught an error."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.errors import HandlerSite, handler_sites
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.caught_errors import HandlerReading, handler_outcomes
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

# Whether the next turn follows, and how that is said.
_FORMS: Final[dict[bool, str]] = {
    True: "goes on with the next turn of the loop",
    False: "leaves the loop",
}
_SENTENCE: Final = re.compile(
    r"After `(?P<function>[\w.]+)` has caught `(?P<caught>[^`]+)`, "
    r"it (?P<form>goes on with the next turn of the loop|leaves the loop) `(?P<loop>[^`]+)`\."
)
_Loop = ast.For | ast.AsyncFor | ast.While
_LOOPS: Final = frozenset({"for", "while"})
# Clauses whose bodies are not reached from another clause of the same compound.
_OTHER_CLAUSES: Final = frozenset({"except", "else", "elif", "case"})
# What a clause comes to that leaves the turn, and whether the next one follows.
_WAYS_OUT: Final = {"skipped": True, "left": False}
_FALLING_THROUGH: Final = frozenset({"ignored", "logged"})


@dataclass(frozen=True, slots=True)
class GoesOn(Statement):
    """A function catches an error in a loop, and then does nothing more in that turn.

    Attributes:
        function: The qualified name of the function.
        caught: What the ``except`` clause catches, as written; ``BaseException`` for a bare one.
        loop: The head of the innermost loop around it, as written.
        has_next_turn: Whether the next turn follows; otherwise the loop is left.
    """

    kind: ClassVar[str] = "goes_on"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def ring_all(bells):
    for bell in bells:
        try:
            if bell.is_old:
                bell.oil()
            bell.ring()
        except OSError:
            log.warning("silent")
        except KeyError:
            break
        else:
            bell.rest()
    else:
        raise LookupError("no bell is left")

def tune(strings):
    while strings:
        try:
            strings.pop().tune()
        except ValueError:
            pass
        strings.sort()
""",
            holds=(
                (
                    "After `ring_all` has caught `OSError`, it goes on with the next turn of the "
                    "loop `for bell in bells`."
                ),
                "After `ring_all` has caught `KeyError`, it leaves the loop `for bell in bells`.",
            ),
            fails=(
                "After `ring_all` has caught `OSError`, it leaves the loop `for bell in bells`.",
                (
                    "After `ring_all` has caught `KeyError`, it goes on with the next turn of the "
                    "loop `for bell in bells`."
                ),
                (
                    "After `tune` has caught `ValueError`, it goes on with the next turn of the "
                    "loop `while strings`."
                ),
                "After `tune` has caught `ValueError`, it leaves the loop `while strings`.",
            ),
        ),
    )

    function: str
    caught: str
    loop: str
    has_next_turn: bool

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        deed = self.deed()
        return f"After `{self.function}` has caught `{self.caught}`, it {deed}."

    def deed(self) -> str:
        """Say how it goes on, as in ``leaves the loop `for a in b` ``."""
        return f"{_FORMS[self.has_next_turn]} `{self.loop}`"

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        has_next_turn = match["form"] == _FORMS[True]
        function, caught, loop = match.group("function", "caught", "loop")
        return cls(function, caught, loop, has_next_turn)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        sites = {site.first: site for site in handler_sites(module, function)}
        for node, loop, is_last in _tries_in_loops(function.body):
            for handler in node.handlers:
                site = sites.get(handler.lineno)
                has_next_turn = None if site is None else _has_next_turn(site, is_last=is_last)
                head = _head(loop, module)
                if site is None or has_next_turn is None or not head or node.finalbody:
                    continue
                caught = ", ".join(site.caught)
                if len(site.caught) > 1:
                    caught = f"({caught})"
                if len(caught) > LONGEST_VALUE or "`" in caught + head:
                    continue
                statement = cls(name, caught, head, has_next_turn)
                lines = FileRange(file=module.path, start=site.first, end=site.last)
                around = FileRange(file=module.path, start=loop.lineno, end=loop.lineno)
                entity_id = module.entity_id(name)
                yield Finding(statement, entity_id, lines, elsewhere=(around,))

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        refuted: FileRange | None = None
        for definition in definitions:
            for handler in handler_outcomes(definition.own_lines):
                if plain_code(handler.caught) != plain_code(self.caught):
                    continue
                place = FileRange(file=definition.path, start=handler.first, end=handler.last)
                loop, has_next_turn = _read_way(definition, handler)
                is_same_loop = plain_code(loop) == plain_code(self.loop)
                if is_same_loop and has_next_turn is self.has_next_turn:
                    return "shown", place
                refuted = place
        if refuted is not None:
            return "refuted", refuted
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield replace(self, has_next_turn=not self.has_next_turn)


def _has_next_turn(site: HandlerSite, *, is_last: bool) -> bool | None:
    """Find out whether the next turn follows a clause; None where more is done in the same one."""
    if site.outcome in _FALLING_THROUGH and is_last:
        return True
    return _WAYS_OUT.get(site.outcome)


def _head(loop: _Loop, module: Module) -> str:
    """Write the head of a loop as in the source; empty for one that is too long to be said."""
    if isinstance(loop, ast.While):
        head = f"while {module.text.of(loop.test)}"
    else:
        keyword = "async for" if isinstance(loop, ast.AsyncFor) else "for"
        variable = module.text.of(loop.target)
        iterated = module.text.of(loop.iter)
        head = f"{keyword} {variable} in {iterated}"
    return head if len(head) <= LONGEST_VALUE else ""


def _tries_in_loops(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Try, _Loop, bool]]:
    """Yield each ``try`` in a loop, the loop, and whether nothing comes behind it in a turn."""
    for node in own_nodes(body):
        if isinstance(node, _Loop):
            for attempt, is_last in _tries(node.body, is_last=True):
                yield attempt, node, is_last


def _tries(body: Sequence[ast.stmt], *, is_last: bool) -> Iterator[tuple[ast.Try, bool]]:
    """Yield each ``try`` of a body, apart from those in inner loops and definitions."""
    for node in body:
        ends_turn = is_last and node is body[-1]
        match node:
            case ast.Try():
                yield node, ends_turn
                # Behind an inner one, the other clauses of the outer one may follow.
                for inner in (node.body, *(handler.body for handler in node.handlers), node.orelse):
                    yield from _tries(inner, is_last=False)
            case ast.If():
                yield from _tries(node.body, is_last=ends_turn)
                yield from _tries(node.orelse, is_last=ends_turn)
            case ast.With() | ast.AsyncWith():
                # What it does at its end is not seen.
                yield from _tries(node.body, is_last=False)
            case _:
                pass


def _read_way(definition: TokenDefinition, handler: HandlerReading) -> tuple[str, bool | None]:
    """Read by indentation which loop a clause stands in, and whether its next turn follows."""
    lines = definition.own_lines
    first_lines = [line.first for line in lines]
    place = first_lines.index(handler.first)
    loop = _loop_above(lines, place)
    if loop is None or _has_finally(lines, place):
        return "", None
    head = loop.line.code
    if handler.outcome in _FALLING_THROUGH:
        ends_turn = _ends_turn(lines, place, _column(loop))
        return head, True if ends_turn else None
    return head, _WAYS_OUT.get(handler.outcome)


def _column(line: TokenLine) -> int:
    return line.line.tokens[0].start[1]


def _loop_above(lines: Sequence[TokenLine], place: int) -> TokenLine | None:
    """Find the innermost loop around a line."""
    column = _column(lines[place])
    for line in reversed(lines[:place]):
        if _column(line) < column:
            column = _column(line)
            if line.keyword in _LOOPS:
                return line
    return None


def _has_finally(lines: Sequence[TokenLine], place: int) -> bool:
    column = _column(lines[place])
    for line in lines[place + 1 :]:
        if _column(line) < column or (
            _column(line) == column and line.keyword not in {"except", "else", "finally"}
        ):
            return False
        if _column(line) == column and line.keyword == "finally":
            return True
    return False


def _ends_of_loops(line: TokenLine) -> int:
    return sum(condition.kind == "loop_end" for condition in line.path or ())


def _ends_turn(lines: Sequence[TokenLine], place: int, loop_column: int) -> bool:
    """Find out whether nothing of a loop is reached behind a clause: other clauses are not."""
    column = _column(lines[place])
    for line in lines[place + 1 :]:
        # What stands under the ``else`` of the loop comes when it has ended.
        if _column(line) <= loop_column or _ends_of_loops(line) > _ends_of_loops(lines[place]):
            return True
        if _column(line) > column:
            continue
        is_clause = line.keyword in _OTHER_CLAUSES
        # The end of an outer ``try`` or ``with`` does more than is seen.
        if not is_clause or (line.keyword == "except" and _column(line) < column):
            return False
        column = _column(line)
    return True
