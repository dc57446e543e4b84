"""Measures of a query's results: a metric at the level of entities or of files, by its name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

from goldwright.golden.queries import DatasetQuery
from goldwright.metrics import (
    Metric,
    MetricUndefinedError,
    RankedRelevance,
    find_metric,
    find_relevant,
)
from goldwright.snapshot.entities import split_entity_id

View = Literal["entities", "files", "coverage"]

# A mean that can gain 0.02 at most, the tolerance of a baseline, can hardly show progress.
SATURATED: Final = 0.98
FILE_LEVEL: Final = "file."
COVERAGE: Final = "FileCoverage"
# Judged@10 is no measure of quality; it says how far the others are lower bounds.
DEFAULT_MEASURES: Final = (
    "MRR",
    "nDCG@10",
    "R@10",
    "P@1",
    "P@5",
    "Hit@5",
    # What each query has to reach under pytest, so baselines know it.
    "Hit@10",
    "FileCoverage@5",
    "Judged@10",
    "file.MRR",
    "file.R@10",
)


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """The ranking of one query, judged by its label.

    Attributes:
        entities: The ranking of what is expected (entities, files or documents), in which an
            alternative stands for the expected entity that it is a copy of, so that each is
            credited once.
        files: The files of the results, each at its first rank; None where no file is expected.
        coverage: The expected files at the ranks of the first result in each; other results keep
            their ranks.
        entity_ranks: The rank of every expected entity, None where it was not found.
    """

    entities: RankedRelevance
    files: RankedRelevance | None
    coverage: RankedRelevance
    entity_ranks: Mapping[str, int | None]


def judge_ranking(query: DatasetQuery, ranked_ids: Sequence[str]) -> JudgedRanking:
    """Judge a ranking of ids by what a query expects.

    What is expected sets the level: where it is files or documents, and no entity, a result stands
    for the file that it is in. A grade above 0 is the gain of its id; other ids have a gain of 1.

    Raises:
        MetricUndefinedError: The query expects nothing.
    """
    expected_ids = frozenset(query.expected_ids)
    expected_files = frozenset(query.expected_files)
    originals = dict(_originals_by_copy(query))
    expects_entities = any("::" in expected for expected in expected_ids)
    if not expects_entities:
        results: Sequence[str] = list(map(_path, ranked_ids))
    else:
        results = _credit_files(ranked_ids, expected_ids)
    credited = [_credited(result, expected_ids, originals) for result in results]
    files = _credited_files(ranked_ids, expected_files, originals)
    gains = {expected: float(query.grades.get(expected, 1)) for expected in expected_ids}
    irrelevant = query.grades.keys() - expected_ids
    entities = find_relevant(credited, gains, irrelevant=irrelevant)
    return JudgedRanking(
        entities=entities,
        files=_find_files(files, expected_files),
        coverage=_cover_files(files, expected_files),
        entity_ranks=_find_ranks(query.expected_ids, credited),
    )


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric and the view of a ranking that it is computed on."""

    name: str
    view: View
    metric: Metric

    @classmethod
    def find(cls, name: str) -> Self:
        """Find a measure: any metric's name, ``file.`` before it for files, or ``FileCoverage@k``.

        ``FileCoverage@k`` is the share of the expected files in which one of the first k results
        lies.

        Raises:
            InputError: No measure has this name.
        """
        family, at_sign, cutoff = name.partition("@")
        if family == COVERAGE and at_sign:
            # Over the ranks of covered files, coverage is recall.
            recall = find_metric(f"R@{cutoff}")
            return cls(name, "coverage", recall)
        if name.startswith(FILE_LEVEL):
            metric = find_metric(name.removeprefix(FILE_LEVEL))
            return cls(name, "files", metric)
        return cls(name, "entities", find_metric(name))

    @property
    def is_of_files(self) -> bool:
        """Whether it takes a dataset that says which files it expects."""
        return self.view != "entities"

    def compute(self, ranking: JudgedRanking) -> float:
        """Compute the measure for one query, in 0..1.

        Raises:
            MetricUndefinedError: It is about files, and none is expected.
        """
        match self.view:
            case "entities":
                return self.metric(ranking.entities)
            case "files":
                if ranking.files is None:
                    raise MetricUndefinedError(f"{self.name} is undefined: no file is expected")
                return self.metric(ranking.files)
            case "coverage":
                return self.metric(ranking.coverage)


