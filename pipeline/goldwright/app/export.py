"""Writing the dataset of a run, once: a draft as it stands, or what people blessed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright import __version__
from goldwright.app.environment import Environment
from goldwright.app.program_identity import program_commit, program_digest
from goldwright.app.run import reopened_snapshot
from goldwright.app.run_files import OpenRun, run_for_reading
from goldwright.app.run_report import RunReport, canary_rates, report_on
from goldwright.canonical import digest_bytes
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.blessing import (
    blessing_objections,
    people_behind,
    reviewed_content,
    spot_check_summary,
)
from goldwright.golden.labels import cited_files, dataset_bytes, make_label
from goldwright.golden.loading import metadata_path, parse_dataset, read_bytes
from goldwright.golden.merging import MergedLabels, merge_labels
from goldwright.golden.metadata import BaseVersion, CellCount, DatasetMetadata
from goldwright.golden.publishing import publish_version
from goldwright.golden.verification import source_hashes
from goldwright.golden.versions import Version, checked_metadata, find_dataset
from goldwright.manifest import RunManifest
from goldwright.records import GoldenLabel, Provenance, QueryCandidate
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.review.sample_statements import sample_statements
from goldwright.snapshot import Snapshot
from goldwright.snapshot.clones import same_code
from goldwright.task_types import definition_of
from goldwright.workspace import StageFileName

BASELINE_DEPTH = 10


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What a user asks for; ``base`` is the version (or its file) that the batch is added to."""

    run: str
    version: str
    draft: bool = False
    base: str | None = None
    out: Path | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """The files of an export; ``is_new`` is false where the same dataset stood there already.

    With a base, ``added`` counts the records of the batch that came in, and ``left_out`` names
    those that repeat records of the base.
    """

    dataset: Path
    metadata: Path
    records: int
    is_new: bool
    notes: tuple[str, ...]
    added: int | None = None
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BaseDataset:
    """The version that a batch is added to, read and checked."""

    version: str
    sha256: str
    labels: tuple[GoldenLabel, ...]


def export(request: ExportRequest, environment: Environment, progress: Progress) -> Export:
    """Write a dataset and its metadata, each once.

    Raises:
        QualityGateError: People have not blessed the batch, or it is not complete; every missing
            thing is named.
        InputError: The version is no version, or another dataset stands there under this name.
    """
    request = replace(request, version=str(Version.parse(request.version)))
    directory = request.out or environment.workspace.golden
    with run_for_reading(environment.workspace.find_run(request.run)) as run:
        report = report_on(run)
        missing = list(_missing(report))
        if not request.draft and missing:
            advice = "to write what there is without people's word, pass --draft"
            raise QualityGateError(f"{report.name}: not exported: {'; '.join([*missing, advice])}")
        if report.selected == 0:
            raise QualityGateError(f"{report.name}: not exported: no record survived")
        base = _base(request, run.manifest, directory)
        snapshot = reopened_snapshot(run.manifest, environment, progress)
        progress.phase("measuring the lexical baseline")
        batch = tuple(_labels(run, report, snapshot))
        joined = merge_labels(base.labels, batch) if base else MergedLabels(batch, {}, ())
        if base and len(joined.labels) == len(base.labels):
            raise InputError(
                f"{report.name}: all of its {len(batch)} records repeat records of {base.version}"
            )
        data = dataset_bytes(joined.labels)
        metadata = _metadata(run, report, joined, data, request, base, snapshot)
    done = _publish(data, metadata, directory, request)
    return (
        replace(done, added=len(joined.labels) - len(base.labels), left_out=joined.left_out)
        if base
        else done
    )


def batch_labels(
    run: OpenRun, environment: Environment, progress: Progress
) -> tuple[GoldenLabel, ...]:
    """Give the records that a run has selected, as an export would write them."""
    snapshot = reopened_snapshot(run.manifest, environment, progress)
    progress.phase("measuring the lexical baseline")
    return tuple(_labels(run, report_on(run), snapshot))


def _base(request: ExportRequest, manifest: RunManifest, directory: Path) -> BaseDataset | None:
    if request.base is None:
        return None
    found = find_dataset(request.base, directory)
    data = read_bytes(found.path, what="dataset")
    metadata = checked_metadata(found, data)
    if metadata is None or metadata.dataset_status != "human_blessed":
        raise InputError(
            f"--base {request.base}: is no blessed version, so nothing can be added to it"
        )
    if Version.parse(request.version) <= Version.parse(metadata.version):
        raise InputError(
            f"--version {request.version}: must be newer than the version it adds to, {metadata.version}"
        )
    if metadata.repo_commit != manifest.commit:
        raise InputError(
            f"--base {request.base}: stands at commit {metadata.repo_commit[:12]}, the run at {manifest.commit[:12]}; "
            "rebase it first"
        )
    return BaseDataset(
        metadata.version, digest_bytes(data), parse_dataset(data, source=str(found.path))
    )


def _missing(report: RunReport) -> Iterator[str]:
    if report.state != "complete":
        yield f"the run is not finished (goldwright resume {report.name})"
    if report.selected < report.plan.minimum_total:
        yield f"{report.selected} records, where at least {report.plan.minimum_total} are wanted"
    for cell in report.short_cells:
        yield f"{cell} holds {report.filled(cell)} of {report.plan.target(cell)}"
    yield from blessing_objections(report.check)


