"""Statement: what a warning of a function tells people to do instead."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.code_reading.warning_advice import split_advice
from goldwright.code_reading.warning_calls import warning_sites
from goldwright.offline_agents.statements.quotes import cut_message
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"The advice in a warning of `(?P<function>[\w.]+)` is “(?P<advice>[^”]+)”\."
)


@dataclass(frozen=True, slots=True)
class Advises(Statement):
    """A warning of a function says what to do instead.

    Attributes:
        function: The qualified name of the function.
        advice: The part of the message that says so.
    """

    kind: ClassVar[str] = "advises"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
import warnings

def pay(basket):
    warnings.warn("pay() is deprecated, use settle() instead.", DeprecationWarning)

def refund(basket):
    warnings.warn("refund() is deprecated. Set the refunds option.", DeprecationWarning)
""",
            holds=(
                "The advice in a warning of `pay` is “use settle() instead”.",
                "The advice in a warning of `refund` is “Set the refunds option”.",
            ),
            fails=(
                "The advice in a warning of `pay` is “Set the refunds option”.",
                "The advice in a warning of `refund` is “use settle() instead”.",
            ),
        ),
    )

    function: str
    advice: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"The advice in a warning of `{self.function}` is “{self.advice}”."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["function"], match["advice"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for site in warning_sites(module, function):
            advice = cut_message(split_advice(site.message)[1])
            if fixed_parts(advice):
                lines = FileRange(file=module.path, start=site.first, end=site.last)
                statement = cls(name, advice)
                yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        parts = fixed_parts(self.advice)
        for definition in definitions:
            for line in definition.own_lines:
                text = string_text(line.line)
                if "warn" in line.line.words()[:4] and all(part in text for part in parts):
                    return "shown", definition.at(line)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, Advises) and alternative.advice != self.advice:
                yield Advises(self.function, alternative.advice)
