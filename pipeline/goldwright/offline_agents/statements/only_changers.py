"""Statements: who changes something that is kept, and who takes anything out; closed sets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.statement import Example, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.state_changes import changers_of, changes_on
from goldwright.records import FileRange

_EXAMPLE: Final = """
PRICES = {}
SEEN = []

def price(item):
    if item not in PRICES:
        PRICES[item] = look_up(item)
    SEEN.append(item)
    return PRICES[item]

def forget(item):
    PRICES.pop(item, None)
"""
_CHANGERS: Final = re.compile(
    r"In product code, `(?P<state>\w+)` is changed by (?P<changers>`.+`) alone\."
)
_DROPPERS: Final = re.compile(
    r"What `(?P<keeper>[\w.]+)` keeps in `(?P<state>\w+)` is thrown away "
    r"or replaced by (?P<droppers>`.+`) alone\."
)
_NEVER: Final = re.compile(
    r"No product code throws away or replaces what `(?P<keeper>[\w.]+)` keeps in `(?P<state>\w+)`\."
)


@dataclass(frozen=True, slots=True)
class OnlyChangers(ClosedSet):
    """Something that several share is changed by these functions and by no others.

    How it comes to be (in ``__init__``, at the level of the module) is no change.

    Attributes:
        state: The simple name under which it is kept.
        changers: The qualified names of all the functions that change it.
    """

    kind: ClassVar[str] = "only_changers"
    set_field = "changers"
    pattern = _CHANGERS
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code=_EXAMPLE,
            holds=(
                "In product code, `PRICES` is changed by `price` and `forget` alone.",
                "In product code, `SEEN` is changed by `price` alone.",
            ),
            fails=(
                "In product code, `PRICES` is changed by `price` alone.",
                "In product code, `SEEN` is changed by `price` and `forget` alone.",
            ),
        ),
    )

    state: str
    changers: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.changers[0]

    def sentence(self) -> str:
        changers = join_code(self.changers)
        return f"In product code, `{self.state}` is changed by {changers} alone."

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        place = _first_change(code, self.changers, self.state)
        changers = self.seen_members(code)
        if changers is None or place is None:
            return "unclear", place
        is_same_set = changers == set(self.changers)
        return ("shown" if is_same_set else "refuted"), place

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        changes = frozenset({"put", "drop", "replace"})
        changers = changers_of(code, self.state, changes)
        return None if changers is None else frozenset(changers)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if len(self.changers) > 1:
            yield replace(self, changers=self.changers[:-1])


@dataclass(frozen=True, slots=True)
class OnlyDroppers(ClosedSet):
    """What a function keeps is thrown away by these functions, or by nobody.

    Taking an item out counts, and so does putting another value in place of the whole.

    Attributes:
        keeper: The qualified name of the function that fills it.
        state: The simple name under which it is kept.
        droppers: The qualified names of all the functions that throw any of it away.
    """

    kind: ClassVar[str] = "only_droppers"
    set_field = "droppers"
    pattern = _DROPPERS
    empty_pattern = _NEVER
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code=_EXAMPLE,
            holds=(
                "What `price` keeps in `PRICES` is thrown away or replaced by `forget` alone.",
                "No product code throws away or replaces what `price` keeps in `SEEN`.",
            ),
            fails=(
                "No product code throws away or replaces what `price` keeps in `PRICES`.",
                "What `price` keeps in `SEEN` is thrown away or replaced by `forget` alone.",
            ),
        ),
    )

    keeper: str
    state: str
    droppers: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.keeper

    def sentence(self) -> str:
        if not self.droppers:
            kept_value = f"what `{self.keeper}` keeps in `{self.state}`"
            return f"No product code throws away or replaces {kept_value}."
        droppers = join_code(self.droppers)
        kept_value = f"What `{self.keeper}` keeps in `{self.state}`"
        return f"{kept_value} is thrown away or replaced by {droppers} alone."

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        place = _first_change(code, (self.keeper,), self.state)
        takers = changers_of(code, self.state, frozenset({"drop"}))
        replacers = changers_of(code, self.state, frozenset({"replace"}))
        if takers is None or replacers is None or place is None:
            return "unclear", place
        # Who fills it by setting the whole value does not throw it away.
        droppers = takers | (replacers - {self.keeper})
        is_same_set = droppers == set(self.droppers)
        return ("shown" if is_same_set else "refuted"), place

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        if self.droppers:
            yield replace(self, droppers=())
        if len(self.droppers) > 1:
            yield replace(self, droppers=self.droppers[:-1])


def _first_change(code: TokenCodebase, functions: Sequence[str], state: str) -> FileRange | None:
    """Give the first line on which one of some functions changes it: there the set is asked for."""
    for name in functions:
        for definition in code.named(name):
            for line in definition.own_lines:
                if changes_on(line, state):
                    return definition.at(line)
    return None
