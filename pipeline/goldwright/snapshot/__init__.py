"""A codebase at one commit, read from a clean mirror of it and from nowhere else."""

from goldwright.snapshot.call_graph import CallGraph
from goldwright.snapshot.entities import CallSite, Entity, FileEntry, Span
from goldwright.snapshot.git.git_history import BlameLine, Commit, blame_lines, commit_log
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.mirror.pinning import PinnedCommit, UncommittedWorkError, pin_commit
from goldwright.snapshot.opening import (
    SnapshotSeries,
    open_known,
    open_pinned,
    open_snapshot,
)
from goldwright.snapshot.snapshot import Snapshot, UnknownPathError
from goldwright.snapshot.source_text import SourceText

__all__ = [
    "BlameLine",
    "CallGraph",
    "CallSite",
    "Commit",
    "Entity",
    "FileEntry",
    "ObjectStore",
    "PinnedCommit",
    "Snapshot",
    "SnapshotSeries",
    "SourceText",
    "Span",
    "UncommittedWorkError",
    "UnknownPathError",
    "blame_lines",
    "commit_log",
    "open_known",
    "open_pinned",
    "open_snapshot",
    "pin_commit",
]