def find_measures(names: Sequence[str]) -> Mapping[str, Measure]:
    """Find measures by their names, each once.

    Raises:
        InputError: No measure has one of the names.
    """
    return {name: Measure.find(name) for name in names}


def quality_measures(names: Iterable[str]) -> tuple[str, ...]:
    """Leave out the share of judged results, which may fall where a retriever gets better."""
    return tuple(name for name in names if not name.startswith("Judged"))


def saturated_measures(means: Mapping[str, float]) -> tuple[str, ...]:
    """Name the measures that can hardly rise any more, so that they show no better retriever."""
    names = quality_measures(means)
    return tuple(name for name in names if means[name] >= SATURATED)


def applicable_measures(names: Sequence[str], queries: Sequence[DatasetQuery]) -> tuple[str, ...]:
    """Leave out the measures of files where not every query says which files it expects."""
    if all(query.expected_files for query in queries):
        return tuple(names)
    measures = find_measures(names)
    of_entities = [name for name, measure in measures.items() if not measure.is_of_files]
    return tuple(of_entities)


def _originals_by_copy(query: DatasetQuery) -> Iterator[tuple[str, str]]:
    """Yield each alternative with the expected entity that it is a copy of."""
    for expected_id, copies in query.alternatives.items():
        for copy in copies:
            yield copy, expected_id


def _credit_files(ranked_ids: Sequence[str], expected_ids: frozenset[str]) -> Sequence[str]:
    """Let a result in an expected file stand for that file, unless it is expected itself."""
    results: list[str] = []
    for result in ranked_ids:
        path = _path(result)
        is_in_file = path in expected_ids and result not in expected_ids
        results.append(path if is_in_file else result)
    return results


def _credited(result: str, expected: frozenset[str], originals: Mapping[str, str]) -> str:
    """Name the entity or file that a result is credited to: what is expected counts for itself."""
    if result in expected:
        return result
    return originals.get(result, result)


def _credited_files(
    ranked_ids: Sequence[str], expected_files: frozenset[str], originals: Mapping[str, str]
) -> Sequence[str]:
    paths = list(map(_path, ranked_ids))
    original_files = {}
    for entity_id, path in zip(ranked_ids, paths, strict=True):
        if entity_id in originals:
            # The expected file counts as found where the file of the copy was.
            original_files[path] = _path(originals[entity_id])
    return [_credited(path, expected_files, original_files) for path in paths]


def _path(entity_id: str) -> str:
    path, _ = split_entity_id(entity_id)
    return path


def _find_files(files: Sequence[str], expected_files: frozenset[str]) -> RankedRelevance | None:
    if not expected_files:
        return None
    return find_relevant(files, expected_files)


def _cover_files(files: Sequence[str], expected_files: frozenset[str]) -> RankedRelevance:
    """Rank each expected file at the first result in it, without moving later results up."""
    first_ranks: dict[str, int] = {}
    for rank, path in enumerate(files, start=1):
        if path in expected_files:
            first_ranks.setdefault(path, rank)
    ranks = sorted(first_ranks.values())
    ideal_gains = [1.0] * len(expected_files)
    return RankedRelevance(
        ranks=ranks,
        gains=ideal_gains[: len(ranks)],
        ideal_gains=ideal_gains,
        judged_ranks=ranks,
        length=len(files),
    )


def _find_ranks(expected_ids: Sequence[str], entities: Sequence[str]) -> Mapping[str, int | None]:
    """Find the rank of each expected entity; a repeated entity takes no second rank."""
    ranks: dict[str, int | None] = dict.fromkeys(expected_ids)
    for rank, entity_id in enumerate(dict.fromkeys(entities), start=1):
        if entity_id in ranks:
            ranks[entity_id] = rank
    return ranks
