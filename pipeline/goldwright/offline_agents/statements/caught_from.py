"""Statement: which clause of a caller takes an error of the function that it calls."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Final, Self

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.error_kinds import first_taker
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.records import FileRange

_CAUGHT: Final = re.compile(
    r"An? `(?P<error>[\w.]+)` out of `(?P<callee>[\w.]+)` is caught in `(?P<caller>[\w.]+)` "
    r"by `except (?P<clause>[^`]+)`\."
)
_PASSES: Final = re.compile(
    r"An? `(?P<error>[\w.]+)` out of `(?P<callee>[\w.]+)` passes through "
    r"`(?P<caller>[\w.]+)` uncaught\."
)
_CAUGHT_SOMEHOW: Final = re.compile(
    r"An? `(?P<error>[\w.]+)` out of `(?P<callee>[\w.]+)` is caught in `(?P<caller>[\w.]+)`\."
)
# The clause of a statement that says no more than that there is one.
SOME_CLAUSE: Final = "…"

# "A UsageError" and "a URLError", but "an UnknownError" and "an RPCError", letter by letter; nobody
# says the name of the module.
_SPOKEN_VOWEL: Final = re.compile(r"(?:\w+\.)*_*(?:[AEIO]|U(?!s|ni|[A-Z])|[FHLMNRSX](?=[A-Z]))\w*")


def is_spoken_with_vowel(error: str) -> bool:
    """Find out whether the name of an error takes "an" before it."""
    return _SPOKEN_VOWEL.fullmatch(error) is not None


@dataclass(frozen=True, slots=True)
class CaughtFrom(Statement):
    """An error of a called function is taken by a clause of the caller, or passes through it.

    Attributes:
        caller: The qualified name of the caller.
        callee: The qualified name of the function that the error comes out of.
        error: The class of the error, as its raiser writes it.
        clause: What the clause catches, as written; ``SOME_CLAUSE`` where that is not said, empty
            where the error passes through.
    """

    kind: ClassVar[str] = "caught_from"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
class OutOfStock(LookupError):
    pass

def take(item):
    raise OutOfStock(item)

def pay(basket):
    try:
        return take(basket)
    except KeyError:
        return None
    except (LookupError, Sold):
        raise ValueError(basket)

def refund(basket):
    return take(basket)

class Bag:
    def __init__(self, item):
        super().__init__()
        take(item)

def add(item):
    try:
        return Bag(item)
    except LookupError:
        return None
""",
            holds=(
                "An `OutOfStock` out of `take` is caught in `pay` by `except (LookupError, Sold)`.",
                "An `OutOfStock` out of `take` passes through `refund` uncaught.",
                "An `OutOfStock` out of `take` is caught in `pay`.",
                "An `OutOfStock` out of `Bag.__init__` is caught in `add` by `except LookupError`.",
            ),
            fails=(
                "An `OutOfStock` out of `take` is caught in `pay` by `except KeyError`.",
                "An `OutOfStock` out of `take` passes through `pay` uncaught.",
                "An `OutOfStock` out of `take` is caught in `refund` by `except KeyError`.",
                "An `OutOfStock` out of `take` is caught in `refund`.",
                "An `OutOfStock` out of `Bag.__init__` passes through `add` uncaught.",
            ),
        ),
    )

    caller: str
    callee: str
    error: str
    clause: str

    @property
    def subject(self) -> str:
        return self.caller

    def sentence(self) -> str:
        article = "An" if is_spoken_with_vowel(self.error) else "A"
        start = f"{article} `{self.error}` out of `{self.callee}`"
        if not self.clause:
            return f"{start} passes through `{self.caller}` uncaught."
        if self.clause == SOME_CLAUSE:
            return f"{start} is caught in `{self.caller}`."
        return f"{start} is caught in `{self.caller}` by `except {self.clause}`."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        somehow = _CAUGHT_SOMEHOW.fullmatch(sentence)
        match = somehow or _CAUGHT.fullmatch(sentence) or _PASSES.fullmatch(sentence)
        if match is None:
            return None
        parts = match.groupdict()
        if somehow is not None:
            parts["clause"] = SOME_CLAUSE
        clause = parts.get("clause") or ""
        return cls(parts["caller"], parts["callee"], parts["error"], clause)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        # An ``__init__`` is called by the name of its class.
        name = self.callee.removesuffix(".__init__").rpartition(".")[2]
        definitions = code.named(self.caller)
        for definition in definitions:
            for line in definition.own_lines:
                if not _calls(line, name):
                    continue
                # Where no clause is around the call, the class of the error does not matter.
                taker = first_taker(code, line.handlers, self.error) if line.handlers else ""
                if taker is None:
                    return "unclear", definition.at(line)
                is_named = plain_code(taker) == plain_code(self.clause)
                is_shown = taker != "" if self.clause == SOME_CLAUSE else is_named
                return "shown" if is_shown else "refuted", definition.at(line)
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if self.clause:
            yield replace(self, clause="")
        for alternative in alternatives:
            # That some clause takes it may well be true.
            told = {self.clause, "", SOME_CLAUSE}
            if isinstance(alternative, CaughtFrom) and alternative.clause not in told:
                yield replace(self, clause=alternative.clause)


def _calls(line: TokenLine, name: str) -> bool:
    words = line.line.words()
    is_call = (name, "(") in pairwise(words)
    return is_call and line.keyword not in {"def", "class", "@"}
