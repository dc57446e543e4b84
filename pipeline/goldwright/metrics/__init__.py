"""Measures of a ranked list against the set of relevant ids, each a plain function with its source."""

from goldwright.metrics.catalog import METRICS, find_metric
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.ranking import Metric, MetricUndefinedError
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank

__all__ = [
    "METRICS",
    "Metric",
    "MetricUndefinedError",
    "find_metric",
    "ndcg",
    "precision",
    "recall",
    "reciprocal_rank",
]
