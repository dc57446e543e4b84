"""Evaluations made up for tests."""

from collections.abc import Mapping, Sequence
from typing import Any

from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import EvaluationReport


def scored(query_id: str, values: Mapping[str, float], **changes: Any) -> QueryScore:
    """One query."""
    fields: dict[str, Any] = {
        "query_id": query_id,
        "query_text": f"What of {query_id}?",
        "task_type": "locate",
        "difficulty": "easy",
        "values": dict(values),
        "expected": {"a.py::f": 1},
        "retrieved": ("a.py::f",),
        "found": 1,
    }
    return QueryScore(**{**fields, **changes})


def report(queries: Sequence[QueryScore], **changes: Any) -> EvaluationReport:
    """An evaluation."""
    fields: dict[str, Any] = {
        "dataset": "golden_v1.0.json",
        "dataset_sha256": "sha256:1",
        "dataset_status": "blessed",
        "commit": "c" * 40,
        "retriever": "bm25",
        "depth": 100,
        "ties": "id",
        "queries": tuple(queries),
    }
    return EvaluationReport(**{**fields, **changes})


def report_of_values(*values: float, measure: str = "MRR", **changes: Any) -> EvaluationReport:
    """An evaluation by one measure, a value for each query."""
    queries = [scored(f"q{place}", {measure: value}) for place, value in enumerate(values)]
    return report(queries, **changes)
