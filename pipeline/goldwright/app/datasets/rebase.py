"""Carrying a dataset to a newer commit; what changed on the way goes back to people, in a run."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from goldwright.app.codebase import open_codebase
from goldwright.app.datasets.blessing_ledger import ledger_of, note_publication
from goldwright.app.datasets.export_metadata import low_confidence_ids
from goldwright.app.datasets.rebase_source import open_old_snapshot, read_rebase_source
from goldwright.app.environment import Environment
from goldwright.app.runs.return_run import ReturnedRecord, create_return_run
from goldwright.app.runs.trust_cards import card_of_labels
from goldwright.atomic_files import is_taken
from goldwright.canonical import digest_bytes
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.batch_summaries import (
    bound_of,
    cells_of,
    floor_shortfalls,
    remaining_batches,
    reviewers_of,
    sittings_of,
)
from goldwright.golden.guard_decisions import DIRECTORY_NAME, GuardDecision, valid_decisions
from goldwright.golden.guarded_records import guarded_records
from goldwright.golden.labels import cited_files, dataset_bytes
from goldwright.golden.loading import card_path, metadata_path
from goldwright.golden.metadata import VERSION_STATUSES, DatasetMetadata, DatasetStatus
from goldwright.golden.publishing import publish_version
from goldwright.golden.rebase import RebasedKind, RebasedRecord, rebase_labels
from goldwright.golden.rebase.rebase_outcome import count_kinds, limit_of_rebase, summarize_rebase
from goldwright.golden.verification import source_hashes
from goldwright.golden.versions import (
    Version,
    version_path,
)
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot
from goldwright.trust_card.figure_records import figure_records


@dataclass(frozen=True, slots=True)
class RebaseRequest:
    """What a user asks of a rebase.

    Attributes:
        dataset: The dataset by version or path.
        repo: The codebase.
        rev: The commit to carry it to; HEAD where there is none.
        version: The version to write; the next minor one where there is none.
        out: The directory to write to; ``golden/`` where there is none.
        allow_dirty: Whether to pin the files of the work tree as they are.
        decisions: The directory of what was decided on pull requests; ``guard`` in ``golden/``
            where there is none.
    """

    dataset: str
    repo: Path
    rev: str | None = None
    version: str | None = None
    out: Path | None = None
    allow_dirty: bool = False
    decisions: Path | None = None


@dataclass(frozen=True, slots=True)
class RebaseResult:
    """The outcome of a rebase.

    Attributes:
        source: Which dataset it was, and why this one was taken.
        old_commit: The commit it stood at.
        new_commit: The commit it was carried to.
        records: For each record whether and how it was carried over.
        dataset: The new file; None where no record came along or the commit is the same.
        metadata: The new file that describes it, None likewise.
        returned_to: The run that holds the other records; None where all came along.
        dropped: What was dropped on the pull request, by record.
    """

    source: str
    old_commit: str
    new_commit: str
    records: tuple[RebasedRecord, ...]
    dataset: Path | None = None
    metadata: Path | None = None
    returned_to: str | None = None
    dropped: Mapping[str, GuardDecision] = field(default_factory=dict)

    @property
    def counts(self) -> Counter[RebasedKind]:
        """How many records are of each kind."""
        return count_kinds(self.records)


def rebase_dataset(
    request: RebaseRequest, environment: Environment, progress: Progress
) -> RebaseResult:
    """Carry a dataset to a newer commit, as a new version.

    Unchanged and moved records keep their blessing; the others return to people in a run of their
    own.

    Raises:
        InputError: The dataset has no metadata, its commit is not known any more, the version is
            taken, or a file is no decision.
        QualityGateError: The dataset is not what its metadata name.
    """
    source = read_rebase_source(request.dataset, environment.workspace.golden)
    version = _new_version(request.version, source.metadata)
    directory = request.out or environment.workspace.golden
    path = _target_path(directory, version, source.metadata)
    progress.phase("opening both commits")
    old = open_old_snapshot(request.repo, source, environment)
    new = open_codebase(request, environment)
    if new.commit != old.commit:
        progress.phase("comparing the code of every record")
    records = rebase_labels(source.labels, old, new)
    result = RebaseResult(source.file.description, old.commit, new.commit, records)
    if new.commit == old.commit:
        return result
    decision_directory = request.decisions or environment.workspace.golden / DIRECTORY_NAME
    open_records = guarded_records(source.labels, records, old, new)
    decisions = valid_decisions(decision_directory, source.metadata.dataset_sha256, open_records)
    # The run first: a version that exists must not lack records which nobody can find any more.
    run_name = _return_to_people(records, decisions, new, request.repo, environment)
    dropped = {
        name: decision for name, decision in decisions.items() if decision.decision == "drop"
    }
    result = replace(result, returned_to=run_name, dropped=dropped)
    carried = tuple(record.label for record in records if record.label is not None)
    if not carried:
        return result
    data = dataset_bytes(carried)
    metadata = _metadata(source.metadata, result, carried, new, version, data)
    is_version = metadata.dataset_status in VERSION_STATUSES
    if is_version:
        head = ledger_of(environment).head_of_reviews()
        metadata = metadata.model_copy(update={"ledger": head})
    publish_version(path, data, metadata)
    if is_version:
        note_publication("rebase", path, metadata.run, None, environment)
    return replace(result, dataset=path, metadata=metadata_path(path))


def _new_version(requested: str | None, metadata: DatasetMetadata) -> Version:
    if requested is not None:
        return Version.parse(requested)
    current = Version.parse(metadata.version)
    return Version(current.major, current.minor + 1)


def _target_path(directory: Path, version: Version, metadata: DatasetMetadata) -> Path:
    """Give the path of the new version, and make sure that it can be written.

    A run is made before the version is written, so what keeps the version from being written has
    to show before that.
    """
    is_draft = metadata.dataset_status not in VERSION_STATUSES
    path = version_path(directory, version, is_draft=is_draft)
    if is_taken(directory) and not directory.is_dir():
        raise InputError(f"{directory}: is no directory")
    for file in (path, metadata_path(path), card_path(path)):
        if is_taken(file):
            raise InputError(
                f"{file}: is there already; a version is never overwritten, "
                "take a new number (--version)"
            )
    return path


def _return_to_people(
    records: Sequence[RebasedRecord],
    decisions: Mapping[str, GuardDecision],
    snapshot: Snapshot,
    repo: Path,
    environment: Environment,
) -> str | None:
    """Make a run of the records that did not come along; gives its name, None where all did."""
    returned = []
    for record in records:
        decision = decisions.get(record.query_id)
        if record.draft is None or _is_dropped(decision):
            continue
        reasons = _reasons(record, decision)
        returned.append(ReturnedRecord(record.draft, reasons, record.changed_claims))
    if not returned:
        return None
    return create_return_run("rebase", returned, snapshot, repo, environment)


def _is_dropped(decision: GuardDecision | None) -> bool:
    return decision is not None and decision.decision == "drop"


def _reasons(record: RebasedRecord, decision: GuardDecision | None) -> tuple[str, ...]:
    """Say why a record came back and where to look, a sentence each; first what was decided."""
    sentences = (*record.reasons, *record.hints)
    reasons = tuple(f"{record.kind}: {sentence}" for sentence in sentences)
    return reasons if decision is None else (decision.sentence, *reasons)


def _metadata(
    before: DatasetMetadata,
    result: RebaseResult,
    carried: tuple[GoldenLabel, ...],
    snapshot: Snapshot,
    version: Version,
    data: bytes,
) -> DatasetMetadata:
    batches = tuple(remaining_batches(before.batches, carried))
    shortfalls = tuple(floor_shortfalls(batches))
    bound = None
    if before.bound is not None:
        bound = bound_of(batches)
    hashes = source_hashes(cited_files(carried), snapshot)
    card = card_of_labels(carried, snapshot)
    limit = limit_of_rebase(before, result.records)
    return before.model_copy(
        update={
            "version": str(version),
            "dataset_sha256": digest_bytes(data),
            "query_count": len(carried),
            "dataset_status": _status(before, shortfalls),
            "cells": cells_of(batches),
            "batches": batches,
            "bound": bound,
            "human_reviewers": reviewers_of(batches),
            "sittings": sittings_of(batches),
            "repo_commit": snapshot.commit,
            "repo_tree": snapshot.tree,
            "repo_origin": snapshot.origin,
            "low_confidence": low_confidence_ids(carried),
            "source_file_hashes": hashes,
            "trust_card": figure_records(card),
            "rebased": summarize_rebase(before, result.records, returned_to=result.returned_to),
            "known_limits": (limit, *_lasting_limits(before), *shortfalls),
        }
    )


def _status(before: DatasetMetadata, shortfalls: Sequence[str]) -> DatasetStatus:
    """Give what a version may be called that holds what is left of another one."""
    if before.dataset_status == "human_blessed" and shortfalls:
        return "human_blessed_below_floors"
    return before.dataset_status


def _lasting_limits(before: DatasetMetadata) -> tuple[str, ...]:
    """Give the limits of the version before without the floors, which are counted again."""
    counted_again = set(floor_shortfalls(before.batches))
    return tuple(limit for limit in before.known_limits if limit not in counted_again)
