"""Checking a finished dataset against a codebase: the gate on every record, and file hashes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from goldwright.canonical import digest_bytes
from goldwright.records import CheckFailure, GoldenLabel
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate


@dataclass(frozen=True, slots=True)
class RecordFindings:
    """A record that fails the gate, and every check that it fails."""

    query_id: str
    failures: tuple[CheckFailure, ...]


def failing_records(labels: Sequence[GoldenLabel], snapshot: Snapshot) -> Iterator[RecordFindings]:
    """Run the gate over every record and yield the ones that fail, in their order."""
    for label in labels:
        failures = run_gate(label, snapshot)
        if failures:
            yield RecordFindings(label.query_id, failures)


def source_hashes(paths: Sequence[str], snapshot: Snapshot) -> dict[str, str]:
    """The SHA-256 of each file that the snapshot holds as text, by path."""
    hashes: dict[str, str] = {}
    for path in paths:
        if snapshot.has_text(path):
            hashes[path] = digest_bytes(snapshot.data(path))
    return hashes


def drifted_files(expected: Mapping[str, str], snapshot: Snapshot) -> tuple[str, ...]:
    """List the files whose content has changed since a dataset was made, or that are gone.

    Args:
        expected: The SHA-256 of each file when the dataset was made, by path.
        snapshot: The codebase as it is.

    Returns:
        The paths in alphabetical order.
    """
    paths = sorted(expected)
    current = source_hashes(paths, snapshot)
    return tuple(path for path in paths if current.get(path) != expected[path])
