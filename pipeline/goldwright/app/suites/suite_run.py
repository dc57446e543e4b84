"""Running a suite: every codebase that has no checkpoint yet, each at its own cost."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.app.suites.suite_checkpoints import (
    SuiteCheckpoint,
    SuiteDirectory,
    record_of,
)
from goldwright.app.suites.suite_definition import Suite
from goldwright.app.suites.suite_piece import CodebaseTask, compute_codebase
from goldwright.app.suites.suite_shipping import settle_elsewhere
from goldwright.engine.piece_executors import PieceExecutor, SequentialExecutor, Settled
from goldwright.engine.progress import Progress
from goldwright.engine.ray_executor import RayExecutor
from goldwright.engine.shards import Shard
from goldwright.errors import GoldwrightError, NoRoomError, OutputError
from goldwright.text import counted


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
        checkpoints = [checkpoint.model_dump(mode="json") for checkpoint in self.done]
        missing = list(self.missing)
        return {
            "suite": self.name,
            "done": checkpoints,
            "failures": dict(self.failures),
            "missing": missing,
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
    # Whatever ends this call early cancels what is under way elsewhere.
    with closing(_settle(executor or SequentialExecutor(), tasks)) as results:
        for settled in results:
            _write(settled, place, progress)
    state = suite_state(place, [codebase.name for codebase in codebases])
    return replace(state, reused=len(codebases) - len(tasks))


def _settle(
    executor: PieceExecutor, tasks: Sequence[CodebaseTask]
) -> Generator[Settled[CodebaseTask, SuiteCheckpoint], None, None]:
    if isinstance(executor, RayExecutor):
        return settle_elsewhere(executor, tasks)
    return executor.settle(compute_codebase, tasks)


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
    checkpoints = []
    failures = {}
    missing = []
    for name in record.inputs if names is None else names:
        checkpoint = place.checkpoint(name, record.inputs[name])
        if checkpoint is not None:
            checkpoints.append(checkpoint)
            continue
        missing.append(name)
        failure = place.failure(name)
        if failure is not None:
            failures[name] = failure
    return SuiteState(record.name, tuple(checkpoints), failures, tuple(missing))


def _write(
    settled: Settled[CodebaseTask, SuiteCheckpoint], place: SuiteDirectory, progress: Progress
) -> None:
    name = settled.task.codebase.name
    if settled.outcome is not None:
        place.save(settled.outcome)
        records = counted(settled.outcome.records, "record")
        progress.note(f"{name}: {records}")
        return
    error = settled.error
    # A full disk and a reader that is gone would stop every codebase alike.
    if isinstance(error, NoRoomError | OutputError):
        raise error
    message = str(error)
    if not isinstance(error, GoldwrightError):
        kind = type(error).__name__
        message = f"a bug of goldwright: {kind}: {error}"
    place.note_failure(name, message)
    progress.note(f"{name}: failed: {message}")
