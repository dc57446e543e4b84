"""What an audit has measured, in lines for people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from goldwright.golden.foreign.measurements import Measurements, Overlap, Tier
from goldwright.text import counted, make_visible

# Pairs and numbers that are spelt out; the JSON has all of them.
_MOST_PAIRS: Final = 5
_MOST_NUMBERS: Final = 12


def measurement_lines(measurements: Measurements) -> Iterator[str]:
    """Yield tiers by BM25, leaks and overlapping pairs, by each reading of their rules.

    This BM25 weighs every word alike, while ``bm25`` of an evaluation counts names more.
    """
    for tier in measurements.tiers:
        bands = tier.bands
        first, first_ten, beyond = bands["first"], bands["first ten"], bands["beyond"]
        records = counted(tier.records, "record")
        yield (
            f"tier {tier.difficulty}: of {records} unweighted BM25 "
            f"finds a target first in {first}, among the first ten in {first_ten}, "
            f"beyond in {beyond}"
        )
    for easier, harder in measurements.tiers_out_of_order:
        reach_of_harder, reach_of_easier = _reach(harder), _reach(easier)
        yield (
            f"tiers: by unweighted BM25 {harder.difficulty} is no harder than "
            f"{easier.difficulty}: a target is among the first ten for {reach_of_harder}, "
            f"and for {reach_of_easier}"
        )
    leaks = measurements.leaks
    rule = _numbers(leaks.rule)
    strict = _numbers(leaks.strict)
    yield f"identifier leaks by the rule of each tier: {rule}; by the strict rule for all: {strict}"
    yield from _overlap_lines(measurements)


def finding_lines(query_id: str, failures: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield a line for each check that a record fails: how often, and what it says first."""
    by_check: dict[str, list[str]] = {}
    for failure in failures:
        messages_of_check = by_check.setdefault(failure["check"], [])
        messages_of_check.append(failure["message"])
    for check, messages in by_check.items():
        count = len(messages)
        times = ""
        if count > 1:
            times = f" ({count} times)"
        example = messages[0]
        yield make_visible(f"{query_id}  {check}{times}: {example}")


def _reach(tier: Tier) -> str:
    return f"{tier.within_reach} of {tier.records} {tier.difficulty}"


def _overlap_lines(measurements: Measurements) -> Iterator[str]:
    overlaps = measurements.overlaps
    later = {overlap.later for overlap in overlaps}
    by_jaccard = [overlap for overlap in overlaps if overlap.jaccard > 0.5]
    later_by_jaccard = {overlap.later for overlap in by_jaccard}
    pairs = counted(len(overlaps), "pair")
    later_records = counted(len(later), "later record")
    pairs_by_jaccard = counted(len(by_jaccard), "pair")
    yield (
        f"overlapping targets: {pairs} ({later_records}) by the share of the later one's, "
        f"{pairs_by_jaccard} ({len(later_by_jaccard)}) by Jaccard"
    )
    for overlap in overlaps[:_MOST_PAIRS]:
        yield f"  {_pair(overlap)}"
    further = len(overlaps) - _MOST_PAIRS
    if further > 0:
        yield f"  and {further} more (--json lists all)"
    if measurements.crowded_targets:
        crowded = counted(measurements.crowded_targets, "target")
        yield f"  {crowded} with over 200 records each; their pairs are not listed"


def _pair(overlap: Overlap) -> str:
    figures = f"share {overlap.containment:.2f}, Jaccard {overlap.jaccard:.2f}"
    return f"records at places {overlap.earlier} and {overlap.later} of the file: {figures}"


def _numbers(numbers: Sequence[int]) -> str:
    """Write how many records there are, and the numbers of the first."""
    if not numbers:
        return "none"
    first_numbers = numbers[:_MOST_NUMBERS]
    listed_numbers = ", ".join(map(str, first_numbers))
    ellipsis = ", …" if len(numbers) > _MOST_NUMBERS else ""
    places = "place" if len(numbers) == 1 else "places"
    return f"{len(numbers)} (at {places} {listed_numbers}{ellipsis} of the file)"
