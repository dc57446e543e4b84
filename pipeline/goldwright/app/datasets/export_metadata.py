"""The metadata of an export: where it came from, who made it, and what it cannot claim."""

from collections.abc import Iterator
from dataclasses import dataclass

from goldwright import __version__
from goldwright.app.program_identity import program_commit, program_digest
from goldwright.app.runs.adversary_power import power_limits
from goldwright.app.runs.label_recall import run_label_recall
from goldwright.app.runs.run_files import OpenRun
from goldwright.app.runs.run_report import RunReport
from goldwright.app.runs.trust_cards import card_of_labels
from goldwright.canonical import digest_bytes
from goldwright.golden.batch_summaries import (
    BatchSummary,
    CellCount,
    bound_of,
    cells_of,
    counted_cells,
    floor_shortfalls,
    remaining_batches,
    reviewers_of,
    sittings_of,
)
from goldwright.golden.human_provenance import spot_check_summary
from goldwright.golden.labels import cited_files
from goldwright.golden.ledger import LedgerHead
from goldwright.golden.merging import MergedLabels
from goldwright.golden.metadata import VERSION_STATUSES, BaseVersion, DatasetMetadata, DatasetStatus
from goldwright.golden.spot_check_summaries import SpotCheckSummary
from goldwright.golden.verification import source_hashes
from goldwright.golden.versions import Version
from goldwright.manifest import RunManifest
from goldwright.records import GoldenLabel
from goldwright.regular_files import read_regular
from goldwright.review.sample_statements import sample_statements
from goldwright.review.spot_check import SpotCheck
from goldwright.snapshot import Snapshot
from goldwright.text import counted
from goldwright.trust_card.figure_records import figure_records
from goldwright.workspace import StageFileName


