"""Statement: what a function hands to a call of another one, and as which argument."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.brackets import depth_change
from goldwright.offline_agents.statements.condition_phrases import (
    inverted_paths,
    read_conditions,
    write_conditions,
)
from goldwright.offline_agents.statements.conditional import look_for
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
)
from goldwright.offline_agents.token_reading.code_text import plain_code, text_of
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine, Tokens
from goldwright.path_conditions import Path
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` passes `(?P<value>[^`]+)` to `(?P<callee>[\w.]+)` as "
    r"`(?P<keyword>\w+)`(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class Passes(Deed):
    """A function hands a value to a call as a named argument under these conditions.

    Attributes:
        function: The qualified name of the function.
        value: The value, as written.
        callee: What is called, as written.
        keyword: The name of the argument.
        path: All the conditions.
    """

    kind: ClassVar[str] = "passes"
    verbs: ClassVar[tuple[str, ...]] = ("passes",)
    predicates: ClassVar[tuple[str, ...]] = (r"passes `([^`]+)` to `([^`]+)` as `([^`]+)`",)
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def open_shop(settings):
    if settings["OPEN"]:
        return Shop(
            limit=settings.get("LIMIT", 3),
            owner=settings["OWNER"],
        )
    return close(reason=str(settings))
""",
            holds=(
                (
                    '`open_shop` passes `settings.get("LIMIT", 3)` to `Shop` as `limit` '
                    'if `settings["OPEN"]`.'
                ),
                (
                    '`open_shop` passes `settings["OWNER"]` to `Shop` as `owner` '
                    'if `settings["OPEN"]`.'
                ),
                (
                    "`open_shop` passes `str(settings)` to `close` as `reason` "
                    'unless `settings["OPEN"]`.'
                ),
            ),
            fails=(
                (
                    '`open_shop` passes `settings["OWNER"]` to `Shop` as `limit` '
                    'if `settings["OPEN"]`.'
                ),
                '`open_shop` passes `settings["OWNER"]` to `Shop` as `owner`.',
            ),
        ),
    )

    function: str
    value: str
    callee: str
    keyword: str
    path: Path

    def predicate(self) -> str:
        return f"passes `{self.value}` to `{self.callee}` as `{self.keyword}`"

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        argument = f"`{self.value}` to `{self.callee}` as `{self.keyword}`"
        return f"`{self.function}` passes {argument}{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        return cls(match["subject"], match["value"], match["callee"], match["keyword"], path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for reached in statements_of(function, module.text):
            if reached.path is None or not isinstance(reached.node, _SIMPLE):
                continue
            for call in own_nodes([reached.node]):
                if isinstance(call, ast.Call):
                    yield from cls._in_call(module, name, call, reached.path)

    @classmethod
    def _in_call(cls, module: Module, name: str, call: ast.Call, path: Path) -> Iterator[Finding]:
        callee = module.text.of(call.func)
        if not re.fullmatch(r"[\w.]+", callee):
            return
        for keyword in call.keywords:
            value = module.text.of(keyword.value)
            if keyword.arg is None or not value or len(value) > LONGEST_VALUE or "`" in value:
                continue
            end_of_value = keyword.value.end_lineno or keyword.value.lineno
            last = max(call.lineno, end_of_value)
            lines = FileRange(file=module.path, start=call.lineno, end=last)
            statement = cls(name, value, callee, keyword.arg, path)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if not isinstance(alternative, Passes) or alternative.value == self.value:
                continue
            if alternative.callee == self.callee and alternative.keyword != self.keyword:
                yield replace(self, value=alternative.value)
        for path in inverted_paths(self.path):
            yield replace(self, path=path)

    def _is_on(self, line: CodeLine) -> bool:
        value = plain_code(self.value)
        for callee, arguments in calls_of(line.tokens):
            if callee != self.callee:
                continue
            for argument in arguments:
                words = [token.string for token in argument[:2]]
                if words == [self.keyword, "="] and plain_code(text_of(argument[2:])) == value:
                    return True
        return False


_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)


def calls_of(tokens: Tokens) -> Iterator[tuple[str, list[Tokens]]]:
    """Yield what is called on a line, as written, with the arguments of each call."""
    for place, token in enumerate(tokens):
        if token.string != "(":
            continue
        callee = _dotted_name(tokens[:place])
        if callee:
            yield callee, _arguments(tokens[place + 1 :])


def written_calls(tokens: Tokens) -> Iterator[str]:
    """Yield the calls among some tokens as they are written, each on one line."""
    for callee, arguments in calls_of(tokens):
        listed = ", ".join(map(text_of, arguments))
        yield f"{callee}({listed})"


def _dotted_name(tokens: Tokens) -> str:
    """Give the dotted name at the end of some tokens; empty for none."""
    words: list[str] = []
    for token in reversed(tokens):
        is_dot_due = len(words) % 2 == 1
        is_due = (token.string == ".") == is_dot_due
        if not is_due or not re.fullmatch(r"\w+|\.", token.string):
            break
        words.append(token.string)
    return "".join(reversed(words)) if len(words) % 2 else ""


def _arguments(tokens: Tokens) -> list[Tokens]:
    """Split what follows an opening bracket at the commas of its own depth, up to its end."""
    arguments: list[Tokens] = []
    depth = start = 0
    for place, token in enumerate(tokens):
        if depth == 0 and token.string in {",", ")"}:
            arguments.append(tokens[start:place])
            start = place + 1
        if depth == 0 and token.string == ")":
            break
        depth += depth_change(token.string)
    return arguments
