"""A comparison of arms as JSON."""

from goldwright.app.bench import bench_json
from goldwright.evaluation.arm_table import ArmComparison, ArmTable, saturation_notes


def comparison_json(comparison: ArmComparison) -> dict[str, object]:
    """Give every table with the whole report of every arm."""
    return {
        "level": comparison.level,
        "unchanged": list(comparison.unchanged),
        "tables": [_table_json(table) for table in comparison.tables],
    }


def _table_json(table: ArmTable) -> dict[str, object]:
    means = {
        arm: {measure: report.mean(measure) for measure in report.measures}
        for arm, report in table.reports.items()
    }
    return {
        "embedder": table.embedder,
        "blank_docstrings": table.blank_docstrings,
        "documents": table.document_count,
        "build_seconds": table.build_seconds,
        "means": means,
        "saturated": list(saturation_notes(table)),
        **bench_json(table.bench),
    }