@dataclass(frozen=True, slots=True)
class BaseDataset:
    """The version that a batch is added to, read and checked."""

    version: str
    status: DatasetStatus
    sha256: str
    labels: tuple[GoldenLabel, ...]
    batches: tuple[BatchSummary, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportedContent:
    """What is written, before it is described.

    Attributes:
        version: The number of the version.
        data: The bytes of the dataset.
        merged: Its labels, with the ids that were renamed or left out because of the base.
        base: The version that the batch was added to, None for a dataset of the batch alone.
        is_draft: Whether people have not confirmed it.
        ledger: The last entry of the ledger before it; None for a draft.
    """

    version: Version
    data: bytes
    merged: MergedLabels
    base: BaseDataset | None
    is_draft: bool
    ledger: LedgerHead | None = None


def describe_export(
    content: ExportedContent, run: OpenRun, report: RunReport, snapshot: Snapshot
) -> DatasetMetadata:
    """Describe the dataset of a run.

    Args:
        content: The dataset.
        run: The run, open.
        report: The same run summed up.
        snapshot: Its codebase.
    """
    manifest = run.manifest
    labels = content.merged.labels
    batches = _batches(content, run, report)
    # The same run and codebase always give the same metadata: nothing here reads a clock.
    return DatasetMetadata(
        version=str(content.version),
        dataset_status=_status(content, batches),
        dataset_sha256=digest_bytes(content.data),
        query_count=len(labels),
        cells=cells_of(batches),
        repo_commit=manifest.commit,
        repo_tree=manifest.tree,
        repo_origin=manifest.origin,
        pipeline_version=__version__,
        pipeline_commit=program_commit(),
        pipeline_digest=program_digest(),
        run=manifest.run,
        plan=manifest.plan.name,
        plan_digest=manifest.plan_digest,
        seed=manifest.seed,
        roles=manifest.roles,
        models=manifest.models,
        families=manifest.families,
        allow_same_family=manifest.allow_same_family,
        retired_agents=manifest.retired,
        canaries=report.canary_rates,
        adversary_power=manifest.adversary_power,
        prompt_digests=manifest.prompt_digests,
        stage_versions=manifest.stage_versions,
        human_reviewers=reviewers_of(batches),
        sittings=sittings_of(batches),
        spot_check=batches[-1].spot_check,
        trust_card=figure_records(card_of_labels(labels, snapshot)),
        label_recall=run_label_recall(run, report.record_fates),
        base=_base_version(content),
        total_tokens=report.total_tokens,
        usd=report.usd,
        low_confidence=low_confidence_ids(labels),
        ledger=content.ledger,
        batches=batches,
        bound=None if content.is_draft else bound_of(batches),
        source_file_hashes=source_hashes(cited_files(labels), snapshot),
        known_limits=(
            *_limits_of_base(content, batches),
            *_known_limits(report, manifest, is_draft=content.is_draft),
        ),
    )


def _status(content: ExportedContent, batches: tuple[BatchSummary, ...]) -> DatasetStatus:
    if content.is_draft:
        if content.base is not None and content.base.status not in VERSION_STATUSES:
            return content.base.status
        return "agent_curated_pending_human_review"
    if any(batch.scripted_events for batch in batches):
        return "scripted_review"
    if any(_floors_still_missed(content, batches)):
        return "human_blessed_below_floors"
    return "human_blessed"


def _batches(content: ExportedContent, run: OpenRun, report: RunReport) -> tuple[BatchSummary, ...]:
    """Give the batches of the base and the one that is exported, with what is left of each."""
    check = report.check
    plan = report.plan
    base_ids: set[str] = set()
    earlier: tuple[BatchSummary, ...] = ()
    if content.base is not None:
        base_ids = {label.query_id for label in content.base.labels}
        earlier = content.base.batches
    labels = content.merged.labels
    added = [label for label in labels if label.query_id not in base_ids]
    cells = counted_cells(_cell_counts(report), added)
    summary = None
    if not content.is_draft:
        summary = _spot_check(run, check)
    batch = BatchSummary(
        version=str(content.version),
        run=run.manifest.run,
        plan=run.manifest.plan.name,
        query_ids=tuple(label.query_id for label in added),
        cells=tuple(cells),
        human_reviewers=_reviewers(check),
        sittings=_sittings(check),
        spot_check=summary,
        scripted_events=check.scripted,
        minimum_total=plan.minimum_total,
        minimum_cell_share=plan.minimum_cell_share,
    )
    return (*remaining_batches(earlier, labels), batch)


def low_confidence_ids(labels: tuple[GoldenLabel, ...]) -> tuple[str, ...]:
    """Give the ids of the records whose Oracle was not sure."""
    unsure = [label for label in labels if label.confidence == "low"]
    return tuple(label.query_id for label in unsure)


def _cell_counts(report: RunReport) -> Iterator[CellCount]:
    for cell in report.plan.filled_cells():
        counts = report.in_cell(cell)
        target = report.plan.target(cell)
        fates: dict[str, int] = {fate: counts[fate] for fate in sorted(counts)}
        yield CellCount(
            task_type=cell.task_type,
            difficulty=cell.difficulty,
            target=target,
            count=report.filled(cell),
            emitted=counts.total(),
            fates=fates,
        )


def _reviewers(check: SpotCheck) -> tuple[str, ...]:
    names: set[str] = set()
    for sitting_names in check.reviewers.values():
        names.update(sitting_names)
    return tuple(sorted(names))


def _sittings(check: SpotCheck) -> dict[str, tuple[str, ...]]:
    sittings = {}
    for sitting, names in check.reviewers.items():
        if names:
            sittings[str(sitting)] = names
    return sittings


def _spot_check(run: OpenRun, check: SpotCheck) -> SpotCheckSummary | None:
    reviews = run.directory.stage_path(StageFileName.HUMAN_REVIEWS)
    return spot_check_summary(check, reviews_sha256=digest_bytes(read_regular(reviews)))


def _base_version(content: ExportedContent) -> BaseVersion | None:
    base = content.base
    if base is None:
        return None
    return BaseVersion(
        version=base.version,
        dataset_sha256=base.sha256,
        query_count=len(base.labels),
        renamed=content.merged.renamed,
        left_out=content.merged.left_out,
    )


def _limits_of_base(content: ExportedContent, batches: tuple[BatchSummary, ...]) -> Iterator[str]:
    """Say which floors the whole version misses, and which records the limits below are about."""
    base = content.base
    if base is None:
        return
    yield from _floors_still_missed(content, batches)
    added = len(batches[-1].query_ids)
    records = "1 record that was" if added == 1 else f"{added} records that were"
    yield (
        f"What follows was said of the {records} added to version {base.version}; "
        f"the limits of the other {len(base.labels)} stand on its card."
    )


def _floors_still_missed(
    content: ExportedContent, batches: tuple[BatchSummary, ...]
) -> Iterator[str]:
    """Say which floors a rebase of the base left behind, and the added records do not reach."""
    base = content.base
    if base is not None and base.status == "human_blessed_below_floors":
        yield from floor_shortfalls(batches)


def _known_limits(report: RunReport, manifest: RunManifest, *, is_draft: bool) -> Iterator[str]:
    if is_draft:
        yield "People have not confirmed these records; do not call this dataset blessed."
    elif manifest.plan.name == "adopt":
        yield (
            "These records were adopted from a dataset of others; one person decided each of "
            "them, and no sample was drawn. Facts and answers are those that it had, if any."
        )
    elif manifest.plan.is_return:
        yield (
            "These records came back from a rebase; one person decided each of them, "
            "and no sample was drawn."
        )
    else:
        yield from sample_statements(report.check)
    # What static analysis can say is narrower than what a model or a person can.
    offline = [role for role in manifest.roles if role not in manifest.models]
    # Nobody but its authors and people had a part in an adopted dataset.
    if offline and manifest.plan.name != "adopt":
        yield f"Static analysis of one codebase at one commit played: {', '.join(offline)}."
    yield from power_limits(
        report.canary_rates,
        report.power,
        report.weak_adversaries,
        is_unknown=report.is_power_unknown,
    )
    yield from _limits_of_making(report, manifest)


def _limits_of_making(report: RunReport, manifest: RunManifest) -> Iterator[str]:
    if manifest.allow_same_family:
        yield "Oracle and other roles may be models of one family, which share their mistakes."
    if report.check.scripted:
        yield (
            f"{counted(report.check.scripted, 'review event')} came from a script: "
            "this shows how a blessing works, and nothing about the records."
        )
    minimum = report.plan.minimum_total
    if report.selected < minimum:
        yield (
            f"The batch holds {counted(report.selected, 'record')} of the {report.plan.total} that "
            f"its plan is for, where at least {minimum} are wanted."
        )
    short_cells = list(_short_cells(report))
    if short_cells:
        yield f"Cells with fewer records than the plan wants: {', '.join(short_cells)}."


def _short_cells(report: RunReport) -> Iterator[str]:
    for cell in report.plan.filled_cells():
        filled = report.filled(cell)
        target = report.plan.target(cell)
        if filled < target:
            yield f"{cell} {filled} of {target}"
