"""Every range and citation touches an expected entity."""

from collections.abc import Iterator

from goldwright.records import FileRange
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, README, citation, example, lines


class RangeTouchesEntity:
    """One line in common is enough; files without entities, such as configuration, may be cited."""

    code = "range_touches_entity"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers with ranges that touch lines 9 to 12 of the basket, or no file of code."""
        yield example()
        yield example(expected_line_ranges=lines(BASKET, 12, 15))
        yield example(expected_files=(BASKET, README), expected_line_ranges=lines(README, 1, 3))
        # A file that is not there is another check's finding.
        yield example(expected_line_ranges=lines("shop/stock.py", 1, 2))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers with ranges beside lines 9 to 12 of the basket."""
        yield example(expected_line_ranges=lines(BASKET, 1, 3))
        yield example(expected_line_ranges=lines(BASKET, 14, 15))
        yield example(fact_citations=citation(BASKET, 5, 7))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the ranges that lie beside the expected entities of their file."""
        for claim, cited in case.cited:
            # A range outside its file is the finding of other checks.
            if _touches_expected_entity(case, cited) or not case.is_valid(cited):
                continue
            if case.codebase.entities_in(cited.file):
                yield CheckFinding(claim, f"{cited}: no expected entity has any of these lines")


def _touches_expected_entity(case: GateCase, cited: FileRange) -> bool:
    for entity in case.entities:
        if entity.path == cited.file and entity.touches(cited.start, cited.end):
            return True
    return False
