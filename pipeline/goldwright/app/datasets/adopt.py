"""Adopting a dataset of others: its queries become records of ours, as far as they can be checked.

What the codebase tells is filled in: ids, files, lines, how hard plain search finds a query. What
only people can tell waits for them, in a run of its own.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright import __version__
from goldwright.app.environment import Environment
from goldwright.app.program_identity import program_commit, program_digest
from goldwright.app.runs.return_run import ReturnedRecord, create_return_run
from goldwright.atomic_files import is_taken
from goldwright.canonical import digest, digest_bytes
from goldwright.engine.progress import Progress
from goldwright.errors import GoldwrightError, InputError
from goldwright.golden.adoption import AdoptedRecord, adopt_queries
from goldwright.golden.batch_summaries import CellCount
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.foreign import AuditReport, audit
from goldwright.golden.labels import cited_files, dataset_bytes
from goldwright.golden.loading import card_path, metadata_path
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.publishing import clear_older_draft, publish_version, unchanged_draft
from goldwright.golden.verification import source_hashes
from goldwright.golden.versions import Version, find_dataset, version_path
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.interchange.opening import check_scorable, open_dataset
from goldwright.records import ADOPTED, GoldenLabel, TaskType
from goldwright.snapshot import Snapshot, open_snapshot

# What one plan may ask for; a run holds a plan.
MOST_RECORDS: Final = 10_000
# Records whose problem is named where none can be adopted: enough to see what they share.
_MOST_EXPLAINED: Final = 3
# Findings that are about the codebase and not about a record; people see them as reasons.
_ABSENT_FACTS: Final = "empty_facts"


@dataclass(frozen=True, slots=True)
class AdoptRequest:
    """What a user asks of an adoption.

    Attributes:
        dataset: The file or folder.
        repo: The codebase that it is about.
        rev: The commit; HEAD where there is none.
        version: The version to write; None for the first one that is free.
        out: The directory to write to; ``golden/`` where there is none.
        task_type: The task type of queries that state none that Goldwright knows.
        allow_dirty: Whether to pin the files of the work tree as they are.
        fields: Which field of a list or table holds what; None where a reader is to know.
        replace: Whether a draft that was adopted earlier may give its place.
    """

    dataset: str
    repo: Path
    rev: str | None = None
    version: str | None = None
    out: Path | None = None
    task_type: TaskType = "general"
    allow_dirty: bool = False
    fields: FieldMapping | None = None
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Adoption:
    """The outcome of an adoption.

    Attributes:
        source: Which dataset it was, with its digest.
        format: The name of its format.
        commit: The commit of the codebase.
        adopted: The records that pass every check that can be made.
        stopped: The others, with what is wrong.
        dataset: The file of the adopted records; None where there are none.
        run: The run in which people decide on all of them.
        notes: What was filled in and what is missing, a sentence each.
    """

    source: str
    format: str
    commit: str
    adopted: tuple[AdoptedRecord, ...]
    stopped: tuple[AdoptedRecord, ...]
    dataset: Path | None
    run: str
    notes: tuple[str, ...]


def adopt_dataset(request: AdoptRequest, environment: Environment, progress: Progress) -> Adoption:
    """Make a dataset of ours from one of others, and a run in which people decide on its records.

    Raises:
        InputError: The dataset or the codebase cannot be read, the dataset is ours already or not
            about this codebase, or the version is taken.
    """
    dataset = _open(request, environment)
    version, path = _target(request, environment)
    progress.phase("reading the codebase")
    snapshot = open_snapshot(
        request.repo, rev=request.rev, cache=environment.cache, allow_dirty=request.allow_dirty
    )
    progress.phase("checking every record")
    records = adopt_queries(
        dataset.queries,
        snapshot,
        request.repo,
        name=dataset.name,
        task_type=request.task_type,
    )
    adopted = tuple(record for record in records if record.is_sound)
    stopped = tuple(record for record in records if not record.is_sound)
    if not adopted and all(record.unresolved for record in stopped):
        raise InputError(
            f"{dataset.path}: none of its ids is an entity or a file of {request.repo}: "
            + _name_problems(stopped)
        )
    report = audit(dataset.format, dataset.queries, snapshot)
    newest = _newest(path.parent)
    notes = tuple(_notes(dataset, records, adopted))
    returned_records = _returned(records, report, dataset)
    # The run first: a version that exists must not lack records which nobody can find any more.
    run = create_return_run("adopt", returned_records, snapshot, request.repo, environment)
    if adopted:
        labels = tuple(record.label for record in adopted)
        data = dataset_bytes(labels)
        metadata = _metadata(version, dataset, labels, data, snapshot, run, notes)
        if request.replace:
            clear_older_draft(path, data, metadata, may_replace_others=True)
        publish_version(path, data, metadata)
        # Whoever names the newest dataset from now on gets this one.
        if newest is not None and _newest(path.parent) != newest:
            latest_note = f"latest is {path.name} from now on, and no longer {newest.name}."
            notes = (*notes, latest_note)
    return Adoption(
        source=dataset.description,
        format=dataset.format,
        commit=snapshot.commit,
        adopted=adopted,
        stopped=stopped,
        dataset=path if adopted else None,
        run=run,
        notes=notes,
    )


def _name_problems(stopped: Sequence[AdoptedRecord]) -> str:
    """Say what is wrong with the first few records, for each may be wrong in its own way."""
    problems = []
    for record in stopped[:_MOST_EXPLAINED]:
        query_id = record.label.query_id
        first_problem = record.problems[0]
        problems.append(f"{query_id}: {first_problem}")
    further = len(stopped) - len(problems)
    if further > 0:
        problems.append(f"{further} more")
    return "; ".join(problems)


def _newest(directory: Path) -> Path | None:
    try:
        return find_dataset(None, directory).path
    except GoldwrightError:
        return None


def _open(request: AdoptRequest, environment: Environment) -> LoadedDataset:
    golden_directory = environment.workspace.golden
    dataset = open_dataset(request.dataset, golden_directory, request.fields)
    if dataset.is_own:
        raise InputError(f"{dataset.path}: is a dataset of Goldwright already")
    check_scorable(dataset)
    if all(query.label is not None for query in dataset.queries):
        # Adopted, they would lose their citations, and with them the gate.
        raise InputError(
            f"{dataset.path}: holds whole records of Goldwright; give the dataset back with: "
            f"goldwright convert {request.dataset} --from {dataset.format} --out FILE.json"
        )
    if any(query.corpus_commit for query in dataset.queries):
        raise InputError(
            f"{dataset.path}: its queries are pinned to commits of their own, and our records are "
            "about one; mine without --at-parent"
        )
    count = len(dataset.queries)
    if count > MOST_RECORDS:
        raise InputError(f"{dataset.path}: {count} queries; at most {MOST_RECORDS} are adopted")
    return dataset


def _target(request: AdoptRequest, environment: Environment) -> tuple[Version, Path]:
    """Give the version and path of the dataset; before anything is written, they must be free."""
    directory = request.out or environment.workspace.golden
    if request.version is None:
        if request.replace:
            raise InputError("--replace: say which draft is replaced, with --version")
        return _first_free(directory)
    version = Version.parse(request.version)
    path = _draft_path(directory, version)
    taken_file = _taken_file(path)
    if taken_file is None or (request.replace and _is_adopted_draft(path)):
        return version, path
    if request.replace:
        raise InputError(f"{taken_file}: is no draft that was adopted; take another --version")
    remedy = "take another --version"
    if _is_adopted_draft(path):
        remedy = f"{remedy}, or pass --replace to replace it"
    raise InputError(f"{taken_file}: is there already; {remedy}")


def _draft_path(directory: Path, version: Version) -> Path:
    # No person has confirmed it, so its name is that of a draft.
    return version_path(directory, version, is_draft=True)


def _first_free(directory: Path) -> tuple[Version, Path]:
    """Find the first version, as 1.0, 2.0, of which there is neither a draft nor a dataset."""
    versions = (Version(major, 0) for major in itertools.count(1))
    version = next(version for version in versions if _is_free(directory, version))
    return version, _draft_path(directory, version)


def _is_free(directory: Path, version: Version) -> bool:
    blessed = version_path(directory, version, is_draft=False)
    draft = _draft_path(directory, version)
    return not is_taken(blessed) and _taken_file(draft) is None


def _taken_file(path: Path) -> Path | None:
    """Find what stands where a dataset or what belongs to it would be written."""
    files = (path, metadata_path(path), card_path(path))
    return next((file for file in files if is_taken(file)), None)


def _is_adopted_draft(path: Path) -> bool:
    draft = unchanged_draft(path)
    return draft is not None and draft.dataset_status == "adopted_pending_human_review"


def _returned(
    records: Sequence[AdoptedRecord], report: AuditReport, dataset: LoadedDataset
) -> list[ReturnedRecord]:
    """Give each record with what people should look at: nobody has confirmed any of them."""
    findings: dict[int, list[str]] = {}
    for defect in report.defects:
        if defect.code != _ABSENT_FACTS:
            text = f"{defect.code}: {defect.message}"
            findings.setdefault(defect.record, []).append(text)
    returned = []
    for number, record in enumerate(records, start=1):
        origin = f"adopted from {dataset.name} ({dataset.format}), confirmed by nobody"
        findings_of_record = findings.get(number, ())
        reasons = (origin, *record.problems, *findings_of_record, *record.open_questions)
        returned.append(ReturnedRecord(record.label, reasons))
    return returned


def _notes(
    dataset: LoadedDataset, records: Sequence[AdoptedRecord], adopted: Sequence[AdoptedRecord]
) -> Iterator[str]:
    yield (
        f"Adopted from {dataset.name} ({dataset.format}, {dataset.sha256}); no person has "
        "confirmed these records, and no agent made them: do not call this dataset blessed."
    )
    query_count = len(records)
    lost_count = query_count - len(adopted)
    if lost_count > 0:
        yield f"{lost_count} of {query_count} queries did not come along."
    labels = [record.label for record in adopted]
    total = len(labels)
    without_facts = sum(not label.must_mention_facts for label in labels)
    if without_facts:
        share = f"{without_facts} of {total} records"
        yield f"{share} hold no facts, so no answer can be judged by them."
    without_narrative = sum(not label.canonical_narrative for label in labels)
    if without_narrative:
        yield f"{without_narrative} of {total} records hold no canonical answer."
    filled = Counter(field for record in adopted for field in record.filled_in)
    for field, count in sorted(filled.items()):
        value = ""
        if field == "task_type":
            # All queries that state none get the same one.
            task_types = {record.label.task_type for record in adopted if field in record.filled_in}
            value = f" ({', '.join(task_types)})"
        yield f"{field}{value} was filled in for {count} of {total} records."
    yield from dataset.notes


def _metadata(
    version: Version,
    dataset: LoadedDataset,
    labels: Sequence[GoldenLabel],
    data: bytes,
    snapshot: Snapshot,
    run: str,
    notes: tuple[str, ...],
) -> DatasetMetadata:
    author = f"{ADOPTED}{dataset.name}"
    return DatasetMetadata(
        version=str(version),
        dataset_status="adopted_pending_human_review",
        dataset_sha256=digest_bytes(data),
        query_count=len(labels),
        cells=tuple(_cells(labels)),
        repo_commit=snapshot.commit,
        repo_tree=snapshot.tree,
        repo_origin=snapshot.origin,
        pipeline_version=__version__,
        pipeline_commit=program_commit(),
        pipeline_digest=program_digest(),
        run=run,
        plan="adopt",
        plan_digest=digest({"adopted": dataset.sha256}),
        seed=0,
        roles={"author": author, "oracle": author},
        models={},
        families={},
        allow_same_family=False,
        canaries={},
        prompt_digests={},
        stage_versions={},
        human_reviewers=(),
        total_tokens=0,
        usd=0.0,
        low_confidence=(),
        source_file_hashes=source_hashes(cited_files(labels), snapshot),
        known_limits=notes,
    )


def _cells(labels: Sequence[GoldenLabel]) -> Iterator[CellCount]:
    counts = Counter((label.task_type, label.difficulty) for label in labels)
    for (task_type, difficulty), count in sorted(counts.items()):
        yield CellCount(
            task_type=task_type,
            difficulty=difficulty,
            target=count,
            count=count,
            emitted=count,
            fates={"pending": count},
        )
