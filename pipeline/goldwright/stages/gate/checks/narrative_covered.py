"""The narrative names nothing outside the expected entities and files."""

from collections.abc import Iterator

from goldwright.snapshot.mention_coverage import MentionScope, uncovered_mentions
from goldwright.snapshot.mentions import Mention
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import PRICES, entities, example, narrative


class NarrativeCovered:
    """A name-drop is a structural claim that nobody listed and nobody would check."""

    code = "narrative_covered"
    passes = (
        example(),
        example(
            canonical_narrative=narrative(
                "The `Basket` keeps its `owner` apart, as any dict or `list` would be."
            )
        ),
        example(canonical_narrative=narrative("See basket.py:9-12 for the amount's check.")),
        example(canonical_narrative=narrative("Build tools and the total play no part here.")),
    )
    fails = (
        example(canonical_narrative=narrative(f"Prices come from {PRICES}.")),
        example(canonical_narrative=narrative("Prices come from stock.py.")),
        example(canonical_narrative=narrative("The sum is made by Basket.total later.")),
        example(canonical_narrative=narrative("The sum is made by `self.total()` later.")),
        example(canonical_narrative=narrative("Then price_of is asked.")),
        example(canonical_narrative=narrative("Then shop.prices.price_of is asked.")),
        example(canonical_narrative=narrative("The table is made by `build`.")),
        example(canonical_narrative=narrative("The table is made by build().")),
        example(canonical_narrative=narrative(f"See {PRICES}::build for the table.")),
        example(canonical_narrative=narrative("Then `empty_all_shelves()` clears it.")),
        example(expected_entities=entities(f"{PRICES}::price_of")),
    )

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names outside the expected entities and files, each once."""
        answer = case.answer
        scope = MentionScope(
            frozenset(answer.entity_ids),
            frozenset(answer.expected_files),
            (*answer.expected_line_ranges, *answer.fact_citations),
        )
        uncovered = uncovered_mentions(answer.canonical_narrative, scope, case.codebase)
        messages = dict.fromkeys(_message(mention) for mention in uncovered)
        for message in messages:
            yield CheckFinding("narrative", message)


def _message(mention: Mention) -> str:
    is_path = mention.kind == "path"
    if not mention.is_resolved:
        kind = "file" if is_path else "entity"
        return f"names {mention.text!r}, and there is no such {kind}"
    field = "expected_files" if is_path else "expected_entities"
    meanings = sorted(mention.paths or mention.entity_ids)
    others = f" or {len(meanings) - 1} others" if len(meanings) > 1 else ""
    return f"names {mention.text!r} ({meanings[0]}{others}), which is not in {field}"
