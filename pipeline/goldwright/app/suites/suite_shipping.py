"""Codebases computed where their files are not: the codebase travels there, and its piece back."""

import io
import shutil
import tarfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from goldwright import __version__
from goldwright.app.suites.suite_checkpoints import SuiteCheckpoint, replace_piece
from goldwright.app.suites.suite_definition import SuiteCodebase
from goldwright.app.suites.suite_piece import CodebaseTask, compute_codebase
from goldwright.engine.piece_executors import Settled
from goldwright.engine.ray_executor import Parcel, RayExecutor
from goldwright.errors import GoldwrightError, InputError


@dataclass(frozen=True, slots=True)
class ShippedCodebase:
    """What a node needs to know of a codebase; its files come beside it.

    Attributes:
        codebase: The codebase, whose directory means nothing there.
        plan: The bytes of the plan.
        settings: The bytes of the settings; None where there are none.
        version: Of goldwright, where the suite was read.
    """

    codebase: SuiteCodebase
    plan: bytes
    settings: bytes | None
    version: str


@dataclass(frozen=True, slots=True)
class ReturnedCodebase:
    """A codebase that was computed elsewhere: its checkpoint, and its directory as an archive."""

    checkpoint: SuiteCheckpoint
    archive: bytes


def settle_elsewhere(
    executor: RayExecutor, tasks: Sequence[CodebaseTask]
) -> Generator[Settled[CodebaseTask, SuiteCheckpoint], None, None]:
    """Compute codebases on a cluster; each one's directory is in place when it is given."""
    by_name = {task.codebase.name: task for task in tasks}
    parcels = map(_parcel, tasks)
    with closing(executor.settle_parcels(compute_shipped, parcels)) as results:
        yield from _received(results, by_name)


def _received(
    results: Iterable[Settled[Any, ReturnedCodebase]], by_name: Mapping[str, CodebaseTask]
) -> Iterator[Settled[CodebaseTask, SuiteCheckpoint]]:
    for settled in results:
        task = by_name[settled.task.codebase.name]
        if settled.outcome is None:
            yield Settled(task, error=settled.error)
            continue
        try:
            _put_in_place(settled.outcome, task.directory)
        except GoldwrightError as error:
            yield Settled(task, error=error)
        else:
            yield Settled(task, settled.outcome.checkpoint)


def compute_shipped(shipped: ShippedCodebase, source: bytes) -> ReturnedCodebase:
    """Compute a codebase in a directory of its own, which is gone afterwards.

    Raises:
        InputError: The node has another version of goldwright.
        GoldwrightError: The codebase cannot be finished.
    """
    if shipped.version != __version__:
        raise InputError(f"a node has goldwright {__version__}, not {shipped.version}")
    with TemporaryDirectory(prefix="goldwright-") as name:
        place = Path(name)
        unpack(source, place / "code")
        plan = place / "plan.json"
        plan.write_bytes(shipped.plan)
        config = None
        if shipped.settings is not None:
            config = place / "settings.toml"
            config.write_bytes(shipped.settings)
        codebase = replace(shipped.codebase, repo=place / "code", plan=plan, config=config)
        task = CodebaseTask(codebase, place / "piece", place / "cache")
        checkpoint = compute_codebase(task)
        return ReturnedCodebase(checkpoint, pack(place / "piece"))


def pack(directory: Path) -> bytes:
    """Put a directory into an archive, history and all.

    Raises:
        InputError: It cannot be read.
    """
    buffer = io.BytesIO()
    try:
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            archive.add(directory, arcname=".")
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{directory}: cannot be read: {reason}") from error
    return buffer.getvalue()


def unpack(data: bytes, directory: Path) -> None:
    """Take an archive apart; nothing in it may lie or point outside the directory.

    Raises:
        InputError: It cannot be written, or something in it leads outside.
    """
    if not hasattr(tarfile, "data_filter"):
        raise InputError("codebases come back from other machines with Python 3.11.4 or later")
    try:
        directory.mkdir(parents=True)
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(directory, filter="data")
    except (OSError, tarfile.TarError) as error:
        raise InputError(f"{directory}: cannot be unpacked: {error}") from error


def _parcel(task: CodebaseTask) -> Parcel:
    codebase = task.codebase
    settings = None
    if codebase.config is not None:
        settings = codebase.config.read_bytes()
    shipped = ShippedCodebase(codebase, codebase.plan.read_bytes(), settings, __version__)
    return Parcel(shipped, partial(pack, codebase.repo))


def _put_in_place(returned: ReturnedCodebase, target: Path) -> None:
    copy = target.with_name(f"{target.name}.copy~")
    shutil.rmtree(copy, ignore_errors=True)
    unpack(returned.archive, copy)
    replace_piece(copy, target)
