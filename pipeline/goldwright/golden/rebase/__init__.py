"""Carrying the records of a dataset to a newer commit of the codebase."""

from goldwright.golden.rebase.code_changes import CodeChange, code_changes
from goldwright.golden.rebase.rebase_outcome import RebasedKind, RebasedRecord
from goldwright.golden.rebase.record_rebase import rebase_labels
from goldwright.golden.rebase.renamed_files import RenamedFiles

__all__ = [
    "CodeChange",
    "RebasedKind",
    "RebasedRecord",
    "RenamedFiles",
    "code_changes",
    "rebase_labels",
]
