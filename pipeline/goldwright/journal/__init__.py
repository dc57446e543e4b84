"""Append-only JSON Lines files: an acknowledged line is on disk, and a changed line is noticed."""

from goldwright.journal.call_chain import CallEntry
from goldwright.journal.call_log import CallEntryLog, CallLog
from goldwright.journal.json_lines import read_jsonl, write_jsonl
from goldwright.journal.review_log import ReviewLog
from goldwright.journal.stage_file import StageFile
from goldwright.records.seal import Seal

__all__ = [
    "CallEntry",
    "CallEntryLog",
    "CallLog",
    "ReviewLog",
    "Seal",
    "StageFile",
    "read_jsonl",
    "write_jsonl",
]
