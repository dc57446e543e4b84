"""Everything that is cited was read."""

from collections.abc import Iterator

from goldwright.records import FileRange, is_adopted
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, citation, evidence, example, lines
from goldwright.stages.line_coverage import LineCoverage


class EvidenceRead:
    """Citations lie in the evidence; the evidence lies in what the Oracle was shown, if known.

    Two readings of neighbouring lines count as one.
    """

    code = "evidence_read"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers that were read in one piece, in neighbouring and in overlapping ones."""
        yield example()
        neighbouring = evidence(BASKET, 1, 10) + evidence(BASKET, 11, 15)
        yield example(source_evidence=neighbouring)
        overlapping = evidence(BASKET, 1, 8) + evidence(BASKET, 5, 15)
        yield example(shown_lines=overlapping)

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers that cite lines nobody read, and evidence that nobody was shown."""
        yield example(source_evidence=evidence(BASKET, 1, 11))
        yield example(source_evidence=evidence(PRICES, 1, 9))
        without_line_10 = evidence(BASKET, 9, 9) + evidence(BASKET, 11, 12)
        yield example(source_evidence=without_line_10)
        yield example(expected_line_ranges=lines(PRICES, 4, 5))
        yield example(fact_citations=citation(PRICES, 4, 5))
        yield example(shown_lines=())
        yield example(shown_lines=evidence(BASKET, 1, 14))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the citations outside the evidence, and the evidence outside what was shown."""
        # Nobody read anything for an adopted answer, and it does not claim so.
        if is_adopted(case.answer) and not case.answer.source_evidence:
            return
        evidence_coverage = LineCoverage(case.answer.source_evidence)
        for claim, cited in case.cited:
            if _has_lines(cited) and not evidence_coverage.covers(cited):
                message = f"{cited}: not all of these lines are in source_evidence"
                yield CheckFinding(claim, message)
        # Nobody recorded what the Oracles of foreign datasets were shown.
        if case.shown_lines is None:
            return
        shown_coverage = LineCoverage(case.shown_lines)
        for claim, entry in case.evidence:
            if _has_lines(entry) and not shown_coverage.covers(entry):
                message = f"{entry}: not all of these lines were shown to the Oracle"
                yield CheckFinding(claim, message)


def _has_lines(file_range: FileRange) -> bool:
    """Whether a range names any lines; a range without lines is another check's finding."""
    return 1 <= file_range.start <= file_range.end
