"""Writing the dataset of a run, once: a draft as it stands, or what people blessed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.app.datasets.batch_labels import make_labels
from goldwright.app.datasets.blessing_conditions import missing_for_blessing
from goldwright.app.datasets.blessing_ledger import ledger_of, note_publication
from goldwright.app.datasets.dataset_content import read_dataset
from goldwright.app.datasets.export_metadata import BaseDataset, ExportedContent, describe_export
from goldwright.app.datasets.export_suggestion import refuse_returned_alone
from goldwright.app.environment import Environment
from goldwright.app.runs.replaced_runs import replacement_of
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import RunReport, report_on
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.labels import dataset_bytes
from goldwright.golden.loading import card_path, metadata_path
from goldwright.golden.merging import MergedLabels, merge_labels
from goldwright.golden.metadata import VERSION_STATUSES, DatasetMetadata
from goldwright.golden.publishing import (
    clear_older_draft,
    publish_version,
    refuse_draft_of_another_run,
)
from goldwright.golden.versions import Version, latest_in, version_path
from goldwright.manifest import RunManifest
from goldwright.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What a user asks of an export.

    Attributes:
        run: The run by name or path, or ``latest``.
        version: The number of the version to write.
        draft: Whether to write what there is, without people's confirmation.
        base: The version (or its file) that the batch is added to.
        out: The directory to write to; ``golden/`` where there is none.
        replace: Whether the draft may take the place of another run's.
    """

    run: str
    version: str
    draft: bool = False
    base: str | None = None
    out: Path | None = None
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """The files of an export.

    Attributes:
        dataset: The file of the records.
        metadata: The file that describes them.
        card: The file that describes them to people.
        records: How many records the dataset holds.
        is_new: False where the same dataset stood there already.
        notes: What the dataset cannot claim, a sentence each.
        added: How many records of the batch came in; None without a base.
        left_out: Ids of records of the batch that repeat records of the base.
        replaced_run: The run whose draft stood there before; None where there was none.
        run: The run that it was made of.
        other_latest: What ``latest`` means beside this dataset; None where it is this one.
        former_latest: What ``latest`` meant before, where it means this dataset now; None where it
            means what it did.
    """

    dataset: Path
    metadata: Path
    card: Path
    records: int
    is_new: bool
    notes: tuple[str, ...]
    added: int | None = None
    left_out: tuple[str, ...] = ()
    replaced_run: str | None = None
    run: str = ""
    former_latest: Path | None = None
    other_latest: Path | None = None


def export_dataset(request: ExportRequest, environment: Environment, progress: Progress) -> Export:
    """Write a dataset and its metadata, each once.

    Raises:
        QualityGateError: People have not blessed the batch, or it is not complete; the text names
            everything that is missing.
        InputError: The version is not a version, or another dataset stands there under this name:
            a version, or the draft of another run, which is not to be replaced.
    """
    # First, because what is wrong with it shows without opening anything.
    version = Version.parse(request.version)
    if request.replace and not request.draft:
        raise InputError("--replace: goes with --draft; a version is never replaced")
    directory = request.out or environment.workspace.golden
    with run_for_reading(environment.workspace.find_run(request.run)) as run:
        report = report_on(run)
        _refuse_replaced(run, environment)
        if request.draft and not request.replace:
            path = version_path(directory, version, is_draft=True)
            refuse_draft_of_another_run(path, run.manifest.run)
        _refuse_incomplete(report, is_draft=request.draft)
        if request.base is None:
            refuse_returned_alone(report, environment)
        base = _read_base(request, version, run.manifest, directory)
        snapshot = reopen_snapshot(run.manifest, environment, progress)
        progress.phase("measuring the lexical baseline")
        merged = _merge(run, report, snapshot, base)
        progress.phase("measuring the trust card")
        ledger = None if request.draft else ledger_of(environment).head_of_reviews()
        data = dataset_bytes(merged.labels)
        content = ExportedContent(
            version=version,
            data=data,
            merged=merged,
            base=base,
            is_draft=request.draft,
            ledger=ledger,
        )
        metadata = describe_export(content, run, report, snapshot)
    golden = environment.workspace.golden
    former = latest_in(golden)
    export = _publish(content, metadata, directory, may_replace=request.replace)
    newest = latest_in(golden)
    if former is not None and former != newest == export.dataset:
        export = replace(export, former_latest=former)
    if newest is not None and newest != export.dataset and export.dataset.parent == golden:
        export = replace(export, other_latest=newest)
    if not request.draft:
        note_publication("export", export.dataset, run.manifest.run, run.directory, environment)
    return export


