"""Every entry of the evidence names lines that are there."""

from collections.abc import Iterator

from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.checks.file_exists import absence
from goldwright.stages.gate.checks.line_range_valid import range_problem
from goldwright.stages.gate.examples import BASKET, evidence, example


class EvidenceExists:
    """Nobody has read a file that does not exist, nor lines past its end."""

    code = "evidence_exists"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers whose evidence can have been read."""
        yield example()
        yield example(source_evidence=evidence(BASKET, 1, 1))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers with evidence in no file, or in no lines of the 15 of a file."""
        yield example(source_evidence=evidence("shop/stock.py", 1, 5))
        yield example(source_evidence=evidence(BASKET, 0, 15))
        yield example(source_evidence=evidence(BASKET, 15, 1))
        yield example(source_evidence=evidence(BASKET, 1, 16))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the entries whose file or lines are not in the tree."""
        codebase = case.codebase
        for claim, entry in case.evidence:
            if codebase.has_text(entry.file):
                problem = range_problem(entry, codebase.line_count(entry.file))
            else:
                problem = absence(entry.file, codebase)
            if problem is not None:
                yield CheckFinding(claim, problem)
