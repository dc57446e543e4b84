"""Scoring a TREC run against TREC judgements, from files."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from goldwright.errors import InputError
from goldwright.evaluation.trec_scoring import RunScores, score_run
from goldwright.metrics import METRICS, find_metric
from goldwright.retrieval.hit_order import Ties
from goldwright.retrieval.trec import (
    ScatteredRunError,
    read_grouped,
    read_qrels,
    read_scattered,
)


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
    judgements = read_qrels(qrels)
    score = partial(
        score_run, judgements, metrics=metrics, ties=ties, missing_as_zero=missing_as_zero
    )
    try:
        scores = score(read_grouped(run))
    except ScatteredRunError:
        # What comes from a pipe is gone when it has been read.
        if not run.is_file():
            raise
        scores = score(read_scattered(run))
    if not scores.queries:
        raise InputError(f"{run}: holds no query")
    return scores
