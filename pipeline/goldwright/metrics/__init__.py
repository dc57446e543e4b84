"""Measures of a ranked list against what is relevant, each a plain function with its source."""

from goldwright.metrics.average_precision import average_precision
from goldwright.metrics.catalog import METRICS, find_metric
from goldwright.metrics.judged_share import judged_share
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.r_precision import r_precision
from goldwright.metrics.rank_biased_precision import rank_biased_precision
from goldwright.metrics.ranked_relevance import (
    Metric,
    MetricUndefinedError,
    RankedRelevance,
    find_relevant,
    find_relevant_at,
)
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank
from goldwright.metrics.success import accuracy, success

__all__ = [
    "METRICS",
    "Metric",
    "MetricUndefinedError",
    "RankedRelevance",
    "accuracy",
    "average_precision",
    "find_metric",
    "find_relevant",
    "find_relevant_at",
    "judged_share",
    "ndcg",
    "precision",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
    "success",
]
