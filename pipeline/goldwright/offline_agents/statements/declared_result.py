"""Statement: what a function is declared to give back, and whether it has to be awaited."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.brackets import depth_change
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.code_text import plain_code, text_of
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.records import FileRange

_RESULT: Final = re.compile(
    r"`(?P<function>[\w.]+)` is (?P<coroutine>a coroutine that is )?declared to return "
    r"`(?P<result>[^`]+)`\."
)
_ASYNC: Final = re.compile(r"`(?P<function>[\w.]+)` is a coroutine \(`async def`\)\.")


@dataclass(frozen=True, slots=True)
class DeclaredResult(Statement):
    """The head of a function says what comes back, or that it is a coroutine.

    Attributes:
        function: Its qualified name.
        result: The annotation of what it returns, as written; empty where it has none.
        is_async: Whether it is said to be a coroutine.
    """

    kind: ClassVar[str] = "declared_result"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class Store:
    async def load(self, key: str) -> dict[str, int]:
        return {}

    def close(self) -> bool:
        return True

    async def wait(self, *, longest: int = 3):
        return None
""",
            holds=(
                "`Store.load` is a coroutine that is declared to return `dict[str, int]`.",
                "`Store.close` is declared to return `bool`.",
                "`Store.wait` is a coroutine (`async def`).",
            ),
            fails=(
                "`Store.load` is declared to return `dict[str, str]`.",
                "`Store.close` is a coroutine that is declared to return `bool`.",
                "`Store.close` is declared to return `int`.",
                "`Store.close` is a coroutine (`async def`).",
            ),
        ),
    )

    function: str
    result: str
    is_async: bool

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        if not self.result:
            return f"`{self.function}` is a coroutine (`async def`)."
        coroutine = "a coroutine that is " if self.is_async else ""
        return f"`{self.function}` is {coroutine}declared to return `{self.result}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        if match := _ASYNC.fullmatch(sentence):
            return cls(match["function"], "", is_async=True)
        match = _RESULT.fullmatch(sentence)
        if match is None:
            return None
        is_async = match["coroutine"] is not None
        return cls(match["function"], match["result"], is_async=is_async)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        is_async = isinstance(function, ast.AsyncFunctionDef)
        result = module.text.of(function.returns)
        is_short = len(result) <= LONGEST_VALUE
        can_be_said = is_short and "`" not in result and "\n" not in result
        # That nothing comes back is what anybody expects of a plain function.
        is_telling = is_async or result not in {"", "None"}
        if can_be_said and is_telling:
            first = function.lineno
            last = (function.returns or function).lineno
            lines = FileRange(file=module.path, start=first, end=max(last, first))
            statement = cls(name, result, is_async)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.function):
            for line in definition.own_lines:
                if line.keyword == "def":
                    is_async = line.line.words()[0] == "async"
                    result = _result_in(line.line)
                    is_same = plain_code(result) == plain_code(self.result)
                    is_shown = (is_same or not self.result) and is_async >= self.is_async
                    return ("shown" if is_shown else "refuted"), definition.at(line)
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, DeclaredResult) and alternative.result not in {
                self.result,
                "",
            }:
                yield replace(self, result=alternative.result)
        if not self.is_async:
            yield replace(self, is_async=True)


def _result_in(header: CodeLine) -> str:
    """Read what stands between the arrow of a ``def`` line and its colon; empty for no arrow."""
    depth = 0
    for place, token in enumerate(header.tokens):
        depth += depth_change(token.string)
        if token.string == "->" and depth == 0:
            behind = list(header.tokens[place + 1 :])
            if behind and behind[-1].string == ":":
                behind.pop()
            return text_of(behind)
    return ""
