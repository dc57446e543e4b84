"""Scoring a TREC run against TREC judgements, a query at a time, so that neither size nor memory
matters.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from goldwright.errors import InputError
from goldwright.metrics import Metric, rank_at
from goldwright.retrieval.hit_order import Ties, hit_ranks
from goldwright.retrieval.trec import Qrels


@dataclass(frozen=True, slots=True)
class RunScores:
    """The values of every measure, 0..1, one a query, in the order of ``queries``."""

    queries: Sequence[str]
    columns: Mapping[str, Sequence[float]]


def score_run(
    qrels: Qrels,
    run: Iterable[tuple[str, Sequence[str], Sequence[float]]],
    metrics: Mapping[str, Metric],
    *,
    ties: Ties = "trec",
    missing_as_zero: bool = False,
) -> RunScores:
    """Score a run; each list is looked at once and let go.

    Args:
        qrels: For every query the grade of each judged document; what is above 0 is relevant, its
            grade the gain.
        run: Every query with its documents and their scores.
        metrics: What to take of each query, by name.
        ties: The rule for ties.
        missing_as_zero: Take a query that the run does not hold for one that came back empty.

    Raises:
        InputError: A query of either side is missing on the other, or has nothing relevant.
    """
    queries: list[str] = []
    columns = {name: array("d") for name in metrics}
    for query, names, scores in chain(run, _missing(qrels, queries) if missing_as_zero else ()):
        if query not in qrels:
            raise InputError(f"query {query}: is in the run and has no judgement")
        judged = qrels[query]
        relevant = {name: float(grade) for name, grade in judged.items() if grade > 0}
        if not relevant:
            raise InputError(f"query {query}: has no relevant document, so nothing can be measured")
        found = hit_ranks(names, scores, judged, ties=ties)
        ranked = rank_at(found, len(names), relevant, irrelevant=judged.keys() - relevant.keys())
        queries.append(query)
        for name, metric in metrics.items():
            columns[name].append(metric(ranked))
    if len(queries) < len(qrels):
        missing = min(qrels.keys() - set(queries))
        others = len(qrels) - len(queries) - 1
        more = f", as {others} others are" if others else ""
        raise InputError(
            f"query {missing}: is judged and missing from the run{more} (--missing-as-zero counts it as not found)"
        )
    return RunScores(queries, columns)


def _missing(
    qrels: Qrels, queries: Sequence[str]
) -> Iterator[tuple[str, Sequence[str], Sequence[float]]]:
    """The judged queries that are not among those so far, each with nothing found."""
    for query in sorted(qrels.keys() - set(queries)):
        yield query, (), ()
