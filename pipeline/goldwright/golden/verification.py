"""Checking a finished dataset against a codebase: the gate on every record, and the hashes of its
files.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from goldwright.canonical import digest_bytes
from goldwright.records import CheckFailure, GoldenLabel
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate


@dataclass(frozen=True, slots=True)
class RecordFindings:
    """What the gate says against one record."""

    query_id: str
    failures: tuple[CheckFailure, ...]


def failing_records(labels: Sequence[GoldenLabel], snapshot: Snapshot) -> Iterator[RecordFindings]:
    """Run the gate over every record and give the ones that fail, in their order."""
    for one in labels:
        failures = run_gate(one, snapshot)
        if failures:
            yield RecordFindings(one.query_id, failures)


def source_hashes(paths: Sequence[str], snapshot: Snapshot) -> dict[str, str]:
    """The SHA-256 of each file that the snapshot holds as text, by path."""
    return {path: digest_bytes(snapshot.data(path)) for path in paths if snapshot.has_text(path)}


def drifted_files(expected: Mapping[str, str], snapshot: Snapshot) -> tuple[str, ...]:
    """The files whose content is no longer what a dataset was made from, or that are gone."""
    now = source_hashes(sorted(expected), snapshot)
    return tuple(path for path in sorted(expected) if now.get(path) != expected[path])
