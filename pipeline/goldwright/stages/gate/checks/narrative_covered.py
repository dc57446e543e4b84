"""The narrative names nothing outside the expected entities and files and the cited lines."""

from collections.abc import Iterator

from goldwright.code_blocks import without_code_blocks
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import PRICES, example, lines, narrative
from goldwright.stages.gate.text_mentions import CheckedText, inspect_texts


class NarrativeCovered:
    """A name-drop is a structural claim that nobody listed and nobody would check.

    What the cited lines themselves use is no name-drop, whatever else has the name.
    """

    code = "narrative_covered"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that name what is listed or cited, or belongs to Python or English."""
        yield example()
        yield example(
            canonical_narrative=narrative(
                "The `Basket` keeps its `lines` apart, as any dict or `list` would be."
            )
        )
        yield example(canonical_narrative=narrative("See basket.py:9-12 for the amount's check."))
        yield example(canonical_narrative=narrative("Build tools and the total play no part here."))
        yield example(canonical_narrative=narrative("It refuses `amount < 1` and `not article`."))
        yield example(
            canonical_narrative=narrative("The sum calls `price_of(article)` for each line."),
            expected_line_ranges=lines("shop/basket.py", 9, 15),
        )
        yield example(
            canonical_narrative=narrative(f"`Basket.total` asks {PRICES}::price_of."),
            expected_line_ranges=lines("shop/basket.py", 9, 15),
        )

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that name files and entities of other places, or of none."""
        yield example(canonical_narrative=narrative(f"Prices come from {PRICES}."))
        yield example(canonical_narrative=narrative("Prices come from stock.py."))
        yield example(canonical_narrative=narrative("The sum is made by Basket.total later."))
        yield example(canonical_narrative=narrative("The sum is made by `self.total()` later."))
        yield example(canonical_narrative=narrative("Then price_of is asked."))
        yield example(canonical_narrative=narrative("Then shop.prices.price_of is asked."))
        yield example(canonical_narrative=narrative("The table is made by `build`."))
        yield example(canonical_narrative=narrative("The table is made by build()."))
        yield example(canonical_narrative=narrative(f"See {PRICES}::build for the table."))
        yield example(canonical_narrative=narrative("Then `empty_all_shelves()` clears it."))
        yield example(canonical_narrative=narrative("It refuses `amount < least`."))
        yield example(canonical_narrative=narrative("Then `Basket.forget` clears it."))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names outside, each once."""
        ranges = (*case.answer.expected_line_ranges, *case.answer.fact_citations)
        # What stands in quoted code is looked up as a whole, by a check of its own.
        sentences = without_code_blocks(case.answer.canonical_narrative)
        text = CheckedText("narrative", sentences, ranges)
        yield from inspect_texts(case, [text])
