"""Bringing shards together, whatever they are shards of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from goldwright.app.shards.bench_merge import MergedBench, merge_bench
from goldwright.app.shards.cells_merge import MergedCells, draft_in, merge_cells
from goldwright.app.shards.trial_merge import MergedTrials, kind_of_trials, merge_trials
from goldwright.app.suites.suite_checkpoints import SUITE_FILE
from goldwright.app.suites.suite_merge import merge_shards
from goldwright.app.suites.suite_run import SuiteState
from goldwright.errors import InputError

ShardKind = Literal["suite", "relevance", "benefit", "cells", "bench"]
Merged = SuiteState | MergedTrials | MergedCells | MergedBench

_WHAT_THERE_IS: Final = (
    "is no shard: wanted a directory of suite, relevance, benefit or cells, or a file of bench"
)


def merge(places: Sequence[Path], out: Path) -> Merged:
    """Bring shards together by one rule; the shards stay as they are.

    What is valid is reused, what is missing is named or made by the command that made the shards,
    and what conflicts is refused before anything is written.

    Args:
        places: Directories of shards, or files of a bench, at least one.
        out: Where all of it goes.

    Raises:
        InputError: A place holds no shard, or they are of different kinds, inputs or settings.
        QualityGateError: Two shards hold different outcomes of the same piece.
        DamagedStateError: A file is not what was written.
    """
    kinds = {place: _kind_of(place) for place in places}
    first, kind = next(iter(kinds.items()))
    for place, other_kind in kinds.items():
        if other_kind != kind:
            raise InputError(f"{place}: is a shard of {other_kind}, and {first} of {kind}")
    match kind:
        case "suite":
            return merge_shards(places, out)
        case "cells":
            return merge_cells(places, out)
        case "bench":
            return merge_bench(places, out)
        case "relevance" | "benefit":
            return merge_trials(places, out, kind)


def _kind_of(place: Path) -> ShardKind:
    """Tell what a place is a shard of.

    Raises:
        InputError: It is none.
    """
    if place.is_file():
        return "bench"
    if (place / SUITE_FILE).is_file():
        return "suite"
    trials = kind_of_trials(place)
    if trials is not None:
        return trials
    if draft_in(place) is not None:
        return "cells"
    raise InputError(f"{place}: {_WHAT_THERE_IS}")
