"""What became of the records of a dataset in a codebase that has moved on since."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.queries import DatasetQuery, query_of
from goldwright.golden.rebase import RebasedRecord, rebase_labels
from goldwright.golden.verification import drifted_files
from goldwright.snapshot import Snapshot, open_known
from goldwright.text import counted, name_some


@dataclass(frozen=True, slots=True)
class CodeDrift:
    """How a codebase differs from the one that a dataset was made from.

    Attributes:
        queries: The queries whose code is the same text, with their ids at this commit.
        drifted: The cited files that changed.
        left_out: The ids of the queries whose code has changed, where that was allowed.
        notes: What a reader of the numbers should know, a sentence each.
    """

    queries: tuple[DatasetQuery, ...]
    drifted: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def follow_code(
    dataset: LoadedDataset, snapshot: Snapshot, request: EvalRequest, environment: Environment
) -> CodeDrift:
    """Find the records whose code is still the same, as a rebase does, entity by entity.

    A cited file may change as long as the entities and lines that a record cites do not. Where the
    commit that the dataset was made from is not at hand, files are compared as wholes.

    Raises:
        InputError: The codebase has none of the files that the dataset cites.
        QualityGateError: Code that a record cites has changed, or with ``strict_drift`` any cited
            file has, and that is not allowed.
    """
    if dataset.metadata is None:
        return CodeDrift(dataset.queries)
    drifted = drifted_files(dataset.metadata.source_file_hashes, snapshot)
    _refuse_other_codebase(dataset, drifted, snapshot, request.repo)
    if not drifted:
        return CodeDrift(dataset.queries)
    records = None
    if not request.strict_drift:
        records = _rebase(dataset, snapshot, request, environment)
    if records is None:
        return _compare_files(dataset, drifted, request, _why_no_lines(dataset, request))
    return _compare_records(dataset, drifted, records, request)


def _rebase(
    dataset: LoadedDataset, snapshot: Snapshot, request: EvalRequest, environment: Environment
) -> Sequence[RebasedRecord] | None:
    """Carry the records over; None where their commit is not at hand."""
    if dataset.metadata is None or request.repo is None or not dataset.labels:
        return None
    commit = dataset.metadata.repo_commit
    try:
        old = open_known(request.repo, commit, cache=environment.cache, chance=environment.chance)
    except InputError:
        return None
    return rebase_labels(dataset.labels, old, snapshot)


def _why_no_lines(dataset: LoadedDataset, request: EvalRequest) -> str:
    """Say why files are compared and not what records cite of them; empty where that was asked."""
    metadata = dataset.metadata
    # A plain directory has no history that could be fetched.
    if metadata is None or metadata.repo_origin != "git":
        return ""
    if request.strict_drift or not dataset.labels:
        return ""
    commit = metadata.repo_commit[:12]
    return (
        f", and the commit that it was made from ({commit}) is not in this clone, so the lines "
        "that its records cite cannot be compared; fetch the history (git fetch --unshallow; "
        "fetch-depth: 0 in a GitHub workflow)"
    )


def _compare_files(
    dataset: LoadedDataset, drifted: tuple[str, ...], request: EvalRequest, why: str
) -> CodeDrift:
    names = name_some(drifted)
    if not request.allow_drift:
        changed_files = counted(len(drifted), "cited file")
        raise QualityGateError(
            f"{dataset.name}: {changed_files} changed since it was made "
            f"({names}){why}; carry it along by goldwright rebase, or pass "
            "--allow-drift (in pytest --golden-allow-drift)"
        )
    note = (
        f"Drift was allowed: {names} changed since the dataset was made{why}; labels may be wrong."
    )
    return CodeDrift(dataset.queries, drifted, notes=(note,))


def _compare_records(
    dataset: LoadedDataset,
    drifted: tuple[str, ...],
    records: Sequence[RebasedRecord],
    request: EvalRequest,
) -> CodeDrift:
    changed = [record for record in records if record.label is None]
    if changed and not request.allow_drift:
        share = f"{len(changed)} of its {len(records)} records"
        reasons = _reasons(changed)
        raise QualityGateError(
            f"{dataset.name}: the code of {share} has changed ({reasons}); carry it "
            "along by goldwright rebase, or pass --allow-drift (in pytest --golden-allow-drift) "
            "to score the others"
        )
    labels = [record.label for record in records if record.label is not None]
    queries = tuple(map(query_of, labels))
    if not queries:
        raise QualityGateError(f"{dataset.name}: the code of every record has changed; rebase it")
    left_out = tuple(record.query_id for record in changed)
    notes = tuple(_notes(drifted, records, changed))
    return CodeDrift(queries, drifted, left_out, notes)


def _notes(
    drifted: Sequence[str], records: Sequence[RebasedRecord], changed: Sequence[RebasedRecord]
) -> Iterator[str]:
    if changed:
        yield (
            f"Drift was allowed: {len(changed)} of {len(records)} records were left out, since the "
            f"code that they cite has changed ({_reasons(changed)}); people have to see them: "
            "rebase."
        )
    else:
        yield (
            f"{name_some(drifted)} changed since the dataset was made; "
            "the code that its records cite did not."
        )


def _reasons(changed: Sequence[RebasedRecord]) -> str:
    reasons = []
    for record in changed:
        first_reason = record.reasons[0]
        reasons.append(f"{record.query_id}: {first_reason}")
    return name_some(reasons)


def _refuse_other_codebase(
    dataset: LoadedDataset, drifted: Sequence[str], snapshot: Snapshot, repo: Path | None
) -> None:
    """Refuse a codebase that has none of the files that the dataset cites."""
    # As long as one cited file is as it was, it is the right codebase at another commit.
    if not drifted or len(drifted) < len(dataset.cited_files):
        return
    if not any(snapshot.has_text(path) for path in drifted):
        raise InputError(
            f"{dataset.name}: cites {name_some(drifted)}, of which {repo} has none; "
            "is it the codebase that the dataset was made from? --repo names it, "
            "in pytest --golden-repo"
        )
