"""Statement: the parameters of a function."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.parameters import parameters_of
from goldwright.offline_agents.statements.brackets import depth_change
from goldwright.offline_agents.statements.lists import join_code, read_code_list
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.records import FileRange

MOST_PARAMETERS: Final = 6

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` takes the parameters? (?P<names>`.+`) and no others\."
)


@dataclass(frozen=True, slots=True)
class Takes(Statement):
    """A function has these parameters, ``self`` and ``cls`` not counted.

    Attributes:
        function: Its qualified name.
        parameters: Their names in their order, one at least.
    """

    kind: ClassVar[str] = "takes"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, *, tax: dict[str, int] = {"a": 1, "b": 2}):
    return basket

class Shop:
    def close(self, reason=""):
        return reason
""",
            holds=(
                "`pay` takes the parameters `basket` and `tax` and no others.",
                "`Shop.close` takes the parameter `reason` and no others.",
            ),
            fails=(
                "`pay` takes the parameter `basket` and no others.",
                "`Shop.close` takes the parameters `self` and `reason` and no others.",
            ),
        ),
    )

    function: str
    parameters: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        noun = "parameter" if len(self.parameters) == 1 else "parameters"
        names = join_code(self.parameters)
        return f"`{self.function}` takes the {noun} {names} and no others."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        names = read_code_list(match["names"])
        return None if names is None else cls(match["subject"], names)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        arguments = function.args
        if arguments.vararg or arguments.kwarg:
            return
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        names = parameters_of(function)
        if 1 <= len(names) <= MOST_PARAMETERS:
            last = max(parameter.end_lineno or parameter.lineno for parameter in parameters)
            lines = FileRange(file=module.path, start=function.lineno, end=last)
            statement = cls(name, names)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.function):
            for line in definition.own_lines:
                if line.keyword == "def":
                    is_same = header_parameters(line.line) == self.parameters
                    return ("shown" if is_same else "refuted"), definition.at(line)
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.parameters) > 1:
            yield replace(self, parameters=self.parameters[:-1])
        for alternative in alternatives:
            if isinstance(alternative, Takes) and alternative.parameters != self.parameters:
                yield replace(self, parameters=alternative.parameters)


def header_parameters(header: CodeLine) -> tuple[str, ...]:
    """Read the parameters of a ``def`` line, without ``self`` and ``cls``.

    They stand behind the opening bracket and behind each comma of its depth.
    """
    names: list[str] = []
    depth = 0
    is_due = False
    for token in header.tokens:
        depth += depth_change(token.string)
        if depth == 0 and token.string == ")":
            break
        if depth == 1 and token.string in {"(", ","}:
            is_due = True
        elif depth == 1 and is_due and token.string.isidentifier():
            names.append(token.string)
            is_due = False
    return tuple(name for name in names if name not in {"self", "cls"})
