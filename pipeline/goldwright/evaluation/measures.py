"""What is measured of a query's result: a metric at the level of entities or of files, by its name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from goldwright.metrics import Metric, RankedRelevance, find_metric, rank
from goldwright.records import GoldenLabel
from goldwright.snapshot.entities import split_entity_id

FILE_LEVEL: Final = "file."
COVERAGE: Final = "FileCoverage"
DEFAULT_MEASURES: Final = (
    "MRR", "nDCG@10", "R@10", "P@1", "P@5", "Hit@5", "FileCoverage@5", "Judged@10", "file.MRR", "file.R@10",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """One query's list against its label.

    In ``entities``, an id of an alternative stands for the expected entity that it is the same code
    as, so that each is credited once. ``files`` is the list of their files, each at its first
    place; ``coverage`` holds the expected files at the places of the first result in each.
    ``places`` tells for every expected entity at which place it was found, None where it was not.
    """

    entities: RankedRelevance
    files: RankedRelevance
    coverage: RankedRelevance
    places: Mapping[str, int | None]


def judge(label: GoldenLabel, ranked: Sequence[str]) -> JudgedRanking:
    """Hold a ranked list of ids against a label.

    Raises:
        MetricUndefinedError: The label expects no entity, or no file.
    """
    stands_for = {
        other: expected for expected, others in label.alternatives.items() for other in others
    }
    wanted = frozenset(label.entity_ids)
    named = [one if one in wanted else stands_for.get(one, one) for one in ranked]
    files = [split_entity_id(one)[0] for one in ranked]
    # An expected file of an alternative is covered where the alternative's own file is.
    moved = {
        split_entity_id(one)[0]: split_entity_id(stands_for[one])[0]
        for one in ranked
        if one in stands_for
    }
    expected = frozenset(label.expected_files)
    seen = [one if one in expected else moved.get(one, one) for one in files]
    order = {one: place for place, one in enumerate(dict.fromkeys(named), start=1)}
    places = {one: order.get(one) for one in label.entity_ids}
    return JudgedRanking(
        rank(named, wanted), rank(seen, expected), _coverage(seen, expected), places
    )


def _coverage(files: Sequence[str], expected: frozenset[str]) -> RankedRelevance:
    first: dict[str, int] = {}
    for place, one in enumerate(files, start=1):
        if one in expected:
            first.setdefault(one, place)
    ranks = sorted(first.values())
    return RankedRelevance(ranks, [1.0] * len(ranks), [1.0] * len(expected), ranks, len(files))


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric and the view of a list that it is taken of."""

    name: str
    view: str
    metric: Metric

    @classmethod
    def named(cls, name: str) -> Self:
        """Find a measure: any metric's name, ``file.`` before it for files, or ``FileCoverage@k``.

        ``FileCoverage@k`` is the share of the expected files in which one of the first k results
        lies.

        Raises:
            InputError: There is none of that name.
        """
        family, at, cutoff = name.partition("@")
        if family == COVERAGE and at:
            return cls(name, "coverage", find_metric(f"R@{cutoff}"))
        if name.startswith(FILE_LEVEL):
            return cls(name, "files", find_metric(name.removeprefix(FILE_LEVEL)))
        return cls(name, "entities", find_metric(name))

    def of(self, judged: JudgedRanking) -> float:
        """Take the measure of a query's list."""
        return self.metric(getattr(judged, self.view))


def measures(names: Sequence[str]) -> Mapping[str, Measure]:
    """Find measures by their names, each once.

    Raises:
        InputError: There is none of some name.
    """
    return {name: Measure.named(name) for name in names}
