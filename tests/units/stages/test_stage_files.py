"""The logs of a run follow the catalog of stages."""

from typing import Any, TypeVar

import pytest

from goldwright.engine.ordered_log import OrderedLog
from goldwright.records import QueryRecord
from goldwright.stages.stage_files import StageFiles
from goldwright.stages.stage_graph import CASE_STAGES, REPEATABLE_STAGES
from goldwright.workspace import StageFileName
from units.review.batches import EASY, MemoryShelf, candidate

R = TypeVar("R", bound=QueryRecord)

CASE_FILES = [file for stage in CASE_STAGES for file in stage.writes]
RUN_FILES = [file for stage in REPEATABLE_STAGES for file in stage.writes]


@pytest.fixture
def logs() -> dict[StageFileName, MemoryShelf[Any]]:
    return {}


@pytest.fixture
def stage_files(logs: dict[StageFileName, MemoryShelf[Any]]) -> StageFiles:
    def open_log(name: StageFileName, model: type[R]) -> OrderedLog[R]:  # noqa: ARG001  # of the port
        return OrderedLog(logs.setdefault(name, MemoryShelf()))

    return StageFiles.open(open_log)


def _log_of(stage_files: StageFiles, logs: dict[StageFileName, MemoryShelf[Any]], file: str) -> Any:
    """The ordered log that writes to a file."""
    attributes = (getattr(stage_files, name) for name in StageFiles.__slots__)
    return next(log for log in attributes if log._log is logs[StageFileName(file)])


def test_what_the_stages_of_a_run_write_has_a_log_each(
    stage_files: StageFiles, logs: dict[StageFileName, MemoryShelf[Any]]
) -> None:
    assert sorted(logs) == sorted(RUN_FILES)
    assert len({id(getattr(stage_files, name)) for name in StageFiles.__slots__}) == len(logs)


@pytest.mark.parametrize("file", RUN_FILES)
def test_records_are_counted_file_by_file(
    file: StageFileName, stage_files: StageFiles, logs: dict[StageFileName, MemoryShelf[Any]]
) -> None:
    """A file that no log stands for has none."""
    _log_of(stage_files, logs, file).add(candidate("q1", EASY))
    assert [name for name in StageFileName if stage_files.count(name)] == [file]


@pytest.mark.parametrize("file", RUN_FILES)
def test_a_released_place_holds_no_later_record_up(
    file: StageFileName, stage_files: StageFiles, logs: dict[StageFileName, MemoryShelf[Any]]
) -> None:
    """Only the files that follow the order of the cases have places."""
    log = _log_of(stage_files, logs, file)
    log.settle(1, candidate("q2", EASY))
    stage_files.release(0)
    assert bool(log.done) == (file in CASE_FILES)
