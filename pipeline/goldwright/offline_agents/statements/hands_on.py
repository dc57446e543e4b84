"""Statement: a function hands a parameter of its own to a call, and under which name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.parameters import handed_on
from goldwright.offline_agents.statements.condition_phrases import (
    inverted_paths,
    read_conditions,
    write_conditions,
)
from goldwright.offline_agents.statements.conditional import look_for
from goldwright.offline_agents.statements.passes import calls_of
from goldwright.offline_agents.statements.statement import (
    ConditionalStatement,
    Example,
    Finding,
    Shown,
    Statement,
)
from goldwright.offline_agents.token_reading.code_text import text_of
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.path_conditions import Path
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` hands its parameter `(?P<parameter>\w+)` on to `(?P<callee>[\w.]+)`"
    r"(?: as `(?P<keyword>\w+)`)?(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class HandsOn(ConditionalStatement):
    """A function gives a parameter, as it came in, to a call under these conditions.

    Attributes:
        function: The qualified name of the function.
        parameter: The parameter.
        callee: What is called, as written.
        keyword: The other name under which it is given; empty where it has its own, and where it
            is given by its place.
        path: All the conditions.
    """

    kind: ClassVar[str] = "hands_on"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, tax, limit=3):
    if basket:
        return book(basket, tax)
    limit = 4
    return close(reason=tax, limit=limit)
""",
            holds=(
                "`pay` hands its parameter `tax` on to `book` if `basket`.",
                "`pay` hands its parameter `tax` on to `close` as `reason` unless `basket`.",
            ),
            fails=(
                "`pay` hands its parameter `limit` on to `book` if `basket`.",
                "`pay` hands its parameter `tax` on to `close` as `reason`.",
                "`pay` hands its parameter `basket` on to `close` as `reason` unless `basket`.",
            ),
        ),
    )

    function: str
    parameter: str
    callee: str
    keyword: str
    path: Path

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        name = f" as `{self.keyword}`" if self.keyword else ""
        conditions = write_conditions(self.path)
        deed = f"hands its parameter `{self.parameter}` on to `{self.callee}`"
        return f"`{self.function}` {deed}{name}{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        keyword = match["keyword"] or ""
        function, parameter, callee = match.group("subject", "parameter", "callee")
        return cls(function, parameter, callee, keyword, path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for call in handed_on(module, function):
            statement = cls(name, call.parameter, call.callee, call.keyword, call.path)
            lines = FileRange(file=module.path, start=call.first, end=call.last)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for path in inverted_paths(self.path):
            yield replace(self, path=path)
        for alternative in alternatives:
            if not isinstance(alternative, HandsOn) or alternative.function != self.function:
                continue
            is_of_same = alternative.parameter == self.parameter
            has_other_name = alternative.keyword not in {"", self.keyword}
            if alternative.callee != self.callee and is_of_same and has_other_name:
                yield replace(self, keyword=alternative.keyword)

    def _is_on(self, line: CodeLine) -> bool:
        keyword = self.keyword or self.parameter
        named = f"{keyword}={self.parameter}"
        for callee, arguments in calls_of(line.tokens):
            if callee != self.callee:
                continue
            given = {text_of(argument).replace(" ", "") for argument in arguments}
            if named in given or (not self.keyword and self.parameter in given):
                return True
        return False
