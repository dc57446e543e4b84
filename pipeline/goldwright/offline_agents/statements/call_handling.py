"""Statement: what a function catches, or does not catch, around its call of another one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Final, Self

from goldwright.code_reading.callers import called_names
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.brackets import without_brackets
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

_CATCHES: Final = re.compile(
    r"`(?P<caller>[\w.]+)` calls `(?P<callee>[\w.]+)` "
    r"inside a `try` that catches `(?P<error>[^`]+)`\."
)
_NO_TRY: Final = re.compile(
    r"`(?P<caller>[\w.]+)` calls `(?P<callee>[\w.]+)` and catches nothing around the call\."
)


@dataclass(frozen=True, slots=True)
class CallHandling(Statement):
    """A function calls another one, inside a ``try`` that catches an error or outside of any.

    Attributes:
        caller: The qualified name of the function that holds the call.
        callee: The simple name of the function that it calls.
        caught: What the innermost ``try`` around the call catches, clause by clause, joined by a
            comma; empty where no ``try`` with an ``except`` is around it.
    """

    kind: ClassVar[str] = "call_handling"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket):
    try:
        book(basket)
    except KeyError:
        return None
    notify(basket)
""",
            holds=(
                "`pay` calls `book` inside a `try` that catches `KeyError`.",
                "`pay` calls `notify` and catches nothing around the call.",
            ),
            fails=(
                "`pay` calls `book` and catches nothing around the call.",
                "`pay` calls `notify` inside a `try` that catches `KeyError`.",
                "`pay` calls `book` inside a `try` that catches `ValueError`.",
            ),
        ),
    )

    caller: str
    callee: str
    caught: str

    @property
    def subject(self) -> str:
        return self.caller

    def sentence(self) -> str:
        if self.caught:
            around = f"inside a `try` that catches `{self.caught}`"
        else:
            around = "and catches nothing around the call"
        return f"`{self.caller}` calls `{self.callee}` {around}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        if match := _CATCHES.fullmatch(sentence):
            return cls(match["caller"], match["callee"], match["error"])
        if match := _NO_TRY.fullmatch(sentence):
            return cls(match["caller"], match["callee"], "")
        return None

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for call in called_names(module, function):
            caught = ", ".join(call.catches)
            statement = cls(name, call.name, caught)
            lines = FileRange(file=module.path, start=call.first, end=call.last)
            yield Finding(statement, module.entity_id(name), lines, call.clauses)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        refuted: FileRange | None = None
        for definition in code.named(self.caller):
            for line in definition.own_lines:
                if not _calls(line, self.callee):
                    continue
                if self._is_around(line):
                    return "shown", definition.at(line)
                refuted = definition.at(line)
        if refuted is not None:
            return "refuted", refuted
        definitions = code.named(self.caller)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        # That nothing at all is caught nobody believes who has seen the clause.
        for alternative in alternatives:
            if isinstance(alternative, CallHandling) and alternative.caught not in {
                self.caught,
                "",
            }:
                yield replace(self, caught=alternative.caught)

    def _is_around(self, line: TokenLine) -> bool:
        handlers = ", ".join(line.handlers)
        return without_brackets(handlers) == without_brackets(self.caught)


def _calls(line: TokenLine, name: str) -> bool:
    # The header of a function of the same name is no call.
    if line.keyword == "def":
        return False
    words = line.line.words()
    return (name, "(") in pairwise(words)
