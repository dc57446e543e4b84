"""A false fact names nothing that the files of the answer do not hold."""

from collections.abc import Iterator

from goldwright.records import FileRange
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import example
from goldwright.stages.gate.text_mentions import inspect_texts, numbered_texts


class MustNotsCovered:
    """A falsehood tempts by names that are there; one of nothing that exists tempts nobody.

    It is false, so its own lines need not bear it: any name of the cited files will do.
    """

    code = "must_nots_covered"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield falsehoods of names that the cited files have."""
        yield example()
        yield example(must_not_mention_facts=("`Basket.total` raises `ValueError`.",))
        yield example(must_not_mention_facts=("It calls `price_of(article)` for each `owner`.",))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield falsehoods of names that they lack."""
        yield example(must_not_mention_facts=("`Basket.remove_all` raises `ValueError`.",))
        yield example(must_not_mention_facts=("It raises AmountError for a bad amount.",))
        yield example(must_not_mention_facts=("The price comes from `PRICE_LIST`.",))
        yield example(must_not_mention_facts=("It asks shop/prices.py for the price.",))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names of each false fact that no cited file has, each once."""
        false_facts = case.answer.must_not_mention_facts
        ranges = [_cited_files(case)] * len(false_facts)
        yield from inspect_texts(case, numbered_texts("not-fact", false_facts, ranges))


def _cited_files(case: GateCase) -> tuple[FileRange, ...]:
    """Give all lines of the files that the answer lists or cites."""
    cited_files = [cited.range.file for cited in case.cited]
    files = dict.fromkeys([*case.answer.expected_files, *cited_files])
    ranges: list[FileRange] = []
    for file in files:
        if case.codebase.has_text(file):
            lines = FileRange(file=file, start=1, end=case.codebase.line_count(file))
            ranges.append(lines)
    return tuple(ranges)
