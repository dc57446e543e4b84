"""What differs between two versions of a dataset, record by record, and why."""

from goldwright.golden.differences.comparison import (
    Differences,
    LoneRecord,
    RecordChange,
    compare_labels,
    differences_json,
)
from goldwright.golden.differences.field_changes import FieldChange

__all__ = [
    "Differences",
    "FieldChange",
    "LoneRecord",
    "RecordChange",
    "compare_labels",
    "differences_json",
]
