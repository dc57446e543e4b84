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
    """One breach of a rule.

    Attributes:
        claim: The id of the claim that does not hold, or the field, for a whole list.
        message: What is wrong with it.
    """

    claim: str
    message: str


class CitedRange(NamedTuple):
    """A range with the id of the claim that it belongs to."""

    claim: str
    range: FileRange


@dataclass(frozen=True)
class GateCase:
    """An answer before the gate.

    Attributes:
        answer: The answer.
        codebase: The codebase it is about.
        shown: The lines that its Oracle was shown; None where nobody kept count.
    """

    answer: AnswerDraft
    codebase: Codebase
    shown: tuple[Evidence, ...] | None = None

    @cached_property
    def cited(self) -> tuple[CitedRange, ...]:
        """The expected ranges and then the fact citations, in their order."""
        cited = _numbered("range", self.answer.expected_line_ranges)
        cited += [CitedRange(fact.claim_id, fact) for fact in self.answer.fact_citations]
        return tuple(cited)

    def citations_of(self, claim: str) -> tuple[FileRange, ...]:
        """The lines that a fact cites."""
        return tuple(cited for cited in self.answer.fact_citations if cited.claim_id == claim)

    @cached_property
    def evidence(self) -> tuple[CitedRange, ...]:
        """The source evidence, in its order."""
        return tuple(_numbered("evidence", self.answer.source_evidence))

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The expected entities that resolve."""
        entities = (self.codebase.entity(entity_id) for entity_id in self.answer.entity_ids)
        return tuple(entity for entity in entities if entity)

    def is_valid(self, cited: FileRange) -> bool:
        """Whether a range has lines and its file has all of them."""
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

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield every breach of the rule."""
        ...


def _numbered(kind: str, ranges: Sequence[FileRange]) -> list[CitedRange]:
    """Give ranges the ids of their claims: the kind and the position, from 1."""
    cited = []
    for number, file_range in enumerate(ranges, start=1):
        claim_id = f"{kind}-{number}"
        cited.append(CitedRange(claim_id, file_range))
    return cited