def _labels(run: OpenRun, report: RunReport, snapshot: Snapshot) -> Iterator[GoldenLabel]:
    baseline, review_state = BM25Retriever.over(snapshot), run.review_state
    chosen = [one.query_id for one in report.standings if one.fate in {"pending", "blessed"}]
    found = {query_id: reviewed_content(query_id, review_state) for query_id in chosen}
    named = {entity_id for content, _ in found.values() for entity_id in content.answer.entity_ids}
    clones = same_code(snapshot, sorted(named))
    for query_id, (content, settled) in found.items():
        hits = {
            hit.entity_id
            for hit in baseline.search(content.candidate.query_text, limit=BASELINE_DEPTH)
        }
        primary = {
            entity.entity_id
            for entity in content.answer.expected_entities
            if entity.role == "primary"
        }
        people = people_behind(query_id, content, settled, review_state)
        yield make_label(
            content,
            _agents_behind(query_id, run).model_copy(update=people),
            baseline_answerable=bool(hits & primary),
            alternatives={one: clones[one] for one in content.answer.entity_ids if one in clones},
        )


def _agents_behind(query_id: str, run: OpenRun) -> Provenance:
    stage_files = run.stage_files
    candidate = stage_files.candidates.done[query_id]
    report, verdict = (
        stage_files.reports.done.get(query_id),
        stage_files.verdicts.done.get(query_id),
    )
    return Provenance(
        query_author=candidate.authored_by,
        oracle=stage_files.answers.done[query_id].authored_by,
        adversary=report.authored_by if report else None,
        judge=verdict.authored_by if verdict else None,
        prompt_digests=_prompts_of(candidate, run.manifest),
    )


def _prompts_of(candidate: QueryCandidate, manifest: RunManifest) -> dict[str, str]:
    """The digests of the prompts that a record's models played by; roles played offline have none."""
    names = {"author": ("author_preamble", definition_of(candidate.task_type).prompt)}
    played = [name for role in manifest.models for name in names.get(role, (role,))]
    return {name: manifest.prompt_digests[name] for name in sorted(played)}


def _metadata(
    run: OpenRun,
    report: RunReport,
    joined: MergedLabels,
    data: bytes,
    request: ExportRequest,
    base: BaseDataset | None,
    snapshot: Snapshot,
) -> DatasetMetadata:
    manifest, labels = run.manifest, joined.labels
    reviews = run.directory.stage_path(StageFileName.HUMAN_REVIEWS)
    return DatasetMetadata(
        version=request.version,
        dataset_status="agent_curated_pending_human_review" if request.draft else "human_blessed",
        dataset_sha256=digest_bytes(data),
        query_count=len(labels),
        cells=tuple(_cell_counts(report)),
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
        canaries=canary_rates(report.canaries),
        prompt_digests=manifest.prompt_digests,
        stage_versions=manifest.stage_versions,
        human_reviewers=tuple(
            sorted({name for names in report.check.reviewers.values() for name in names})
        ),
        sittings={
            str(sitting): names for sitting, names in report.check.reviewers.items() if names
        },
        spot_check=None
        if request.draft
        else spot_check_summary(report.check, reviews_sha256=digest_bytes(reviews.read_bytes())),
        base=_base_version(base, joined) if base else None,
        total_tokens=report.total_tokens,
        usd=report.usd,
        low_confidence=tuple(one.query_id for one in labels if one.confidence == "low"),
        source_file_hashes=source_hashes(cited_files(labels), snapshot),
        known_limits=tuple(_known_limits(report, manifest, is_draft=request.draft)),
    )


def _base_version(base: BaseDataset, joined: MergedLabels) -> BaseVersion:
    return BaseVersion(
        version=base.version,
        dataset_sha256=base.sha256,
        query_count=len(base.labels),
        renamed=joined.renamed,
        left_out=joined.left_out,
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


def _known_limits(report: RunReport, manifest: RunManifest, *, is_draft: bool) -> Iterator[str]:
    if is_draft:
        yield "People have not confirmed these records; do not call this dataset blessed."
    elif manifest.plan.is_return:
        yield "These records came back from a rebase; one person decided each of them, and no sample was drawn."
    else:
        yield from sample_statements(report.check)
    offline = [role for role in manifest.roles if role not in manifest.models]
    if offline:
        yield f"Static analysis of one codebase at one commit played: {', '.join(offline)}."
    if manifest.allow_same_family:
        yield "Oracle and other roles may be models of one family, which share their mistakes."
    if report.selected < report.plan.minimum_total:
        yield f"The batch holds {report.selected} records, fewer than the {report.plan.minimum_total} its plan wants."
    for cell in report.short_cells:
        yield f"The cell {cell} holds {report.filled(cell)} of {report.plan.target(cell)} records."


def _publish(
    data: bytes, metadata: DatasetMetadata, directory: Path, request: ExportRequest
) -> Export:
    ending = ".draft" if request.draft else ""
    path = directory / f"golden_v{request.version}{ending}.json"
    is_new = publish_version(path, data, metadata)
    return Export(
        path, metadata_path(path), metadata.query_count, is_new=is_new, notes=metadata.known_limits
    )
