"""Records to be read: those of a run as they stand, or those of a dataset, with their source."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.queries import DatasetQuery
from goldwright.records import AnswerDraft, FileRange
from goldwright.review.queues import distinct_reasons
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.text import nearest_ids

# More of them show a definition, and not what is said of it.
_MOST_BEARING_LINES: Final = 12
# Ids that are named to whoever asked for one that is not there.
_MOST_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class ShowRequest:
    """What a user wants to read.

    Attributes:
        source: A run or a dataset: a path, a name, a version, or ``latest`` for the newest run.
        query_id: The record; None lists them all.
        repo: The codebase of a dataset, for the source that its records cite; a run knows its own.
        rev: The commit of that codebase; that of the dataset where there is none.
        matching: Of a list, only records with this text in their id, kind, state or question are
            wanted, whatever its case.
    """

    source: str
    query_id: str | None = None
    repo: Path | None = None
    rev: str | None = None
    matching: str = ""


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """One record.

    Attributes:
        query_id: Its id.
        kind: Its task type and difficulty, or its strata; empty where it has none.
        state: Where it stands in its run; empty for a record of a dataset.
        query_text: The question.
        answer: The answer, claim by claim; None where there is none.
        expected_ids: The entities and files that answer the question.
        why: Why it is where it is, a sentence each.
    """

    query_id: str
    kind: str
    state: str
    query_text: str
    answer: AnswerDraft | None
    expected_ids: tuple[str, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """What a list says of it."""
        return f"{self.query_id} {self.kind} {self.state} {self.query_text}"

    @property
    def cited(self) -> tuple[FileRange, ...]:
        """The lines that its answer rests on; none where there is no answer."""
        if self.answer is None:
            return ()
        return (*self.answer.expected_line_ranges, *self.bearing)

    @property
    def bearing(self) -> tuple[FileRange, ...]:
        """The few lines that bear a fact each; those that show a definition whole are none."""
        citations = self.answer.fact_citations if self.answer else ()
        bearing_citations = [
            cited for cited in citations if cited.end - cited.start < _MOST_BEARING_LINES
        ]
        return tuple(
            FileRange(file=cited.file, start=cited.start, end=cited.end)
            for cited in bearing_citations
        )


@dataclass(frozen=True, slots=True)
class Showing:
    """What there is to read.

    Attributes:
        title: Which run or dataset it is.
        records: The record asked for, or all.
        snapshot: The codebase; None where nobody said which it is.
        unlisted: How many questions of a run were turned down before anybody answered them.
    """

    title: str
    records: tuple[ShownRecord, ...]
    snapshot: Snapshot | None
    unlisted: int = 0


def show(request: ShowRequest, environment: Environment, progress: Progress) -> Showing:
    """Find the records that a user wants to read.

    Raises:
        InputError: There is no such run, dataset or record.
        DamagedStateError: A file of the run is not what was written.
    """
    if _is_run(request.source, environment):
        return _show_run(request, environment, progress)
    # Not before: the records of a run are in one form, datasets in many.
    opening = importlib.import_module("goldwright.interchange.opening")
    dataset: LoadedDataset = _open_dataset(request.source, opening.open_dataset, environment)
    all_records = [_of_query(query) for query in dataset.queries]
    records = _choose(all_records, request, request.source)
    snapshot = None
    if request.repo is not None:
        progress.phase("reading the codebase")
        rev = request.rev or _commit_of(dataset)
        snapshot = open_snapshot(request.repo, rev=rev, cache=environment.cache)
    return Showing(dataset.description, records, snapshot)


def _open_dataset(
    source: str, open_dataset: Callable[[str, Path], LoadedDataset], environment: Environment
) -> LoadedDataset:
    try:
        return open_dataset(source, environment.workspace.golden)
    except InputError as error:
        # What neither looks like a file nor like a version may well be meant for a run.
        if "." in source or (environment.root / source).exists():
            raise
        nearest = environment.workspace.near_runs(source)
        raise InputError(f"{source}: no such run; {nearest}; and no dataset") from error


def _commit_of(dataset: LoadedDataset) -> str | None:
    """Give the commit that the records were made from; a plain directory has none."""
    metadata = dataset.metadata
    if metadata is None or metadata.repo_origin != "git":
        return None
    return metadata.repo_commit


def _is_run(source: str, environment: Environment) -> bool:
    return source == "latest" or environment.workspace.run_named(source) is not None


def _show_run(request: ShowRequest, environment: Environment, progress: Progress) -> Showing:
    directory = environment.workspace.find_run(request.source)
    with run_for_reading(directory) as run:
        turned_down = run.stage_files.rejected.done
        candidates = run.stage_files.candidates.done
        unlisted = turned_down.keys() - candidates.keys()
        if request.query_id in unlisted:
            rejected = turned_down[request.query_id]
            rejection = f"the {rejected.stage} rejected it ({rejected.reason}): {rejected.message}"
            # It was turned down before anybody answered it.
            raise InputError(f"{rejected.query_id}: no record of {directory.name}: {rejection}")
        records_of_run = list(_of_run(run))
        records = _choose(records_of_run, request, directory.name)
        # A list of questions needs no source, and opening a large codebase takes seconds.
        snapshot = None
        if request.query_id is not None:
            snapshot = reopen_snapshot(run.manifest, environment, progress)
    description = f"run {directory.name}"
    return Showing(description, records, snapshot, len(unlisted))


def _of_run(run: OpenRun) -> Iterator[ShownRecord]:
    report = report_on(run)
    fates = {record.query_id: record.fate for record in report.record_fates}
    answers = run.stage_files.answers.done
    for query_id, candidate in run.stage_files.candidates.done.items():
        fate = fates.get(query_id, "")
        is_played = fate == "blessed" and report.check.scripted > 0
        state = "by a script" if is_played else fate
        cell = f"{candidate.task_type}/{candidate.difficulty}"
        reasons = tuple(_reasons(run, query_id))
        yield ShownRecord(
            query_id=query_id,
            kind=cell,
            state=state,
            query_text=candidate.query_text,
            answer=answers.get(query_id),
            why=reasons,
        )


def _reasons(run: OpenRun, query_id: str) -> Iterator[str]:
    """Say why a record stopped, from the files that it was stopped in."""
    files = run.stage_files
    rejected = files.rejected.done.get(query_id)
    if rejected is not None:
        yield f"rejected, {rejected.reason}: {rejected.message}"
    failure = files.failures.done.get(query_id)
    for check in failure.failures if failure else ():
        yield f"the gate, {check.check}: {check.claim}: {check.message}"
    queued = files.queue.done.get(query_id)
    if queued is not None:
        for reason in distinct_reasons(queued.reasons):
            yield f"queued: {reason}"


def _of_query(query: DatasetQuery) -> ShownRecord:
    return ShownRecord(
        query_id=query.query_id,
        kind="/".join(query.strata.values()),
        state="",
        query_text=query.query_text,
        answer=query.label,
        expected_ids=query.expected_ids,
    )


def _choose(
    records: Sequence[ShownRecord], request: ShowRequest, source: str
) -> tuple[ShownRecord, ...]:
    if request.query_id is None:
        sought_text = request.matching.lower()
        return tuple(record for record in records if sought_text in record.line.lower())
    chosen = [record for record in records if record.query_id == request.query_id]
    if chosen:
        return tuple(chosen)
    ids = [record.query_id for record in records]
    nearest = nearest_ids(request.query_id, ids)
    names = ", ".join(nearest[:_MOST_NEAREST])
    count = len(ids)
    hint = "it has none"
    if ids:
        hint = f"the nearest of its {count} are {names}"
    if 1 < count == len(nearest):
        first_id = ids[0]
        last_id = ids[-1]
        hint = f"its {count} go from {first_id} to {last_id}"
    raise InputError(f"{request.query_id}: no record of {source}; {hint}")
