"""Merging the directories of shards of trials: those of relevance, and those of benefit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from goldwright.app.benefit import benefit
from goldwright.app.benefit.benefit_agents import CALLS_FILE
from goldwright.app.relevance import relevance
from goldwright.app.shards.merge_conflicts import by_piece, missing_records
from goldwright.atomic_files import locked_directory
from goldwright.benefit.trials import ArmTrialRecord
from goldwright.errors import InputError
from goldwright.journal import CallEntry, CallLog, StageFile
from goldwright.journal.call_log import run_of_call_log
from goldwright.records import Record
from goldwright.relevance.control_trials import ControlRecord
from goldwright.relevance.task_search import TrialRecord

TrialKind = Literal["relevance", "benefit"]

SETTINGS_FILE: Final = relevance.SETTINGS_FILE


@dataclass(frozen=True, slots=True)
class _TrialLog:
    """A log of trials.

    Attributes:
        name: Of its file.
        model: Of its records.
        piece_of: Gives the piece of work that a record belongs to.
    """

    name: str
    model: type[Record]
    piece_of: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class _Trials:
    """What a directory of trials holds beside the calls of models."""

    settings: type[Record]
    logs: tuple[_TrialLog, ...]


def _task_of(record: TrialRecord | ControlRecord) -> str:
    return record.task_id


def _trial_of(record: ArmTrialRecord) -> str:
    return f"{record.task_id} {record.seed} {record.arm}"


_KINDS: Final[Mapping[TrialKind, _Trials]] = {
    "relevance": _Trials(
        relevance.SearchSettings,
        (
            _TrialLog(relevance.TRIALS_FILE, TrialRecord, _task_of),
            _TrialLog(relevance.CONTROLS_FILE, ControlRecord, _task_of),
        ),
    ),
    "benefit": _Trials(
        benefit.BenefitSettings,
        (_TrialLog(benefit.TRIALS_FILE, ArmTrialRecord, _trial_of),),
    ),
}


@dataclass(frozen=True, slots=True)
class MergedTrials:
    """What a directory of trials holds after a merge.

    Attributes:
        kind: What the trials are of.
        tasks: The tasks that have trials.
        trials: How many trials there are.
        added: How many of them the shards brought.
        usd: What all of them cost, in dollars.
    """

    kind: TrialKind
    tasks: int
    trials: int
    added: int
    usd: float

    def as_json(self) -> dict[str, object]:
        """Give it for programs."""
        return {
            "kind": self.kind,
            "tasks": self.tasks,
            "trials": self.trials,
            "added": self.added,
            "usd": self.usd,
        }


def kind_of_trials(directory: Path) -> TrialKind | None:
    """Tell what the trials of a directory are of; None where it holds none."""
    if not (directory / SETTINGS_FILE).is_file():
        return None
    # Searches of relevance keep the trials after them beside those of the search, from the start.
    return "relevance" if (directory / relevance.CONTROLS_FILE).exists() else "benefit"


def merge_trials(directories: Sequence[Path], out: Path, kind: TrialKind) -> MergedTrials:
    """Bring the trials of shards together in one directory; the shards stay as they are.

    The command that made the shards, without a share, makes what is still missing there and sums
    all of it up.

    Args:
        directories: Of the shards; the order does not matter.
        out: Where all of it goes. What it holds already counts as a shard.
        kind: What the trials are of.

    Raises:
        InputError: The trials are of different tasks, settings or code.
        QualityGateError: Two shards hold different outcomes of one trial.
        DamagedStateError: A log is not what was written.
    """
    trials = _KINDS[kind]
    target_path = out.resolve()
    shards = [directory for directory in directories if directory.resolve() != target_path]
    with ExitStack() as stack:
        stack.enter_context(locked_directory(out))
        settings = _common_settings([out, *shards], trials)
        target = _Target(out, stack)
        # Everything is compared before the first record is written.
        additions = [target.additions(log, shards) for log in trials.logs]
        call_addition = target.calls(shards)
        settings_file = target.open(SETTINGS_FILE, trials.settings)
        if not settings_file.records:
            settings_file.append(settings)
        for addition in (*additions, call_addition):
            addition.write()
        return _state(kind, additions)


@dataclass(frozen=True, slots=True)
class _Addition:
    """What a log lacks.

    Attributes:
        held: What it holds.
        missing: What shards bring, in the order in which it is written.
        append: Writes a record.
    """

    held: Sequence[Any]
    missing: Sequence[Any]
    append: Callable[[Any], object]

    def write(self) -> None:
        """Write it."""
        for record in self.missing:
            self.append(record)


class _Target:
    """The directory that everything goes to; what is opened there is closed with the merge."""

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self._directory = directory
        self._stack = stack

    def open(self, name: str, model: type[Record]) -> StageFile[Record]:
        """Open a log for writing."""
        file = StageFile.open(self._directory / name, model, writable=True)
        return self._stack.enter_context(closing(file))

    def additions(self, log: _TrialLog, shards: Sequence[Path]) -> _Addition:
        """Find what a log lacks of what shards hold."""
        file = self.open(log.name, log.model)
        held_records = tuple(file.records)
        pieces = []
        for shard in shards:
            stage_file = StageFile.open(shard / log.name, log.model, writable=False)
            pieces_of_shard = by_piece(stage_file.records, log.piece_of)
            pieces.append((shard, pieces_of_shard))
        held_pieces = by_piece(held_records, log.piece_of)
        missing = missing_records(held_pieces, pieces, self._directory)
        return _Addition(held_records, missing, file.append)

    def calls(self, shards: Sequence[Path]) -> _Addition:
        """Find the calls of models that are missing: what was paid is not paid twice."""
        logs = [(shard, tuple(_calls_of(shard))) for shard in shards]
        if not any(entries for _, entries in logs):
            return _Addition((), (), _nothing)
        path = self._directory / CALLS_FILE
        call_log = CallLog.open(path, self._directory.name, writable=True)
        log = self._stack.enter_context(closing(call_log))
        held_calls = by_piece(_bodies(log.entries), _item_of)
        pieces = []
        for shard, entries in logs:
            calls_of_shard = by_piece(_bodies(entries), _item_of)
            pieces.append((shard, calls_of_shard))
        missing = missing_records(held_calls, pieces, self._directory)
        return _Addition(log.entries, missing, lambda entry: log.append(*entry))


_CallBody = tuple[str, Mapping[str, object]]


def _calls_of(shard: Path) -> Iterator[CallEntry]:
    """Yield the calls of a shard, wherever its directory was moved to."""
    path = shard / CALLS_FILE
    if path.is_file():
        yield from CallLog.open(path, run_of_call_log(path), writable=False).entries


def _bodies(entries: Sequence[CallEntry]) -> list[_CallBody]:
    """Leave out the numbers of entries, which are those of their log."""
    return [(entry.kind, entry.body) for entry in entries]


def _item_of(entry: _CallBody) -> str:
    _, body = entry
    return str(body.get("item", ""))


def _nothing(_record: object) -> None:
    """Take nothing."""


def _common_settings(directories: Sequence[Path], trials: _Trials) -> Record:
    """Give the settings that all trials were made with.

    Raises:
        InputError: Two differ.
    """
    directory_settings: list[tuple[Path, Any]] = []
    for directory in directories:
        file = StageFile.open(directory / SETTINGS_FILE, trials.settings, writable=False)
        first_records = file.records[:1]
        directory_settings.extend((directory, record) for record in first_records)
    first_directory, first = directory_settings[0]
    for directory, other_record in directory_settings[1:]:
        if other_record.digest != first.digest:
            raise InputError(
                f"{directory}: holds trials of other tasks, settings or code than {first_directory}"
            )
    # Marks that a model is shown are drawn from it; any of them will do, so the order decides
    # nothing.
    all_settings = [record for _, record in directory_settings]
    settings: Record = min(all_settings, key=lambda record: record.as_json())
    return settings


def _state(kind: TrialKind, additions: Sequence[_Addition]) -> MergedTrials:
    records = [record for addition in additions for record in (*addition.held, *addition.missing)]
    task_ids = {record.task_id for record in records}
    added_count = sum(len(addition.missing) for addition in additions)
    return MergedTrials(
        kind=kind,
        tasks=len(task_ids),
        trials=len(records),
        added=added_count,
        usd=sum(record.usd for record in records),
    )
