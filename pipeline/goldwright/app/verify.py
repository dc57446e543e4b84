"""Checking a finished dataset, or a file of answers, against a codebase."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.codebase import open_codebase
from goldwright.app.environment import Environment
from goldwright.errors import InputError
from goldwright.golden.foreign import AuditReport, DatasetFormat, audit, read_foreign
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.verification import RecordFindings, drifted_files, failing_records
from goldwright.golden.versions import checked_metadata, find_dataset
from goldwright.records import CheckFailure, GoldenLabel
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.gate import check_answers

OWN_FORMAT: DatasetFormat = "goldwright"


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What a user asks of a check.

    Attributes:
        dataset: The dataset by path or version.
        repo: The codebase.
        rev: Its commit; HEAD where there is none.
        allow_drift: Whether to leave changed files out of the findings.
        allow_dirty: Whether to pin the files of the work tree as they are.
    """

    dataset: str
    repo: Path
    rev: str | None = None
    allow_drift: bool = False
    allow_dirty: bool = False


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings on a dataset.

    Attributes:
        source: Which file it was, and why this one was taken.
        format: Whose format it has.
        records: How many records it holds.
        failing: Records that the gate stops; only Goldwright's own can pass or fail it.
        drifted: Cited files whose content differs from the hashes in the metadata.
        has_metadata: Whether metadata stand beside it.
        audit: Defects that the records of any dataset can have.
        commit: The commit it was checked against.
    """

    source: str
    format: DatasetFormat
    records: int
    failing: tuple[RecordFindings, ...]
    drifted: tuple[str, ...]
    has_metadata: bool
    audit: AuditReport
    commit: str

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing is wrong.

        Defects of the audit count for foreign datasets alone: the gate is the judge of our own.
        """
        if self.failing or self.drifted:
            return False
        return self.format == OWN_FORMAT or not self.audit.defects


def gate_answers(
    answers: Path, *, repo: Path, rev: str | None, allow_dirty: bool, environment: Environment
) -> Iterator[tuple[str, tuple[CheckFailure, ...]]]:
    """Run the gate over a file of answers.

    Yields:
        For each record in the order of the file, its query id and the checks it fails.

    Raises:
        InputError: The file, the codebase or a record cannot be read.
    """
    if not answers.is_file():
        raise InputError(f"{answers}: no such file of answers")
    snapshot = open_snapshot(repo, rev=rev, cache=environment.cache, allow_dirty=allow_dirty)
    return check_answers(answers, snapshot)


def verify_dataset(request: VerifyRequest, environment: Environment) -> Verification:
    """Check a dataset against a codebase.

    One of ours is put through the gate and its cited files are compared with their hashes; any
    dataset is audited.

    Raises:
        InputError: The dataset, its metadata or the codebase cannot be read.
        QualityGateError: It is not the dataset that its metadata name.
    """
    file = find_dataset(request.dataset, environment.workspace.golden)
    data = read_bytes(file.path, content="dataset")
    foreign = read_foreign(file.path, data)
    # The records of others are not read as labels: they lack the fields that the gate checks.
    labels: tuple[GoldenLabel, ...] = ()
    metadata = None
    if foreign.format == OWN_FORMAT:
        metadata = checked_metadata(file, data)
        labels = parse_dataset(data, source=str(file.path))
    snapshot = open_codebase(request, environment)
    drifted: tuple[str, ...] = ()
    if not request.allow_drift:
        drifted = _drifted_files(metadata, snapshot)
    failing = tuple(failing_records(labels, snapshot))
    return Verification(
        source=file.description,
        format=foreign.format,
        records=len(foreign.records),
        failing=failing,
        drifted=drifted,
        has_metadata=metadata is not None,
        audit=audit(foreign, snapshot),
        commit=snapshot.commit,
    )


def _drifted_files(metadata: DatasetMetadata | None, snapshot: Snapshot) -> tuple[str, ...]:
    if metadata is None:
        return ()
    return drifted_files(metadata.source_file_hashes, snapshot)
