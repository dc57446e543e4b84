"""Datasets that somebody else made: reading them in their own formats, and auditing them against a
codebase.
"""

from goldwright.golden.foreign.audit import AuditReport, Defect, audit
from goldwright.golden.foreign.catalog import READERS, read_foreign
from goldwright.golden.foreign.checks import CHECKS
from goldwright.golden.foreign.records import FORMATS, ForeignDataset, ForeignRecord, Format, ForeignReader
from goldwright.golden.foreign.own_format import from_label

__all__ = [
    "CHECKS",
    "FORMATS",
    "READERS",
    "AuditReport",
    "Defect",
    "ForeignDataset",
    "ForeignRecord",
    "Format",
    "ForeignReader",
    "audit",
    "from_label",
    "read_foreign",
]
