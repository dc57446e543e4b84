"""The file of every range and citation is an expected file."""

from collections.abc import Iterator

from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, PRICES, citation, example, lines


class RangeInListedFile:
    """What an answer points at, it also lists."""

    code = "range_in_listed_file"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers that list the file of each range."""
        yield example()
        yield example(expected_files=(BASKET, PRICES), expected_line_ranges=lines(PRICES, 4, 5))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers that point at a file which they do not list."""
        yield example(expected_line_ranges=lines(PRICES, 4, 5))
        yield example(fact_citations=citation(PRICES, 4, 5))
        yield example(fact_citations=citation("shop/stock.py", 1, 2))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the ranges and citations outside the expected files."""
        files = frozenset(case.answer.expected_files)
        for claim, cited in case.cited:
            if cited.file not in files:
                yield CheckFinding(claim, f"{cited}: the file is not in expected_files")
