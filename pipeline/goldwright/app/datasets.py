"""Datasets at the command line: the gate alone, export and verify."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.surroundings import Surroundings
from goldwright.canonical import digest_bytes
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.loading import parse_dataset, parse_metadata, read_bytes
from goldwright.golden.verification import RecordFindings, drifted_files, failing_records
from goldwright.records import Failure
from goldwright.snapshot import open_snapshot
from goldwright.stages.gate import check_answers


@dataclass(frozen=True, slots=True)
class Verified:
    """What checking a dataset found; ``drifted`` are files whose content differs from the metadata's hashes."""

    records: int
    failing: tuple[RecordFindings, ...]
    drifted: tuple[str, ...]
    has_metadata: bool
    commit: str

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing was found."""
        return not self.failing and not self.drifted


def gate_answers(
    answers: Path, *, repo: Path, rev: str | None, allow_dirty: bool, around: Surroundings
) -> Iterator[tuple[str, tuple[Failure, ...]]]:
    """Run the gate over a file of answers, one result a record, in the order of the file."""
    if not answers.is_file():
        raise InputError(f"{answers}: no such file of answers")
    snapshot = open_snapshot(repo, rev=rev, cache=around.cache, allow_dirty=allow_dirty)
    return check_answers(answers, snapshot)


def verify(
    dataset: Path, *, repo: Path, rev: str | None, allow_drift: bool, allow_dirty: bool, around: Surroundings
) -> Verified:
    """Check a dataset against a codebase.

    Raises:
        InputError: The dataset, its metadata or the codebase can not be read.
    """
    data = read_bytes(dataset, what="dataset")
    labels = parse_dataset(data, source=str(dataset))
    metadata = parse_metadata(dataset)
    if metadata is not None and metadata.dataset_sha256 != digest_bytes(data):
        raise QualityGateError(f"{dataset}: changed since it was exported: its hash is not the one in its metadata")
    snapshot = open_snapshot(repo, rev=rev, cache=around.cache, allow_dirty=allow_dirty)
    expected = metadata.source_file_hashes if metadata is not None else {}
    drifted = () if allow_drift else drifted_files(expected, snapshot)
    return Verified(
        len(labels), tuple(failing_records(labels, snapshot)), drifted, metadata is not None, snapshot.commit
    )
