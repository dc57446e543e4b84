"""What a statement is: one thing about code that can be said, read back, checked and denied.

Every kind is a module of its own. The Oracle finds its statements in syntax trees
(``find``), the Adversary reads the sentence back (``read``) and looks for what it says in lines of
tokens (``is_shown``). The two share the sentence and no reading.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast

from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.path_conditions import Path
from goldwright.records import FileRange

Shown = Literal["shown", "refuted", "unclear"]


@dataclass(frozen=True, slots=True)
class Example:
    """Code, and sentences about it.

    Attributes:
        code: A file of Python.
        holds: Sentences that are true of it.
        fails: Sentences of the same kind that are false.
    """

    code: str
    holds: tuple[str, ...]
    fails: tuple[str, ...]


class Statement(ABC):
    """One checkable statement about a definition."""

    kind: ClassVar[str]
    examples: ClassVar[tuple[Example, ...]]
    # The attribute that holds the members of a set which the statement calls complete.
    set_field: ClassVar[str] = ""

    @property
    @abstractmethod
    def subject(self) -> str:
        """The qualified name of the definition that it is about, as in ``Basket.add``."""

    @abstractmethod
    def sentence(self) -> str:
        """Write it as one English sentence, with code between code marks as in the source."""

    @classmethod
    @abstractmethod
    def read(cls, sentence: str) -> Self | None:
        """Read back what ``sentence`` wrote; None for a sentence of another kind."""

    @classmethod
    @abstractmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator["Finding"]:
        """Find the statements of this kind in a function: the Oracle's reading."""

    @abstractmethod
    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        """Look for it in lines of tokens: the Adversary's reading.

        Returns:
            Whether the code shows it, shows that it is false, or leaves it open; and the lines.
        """

    @property
    def conditions(self) -> Path:
        """The conditions that it states; none by default."""
        return ()

    @property
    def members(self) -> tuple[str, ...]:
        """The members of the set that it calls complete; none where it is about no set."""
        return getattr(self, self.set_field) if self.set_field else ()

    def with_members(self, members: tuple[str, ...]) -> "Statement":
        """Say the same of a set with other members."""
        every_kind_is_a_dataclass = cast("Any", self)
        changed: Statement = replace(every_kind_is_a_dataclass, **{self.set_field: members})
        return changed

    def seen_members(self, code: TokenCodebase) -> frozenset[str] | None:
        """Find the members of its set by tokens; None where it is about none, or not all show."""
        return None

    def falsehoods(self, alternatives: Sequence["Statement"]) -> Iterator["Statement"]:
        """Yield false statements that a careless reader could make instead, most tempting first.

        Args:
            alternatives: Other true statements about the same question, to be taken for this one.
        """
        yield from ()


class ConditionalStatement(Statement):
    """A statement on what happens under conditions.

    Attributes:
        path: The conditions, all of them.
    """

    path: Path

    @property
    def conditions(self) -> Path:
        return self.path


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement with the place that bears it out.

    Attributes:
        statement: What is said.
        entity_id: The definition that it is about.
        lines: The lines that show it.
        clauses: The first lines of the ``except`` clauses that it names, in the same file.
        elsewhere: Lines in other places, of any file, that it rests on as well.
        also: Other lines of the same file that show just the same.
        is_false: Whether the statement is false; then the lines show what is so instead.
        is_unlikely: Whether few would say it, though it is false: it is so by nothing but its
            conditions, or names what merely stands nearby.
    """

    statement: Statement
    entity_id: str
    lines: FileRange
    clauses: tuple[int, ...] = ()
    elsewhere: tuple[FileRange, ...] = ()
    also: tuple[FileRange, ...] = ()
    is_false: bool = False
    is_unlikely: bool = False

    def refuting(self, falsehood: Statement) -> "Finding":
        """Put a false statement beside this true one, whose lines show that it is false."""
        lines = [cited for cited in self.cited_lines() if cited not in self.elsewhere]
        # What is said of something else has no condition to be turned.
        is_alike = isinstance(falsehood, type(self.statement))
        has_turned_condition = is_alike and falsehood.conditions != self.statement.conditions
        return Finding(
            falsehood,
            self.entity_id,
            self.lines,
            also=tuple(lines),
            elsewhere=self.elsewhere,
            is_false=True,
            is_unlikely=has_turned_condition,
        )

    def cited_lines(self) -> tuple[FileRange, ...]:
        """List the lines that show it, with conditions and clauses, none inside others."""
        # The conditions of a false statement may be those of another place.
        conditions = () if self.is_false else self.statement.conditions
        places = (self.lines, *self.also)
        spans = {(lines.start, lines.end) for lines in places}
        spans.update((clause, clause) for clause in self.clauses)
        spans.update((condition.first, condition.last) for condition in conditions)
        # What is not known to stand anywhere has no lines.
        spans.discard((0, 0))
        ranges: list[FileRange] = []
        last = 0
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            if end > last:
                ranges.append(FileRange(file=self.lines.file, start=start, end=end))
                last = end
        ranges.extend(lines for lines in self.elsewhere if lines not in ranges)
        return tuple(ranges)


def not_shown_in(definitions: Sequence[TokenDefinition]) -> tuple[Shown, FileRange | None]:
    """Answer for definitions with no line that shows a statement; unclear where there is none."""
    if not definitions:
        return "unclear", None
    return "refuted", definitions[0].range


def findings_of(
    kind: type[Statement], module: Module, name: str, function: Function
) -> tuple[Finding, ...]:
    """Find the statements of a kind in a function once, as long as the tree of its file is held.

    Questions about one neighbourhood ask for those of the same functions over and over.
    """
    key = (kind, name, function)
    if key not in module.readings:
        findings = kind.find(module, name, function)
        module.readings[key] = tuple(findings)
    return cast("tuple[Finding, ...]", module.readings[key])
