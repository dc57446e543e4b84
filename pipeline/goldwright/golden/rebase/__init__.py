"""Carrying the records of a dataset to a newer commit of the codebase."""

from goldwright.golden.rebase.rebased_record import RebasedKind, RebasedRecord
from goldwright.golden.rebase.record_rebase import rebase_labels

__all__ = ["RebasedKind", "RebasedRecord", "rebase_labels"]
