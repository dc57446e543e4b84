"""Everything that is cited was read."""

from collections.abc import Iterator

from goldwright.records import FileRange
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, citation, evidence, example, lines
from goldwright.stages.line_coverage import LineCoverage


class EvidenceRead:
    """Citations lie in the evidence; the evidence lies in what the Oracle was shown, if known.

    Two readings of neighbouring lines count as one.
    """

    code = "evidence_read"
    passes = (
        example(),
        example(source_evidence=(*evidence(BASKET, 1, 10), *evidence(BASKET, 11, 15))),
        example(shown=(*evidence(BASKET, 1, 8), *evidence(BASKET, 5, 15))),
    )
    fails = (
        example(source_evidence=evidence(BASKET, 1, 11)),
        example(source_evidence=evidence(PRICES, 1, 9)),
        example(source_evidence=(*evidence(BASKET, 9, 9), *evidence(BASKET, 11, 12))),
        example(expected_line_ranges=lines(PRICES, 4, 5)),
        example(fact_citations=citation(PRICES, 4, 5)),
        example(shown=()),
        example(shown=evidence(BASKET, 1, 14)),
    )

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the citations outside the evidence, and the evidence outside what was shown."""
        read = LineCoverage(entry for _, entry in case.evidence)
        for claim, cited in case.cited:
            if _has_lines(cited) and not read.covers(cited):
                message = f"{cited}: not all of these lines are in source_evidence"
                yield CheckFinding(claim, message)
        if case.shown is None:
            return
        shown = LineCoverage(case.shown)
        for claim, entry in case.evidence:
            if _has_lines(entry) and not shown.covers(entry):
                message = f"{entry}: not all of these lines were shown to the Oracle"
                yield CheckFinding(claim, message)


def _has_lines(file_range: FileRange) -> bool:
    """Whether a range names any lines; one that names none is another check's finding."""
    return 1 <= file_range.start <= file_range.end
