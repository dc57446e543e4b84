"""Statement: what a parameter is when a caller leaves it out."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"The parameter `(?P<parameter>\w+)` of `(?P<function>[\w.]+)` "
    r"(?:is `(?P<value>[^`]+)` unless it is given|must be given by the caller)\."
)
_STRING: Final = re.compile(r"""(["'])(?:\\.|(?!\1).)*\1""", re.DOTALL)

# Empty where nothing would be taken for the default by mistake.
_WRONG_DEFAULTS: Final = {"True": "False", "False": "True", "None": "", "": ""}


@dataclass(frozen=True, slots=True)
class ParameterDefault(Statement):
    """A parameter has a default, or must be given.

    Attributes:
        function: The qualified name of the function.
        parameter: The name of the parameter.
        default: Its default, as written; empty where it has none.
    """

    kind: ClassVar[str] = "parameter_default"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def fetch(url, timeout=30, *, style: Literal["%", "{"] = "{", retries: int = 3):
    return url, timeout, style, retries
""",
            holds=(
                "The parameter `timeout` of `fetch` is `30` unless it is given.",
                "The parameter `retries` of `fetch` is `3` unless it is given.",
                "The parameter `url` of `fetch` must be given by the caller.",
            ),
            fails=(
                "The parameter `timeout` of `fetch` must be given by the caller.",
                "The parameter `timeout` of `fetch` is `3` unless it is given.",
            ),
        ),
    )

    function: str
    parameter: str
    default: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        start = f"The parameter `{self.parameter}` of `{self.function}`"
        if not self.default:
            return f"{start} must be given by the caller."
        return f"{start} is `{self.default}` unless it is given."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        value = match["value"] or ""
        return cls(match["function"], match["parameter"], value)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for argument, default in _parameters(function):
            value = module.text.of(default)
            if len(value) > LONGEST_VALUE or "`" in value or argument.arg in {"self", "cls"}:
                continue
            last = (default or argument).end_lineno or argument.lineno
            lines = FileRange(file=module.path, start=argument.lineno, end=last)
            statement = cls(name, argument.arg, value)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.function):
            headers = (line for line in definition.own_lines if line.keyword == "def")
            header = next(headers, None)
            if header is None:
                continue
            default = _default_in(header.line.code, self.parameter)
            if default is None:
                return "refuted", definition.at(header)
            place = _place_of(header.line, self.parameter, definition.path)
            is_same = plain_code(default) == plain_code(self.default)
            return ("shown" if is_same else "refuted"), place
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, ParameterDefault) and alternative.default not in {
                self.default,
                "",
            }:
                yield replace(self, default=alternative.default)
        # Of a parameter without a default nobody would say that it is ``None``.
        wrong = _WRONG_DEFAULTS.get(self.default, "None")
        if wrong:
            yield replace(self, default=wrong)


def _parameters(function: Function) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = arguments.defaults
    without = len(positional) - len(defaults)
    for place, argument in enumerate(positional):
        default = defaults[place - without] if place >= without else None
        yield argument, default
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def _default_in(header: str, name: str) -> str | None:
    """Read a default out of a ``def`` line; empty for none, None without such a parameter."""
    _, _, inside = header.partition("(")
    for part in _split_arguments(inside):
        before, mark, default = _split_at_equals(part)
        parameter = before.partition(":")[0].strip(" *")
        if parameter == name:
            return default.strip() if mark else ""
    return None


def _place_of(header: CodeLine, name: str, path: str) -> FileRange:
    """Give the line on which a parameter stands in a ``def`` line of many lines."""
    # What has the parameter's name before it is the function itself.
    behind_name = header.tokens[2:]
    tokens = (token for token in behind_name if token.string == name)
    token = next(tokens, None)
    line = token.start[0] if token is not None else header.first
    return FileRange(file=path, start=line, end=line)


def _masked(text: str) -> str:
    """Give code of the same length without what its strings hold: brackets there open nothing."""
    return _STRING.sub(lambda match: "_" * len(match[0]), text)


def _split_arguments(text: str) -> Iterator[str]:
    depth = 0
    start = 0
    for place, character in enumerate(_masked(text)):
        if depth == 0 and character in ",)":
            yield text[start:place]
            start = place + 1
            if character == ")":
                return
        depth += (character in "([{") - (character in ")]}")


def _split_at_equals(part: str) -> tuple[str, str, str]:
    depth = 0
    for place, character in enumerate(_masked(part)):
        if character == "=" and depth == 0:
            behind = part[place + 1 :]
            return part[:place], "=", behind
        depth += (character in "([{") - (character in ")]}")
    return part, "", ""
