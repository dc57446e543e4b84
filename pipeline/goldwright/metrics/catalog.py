"""Every metric by its canonical name, with its parameters fixed: one line for one metric."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from goldwright.errors import InputError
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.ranking import Metric
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank

METRICS: Final[Mapping[str, Metric]] = {
    "nDCG@10": partial(ndcg, cutoff=10),
    "MRR": reciprocal_rank,
    "R@10": partial(recall, cutoff=10),
    "P@1": partial(precision, cutoff=1),
    "P@5": partial(precision, cutoff=5),
}


def find_metric(name: str) -> Metric:
    """Find a metric by its canonical name.

    Raises:
        InputError: There is none of that name; the text lists those there are.
    """
    if name not in METRICS:
        raise InputError(f"{name}: no such metric; one of {', '.join(METRICS)}")
    return METRICS[name]
