"""Running a suite: every codebase that has no checkpoint yet, each at its own cost."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment, current_environment
from goldwright.app.export import ExportRequest, export_dataset
from goldwright.app.resume import ResumeRequest, resume_run
from goldwright.app.run import start_run
from goldwright.app.run_preparation import RunRequest
from goldwright.app.run_report import RunReport
from goldwright.app.suite_checkpoints import (
    SuiteCheckpoint,
    SuiteDirectory,
    record_of,
)
from goldwright.app.suite_definition import Suite, SuiteCodebase
from goldwright.canonical import digest_bytes
from goldwright.engine.piece_executors import PieceExecutor, SequentialExecutor, Settled
from goldwright.engine.progress import Progress, SilentProgress
from goldwright.engine.shards import Shard
from goldwright.errors import GoldwrightError, NoRoomError, OutputError, QualityGateError
from goldwright.golden.loading import read_bytes

# Datasets of codebases are parts of one; its version is the one that people see.
_VERSION: Final = "1.0"


@dataclass(frozen=True, slots=True)
class CodebaseTask:
    """A codebase and where its run goes; it can be sent to another process."""

    codebase: SuiteCodebase
    directory: Path


@dataclass(frozen=True, slots=True)
class SuiteState:
    """How a suite stands.

    Attributes:
        name: Its name.
        done: The checkpoints of codebases that are done, in the order of the suite.
        failures: By codebase why it is not done, where it was tried.
        missing: Codebases that are not done, in the order of the suite; failures among them.
        reused: How many were done before this call.
    """

    name: str
    done: tuple[SuiteCheckpoint, ...]
    failures: Mapping[str, str]
    missing: tuple[str, ...]
    reused: int = 0

    def as_json(self) -> dict[str, object]:
        """Give the state for programs."""
        return {
            "suite": self.name,
            "done": [checkpoint.model_dump(mode="json") for checkpoint in self.done],
            "failures": dict(self.failures),
            "missing": list(self.missing),
            "reused": self.reused,
        }


def run_suite(
    suite: Suite,
    directory: Path,
    progress: Progress,
    *,
    shard: Shard | None = None,
    executor: PieceExecutor | None = None,
) -> SuiteState:
    """Compute what is missing of a suite, or of a shard of it.

    Args:
        suite: The codebases.
        directory: Where checkpoints, runs and datasets go, made where it is missing.
        progress: Told of every codebase.
        shard: The share of this call; everything without one.
        executor: Where codebases are computed; here, one after another, without one.

    Returns:
        How the codebases of the shard stand.

    Raises:
        InputError: The directory belongs to something else.
        DamagedStateError: A checkpoint there is not what was written.
        NoRoomError: No codebase could be finished.
    """
    place = SuiteDirectory(directory.absolute())
    place.begin(record_of(suite))
    codebases = suite.of_shard(shard)
    tasks = []
    for codebase in codebases:
        if place.checkpoint(codebase.name, codebase.inputs) is None:
            task = CodebaseTask(codebase, place.piece(codebase.name))
            tasks.append(task)
    for settled in (executor or SequentialExecutor()).settle(compute_codebase, tasks):
        _write(settled, place, progress)
    state = suite_state(place, [codebase.name for codebase in codebases])
    return replace(state, reused=len(codebases) - len(tasks))


def suite_state(place: SuiteDirectory, names: list[str] | None = None) -> SuiteState:
    """Say how a suite stands, from its files.

    Args:
        place: Its directory.
        names: The codebases to look at; all without any.

    Raises:
        InputError: It is the directory of no suite.
        DamagedStateError: A checkpoint is not what was written.
    """
    record = place.record()
    done = []
    failures = {}
    missing = []
    for name in record.inputs if names is None else names:
        checkpoint = place.checkpoint(name, record.inputs[name])
        if checkpoint is not None:
            done.append(checkpoint)
            continue
        missing.append(name)
        failure = place.failure(name)
        if failure is not None:
            failures[name] = failure
    return SuiteState(record.name, tuple(done), failures, tuple(missing))


def compute_codebase(task: CodebaseTask) -> SuiteCheckpoint:
    """Run or carry on one codebase and write its dataset; gives the checkpoint, not yet written.

    Raises:
        GoldwrightError: It cannot be finished.
    """
    codebase = task.codebase
    task.directory.mkdir(parents=True, exist_ok=True)
    environment = replace(current_environment(), root=task.directory)
    report = _play(codebase, environment, SilentProgress())
    if report.state != "complete":
        failed = len(report.failed)
        raise QualityGateError(f"{report.name}: is not finished: {failed} cases failed")
    request = ExportRequest(report.name, _VERSION, draft=True, out=task.directory)
    export = export_dataset(request, environment, SilentProgress())
    data = read_bytes(export.dataset, content="dataset")
    return SuiteCheckpoint(
        codebase=codebase.name,
        inputs=codebase.inputs,
        commit=report.commit,
        run=report.name,
        dataset=export.dataset.name,
        dataset_sha256=digest_bytes(data),
        records=export.records,
        short_cells=tuple(map(str, report.short_cells)),
    )


def _play(codebase: SuiteCodebase, environment: Environment, progress: Progress) -> RunReport:
    # A run that was cut off before it had a manifest did nothing yet.
    if any(environment.workspace.all_runs()):
        return resume_run("latest", ResumeRequest(), environment, progress)
    request = RunRequest(
        plan=str(codebase.plan),
        repo=codebase.repo,
        rev=codebase.rev,
        config=codebase.config,
        seed=codebase.seed,
        allow_dirty=codebase.allow_dirty,
    )
    return start_run(request, environment, progress, announce=_announce_nothing)


def _announce_nothing(name: str) -> None:
    """The run of a codebase is carried on by its suite, not by its name."""


def _write(
    settled: Settled[CodebaseTask, SuiteCheckpoint], place: SuiteDirectory, progress: Progress
) -> None:
    name = settled.task.codebase.name
    if settled.outcome is not None:
        place.save(settled.outcome)
        progress.note(f"{name}: {settled.outcome.records} records")
        return
    error = settled.error
    # A full disk and a reader that is gone would stop every codebase alike.
    if isinstance(error, NoRoomError | OutputError):
        raise error
    message = str(error)
    if not isinstance(error, GoldwrightError):
        message = f"a bug of goldwright: {type(error).__name__}: {error}"
    place.note_failure(name, message)
    progress.note(f"{name}: failed: {message}")
