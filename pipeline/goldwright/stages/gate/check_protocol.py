"""What a check looks at, and what it finds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from goldwright.records import AnswerDraft, Evidence, FileRange, Intent
from goldwright.snapshot.codebase import SourceTree
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
        shown_lines: The lines that its Oracle was shown; None where that was not recorded.
        intent: The reason of the question; None where it is not known.
    """

    answer: AnswerDraft
    codebase: SourceTree
    shown_lines: tuple[Evidence, ...] | None = None
    intent: Intent | None = None

    @cached_property
    def cited(self) -> tuple[CitedRange, ...]:
        """The expected ranges and then the fact citations, in their order."""
        cited = _numbered_ranges("range", self.answer.expected_line_ranges)
        for citation in self.answer.fact_citations:
            cited.append(CitedRange(citation.claim_id, citation))
        return tuple(cited)

    def citations_of(self, claim: str) -> tuple[FileRange, ...]:
        """The lines that a fact cites."""
        citations = self.answer.fact_citations
        return tuple(citation for citation in citations if citation.claim_id == claim)

    @cached_property
    def evidence(self) -> tuple[CitedRange, ...]:
        """The source evidence, in its order."""
        evidence = _numbered_ranges("evidence", self.answer.source_evidence)
        return tuple(evidence)

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The expected entities that resolve."""
        entities = map(self.codebase.entity, self.answer.entity_ids)
        return tuple(entity for entity in entities if entity)

    def whole_file(self, path: str) -> FileRange:
        """Give all the lines of a file."""
        return FileRange(file=path, start=1, end=self.codebase.line_count(path))

    def is_valid(self, cited: FileRange) -> bool:
        """Whether a range has lines and its file has all of them."""
        if not self.codebase.has_text(cited.file):
            return False
        line_count = self.codebase.line_count(cited.file)
        return 1 <= cited.start <= cited.end <= line_count


class Check(Protocol):
    """One rule of the gate, with answers that keep it and answers that break it.

    The examples are the specification of the check, and its tests run every one of them.
    """

    @property
    def code(self) -> str:
        """The name of the check, as failures carry it."""
        ...

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield cases that keep the rule."""
        ...

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield cases that break it."""
        ...

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield every breach of the rule."""
        ...


def _numbered_ranges(kind: str, ranges: Sequence[FileRange]) -> list[CitedRange]:
    """Give ranges the ids of their claims: the kind and the position, from 1."""
    cited = []
    for number, file_range in enumerate(ranges, start=1):
        claim_id = f"{kind}-{number}"
        cited.append(CitedRange(claim_id, file_range))
    return cited
