"""Statement: whether a function changes something shared inside a ``with``, as a lock is taken."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.state_changes import changes_on
from goldwright.records import FileRange

_INSIDE: Final = re.compile(
    r"`(?P<function>[\w.]+)` changes `(?P<state>\w+)` inside `with (?P<context>[^`]+)`\."
)
_INSIDE_ANY: Final = re.compile(
    r"`(?P<function>[\w.]+)` changes `(?P<state>\w+)` inside a `with`\."
)
# Stands for whatever a ``with`` takes.
ANY: Final = "…"
_OUTSIDE: Final = re.compile(
    r"`(?P<function>[\w.]+)` changes `(?P<state>\w+)` outside of any `with`\."
)


@dataclass(frozen=True, slots=True)
class ChangesInside(Statement):
    """A function changes a value inside a ``with``, or outside of any.

    Attributes:
        function: The qualified name of the function.
        state: The simple name under which the value is kept.
        context: The item of the innermost ``with`` around every change, as written; empty where
            no change has one, ``…`` for whatever it takes.
    """

    kind: ClassVar[str] = "changes_inside"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
PRICES = {}

def price(item):
    with lock:
        PRICES[item] = 1

def forget(item):
    PRICES.pop(item, None)
""",
            holds=(
                "`price` changes `PRICES` inside `with lock`.",
                "`forget` changes `PRICES` outside of any `with`.",
            ),
            fails=(
                "`forget` changes `PRICES` inside `with lock`.",
                "`forget` changes `PRICES` inside a `with`.",
                "`price` changes `PRICES` outside of any `with`.",
            ),
        ),
    )

    function: str
    state: str
    context: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        if self.context == ANY:
            around = "inside a `with`"
        elif self.context:
            around = f"inside `with {self.context}`"
        else:
            around = "outside of any `with`"
        return f"`{self.function}` changes `{self.state}` {around}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        inside_any = _INSIDE_ANY.fullmatch(sentence)
        if inside_any is not None:
            return cls(inside_any["function"], inside_any["state"], ANY)
        match = _INSIDE.fullmatch(sentence) or _OUTSIDE.fullmatch(sentence)
        if match is None:
            return None
        context = match.groupdict().get("context") or ""
        return cls(match["function"], match["state"], context)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        first: FileRange | None = None
        for definition in definitions:
            for line in definition.own_lines:
                if not changes_on(line, self.state):
                    continue
                context = line.contexts[-1] if line.contexts else ""
                is_same = plain_code(context) == plain_code(self.context)
                if not is_same and (self.context != ANY or not context):
                    return "refuted", definition.at(line)
                first = first or definition.at(line)
        if first is not None:
            return "shown", first
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if self.context:
            yield replace(self, context="")
        for alternative in alternatives:
            if isinstance(alternative, ChangesInside) and alternative.context not in {
                self.context,
                "",
            }:
                yield replace(self, context=alternative.context)
        if not self.context:
            yield replace(self, context=ANY)
