"""Everything that is cited was read."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from goldwright.records import FileRange
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, citation, evidence, example, lines


class EvidenceRead:
    """Ranges and citations lie in the evidence; the evidence lies in what the Oracle was shown,
    where that is known.

    Two readings of neighbouring lines count as one. Ranges without lines are another check's
    finding.
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

    def look(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the citations outside the evidence, and the evidence outside what was shown."""
        read = ShownLines(entry for _, entry in case.evidence)
        for claim, cited in case.cited:
            if 1 <= cited.start <= cited.end and not read.hold(cited):
                yield CheckFinding(claim, f"{cited}: not all of these lines are in source_evidence")
        if case.shown is None:
            return
        shown = ShownLines(case.shown)
        for claim, entry in case.evidence:
            if 1 <= entry.start <= entry.end and not shown.hold(entry):
                yield CheckFinding(
                    claim, f"{entry}: not all of these lines were shown to the Oracle"
                )


class ShownLines:
    """The union of ranges, as runs of lines per file."""

    def __init__(self, ranges: Iterable[FileRange]) -> None:
        self._runs: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for found in sorted(ranges, key=lambda found: found.start):
            runs = self._runs[found.file]
            if runs and found.start <= runs[-1][1] + 1:
                runs[-1] = (runs[-1][0], max(runs[-1][1], found.end))
            elif found.start <= found.end:
                runs.append((found.start, found.end))

    def hold(self, wanted: FileRange) -> bool:
        """Tell whether every line of a range is among them."""
        return any(
            first <= wanted.start and wanted.end <= last
            for first, last in self._runs.get(wanted.file, ())
        )
