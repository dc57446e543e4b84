"""Scoring a TREC run against TREC judgements, from files."""

from collections.abc import Sequence
from pathlib import Path

from goldwright.errors import InputError
from goldwright.evaluation.trec_scoring import RunScores, score_run
from goldwright.metrics import METRICS, find_metric
from goldwright.retrieval.hit_order import Ties
from goldwright.retrieval.trec import read_columns, read_qrels


def score_files(
    qrels: Path,
    run: Path,
    measure_names: Sequence[str] = (),
    *,
    ties: Ties = "trec",
    missing_as_zero: bool = False,
) -> RunScores:
    """Score a run against judgements.

    Args:
        qrels: The judgements.
        run: The results.
        measure_names: The metrics; the usual ones where there are none.
        ties: The rule for equal scores.
        missing_as_zero: Whether a query that the run does not hold counts as not found.

    Raises:
        InputError: A file cannot be read or has another form, a measure is unknown, or the files do
            not belong together.
    """
    # Iterating over METRICS gives the names of the usual measures.
    names = measure_names or METRICS
    metrics = {name: find_metric(name) for name in names}
    scores = score_run(
        read_qrels(qrels),
        read_columns(run),
        metrics,
        ties=ties,
        missing_as_zero=missing_as_zero,
    )
    if not scores.queries:
        raise InputError(f"{run}: holds no query")
    return scores
