"""Statement: a function raises an error, with its message and its whole condition."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.errors import raise_sites
from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.parameters import tests_replaced_parameter
from goldwright.offline_agents.statements.condition_phrases import (
    inverted_paths,
    read_conditions,
    write_conditions,
)
from goldwright.offline_agents.statements.conditional import look_for_line
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.quotes import cut_message
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
)
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.path_conditions import Path
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` raises `(?P<error>[\w.]+)`"
    r"(?: with the message “(?P<message>[^”]+)”)?(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class Raises(Deed):
    """A function raises an error under these conditions.

    Attributes:
        function: The qualified name of the function.
        error: The class, as written.
        message: Its message, ``…`` for what is put in or cut off; empty where none is written out.
        path: All the conditions.
    """

    kind: ClassVar[str] = "raises"
    verbs: ClassVar[tuple[str, ...]] = ("raises",)
    predicates: ClassVar[tuple[str, ...]] = (
        r"raises `([^`]+)`(?: (?:with (?:the message )?)?\(?“([^”]+)”\)?)?",
    )
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, total):
    if not basket:
        return None
    if total < 0:
        raise ValueError(f"{total} is 'below' zero")
    return total
""",
            holds=(
                (
                    "`pay` raises `ValueError` with the message “… is 'below' zero” if "
                    "`basket` and `total < 0`."
                ),
            ),
            fails=(
                "`pay` raises `ValueError` with the message “… is 'below' zero” if `total < 0`.",
                (
                    "`pay` raises `ValueError` with the message “… is 'below' zero” "
                    "if `basket`, unless `total < 0`."
                ),
                (
                    "`pay` raises `KeyError` with the message “… is 'below' zero” "
                    "if `basket` and `total < 0`."
                ),
            ),
        ),
        Example(
            code="""
def pay(basket, total):
    if total < 0:
        msg = f"{total} is less than nothing"
        raise ValueError(msg)
    if basket:
        msg = "the basket is not empty"
    else:
        raise ValueError(msg)
    if total > 999:
        raise PayError(code=409, detail="nobody pays as much", hint="ask the owner")
    return total
""",
            holds=(
                (
                    "`pay` raises `ValueError` with the message “… is less than nothing” if "
                    "`total < 0`."
                ),
                (
                    "`pay` raises `PayError` with the message “nobody pays as much” if `basket` "
                    "and `total > 999`."
                ),
            ),
            fails=(
                (
                    "`pay` raises `ValueError` with the message “the basket is not empty” "
                    "unless `total < 0` or `basket`."
                ),
            ),
        ),
    )

    function: str
    error: str
    message: str
    path: Path

    def predicate(self) -> str:
        quoted = f" (“{self.message}”)" if self.message else ""
        return f"raises `{self.error}`{quoted}"

    def sentence(self) -> str:
        message = f" with the message “{self.message}”" if self.message else ""
        conditions = write_conditions(self.path)
        return f"`{self.function}` raises `{self.error}`{message}{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        message = match["message"] or ""
        return cls(match["subject"], match["error"], message, path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for site in raise_sites(module, function):
            if site.path is None or tests_replaced_parameter(function, site.path):
                continue
            message = cut_message(site.message)
            statement = cls(name, site.exception, message, site.path)
            lines = FileRange(file=module.path, start=site.first, end=site.last)
            named: tuple[FileRange, ...] = ()
            if site.message_first:
                first, last = site.message_first, site.message_last
                named = (FileRange(file=module.path, start=first, end=last),)
            yield Finding(statement, module.entity_id(name), lines, also=named)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for_line(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, Raises) and alternative.error != self.error:
                yield replace(self, error=alternative.error)
                # Nobody would take every other error of a function for it.
                break
        for path in inverted_paths(self.path):
            yield replace(self, path=path)

    def _is_on(self, line: TokenLine) -> bool:
        if line.keyword != "raise":
            return False
        called = line.operand.partition("(")[0]
        raised = called.partition(" from ")[0].strip()
        text = f"{_named_text(line)}{string_text(line.line)}"
        is_written = all(part in text for part in fixed_parts(self.message))
        return raised == self.error and is_written


def _named_text(line: TokenLine) -> str:
    """Give the text to which the line above gives a name that a line hands over."""
    match line.above.words() if line.above is not None else ():
        case [name, "=", *_] if line.above is not None and name in line.line.words():
            return string_text(line.above)
        case _:
            return ""
