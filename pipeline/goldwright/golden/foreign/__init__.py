"""Datasets that somebody else made: reading them in their own formats, and auditing them."""

from goldwright.golden.foreign.audit import AuditReport, Defect, audit
from goldwright.golden.foreign.catalog import READERS, read_foreign
from goldwright.golden.foreign.checks import CHECKS
from goldwright.golden.foreign.own_format import from_label
from goldwright.golden.foreign.records import (
    DATASET_FORMATS,
    DatasetFormat,
    ForeignDataset,
    ForeignReader,
    ForeignRecord,
)

__all__ = [
    "CHECKS",
    "DATASET_FORMATS",
    "READERS",
    "AuditReport",
    "DatasetFormat",
    "Defect",
    "ForeignDataset",
    "ForeignReader",
    "ForeignRecord",
    "audit",
    "from_label",
    "read_foreign",
]
