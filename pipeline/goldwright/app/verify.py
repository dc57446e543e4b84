"""Datasets at the command line: the gate alone, and checking one that is finished."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.errors import InputError
from goldwright.golden.foreign import AuditReport, DatasetFormat, audit, read_foreign
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.verification import RecordFindings, drifted_files, failing_records
from goldwright.golden.versions import checked_metadata, find_dataset
from goldwright.records import CheckFailure
from goldwright.snapshot import open_snapshot
from goldwright.stages.gate import check_answers


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """Which dataset to check, by path or version, against which codebase."""

    dataset: str
    repo: Path
    rev: str | None = None
    allow_drift: bool = False
    allow_dirty: bool = False


@dataclass(frozen=True, slots=True)
class Verification:
    """What checking a dataset found.

    ``failing`` are the records of ours that the gate stops, ``drifted`` the files whose content
    differs from the metadata's hashes; ``audit`` holds the defects that any dataset can have.
    ``taken`` says which file it was.
    """

    taken: str
    format: DatasetFormat
    records: int
    failing: tuple[RecordFindings, ...]
    drifted: tuple[str, ...]
    has_metadata: bool
    audit: AuditReport
    commit: str

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing was found; defects that the gate does not know count for foreign
        datasets alone.
        """
        return (
            not self.failing
            and not self.drifted
            and (self.format == "goldwright" or not self.audit.defects)
        )


def gate_answers(
    answers: Path, *, repo: Path, rev: str | None, allow_dirty: bool, environment: Environment
) -> Iterator[tuple[str, tuple[CheckFailure, ...]]]:
    """Run the gate over a file of answers, one result a record, in the order of the file."""
    if not answers.is_file():
        raise InputError(f"{answers}: no such file of answers")
    snapshot = open_snapshot(repo, rev=rev, cache=environment.cache, allow_dirty=allow_dirty)
    return check_answers(answers, snapshot)


def verify(request: VerifyRequest, environment: Environment) -> Verification:
    """Check a dataset against a codebase: the gate and the hashes for one of ours, an audit for
    any.

    Raises:
        InputError: The dataset, its metadata or the codebase cannot be read.
        QualityGateError: It is not the dataset that its metadata name.
    """
    found = find_dataset(request.dataset, environment.workspace.golden)
    data = read_bytes(found.path, what="dataset")
    foreign = read_foreign(found.path, data)
    metadata = checked_metadata(found, data) if foreign.format == "goldwright" else None
    labels = parse_dataset(data, source=str(found.path)) if foreign.format == "goldwright" else ()
    snapshot = open_snapshot(
        request.repo, rev=request.rev, cache=environment.cache, allow_dirty=request.allow_dirty
    )
    expected = metadata.source_file_hashes if metadata is not None else {}
    return Verification(
        taken=found.description,
        format=foreign.format,
        records=len(foreign.records),
        failing=tuple(failing_records(labels, snapshot)),
        drifted=() if request.allow_drift else drifted_files(expected, snapshot),
        has_metadata=metadata is not None,
        audit=audit(foreign, snapshot),
        commit=snapshot.commit,
    )
