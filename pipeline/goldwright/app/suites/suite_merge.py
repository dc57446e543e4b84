"""Merging the directories of shards by one rule.

A checkpoint that is valid is reused, one that is missing is named (``suite run`` on the result
computes it), and one that conflicts with another is refused.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.app.suites.suite_checkpoints import (
    CHECKPOINT_FILE,
    COPY_ENDING,
    SuiteCheckpoint,
    SuiteDirectory,
    SuiteRecord,
    refuse_other_suite,
    replace_piece,
)
from goldwright.app.suites.suite_run import SuiteState, suite_state
from goldwright.errors import InputError, QualityGateError


@dataclass(frozen=True, slots=True)
class _Source:
    """A codebase that is done, and the directory that holds it."""

    checkpoint: SuiteCheckpoint
    place: SuiteDirectory


def merge_shards(directories: Sequence[Path], out: Path) -> SuiteState:
    """Bring the codebases of shards together in one directory; the shards stay as they are.

    Args:
        directories: Of the shards, at least one; the order does not matter.
        out: Where the merged suite goes. What it holds already counts as a shard.

    Returns:
        How the merged suite stands.

    Raises:
        InputError: A directory is none of a suite, or they are of different ones.
        QualityGateError: Two shards hold different outcomes of one codebase.
        DamagedStateError: A checkpoint is not what was written.
    """
    shards = [SuiteDirectory(directory.absolute()) for directory in directories]
    record = shards[0].record()
    for shard in shards[1:]:
        refuse_other_suite(shard.record(), record, shard.root)
    target = SuiteDirectory(out.absolute())
    target.begin(record)
    # Everything is compared before the first copy, so a refusal leaves nothing half merged.
    places = [target, *shards]
    sources = _compare(places, record)
    for name, source in sources.items():
        if source.place.root != target.root:
            _copy(source, target.piece(name))
    state = suite_state(target)
    return replace(state, failures=_failures(state.missing, places))


def _failures(names: Sequence[str], places: Sequence[SuiteDirectory]) -> dict[str, str]:
    """Say of each name why a shard could not do it, where one tried."""
    failures: dict[str, str] = {}
    for name in names:
        for place in places:
            failure = place.failure(name)
            if failure is not None:
                failures.setdefault(name, failure)
    return failures


def _compare(places: Sequence[SuiteDirectory], record: SuiteRecord) -> dict[str, _Source]:
    """Give a source for every codebase that some place has done; the first one wins."""
    sources: dict[str, _Source] = {}
    for name, inputs in record.inputs.items():
        for place in places:
            checkpoint = place.checkpoint(name, inputs)
            if checkpoint is None:
                continue
            source = sources.setdefault(name, _Source(checkpoint, place))
            if source.checkpoint.outcome != checkpoint.outcome:
                difference = _difference(source.checkpoint, checkpoint)
                raise QualityGateError(
                    f"{name}: {source.place.root} and {place.root} hold different outcomes of it "
                    f"({difference}); neither is taken"
                )
    return sources


def _difference(first: SuiteCheckpoint, second: SuiteCheckpoint) -> str:
    if first.commit != second.commit:
        first_commit = first.commit[:12]
        second_commit = second.commit[:12]
        return f"commits {first_commit} and {second_commit}"
    first_digest = first.dataset_sha256[7:19]
    second_digest = second.dataset_sha256[7:19]
    return f"datasets {first_digest} and {second_digest}"


def _copy(source: _Source, target: Path) -> None:
    """Copy a codebase; its checkpoint becomes visible with the last step."""
    origin = source.place.piece(source.checkpoint.codebase)
    if (target / CHECKPOINT_FILE).exists():
        return
    copy = target.with_name(f"{target.name}{COPY_ENDING}")
    try:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(origin, copy, symlinks=True)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{target}: cannot be written: {reason}") from error
    replace_piece(copy, target)
