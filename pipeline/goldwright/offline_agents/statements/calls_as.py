"""Statement: how a function calls another one, whatever leads to the call."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.passes import written_calls
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<function>[\w.]+)` calls `(?P<callee>[\w.]+)` as `(?P<call>[^`]+)`\."
)
_DOTTED_NAME: Final = re.compile(r"[^\W\d][\w.]*")
# From so many arguments on, the last one is easily overlooked.
_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True)
class CallsAs(Statement):
    """A function makes a call: who changes what is called wants to know with which arguments.

    Attributes:
        function: The qualified name of the function.
        callee: The qualified name of what is called; objects of a class are made by ``__init__``.
        call: The call, as written.
    """

    kind: ClassVar[str] = "calls_as"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, mail):
    if basket.total > 3 and charge(basket, mail.owner):
        return [Bill(item) for item in basket]

def lend(basket):
    return charge (basket, None)
""",
            holds=(
                "`pay` calls `charge` as `charge(basket, mail.owner)`.",
                "`pay` calls `Bill.__init__` as `Bill(item)`.",
                "`lend` calls `charge` as `charge (basket, None)`.",
            ),
            fails=(
                "`pay` calls `charge` as `charge(basket)`.",
                "`pay` calls `refund` as `charge(basket, mail.owner)`.",
                "`pay` calls `Bill.__init__` as `Bill()`.",
            ),
        ),
    )

    function: str
    callee: str
    call: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"`{self.function}` calls `{self.callee}` as `{self.call}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["function"], match["callee"], match["call"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    @classmethod
    def of_call(cls, module: Module, name: str, callee: str, call: ast.Call) -> Finding | None:
        """State a call of a callee; None for one that is too long to be said."""
        text = module.text.of(call)
        called = module.text.of(call.func)
        is_named = _DOTTED_NAME.fullmatch(called) is not None
        if not is_named or not text or len(text) > LONGEST_VALUE or "`" in text:
            return None
        last = call.end_lineno or call.lineno
        lines = FileRange(file=module.path, start=call.lineno, end=last)
        statement = cls(name, callee, text)
        return Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        called = self.call.partition("(")[0].rstrip()
        is_of_callee = self._called_name() == _last_name(called)
        for definition in definitions:
            for line in definition.own_lines if is_of_callee else ():
                if self._is_on(line.line):
                    return "shown", definition.at(line)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        call = _parsed(self.call)
        if call is None or len(call.args) + len(call.keywords) < _SEVERAL:
            return
        if call.keywords:
            call.keywords.pop()
        else:
            call.args.pop()
        given = {ast.unparse(argument) for argument in call.args}
        # Beside what every method has, nobody sees that something was left out.
        if call.keywords or given - {"self", "cls"}:
            yield replace(self, call=ast.unparse(call))

    def _called_name(self) -> str:
        """Give the name by which it is called: a class by its own."""
        return _last_name(self.callee.removesuffix(".__init__"))

    def _is_on(self, line: CodeLine) -> bool:
        wanted = plain_code(self.call)
        calls = map(plain_code, written_calls(line.tokens))
        return wanted in calls


def _last_name(name: str) -> str:
    return name.rpartition(".")[2]


def _parsed(code: str) -> ast.Call | None:
    try:
        expression = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return expression if isinstance(expression, ast.Call) else None
