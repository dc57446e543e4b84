"""Datasets at the command line: the gate alone, export and verify."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldwright import __version__
from goldwright.app.opening import OpenRun, run_for_reading
from goldwright.app.reporting import RunReport, canary_rates, report_on
from goldwright.app.running import reopened_snapshot
from goldwright.app.surroundings import Surroundings
from goldwright.canonical import digest_bytes
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.assembly import cited_files, dataset_bytes, label
from goldwright.golden.loading import metadata_path, parse_dataset, parse_metadata, read_bytes
from goldwright.golden.metadata import CellCount, DatasetMetadata
from goldwright.golden.verification import RecordFindings, drifted_files, failing_records, source_hashes
from goldwright.manifest import RunManifest
from goldwright.records import Failure, GoldenLabel, QueryCandidate
from goldwright.retrieval.retrievers.bm25 import BM25
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.gate import check_answers
from goldwright.workspace import publish

BASELINE_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of an export; ``is_new`` is false where the same dataset stood there already."""

    dataset: Path
    metadata: Path
    records: int
    is_new: bool
    notes: tuple[str, ...]


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


def export(
    name: str, *, version: str, draft: bool, out: Path | None, around: Surroundings, progress: Progress
) -> Exported:
    """Write a dataset and its metadata, each once.

    Raises:
        QualityGateError: People have not blessed the batch, or it is not complete; every missing thing is named.
        InputError: The version is no version, or another dataset stands there under this name.
    """
    if re.fullmatch(r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})", version) is None:
        raise InputError(f"--version {version}: wanted MAJOR.MINOR, as in 1.0")
    with run_for_reading(around.workspace.find_run(name)) as run:
        report = report_on(run)
        if not draft:
            raise QualityGateError(f"{report.name}: not exported: {'; '.join(_missing(report))}")
        if report.selected == 0:
            raise QualityGateError(f"{report.name}: not exported: no record survived")
        snapshot = reopened_snapshot(run.manifest, around, progress)
        progress.phase("measuring the lexical baseline")
        labels = tuple(_labels(run, report, snapshot))
        data = dataset_bytes(labels)
        metadata = _metadata(run, report, labels, data, version, snapshot)
    return _publish(data, metadata, out or around.workspace.golden, version)


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


def _missing(report: RunReport) -> Iterator[str]:
    if report.state != "complete":
        yield f"the run is not finished (goldwright resume {report.name})"
    if report.selected < report.plan.minimum_total:
        yield f"{report.selected} records, where at least {report.plan.minimum_total} are wanted"
    for cell in report.short_cells:
        yield f"{cell} holds {report.filled(cell)} of {report.plan.target(cell)}"
    yield "no verdicts of a first reviewer on the sample"
    yield "no verdicts of a second, independent reviewer"
    yield "to write what there is without people's word, pass --draft"


def _labels(run: OpenRun, report: RunReport, snapshot: Snapshot) -> Iterator[GoldenLabel]:
    baseline = BM25.over(snapshot)
    books = run.books
    for one in report.standings:
        if one.fate not in {"pending", "blessed"}:
            continue
        candidate, answer = books.candidates.done[one.query_id], books.answers.done[one.query_id]
        found = {hit.entity_id for hit in baseline.search(candidate.query_text, limit=BASELINE_DEPTH)}
        primary = {entity.entity_id for entity in answer.expected_entities if entity.role == "primary"}
        yield label(
            candidate,
            answer,
            books.reports.done[one.query_id],
            books.verdicts.done[one.query_id],
            baseline_answerable=bool(found & primary),
            prompt_digests=_prompts_of(candidate, run.manifest),
        )


def _prompts_of(candidate: QueryCandidate, manifest: RunManifest) -> dict[str, str]:
    """The digests of the prompts that a record's models played by; roles played offline have none."""
    names = {"author": ("author_preamble", f"author_{candidate.task_type}")}
    played = [name for role in manifest.models for name in names.get(role, (role,))]
    return {name: manifest.prompt_digests[name] for name in sorted(played)}


def _metadata(
    run: OpenRun,
    report: RunReport,
    labels: tuple[GoldenLabel, ...],
    data: bytes,
    version: str,
    snapshot: Snapshot,
) -> DatasetMetadata:
    manifest = run.manifest
    return DatasetMetadata(
        version=version,
        dataset_status="agent_curated_pending_human_review",
        dataset_sha256=digest_bytes(data),
        query_count=len(labels),
        cells=tuple(_cell_counts(report)),
        repo_commit=manifest.commit,
        repo_tree=manifest.tree,
        repo_origin=manifest.origin,
        pipeline_version=__version__,
        run=manifest.run,
        plan=manifest.plan.name,
        plan_digest=manifest.plan_digest,
        seed=manifest.seed,
        roles=manifest.roles,
        models=manifest.models,
        families=manifest.families,
        allow_same_family=manifest.allow_same_family,
        canaries=canary_rates(report.canaries),
        prompt_digests=manifest.prompt_digests,
        stage_versions=manifest.stage_versions,
        human_reviewers=(),
        total_tokens=report.total_tokens,
        usd=report.usd,
        low_confidence=tuple(one.query_id for one in labels if one.confidence == "low"),
        source_file_hashes=source_hashes(cited_files(labels), snapshot),
        known_limits=tuple(_known_limits(report, manifest)),
    )


def _cell_counts(report: RunReport) -> Iterator[CellCount]:
    for cell in report.plan.filled_cells():
        counts = report.in_cell(cell)
        yield CellCount(
            task_type=cell.task_type,
            difficulty=cell.difficulty,
            target=report.plan.target(cell),
            count=report.filled(cell),
            emitted=sum(counts.values()),
            fates={fate: counts[fate] for fate in sorted(counts)},
        )


def _known_limits(report: RunReport, manifest: RunManifest) -> Iterator[str]:
    yield "No person has reviewed these records; do not call this dataset blessed."
    offline = [role for role in manifest.roles if role not in manifest.models]
    if offline:
        yield f"Static analysis of one codebase at one commit played: {', '.join(offline)}."
    if manifest.allow_same_family:
        yield "Oracle and other roles may be models of one family, which share their mistakes."
    if report.selected < report.plan.minimum_total:
        yield f"The batch holds {report.selected} records, fewer than the {report.plan.minimum_total} its plan wants."
    for cell in report.short_cells:
        yield f"The cell {cell} holds {report.filled(cell)} of {report.plan.target(cell)} records."


def _publish(data: bytes, metadata: DatasetMetadata, directory: Path, version: str) -> Exported:
    path = directory / f"golden_v{version}.draft.json"
    meta_path = metadata_path(path)
    is_new = publish(path, data)
    if is_new or not meta_path.exists():
        publish(meta_path, metadata.model_dump_json(indent=2, ensure_ascii=True).encode("ascii") + b"\n")
    return Exported(path, meta_path, metadata.query_count, is_new, metadata.known_limits)
