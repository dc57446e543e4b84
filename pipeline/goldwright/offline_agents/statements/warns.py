"""Statement: a function gives a warning of a category."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.warning_calls import warning_sites
from goldwright.offline_agents.statements.condition_phrases import (
    inverted_paths,
    read_conditions,
    write_conditions,
)
from goldwright.offline_agents.statements.conditional import look_for
from goldwright.offline_agents.statements.quotes import cut_message
from goldwright.offline_agents.statements.statement import (
    ConditionalStatement,
    Example,
    Finding,
    Shown,
    Statement,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.path_conditions import Path
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<function>[\w.]+)` gives the `(?P<category>[\w.]+)` “(?P<message>[^”]+)”"
    r"(?P<conditions> .+)?\."
)


@dataclass(frozen=True, slots=True)
class Warns(ConditionalStatement):
    """A function gives a warning under these conditions.

    Attributes:
        function: The qualified name of the function.
        category: The class of the warning, as written.
        message: The message, ``…`` for what is put in or cut off.
        path: All the conditions.
    """

    kind: ClassVar[str] = "warns"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
import warnings

def pay(basket, currency=None):
    if currency is None:
        warnings.warn("pay without a currency is deprecated", DeprecationWarning, stacklevel=2)
    return sum(basket)
""",
            holds=(
                (
                    "`pay` gives the `DeprecationWarning` “pay without a currency is deprecated” "
                    "if `currency is None`."
                ),
            ),
            fails=(
                "`pay` gives the `DeprecationWarning` “pay without a currency is deprecated”.",
                (
                    "`pay` gives the `FutureWarning` “pay without a currency is deprecated” "
                    "if `currency is None`."
                ),
            ),
        ),
    )

    function: str
    category: str
    message: str
    path: Path

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        return f"`{self.function}` gives the `{self.category}` “{self.message}”{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        function, category, message = match.group("function", "category", "message")
        return cls(function, category, message, path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for site in warning_sites(module, function):
            message = cut_message(site.message)
            if site.path is None or not fixed_parts(message):
                continue
            lines = FileRange(file=module.path, start=site.first, end=site.last)
            statement = cls(name, site.category, message, site.path)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for path in inverted_paths(self.path):
            yield replace(self, path=path)
        wrong = "DeprecationWarning" if self.category == "FutureWarning" else "FutureWarning"
        yield replace(self, category=wrong)

    def _is_on(self, line: CodeLine) -> bool:
        text = string_text(line)
        if not all(part in text for part in fixed_parts(self.message)):
            return False
        words = line.words()
        category = plain_code(self.category)
        line_code = " ".join(words)
        # With a blank on either side: the category is a whole word.
        padded_code = f" {line_code} "
        has_category = f" {category} " in padded_code
        return "warn" in words[:4] and has_category
