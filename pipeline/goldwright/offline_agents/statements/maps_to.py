"""Statement: what a table holds under a key."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.brackets import depth_change
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.code_text import plain_code, text_of
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import Tokens
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"The table `(?P<table>[\w.]+)` maps `(?P<key>[^`]+)` to `(?P<value>[^`]+)`\."
)


@dataclass(frozen=True, slots=True)
class MapsTo(Statement):
    """A table holds a value under a key.

    Attributes:
        table: The qualified name of the table.
        key: The key, as written.
        value: The value, as written.
    """

    kind: ClassVar[str] = "maps_to"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
PAYMENTS = {
    "card": CardPayment,
    "cash": lambda basket: {"sum": basket.total},
}
""",
            holds=(
                'The table `PAYMENTS` maps `"card"` to `CardPayment`.',
                'The table `PAYMENTS` maps `"cash"` to `lambda basket: {"sum": basket.total}`.',
            ),
            fails=(
                'The table `PAYMENTS` maps `"cash"` to `CardPayment`.',
                'The table `PAYMENTS` maps `"sum"` to `basket.total`.',
            ),
        ),
    )

    table: str
    key: str
    value: str

    @property
    def subject(self) -> str:
        return self.table

    def sentence(self) -> str:
        return f"The table `{self.table}` maps `{self.key}` to `{self.value}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["table"], match["key"], match["value"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        entry = (plain_code(self.key), plain_code(self.value))
        for definition in code.named(self.table):
            for line in definition.lines:
                for tokens in _entries(line.line.tokens):
                    key, value = map(text_of, _halves(tokens))
                    if (plain_code(key), plain_code(value)) == entry:
                        first = tokens[0].start[0]
                        last = tokens[-1].end[0]
                        return "shown", FileRange(file=definition.path, start=first, end=last)
            return "refuted", definition.range
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, MapsTo) and alternative.value != self.value:
                yield replace(self, value=alternative.value)


def _entries(tokens: Tokens) -> Iterator[Tokens]:
    """Yield the entries of the outermost braces of a line."""
    depth = start = 0
    for place, token in enumerate(tokens):
        if token.string in {"(", "[", "{"}:
            depth += 1
            start = place + 1 if depth == 1 else start
        elif token.string in {")", "]", "}"}:
            depth -= 1
        is_end = (depth, token.string) in {(1, ","), (0, "}")}
        if is_end and tokens[start:place]:
            yield tokens[start:place]
        if is_end:
            start = place + 1


def _halves(tokens: Tokens) -> tuple[Tokens, Tokens]:
    depth = 0
    for place, token in enumerate(tokens):
        depth += depth_change(token.string)
        if token.string == ":" and depth == 0:
            return tokens[:place], tokens[place + 1 :]
    return tokens, ()
