"""Merging drafts of an evaluation set: each holds the rankings of some of the cells."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.shards.merge_conflicts import by_piece, missing_records
from goldwright.atomic_files import locked_directory
from goldwright.cells import eval_set
from goldwright.cells.records import CellRanking
from goldwright.errors import InputError
from goldwright.journal import StageFile
from goldwright.journal.json_lines import read_file

# What a set rests on, written before any result.
_FOUNDATIONS: Final = (
    eval_set.QUERIES,
    eval_set.CORPUS,
    eval_set.JUDGE,
    eval_set.PREDICTIONS,
    eval_set.SETTINGS,
)


@dataclass(frozen=True, slots=True)
class MergedCells:
    """A draft whose rankings were brought together.

    Attributes:
        draft: Where it is.
        ranked: How many cells have a ranking there.
        added: How many of them the shards brought.
    """

    draft: Path
    ranked: int
    added: int

    def as_json(self) -> dict[str, object]:
        """Give it for programs."""
        return {"draft": str(self.draft), "ranked": self.ranked, "added": self.added}


def draft_in(directory: Path) -> Path | None:
    """Give the draft that a directory of an evaluation set holds; None where it holds none."""
    drafts = sorted(directory.glob("v*.draft"))
    return drafts[-1] if drafts else None


def merge_cells(directories: Sequence[Path], out: Path) -> MergedCells:
    """Bring the rankings of shards together in one draft; the shards stay as they are.

    ``cells`` without a share ranks what is missing there, judges and decides.

    Args:
        directories: Of the evaluation set in each shard; the order does not matter.
        out: The directory of the evaluation set that all of it goes to.

    Raises:
        InputError: A directory holds no draft, or they rest on different things.
        QualityGateError: Two shards rank one cell differently.
    """
    drafts = [_draft_of(directory) for directory in directories]
    foundations = _foundations_of(drafts)
    target = out / drafts[0].name
    if (out / target.stem).exists():
        raise InputError(f"{out / target.stem}: is frozen already; nothing is added to it")
    with locked_directory(out):
        target.mkdir(parents=True, exist_ok=True)
        # Compared with what is there first, so that a refusal leaves nothing half merged.
        _refuse_others(target, foundations)
        shards = []
        for draft in drafts:
            if draft.resolve() != target.resolve():
                rankings = by_piece(_rankings(draft), _cell_of)
                shards.append((draft, rankings))
        with closing(
            StageFile.open(target / eval_set.RANKINGS, CellRanking, writable=True)
        ) as file:
            missing = missing_records(by_piece(file.records, _cell_of), shards, target)
            for name, data in foundations.items():
                eval_set.write_once(target / name, data)
            for record in missing:
                file.append(record)
            return MergedCells(target, len(file.records), len(missing))


def _draft_of(directory: Path) -> Path:
    draft = draft_in(directory)
    if draft is None:
        raise InputError(f"{directory}: holds no draft of an evaluation set")
    return draft


def _foundations_of(drafts: Sequence[Path]) -> dict[str, bytes]:
    """Read what all drafts rest on.

    Raises:
        InputError: Two differ.
    """
    first, *other_drafts = drafts
    foundations = {name: read_file(first / name) for name in _FOUNDATIONS}
    for draft in other_drafts:
        if draft.name != first.name:
            raise InputError(f"{draft}: is another version than {first}")
        _refuse_others(draft, foundations)
    return foundations


def _refuse_others(draft: Path, foundations: dict[str, bytes]) -> None:
    """Refuse a draft that rests on something else; one that is empty rests on nothing yet."""
    for name, data in foundations.items():
        path = draft / name
        if path.exists() and read_file(path) != data:
            raise InputError(f"{path}: is another one than in the first shard")


def _rankings(draft: Path) -> Sequence[CellRanking]:
    return StageFile.open(draft / eval_set.RANKINGS, CellRanking, writable=False).records


def _cell_of(ranking: CellRanking) -> str:
    return ranking.cell
