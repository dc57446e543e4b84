"""What each cell came to on the labels, query by query."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from goldwright.cells.labels import RELEVANT
from goldwright.cells.pooling import pool_documents
from goldwright.cells.records import CellQuery, CellRanking, RelevanceLabel
from goldwright.metrics.judged_share import judged_share
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.ranked_relevance import RankedRelevance, find_relevant
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank

CUTOFF: Final = 10
NDCG: Final = "nDCG@10"
RECALL: Final = "R@10"
MRR: Final = "MRR"
MEASURES: Final = (NDCG, RECALL, MRR)

GradesByQuery = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class CellMeasures:
    """What one cell came to.

    Attributes:
        cell: Its name.
        values: Each measure by query, in the order of the queries.
        judged: The share of its first ten documents that have a label.
        without_own: Its mean nDCG@10 on the labels that other cells brought.
    """

    cell: str
    values: Mapping[str, Mapping[str, float]]
    judged: float
    without_own: float

    def mean(self, measure: str, query_ids: Sequence[str] | None = None) -> float:
        """Give the mean of a measure, over all queries or some of them."""
        values = self.values[measure]
        chosen = list(values) if query_ids is None else query_ids
        total = fsum(values[query_id] for query_id in chosen)
        return total / len(chosen)


def grades_by_query(labels: Iterable[RelevanceLabel]) -> GradesByQuery:
    """Sort labels by query."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for label in labels:
        grades[label.query_id][label.path] = label.grade
    return grades


def scorable_queries(queries: Sequence[CellQuery], grades: GradesByQuery) -> Sequence[str]:
    """Give the ids of queries for which some document is relevant."""
    scorable = []
    for query in queries:
        query_grades = grades.get(query.query_id, {})
        if any(grade >= RELEVANT for grade in query_grades.values()):
            scorable.append(query.query_id)
    return scorable


def measure_cells(
    rankings: Sequence[CellRanking],
    query_ids: Sequence[str],
    grades: GradesByQuery,
    *,
    depth: int,
    expected: Mapping[str, Mapping[str, int]],
) -> Sequence[CellMeasures]:
    """Measure every cell on the same queries, in the order of the rankings.

    Args:
        rankings: What each cell brought.
        query_ids: The queries, each with something relevant.
        grades: The labels.
        depth: How many documents of each cell were pooled.
        expected: The labels that owe nothing to any cell.
    """
    measured = []
    for ranking in rankings:
        other_rankings = [entry for entry in rankings if entry is not ranking]
        kept_grades = _without_own(other_rankings, query_ids, grades, depth, expected)
        measured.append(_measure(ranking, query_ids, grades, kept_grades))
    return measured


def _measure(
    ranking: CellRanking,
    query_ids: Sequence[str],
    grades: GradesByQuery,
    kept_grades: GradesByQuery,
) -> CellMeasures:
    values: dict[str, dict[str, float]] = {measure: {} for measure in MEASURES}
    judged = []
    without_own = []
    for query_id in query_ids:
        paths = ranking.ranked[query_id]
        graded = _relevance(paths, grades[query_id], 1)
        relevant = _relevance(paths, grades[query_id], RELEVANT)
        values[NDCG][query_id] = ndcg(graded, cutoff=CUTOFF)
        values[RECALL][query_id] = recall(relevant, cutoff=CUTOFF)
        values[MRR][query_id] = reciprocal_rank(relevant)
        judged.append(judged_share(graded, cutoff=CUTOFF))
        if any(kept_grades[query_id].values()):
            remaining = _relevance(paths, kept_grades[query_id], 1)
            without_own.append(ndcg(remaining, cutoff=CUTOFF))
    count = len(query_ids)
    remaining_ndcg = fsum(without_own) / len(without_own) if without_own else 0.0
    return CellMeasures(ranking.cell, values, fsum(judged) / count, remaining_ndcg)


def _relevance(paths: Sequence[str], grades: Mapping[str, int], smallest: int) -> RankedRelevance:
    """Look at a ranking; grades are gains for nDCG, and all one for what counts hits."""
    if smallest == 1:
        relevant = {path: float(grade) for path, grade in grades.items() if grade}
    else:
        relevant = {path: 1.0 for path, grade in grades.items() if grade >= smallest}
    irrelevant = frozenset(path for path in grades if path not in relevant)
    return find_relevant(paths, relevant, irrelevant=irrelevant)


def _without_own(
    other_rankings: Sequence[CellRanking],
    query_ids: Sequence[str],
    grades: GradesByQuery,
    depth: int,
    expected: Mapping[str, Mapping[str, int]],
) -> GradesByQuery:
    """Leave out the labels of documents that no other cell brought: what v2 would have lacked."""
    remaining_grades = {}
    for query_id in query_ids:
        other_documents = pool_documents(other_rankings, query_id, depth)
        pool = {*other_documents, *expected.get(query_id, {})}
        query_grades = grades[query_id]
        kept_grades = {path: query_grades[path] for path in query_grades if path in pool}
        remaining_grades[query_id] = kept_grades
    return remaining_grades
