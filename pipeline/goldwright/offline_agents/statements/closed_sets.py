"""What statements about closed sets have in common: all that do something, and no others.

A set does not show in one function, so inquiries find it, by readings of the whole codebase.
"""

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self, cast

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.lists import read_code_list
from goldwright.offline_agents.statements.statement import Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, WordUse
from goldwright.records import FileRange


class ClosedSet(Statement):
    """A statement that names all the members of a set, and says that there are no others.

    Attributes:
        set_field: The attribute that holds the members.
        pattern: How the sentence is read: a group for each attribute, under its name.
        empty_pattern: How the sentence of an empty set is read; None where no set is empty.
    """

    set_field: ClassVar[str]
    pattern: ClassVar[re.Pattern[str]]
    empty_pattern: ClassVar[re.Pattern[str] | None] = None

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        if cls.empty_pattern is not None and (match := cls.empty_pattern.fullmatch(sentence)):
            return cls._of(match.groupdict(), ())
        match = cls.pattern.fullmatch(sentence)
        if match is None:
            return None
        attributes = match.groupdict()
        members = read_code_list(attributes.pop(cls.set_field))
        return None if members is None else cls._of(attributes, members)

    @classmethod
    def _of(cls, attributes: dict[str, str], members: tuple[str, ...]) -> Self:
        every_kind_is_a_dataclass = cast("Any", cls)
        statement: Self = every_kind_is_a_dataclass(**attributes, **{cls.set_field: members})
        return statement

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from ()

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        place = self.place(code)
        if place is None:
            return "unclear", None
        members = self.seen_members(code)
        if members is None:
            return "unclear", place
        is_same_set = members == set(self.members)
        return ("shown" if is_same_set else "refuted"), place

    def place(self, code: TokenCodebase) -> FileRange | None:
        """Give the lines that it is about: the definition of its subject; None for no such."""
        definitions = code.named(self.subject)
        return definitions[0].range if definitions else None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        """Leave out the last member, then the first: as one does who stopped looking early."""
        if len(self.members) > 1:
            yield self.with_members(self.members[:-1])
            yield self.with_members(self.members[1:])


class SetOfUsers(ClosedSet):
    """All that use a word, which belongs to no definition: the question is about the first user."""

    @property
    def subject(self) -> str:
        return self.members[0]

    @abstractmethod
    def uses(self, code: TokenCodebase) -> Sequence[WordUse]:
        """List the uses in product code; empty also where too many files hold the word."""

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        uses = self.uses(code)
        if not uses:
            return "unclear", None
        # The place is the first user's own, where that is one of them.
        first = min(uses, key=lambda use: use.owner != self.subject)
        owners = {use.owner for use in uses}
        is_same_set = owners == set(self.members)
        return ("shown" if is_same_set else "refuted"), first.range

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        owners = frozenset(use.owner for use in self.uses(code))
        return owners or None
