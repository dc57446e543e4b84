"""Statement: a message stands in a string of a function; said of a wrong one, a must-not."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(r"The text “(?P<text>[^”]+)” stands in `(?P<function>[\w.]+)`\.")


@dataclass(frozen=True, slots=True)
class HoldsText(Statement):
    """A message stands in a string of this function, or of one inside it.

    Attributes:
        function: The qualified name of the function.
        text: The message, ``…`` for what is put in or cut off.
    """

    kind: ClassVar[str] = "holds_text"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def pay(basket, limit):
    if not basket:
        raise ValueError("there is nothing "
                         "in the basket")
    if len(basket) > limit:
        raise ValueError(f"at most {limit} articles go into a basket")
    if limit < 0:
        raise ValueError(f"{limit=} leaves no room in shop_baskets")

def swap(basket):
    def take():
        raise KeyError("nobody has taken anything")
    return take() if basket else pay(basket, 1)
""",
            holds=(
                "The text “there is nothing in the basket” stands in `pay`.",
                "The text “at most … articles go into a basket” stands in `pay`.",
                "The text “limit=… leaves no room in shop_baskets” stands in `pay`.",
                "The text “nobody has taken anything” stands in `swap`.",
                "The text “nobody has taken anything” stands in `swap.take`.",
            ),
            fails=(
                "The text “there is nothing in the basket” stands in `swap`.",
                "The text “nobody has taken anything” stands in `pay`.",
            ),
        ),
    )

    function: str
    text: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"The text “{self.text}” stands in `{self.function}`."

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
        lines = code.uses_of_text(fixed_parts(self.text)) or ()
        uses = [use for use in lines if use.owner]
        if not uses:
            return "unclear", None
        prefix = f"{self.function}."
        own = [use for use in uses if f"{use.owner}.".startswith(prefix)]
        use = (own or uses)[0]
        return ("shown" if own else "refuted"), use.range
