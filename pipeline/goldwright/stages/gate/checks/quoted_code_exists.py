"""Code that the narrative quotes stands so in the cited lines."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.code_blocks import code_blocks, dedent_lines, quoted_runs
from goldwright.records import FileRange
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import PRICES, example, narrative

# A message quotes a longer line up to here.
_MOST_CHARACTERS: Final = 60

_RAISES: Final = 'raise ValueError("amount must be positive")'
_STORES: Final = "    self.lines.append((article, amount))"


class QuotedCodeExists:
    """A quotation is believed without looking, so it has to be one.

    Lines between two gaps (``...``) have to follow one another in a cited range, with the same
    indentation against each other; blank lines do not count.
    """

    code = "quoted_code_exists"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that quote lines as they stand, whole or with gaps."""
        yield example()
        yield example(canonical_narrative=_quoting(_STORES.strip()))
        yield example(canonical_narrative=_quoting("if amount < 1:", f"    {_RAISES}"))
        head = "def add(self, article, amount=1):"
        yield example(canonical_narrative=_quoting(head, "    ...", _STORES))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that quote what is not there, not cited, or not one behind the other."""
        yield example(canonical_narrative=_quoting("self.lines.append((amount, article))"))
        yield example(canonical_narrative=_quoting("if amount < 1:", _RAISES))
        yield example(canonical_narrative=_quoting("if amount < 1:", _STORES))
        yield example(canonical_narrative=_quoting("self.lines = []"))
        quoting_prices = _quoting("def price_of(article):")
        yield example(canonical_narrative=quoting_prices)
        yield example(canonical_narrative=quoting_prices, expected_files=(PRICES,))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the quotations that no cited range holds."""
        answer = case.answer
        sources: list[tuple[str, ...]] | None = None
        for block in code_blocks(answer.canonical_narrative):
            if sources is None:
                ranges = (*answer.expected_line_ranges, *answer.fact_citations)
                sources = [_lines_of(lines, case) for lines in ranges]
            for run in quoted_runs(block):
                if not _is_held(run, sources):
                    yield CheckFinding("narrative", _wrong_quotation(run, sources))


def _quoting(*lines: str) -> str:
    text = "\n".join(("It says so itself.", "```python", *lines, "```"))
    return narrative(text)


def _lines_of(lines: FileRange, case: GateCase) -> tuple[str, ...]:
    if not case.codebase.has_text(lines.file):
        return ()
    source = case.codebase.source(lines.file)
    first_index = max(lines.start - 1, 0)
    text = source.lines[first_index : lines.end]
    return tuple(line.rstrip() for line in text if line.strip())


def _wrong_quotation(run: Sequence[str], sources: Sequence[Sequence[str]]) -> str:
    """Say which line of a quotation is the first that does not stand so in the code."""
    lengths = range(1, len(run) + 1)
    beginnings = (dedent_lines(run[:length]) for length in lengths)
    held_beginnings = list(itertools.takewhile(lambda lines: _is_held(lines, sources), beginnings))
    place = min(len(held_beginnings), len(run) - 1)
    line = run[place].strip()
    quoted = f"quotes {line[:_MOST_CHARACTERS]!r}"
    if place == 0 or not _is_held([line], sources):
        return f"{quoted}, which is no cited line"
    before = run[place - 1].strip()
    return f"{quoted} right behind {before[:_MOST_CHARACTERS]!r}, where it does not stand"


def _is_held(run: Sequence[str], sources: Sequence[Sequence[str]]) -> bool:
    return any(_holds(source, run) for source in sources)


def _holds(source: Sequence[str], run: Sequence[str]) -> bool:
    """Check whether lines follow one another in a source, however far all are indented."""
    size = len(run)
    starts = range(len(source) - size + 1)
    windows = (dedent_lines(source[start : start + size]) for start in starts)
    return tuple(run) in windows
