"""Every entry of the evidence names lines that are there."""

from collections.abc import Iterator

from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.checks.file_exists import absence
from goldwright.stages.gate.checks.line_range_valid import range_problem
from goldwright.stages.gate.examples import BASKET, evidence, example


class EvidenceExists:
    """Nobody has read a file that does not exist, nor lines past its end."""

    code = "evidence_exists"
    passes = (example(), example(source_evidence=evidence(BASKET, 1, 1)))
    fails = (
        example(source_evidence=evidence("shop/stock.py", 1, 5)),
        example(source_evidence=evidence(BASKET, 0, 15)),
        example(source_evidence=evidence(BASKET, 15, 1)),
        example(source_evidence=evidence(BASKET, 1, 16)),
    )

    def look(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the entries whose file or lines are not in the tree."""
        for claim, read in case.evidence:
            if not case.codebase.has_text(read.file):
                yield CheckFinding(claim, absence(read.file, case.codebase))
            elif problem := range_problem(read, case.codebase.line_count(read.file)):
                yield CheckFinding(claim, problem)
