"""A comparison of arms as JSON."""

from dataclasses import asdict

from goldwright.app.scoring.bench import bench_json
from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable, saturation_notes
from goldwright.evaluation.arms.repository_tables import Aggregate, RepositoryComparison
from goldwright.evaluation.report import EvaluationReport


def comparison_json(comparison: ArmComparison) -> dict[str, object]:
    """Give every table with the whole report of every arm."""
    tables = [_table_json(table) for table in comparison.tables]
    return {
        "level": comparison.level,
        "unchanged": list(comparison.unchanged),
        "tables": tables,
    }


def repositories_json(comparison: RepositoryComparison) -> dict[str, object]:
    """Give every repository, the averages over all, and each promotion with its reasons."""
    repositories = {
        name: comparison_json(of_repository)
        for name, of_repository in comparison.repositories.items()
    }
    aggregates = [_aggregate_json(aggregate) for aggregate in comparison.aggregates]
    learned_weights = [dict(weights) for weights in comparison.learned_weights]
    return {
        "default": comparison.default,
        "aggregates": aggregates,
        "learned_weights": learned_weights,
        "repositories": repositories,
    }


def _aggregate_json(aggregate: Aggregate) -> dict[str, object]:
    promotions = []
    for promotion in aggregate.promotions:
        row = asdict(promotion)
        row["verdict"] = promotion.verdict
        row["reasons"] = list(promotion.reasons())
        promotions.append(row)
    by_repository = {name: dict(means) for name, means in aggregate.by_repository.items()}
    averages = {arm: asdict(average) for arm, average in aggregate.averages.items()}
    return {
        "title": aggregate.title,
        "measure": aggregate.measure,
        "by_repository": by_repository,
        "averages": averages,
        "promotions": promotions,
    }


def _table_json(table: ArmTable) -> dict[str, object]:
    means = {arm: _means(report) for arm, report in table.reports.items()}
    return {
        "embedder": table.embedder,
        "blank_docstrings": table.blank_docstrings,
        "documents": table.document_count,
        "build_seconds": table.build_seconds,
        "means": means,
        "saturated": list(saturation_notes(table)),
        **bench_json(table.bench),
    }


def _means(report: EvaluationReport) -> dict[str, float]:
    return {measure: report.mean(measure) for measure in report.measures}
