"""Datasets that somebody else made, audited against a codebase."""

from goldwright.golden.foreign.audit import AuditReport, Defect, audit
from goldwright.golden.foreign.checks import CHECKS

__all__ = [
    "CHECKS",
    "AuditReport",
    "Defect",
    "audit",
]
