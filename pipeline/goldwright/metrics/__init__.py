"""Measures of a ranked list against what is relevant, each a plain function with its source."""

from goldwright.metrics.catalog import METRICS, find_metric
from goldwright.metrics.judged import judged
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.ranking import Metric, MetricUndefinedError, RankedRelevance, rank, rank_at
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank
from goldwright.metrics.success import accuracy, success

__all__ = [
    "METRICS",
    "Metric",
    "MetricUndefinedError",
    "RankedRelevance",
    "accuracy",
    "find_metric",
    "judged",
    "ndcg",
    "precision",
    "rank",
    "rank_at",
    "recall",
    "reciprocal_rank",
    "success",
]
