"""A codebase at one commit, read from a clean mirror of it and from nowhere else."""

from goldwright.snapshot.decoding import Source
from goldwright.snapshot.graph import Graph
from goldwright.snapshot.history import BlameLine, LogEntry, blame, log
from goldwright.snapshot.mirror import Pin, pin
from goldwright.snapshot.model import CallSite, Entity, FileEntry, Span
from goldwright.snapshot.objects import ObjectStore
from goldwright.snapshot.snapshot import Snapshot, UnknownPathError, open_known, open_pinned, open_snapshot

__all__ = [
    "BlameLine",
    "CallSite",
    "Entity",
    "FileEntry",
    "Graph",
    "LogEntry",
    "ObjectStore",
    "Pin",
    "Snapshot",
    "Source",
    "Span",
    "UnknownPathError",
    "blame",
    "log",
    "open_known",
    "open_pinned",
    "open_snapshot",
    "pin",
]
