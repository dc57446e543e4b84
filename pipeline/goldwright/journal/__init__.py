"""Append-only JSON Lines with one writer: what was acknowledged is there, and what was changed is noticed."""

from goldwright.journal.calls import CallEntry, CallsFile
from goldwright.journal.lines import read_jsonl, write_jsonl
from goldwright.journal.reviews import ReviewsFile
from goldwright.journal.stage import StageFile
from goldwright.records.seal import Seal

__all__ = ["CallEntry", "CallsFile", "ReviewsFile", "Seal", "StageFile", "read_jsonl", "write_jsonl"]
