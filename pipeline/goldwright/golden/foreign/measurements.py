"""What an audit measures of a dataset where its rules can be read in two ways, or not be checked.

Tiers are said in words ("answerable by keywords"); how far up plain search finds a target is a
number. Identifiers may leak by the rule of the record's tier, or by the strictest one. Overlap may
mean the share of the later record's targets, or of all targets of both.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, Literal, get_args

from goldwright.golden.foreign.audit_context import STRICTEST_CELL, AuditCase, AuditContext
from goldwright.golden.foreign.checks import identifier_leak, leaks_at
from goldwright.records import DIFFICULTIES
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.snapshot.entities import split_entity_id
from goldwright.stages.screen.near_repeats import LARGEST_OVERLAP
from goldwright.stats.jaccard import containment, jaccard

Band = Literal["first", "first ten", "beyond"]
BANDS: Final[tuple[Band, ...]] = get_args(Band)
# A page of results; by this depth a record of ours counts as answerable by plain search, too.
FIRST_PAGE: Final = 10
# Stands for a difficulty that Goldwright does not know.
NO_DIFFICULTY: Final = "none stated"
# Everybody's target would make pairs of all records, which say nothing about any two of them.
_MOST_RECORDS_OF_A_TARGET: Final = 200


@dataclass(frozen=True, slots=True)
class Tier:
    """How far up BM25 finds a target of the records of one difficulty.

    Attributes:
        difficulty: The difficulty by the dataset's own word.
        records: How many records have it and expect anything.
        bands: How many of them have their first target at the first rank, among the first ten, or
            beyond.
    """

    difficulty: str
    records: int
    bands: Mapping[Band, int]

    @property
    def within_reach(self) -> int:
        """How many of them have a target among the first ten."""
        return self.records - self.bands["beyond"]


@dataclass(frozen=True, slots=True)
class Leaks:
    """The records whose query names what it is to find, by both readings.

    Attributes:
        rule: Their numbers from 1 by the rule of their own tier.
        strict: Their numbers by the rule of the strictest tier, for all.
    """

    rule: tuple[int, ...]
    strict: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two records that share targets, more than half by either reading.

    Attributes:
        earlier: The number of the earlier record, from 1.
        later: That of the later one.
        containment: The share of the later one's targets that the earlier one has, in 0..1.
        jaccard: The share of the targets of both that both have, in 0..1.
    """

    earlier: int
    later: int
    containment: float
    jaccard: float


@dataclass(frozen=True, slots=True)
class Measurements:
    """What was measured.

    Attributes:
        tiers: The tiers, the easiest first.
        leaks: The leaks by both readings.
        overlaps: The pairs that overlap by either reading.
        crowded_targets: How many targets stand in so many records that their pairs are not listed.
    """

    tiers: tuple[Tier, ...]
    leaks: Leaks
    overlaps: tuple[Overlap, ...]
    crowded_targets: int

    @property
    def are_tiers_ordered(self) -> bool | None:
        """Whether BM25 finds easier tiers more readily; None with fewer than two tiers."""
        if len(self._own_tiers) < 2:
            return None
        return not self.tiers_out_of_order

    @property
    def tiers_out_of_order(self) -> tuple[tuple[Tier, Tier], ...]:
        """The neighbours of which BM25 finds the harder one's target oftener in its first ten."""
        neighbours = pairwise(self._own_tiers)
        return tuple(pair for pair in neighbours if _are_out_of_order(*pair))

    @property
    def _own_tiers(self) -> tuple[Tier, ...]:
        return tuple(
            tier for tier in self.tiers if tier.difficulty in DIFFICULTIES and tier.records
        )


def measure(context: AuditContext) -> Measurements:
    """Measure a dataset."""
    overlaps, crowded = _overlaps(context)
    tiers = tuple(_tiers(context))
    return Measurements(
        tiers=tiers,
        leaks=_leaks(context),
        overlaps=tuple(overlaps),
        crowded_targets=crowded,
    )


def _are_out_of_order(easier: Tier, harder: Tier) -> bool:
    """Find out whether the larger share of the records of the harder tier is within reach."""
    # Both shares times the records of both tiers.
    harder_share = harder.within_reach * easier.records
    easier_share = easier.within_reach * harder.records
    return harder_share > easier_share


def first_rank(case: AuditCase, index: BM25Retriever) -> int | None:
    """Give the rank at which BM25 first shows a target; None where it is not on the first page."""
    targets = frozenset(case.targets or case.record.file_paths)
    hits = index.search(case.record.query_text, limit=FIRST_PAGE)
    for rank, hit in enumerate(hits, start=1):
        path, _ = split_entity_id(hit.entity_id)
        if hit.entity_id in targets or path in targets:
            return rank
    return None


def band_of(rank: int | None) -> Band:
    """Give the band of a rank on the first page; None stands for all ranks beyond."""
    if rank is None:
        return "beyond"
    return "first" if rank == 1 else "first ten"


def _tiers(context: AuditContext) -> Iterator[Tier]:
    index = lexical_index(context.snapshot)
    counts: defaultdict[str, Counter[Band]] = defaultdict(Counter)
    for case in _cases(context):
        if case.targets or case.record.file_paths:
            stated = case.record.strata.get("difficulty", NO_DIFFICULTY)
            difficulty = case.record.difficulty or stated
            target_band = band_of(first_rank(case, index))
            counts[difficulty][target_band] += 1
    for difficulty in sorted(counts, key=_tier_order):
        bands = counts[difficulty]
        count_by_band = {band: bands[band] for band in BANDS}
        yield Tier(difficulty, bands.total(), count_by_band)


def _tier_order(difficulty: str) -> tuple[int, str]:
    for place, tier in enumerate(DIFFICULTIES):
        if difficulty == tier:
            return place, difficulty
    return len(DIFFICULTIES), difficulty


def _leaks(context: AuditContext) -> Leaks:
    rule: list[int] = []
    strict: list[int] = []
    for case in _cases(context):
        number = case.position + 1
        if any(identifier_leak(case)):
            rule.append(number)
        if any(leaks_at(case, STRICTEST_CELL)):
            strict.append(number)
    return Leaks(tuple(rule), tuple(strict))


def _overlaps(context: AuditContext) -> tuple[list[Overlap], int]:
    """Compare the records that share a target; only they can overlap."""
    target_sets = [frozenset(case.targets or case.record.file_paths) for case in _cases(context)]
    positions_of: defaultdict[str, list[int]] = defaultdict(list)
    for position, targets in enumerate(target_sets):
        for target in targets:
            positions_of[target].append(position)
    pairs: set[tuple[int, int]] = set()
    crowded = 0
    for positions in positions_of.values():
        if len(positions) > _MOST_RECORDS_OF_A_TARGET:
            crowded += 1
        else:
            pairs.update(combinations(positions, 2))
    return list(_overlapping(pairs, target_sets)), crowded


def _overlapping(
    pairs: set[tuple[int, int]], target_sets: Sequence[frozenset[str]]
) -> Iterator[Overlap]:
    for earlier, later in sorted(pairs):
        share = containment(target_sets[later], target_sets[earlier])
        index = jaccard(target_sets[later], target_sets[earlier])
        # The index is never above the share, so the share alone decides what is listed.
        if share > LARGEST_OVERLAP:
            yield Overlap(earlier + 1, later + 1, share, index)


def _cases(context: AuditContext) -> Iterator[AuditCase]:
    for position in range(len(context.queries)):
        yield AuditCase(position, context)
