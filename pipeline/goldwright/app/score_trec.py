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
    names: Sequence[str] = (),
    *,
    ties: Ties = "trec",
    missing_as_zero: bool = False,
) -> RunScores:
    """Score a run against judgements.

    Raises:
        InputError: A file cannot be read or is none, a measure is unknown, or the files do not
            belong together.
    """
    metrics = {name: find_metric(name) for name in names or METRICS}
    found = score_run(
        read_qrels(qrels), read_columns(run), metrics, ties=ties, missing_as_zero=missing_as_zero
    )
    if not found.queries:
        raise InputError(f"{run}: holds no query")
    return found