def _refuse_replaced(run: OpenRun, environment: Environment) -> None:
    """Refuse a batch that people turned down: its replacement is what may be exported."""
    name = run.manifest.run
    replaced_by = run.review_events.replaced_by or replacement_of(name, environment)
    if replaced_by is not None:
        raise QualityGateError(f"{name}: not exported: {replaced_by} replaces it; export that one")


def _refuse_incomplete(report: RunReport, *, is_draft: bool) -> None:
    if not is_draft:
        missing = list(missing_for_blessing(report))
        if missing:
            advice = "to write what there is without people's word, pass --draft"
            sentences = [*missing, *_next_step(report), advice]
            reasons = "; ".join(sentences)
            raise QualityGateError(f"{report.name}: not exported: {reasons}")
    # Not even a draft may be empty: nothing can be measured with it.
    if report.selected == 0:
        reason = "no record survived"
        if report.state != "complete":
            reason = f"no record is through yet; carry it on: goldwright resume {report.name}"
        raise QualityGateError(f"{report.name}: not exported: {reason}")


def _next_step(report: RunReport) -> Iterator[str]:
    has_too_few_records = report.selected < report.plan.minimum_total
    is_short = has_too_few_records or bool(report.short_cells)
    if report.state == "complete" and is_short and not any(report.check.judged.values()):
        command = f"goldwright resume {report.name} --as-filled"
        yield f"to take what it holds for what was planned: {command}"
    if report.state == "complete" and report.check.outcome == "no_sample":
        yield f"to begin: goldwright review {report.name} --reviewer NAME"
    elif report.check.outcome in ("breached", "unproven"):
        yield f"what can be done: goldwright spot-check {report.name}"


def _read_base(
    request: ExportRequest, version: Version, manifest: RunManifest, directory: Path
) -> BaseDataset | None:
    """Read the version that a run is added to, and make sure that both belong together."""
    name = request.base
    if name is None:
        return None
    base = read_dataset(name, directory)
    metadata = base.metadata
    if metadata is None:
        raise InputError(f"--base {name}: has no metadata, so nothing can be added to it")
    if metadata.dataset_status not in VERSION_STATUSES and not request.draft:
        raise InputError(
            f"--base {name}: is no blessed version, so what it is added to is none; pass --draft"
        )
    if version <= Version.parse(metadata.version):
        raise InputError(
            f"--version {version}: must be newer than the version it adds to, {metadata.version}"
        )
    if metadata.repo_commit != manifest.commit:
        base_commit = metadata.repo_commit[:12]
        run_commit = manifest.commit[:12]
        raise InputError(
            f"--base {name}: stands at commit {base_commit}, "
            f"the run at {run_commit}; rebase it first"
        )
    return BaseDataset(
        version=metadata.version,
        status=metadata.dataset_status,
        sha256=base.file.sha256,
        labels=base.labels,
        batches=metadata.batches,
    )


def _merge(
    run: OpenRun, report: RunReport, snapshot: Snapshot, base: BaseDataset | None
) -> MergedLabels:
    batch = tuple(make_labels(run, report, snapshot))
    if base is None:
        return MergedLabels(batch, renamed={}, left_out=())
    merged = merge_labels(base.labels, batch)
    if len(merged.labels) == len(base.labels):
        count = len(batch)
        raise InputError(
            f"{report.name}: all of its {count} records repeat records of {base.version}"
        )
    return merged


def _publish(
    content: ExportedContent, metadata: DatasetMetadata, directory: Path, *, may_replace: bool
) -> Export:
    path = version_path(directory, content.version, is_draft=content.is_draft)
    replaced_run = None
    if content.is_draft:
        replaced_run = clear_older_draft(
            path, content.data, metadata, may_replace_others=may_replace
        )
    is_new = publish_version(path, content.data, metadata)
    added = None
    if content.base is not None:
        merged_count = len(content.merged.labels)
        added = merged_count - len(content.base.labels)
    return Export(
        dataset=path,
        metadata=metadata_path(path),
        card=card_path(path),
        records=metadata.query_count,
        is_new=is_new,
        notes=metadata.known_limits,
        added=added,
        left_out=content.merged.left_out,
        replaced_run=replaced_run,
        run=metadata.run,
    )
