"""The narrative names nothing outside the expected entities and files."""

from collections.abc import Iterator

from goldwright.snapshot.mention_coverage import MentionScope, uncovered_mentions
from goldwright.snapshot.mentions import Mention
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import PRICES, entities, example, narrative


class NarrativeCovered:
    """A name in passing is a structural claim that nobody listed and nobody would check."""

    code = "narrative_covered"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that name what is listed, what Python has, and English words."""
        yield example()
        harmless_names = "The `Basket` keeps its `owner` apart, as any dict or `list` would be."
        yield _narrative_example(harmless_names)
        yield _narrative_example("See basket.py:9-12 for the amount's check.")
        # Both words are names of entities, and neither is marked as code.
        yield _narrative_example("Build tools and the total play no part here.")

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that name files and entities which are not listed, or do not exist."""
        yield _narrative_example(f"Prices come from {PRICES}.")
        yield _narrative_example("Prices come from stock.py.")
        yield _narrative_example("The sum is made by Basket.total later.")
        yield _narrative_example("The sum is made by `self.total()` later.")
        yield _narrative_example("Then price_of is asked.")
        yield _narrative_example("Then shop.prices.price_of is asked.")
        yield _narrative_example("The table is made by `build`.")
        yield _narrative_example("The table is made by build().")
        yield _narrative_example(f"See {PRICES}::build for the table.")
        yield _narrative_example("Then `empty_all_shelves()` clears it.")
        # The narrative itself names Basket.add.
        yield example(expected_entities=entities(f"{PRICES}::price_of"))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names outside the expected entities and files, each once."""
        answer = case.answer
        ranges = (*answer.expected_line_ranges, *answer.fact_citations)
        entity_ids = frozenset(answer.entity_ids)
        scope = MentionScope(entity_ids, frozenset(answer.expected_files), ranges)
        mentions = uncovered_mentions(answer.canonical_narrative, scope, case.codebase)
        # A dictionary keeps the order of the narrative and each message once.
        messages = dict.fromkeys(map(_mention_message, mentions))
        for message in messages:
            yield CheckFinding("narrative", message)


def _narrative_example(addition: str) -> GateCase:
    return example(canonical_narrative=narrative(addition))


def _mention_message(mention: Mention) -> str:
    kind, field = "entity", "expected_entities"
    if mention.kind == "path":
        kind, field = "file", "expected_files"
    if not mention.is_resolved:
        return f"names {mention.text!r}, and there is no such {kind}"
    meanings = sorted(mention.paths or mention.entity_ids)
    meaning = meanings[0]
    if len(meanings) > 1:
        meaning += f" or {len(meanings) - 1} others"
    return f"names {mention.text!r} ({meaning}), which is not in {field}"
