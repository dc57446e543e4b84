"""Statement: a message is written out in one function and nowhere else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<function>[\w.]+)` is the only product code that holds the text “(?P<text>[^”]+)”\."
)


@dataclass(frozen=True, slots=True)
class OnlyHolder(Statement):
    """A message stands in a string of this function and of no other product code.

    Attributes:
        function: The qualified name of the function.
        text: The message, ``…`` for what is put in or cut off.
    """

    kind: ClassVar[str] = "only_holder"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, limit):
    if not basket:
        raise ValueError("there is nothing "
                         "in the basket")
    if len(basket) > limit:
        raise ValueError(f"at most {limit} articles go into a basket")

def refund(basket):
    if not basket:
        raise KeyError("there is nothing to give back")

def swap(basket):
    if not basket:
        raise KeyError("there is nothing to give back")
""",
            holds=(
                (
                    "`pay` is the only product code that holds the text “there is nothing in the "
                    "basket”."
                ),
                (
                    "`pay` is the only product code that holds the text “at most … articles go "
                    "into a basket”."
                ),
            ),
            fails=(
                (
                    "`refund` is the only product code that holds the text “there is nothing in "
                    "the basket”."
                ),
                (
                    "`refund` is the only product code that holds the text “there is nothing to "
                    "give back”."
                ),
            ),
        ),
    )

    function: str
    text: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"`{self.function}` is the only product code that holds the text “{self.text}”."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["function"], match["text"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        uses = code.uses_of_text(fixed_parts(self.text))
        in_product = [use for use in uses or () if use.is_product_code]
        if not in_product:
            return "unclear", None
        function_ids = {definition.entity_id for definition in code.named(self.function)}
        # The place is the function's own, where it holds the text.
        first = min(in_product, key=lambda use: use.entity_id not in function_ids)
        is_only = {use.entity_id for use in in_product} <= function_ids
        return ("shown" if is_only else "refuted"), first.range

    def holders(self, code: TokenCodebase) -> frozenset[str]:
        """Give the owners of all lines of product code that hold the text."""
        uses = code.uses_of_text(fixed_parts(self.text)) or ()
        return frozenset(use.owner or use.path for use in uses if use.is_product_code)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        yield from ()
