"""Scoring a TREC run against TREC judgements, one query at a time, so that any size fits."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from goldwright.errors import InputError
from goldwright.metrics import Metric, RankedRelevance, find_relevant_at
from goldwright.retrieval.hit_order import Ties, hit_ranks
from goldwright.retrieval.trec import Qrels

# The results of one query: its id, and the score of each document.
QueryResults = tuple[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class RunScores:
    """The scores of a run.

    Attributes:
        queries: The ids of the queries, in the order of the run.
        columns: For each metric by name its values in 0..1, in the order of ``queries``.
    """

    queries: Sequence[str]
    columns: Mapping[str, Sequence[float]]


def score_run(
    qrels: Qrels,
    run: Iterable[QueryResults],
    metrics: Mapping[str, Metric],
    *,
    ties: Ties = "trec",
    missing_as_zero: bool = False,
) -> RunScores:
    """Score a run; the results of one query are held at a time.

    Args:
        qrels: For every query the grade of each judged document; a grade above 0 is relevant, and
            is the gain.
        run: The results of every query.
        metrics: What to compute for each query, by name.
        ties: The rule for ties.
        missing_as_zero: Score a judged query that the run does not hold as one without results.

    Raises:
        InputError: A query of either side is missing on the other, or has nothing relevant.
    """
    queries: list[str] = []
    # Eight bytes a value; a list would take 32 and more.
    columns = {name: array("d") for name in metrics}
    if missing_as_zero:
        # Runs after the run has ended, so it sees every query that was scored by then.
        run = chain(run, _missing_queries(qrels, queries))
    for query_id, score_of in run:
        grades = _find_grades(qrels, query_id)
        rank_by_id = hit_ranks(score_of, grades, ties=ties)
        ranking = _judge_ranks(rank_by_id, len(score_of), grades)
        queries.append(query_id)
        for name, metric in metrics.items():
            columns[name].append(metric(ranking))
    _check_complete(qrels, queries)
    return RunScores(queries, columns)


def _find_grades(qrels: Qrels, query_id: str) -> Mapping[str, int]:
    if query_id not in qrels:
        raise InputError(f"query {query_id}: is in the run and has no judgement")
    grades = qrels[query_id]
    if max(grades.values(), default=0) <= 0:
        raise InputError(f"query {query_id}: has no relevant document, so nothing can be measured")
    return grades


def _judge_ranks(
    rank_by_id: Mapping[str, int], length: int, grades: Mapping[str, int]
) -> RankedRelevance:
    gains = {document: float(grade) for document, grade in grades.items() if grade > 0}
    irrelevant = grades.keys() - gains.keys()
    return find_relevant_at(rank_by_id, length, gains, irrelevant=irrelevant)


def _missing_queries(qrels: Qrels, queries: Sequence[str]) -> Iterator[QueryResults]:
    """Yield the judged queries that were not scored so far, each without results."""
    for query_id in sorted(qrels.keys() - set(queries)):
        yield query_id, {}


def _check_complete(qrels: Qrels, queries: Sequence[str]) -> None:
    # Every query of the run is judged, so fewer of them leave some out.
    if len(queries) >= len(qrels):
        return
    missing = sorted(qrels.keys() - set(queries))
    problem = f"query {missing[0]}: is judged and missing from the run"
    also_missing = len(missing) - 1
    if also_missing:
        problem += f", and {also_missing} more"
    raise InputError(f"{problem} (--missing-as-zero counts it as not found)")
