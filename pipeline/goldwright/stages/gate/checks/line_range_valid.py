"""Every expected range and citation has lines, and all of them stand in its file."""

from collections.abc import Iterator

from goldwright.records import FileRange
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, citation, example, lines
from goldwright.text import counted


class LineRangeValid:
    """Lines are 1-based and inclusive; a file that is not there is another check's finding."""

    code = "line_range_valid"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers with ranges up to the last of 15 lines, and in a file that is not there."""
        yield example()
        yield example(expected_line_ranges=lines(BASKET, 1, 15))
        yield example(expected_line_ranges=lines("shop/stock.py", 1, 900))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers with ranges before the first line, past the last or back to front."""
        yield example(expected_line_ranges=lines(BASKET, 0, 12))
        yield example(expected_line_ranges=lines(BASKET, 12, 9))
        yield example(expected_line_ranges=lines(BASKET, -3, 9))
        yield example(expected_line_ranges=lines(BASKET, 9, 16))
        yield example(fact_citations=citation(BASKET, 0, 9))
        yield example(fact_citations=citation(BASKET, 9, 99))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the ranges and citations that reach outside their file, or have no lines."""
        for claim, cited in case.cited:
            if not case.codebase.has_text(cited.file):
                continue
            line_count = case.codebase.line_count(cited.file)
            problem = range_problem(cited, line_count)
            if problem is not None:
                yield CheckFinding(claim, problem)


def range_problem(cited: FileRange, line_count: int) -> str | None:
    """What is wrong with a range of a file of ``line_count`` lines; None when nothing is."""
    if cited.start < 1 or cited.end < 1:
        return f"{cited}: lines are counted from 1"
    if cited.start > cited.end:
        return f"{cited}: the range ends before it starts"
    if cited.end > line_count:
        return f"{cited}: the file has {counted(line_count, 'line')}"
    return None
