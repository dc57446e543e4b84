"""Carrying a dataset to a newer commit; what changed on the way becomes a run that people review."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.rebase_run import create_rebase_run
from goldwright.atomic_files import is_taken
from goldwright.canonical import digest_bytes
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.labels import cited_files, dataset_bytes
from goldwright.golden.loading import metadata_path, parse_dataset, read_bytes
from goldwright.golden.metadata import CellCount, DatasetMetadata, RebaseSummary
from goldwright.golden.publishing import publish_version
from goldwright.golden.rebase import RebasedKind, RebasedRecord, rebase_labels
from goldwright.golden.verification import source_hashes
from goldwright.golden.versions import DatasetFile, Version, checked_metadata, find_dataset
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot, open_known, open_snapshot


@dataclass(frozen=True, slots=True)
class RebaseRequest:
    """Which dataset to carry to which commit; without a version it gets the next minor one."""

    dataset: str
    repo: Path
    rev: str | None = None
    version: str | None = None
    out: Path | None = None
    allow_dirty: bool = False


@dataclass(frozen=True, slots=True)
class RebaseResult:
    """What came of it: the new files (none where no record came along, or the commit is the same),
    each record's class, and the run for the rest.
    """

    taken: str
    old_commit: str
    new_commit: str
    records: tuple[RebasedRecord, ...]
    dataset: Path | None
    metadata: Path | None
    returned_to: str | None

    @property
    def counts(self) -> Counter[RebasedKind]:
        """How many records are of each class."""
        return Counter(one.kind for one in self.records)


def rebase_dataset(
    request: RebaseRequest, environment: Environment, progress: Progress
) -> RebaseResult:
    """Carry a dataset to a newer commit, as a new version; unchanged and moved records keep their
    blessing.

    Raises:
        InputError: The dataset has no metadata, its commit is not known any more, or the version is
            taken.
        QualityGateError: The dataset is not what its metadata name.
    """
    directory = request.out or environment.workspace.golden
    found = find_dataset(request.dataset, environment.workspace.golden)
    data = read_bytes(found.path, what="dataset")
    labels = parse_dataset(data, source=str(found.path))
    before = checked_metadata(found, data)
    if before is None:
        raise InputError(
            f"{found.path}: has no metadata beside it, so nobody knows the commit it was made from"
        )
    version = _version(request, before)
    path = directory / f"golden_v{version}{_ending(before)}.json"
    _check_free(directory, path)
    progress.phase("opening both commits")
    old = _old_snapshot(request, found, before, environment)
    new = open_snapshot(
        request.repo, rev=request.rev, cache=environment.cache, allow_dirty=request.allow_dirty
    )
    if new.commit == old.commit:
        return RebaseResult(
            found.description,
            old.commit,
            new.commit,
            rebase_labels(labels, old, new),
            None,
            None,
            None,
        )
    progress.phase("comparing the code of every record")
    records = rebase_labels(labels, old, new)
    returned = [
        (one, label) for one, label in zip(records, labels, strict=True) if one.label is None
    ]
    run = create_rebase_run(returned, new, request.repo, environment) if returned else None
    carried = tuple(one.label for one in records if one.label is not None)
    if not carried:
        return RebaseResult(found.description, old.commit, new.commit, records, None, None, run)
    fresh = dataset_bytes(carried)
    metadata = _metadata(before, records, carried, new, fresh, version, run)
    publish_version(path, fresh, metadata)
    return RebaseResult(
        found.description, old.commit, new.commit, records, path, metadata_path(path), run
    )


def _old_snapshot(
    request: RebaseRequest, found: DatasetFile, before: DatasetMetadata, environment: Environment
) -> Snapshot:
    try:
        return open_known(request.repo, before.repo_commit, cache=environment.cache)
    except InputError as error:
        raise InputError(
            f"{found.path.name}: stands at commit {before.repo_commit[:12]}, which {request.repo} does not hold; is it "
            f"another codebase, or a clone without its history? ({error})"
        ) from error


def _check_free(directory: Path, path: Path) -> None:
    """Find out before a run is made what would keep the version from being written after it."""
    if is_taken(directory) and not directory.is_dir():
        raise InputError(f"{directory}: is no directory")
    for one in (path, metadata_path(path)):
        if is_taken(one):
            raise InputError(
                f"{one}: is there already; a version is never overwritten, take a new number (--version)"
            )


def _version(request: RebaseRequest, before: DatasetMetadata) -> str:
    if request.version is not None:
        return str(Version.parse(request.version))
    now = Version.parse(before.version)
    return str(Version(now.major, now.minor + 1))


def _ending(before: DatasetMetadata) -> str:
    return "" if before.dataset_status == "human_blessed" else ".draft"


def _metadata(
    before: DatasetMetadata,
    records: Sequence[RebasedRecord],
    carried: tuple[GoldenLabel, ...],
    new: Snapshot,
    data: bytes,
    version: str,
    run: str | None,
) -> DatasetMetadata:
    counts = Counter(one.kind for one in records)
    summary = RebaseSummary(
        version=before.version,
        dataset_sha256=before.dataset_sha256,
        repo_commit=before.repo_commit,
        unchanged=counts["unchanged"],
        moved=counts["moved"],
        edited=tuple(one.query_id for one in records if one.kind == "edited"),
        gone=tuple(one.query_id for one in records if one.kind == "gone"),
        returned_to=run,
    )
    return before.model_copy(
        update={
            "version": version,
            "dataset_sha256": digest_bytes(data),
            "query_count": len(carried),
            # With a base, they are about the batch that was added, as it was then.
            "cells": before.cells if before.base else tuple(_cells(before, carried)),
            "repo_commit": new.commit,
            "repo_tree": new.tree,
            "repo_origin": new.origin,
            "low_confidence": tuple(one.query_id for one in carried if one.confidence == "low"),
            "source_file_hashes": source_hashes(cited_files(carried), new),
            "rebased": summary,
            "known_limits": (*before.known_limits, *_limits(before, counts)),
        }
    )


def _cells(before: DatasetMetadata, carried: tuple[GoldenLabel, ...]) -> Iterator[CellCount]:
    counts = Counter((one.task_type, one.difficulty) for one in carried)
    for cell in before.cells:
        yield cell.model_copy(update={"count": counts[cell.task_type, cell.difficulty]})  # type: ignore[index]  # a cell names both


def _limits(before: DatasetMetadata, counts: Counter[RebasedKind]) -> Iterator[str]:
    lost = counts["edited"] + counts["gone"]
    yield (
        f"Carried over from version {before.version}: what people said of the sample was said at commit "
        f"{before.repo_commit[:12]}; {lost} of {counts.total()} records did not come along."
    )
