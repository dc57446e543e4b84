"""What a check looks at, and what it finds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from goldwright.records import AnswerDraft, Evidence, FileRange
from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """The claim that does not hold, by its id or, for a whole list, by its field; and the fact of
    it.
    """

    claim: str
    message: str


class CitedRange(NamedTuple):
    """A range with the id of the claim that it belongs to."""

    claim: str
    range: FileRange


@dataclass(frozen=True)
class GateCase:
    """An answer, the codebase it speaks of, and the lines its Oracle was shown, where that is
    known.
    """

    answer: AnswerDraft
    codebase: Codebase
    shown: tuple[Evidence, ...] | None = None

    @cached_property
    def cited(self) -> tuple[CitedRange, ...]:
        """The expected ranges and the fact citations, in their order."""
        ranges = (
            CitedRange(f"range-{n}", found)
            for n, found in enumerate(self.answer.expected_line_ranges, start=1)
        )
        facts = (CitedRange(citation.claim_id, citation) for citation in self.answer.fact_citations)
        return (*ranges, *facts)

    @cached_property
    def evidence(self) -> tuple[CitedRange, ...]:
        """The source evidence, in its order."""
        return tuple(
            CitedRange(f"evidence-{n}", found)
            for n, found in enumerate(self.answer.source_evidence, start=1)
        )

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The expected entities that resolve."""
        found = (self.codebase.entity(identifier) for identifier in self.answer.entity_ids)
        return tuple(entity for entity in found if entity)

    def is_valid(self, cited: FileRange) -> bool:
        """Tell whether a range has lines and all of them stand in its file."""
        if not self.codebase.has_text(cited.file):
            return False
        return 1 <= cited.start <= cited.end <= self.codebase.line_count(cited.file)


class Check(Protocol):
    """One rule of the gate, with answers that keep it and answers that break it."""

    @property
    def code(self) -> str:
        """The name of the check, as failures carry it."""
        ...

    @property
    def passes(self) -> Sequence[GateCase]:
        """Cases that keep the rule."""
        ...

    @property
    def fails(self) -> Sequence[GateCase]:
        """Cases that break it."""
        ...

    def look(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield every breach of the rule."""
        ...
