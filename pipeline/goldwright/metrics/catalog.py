"""Every metric by its canonical name: one line for one metric."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from goldwright.errors import InputError
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.ranking import Metric
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A metric with its parameters fixed; ``name`` is written in every report."""

    name: str
    measure: Metric


METRICS: Final[tuple[NamedMetric, ...]] = (
    NamedMetric("nDCG@10", partial(ndcg, cutoff=10)),
    NamedMetric("MRR", reciprocal_rank),
    NamedMetric("R@10", partial(recall, cutoff=10)),
    NamedMetric("P@1", partial(precision, cutoff=1)),
    NamedMetric("P@5", partial(precision, cutoff=5)),
)


def find_metric(name: str) -> NamedMetric:
    """Find a metric by its canonical name.

    Raises:
        InputError: There is none of that name; the text lists those there are.
    """
    for metric in METRICS:
        if metric.name == name:
            return metric
    raise InputError(f"{name}: no such metric; one of {', '.join(one.name for one in METRICS)}")
