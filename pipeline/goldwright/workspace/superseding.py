"""Redoing a stage: its files move aside and are kept; a crash half-way is finished later."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from goldwright.atomic_files import sync_directory, write_failure
from goldwright.errors import DamagedStateError
from goldwright.manifest import RedoneStage, RunManifest
from goldwright.workspace.layout import RunDirectory, StageFileName

_SAMPLE_FIELD: Final = b'"event":"sample"'


def supersede(
    run: RunDirectory,
    manifest: RunManifest,
    *,
    from_stage: str,
    files: Sequence[str],
    keeps_replies: bool = False,
) -> RunManifest:
    """Move files of a run into the next ``superseded/NN/`` and drop their seals.

    The caller holds the lock. The manifest records the intent before the first file moves. Files
    that do not exist are skipped. With ``keeps_replies``, what models have answered so far is not
    asked again.

    Raises:
        InputError: The disk is full, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    number = len(manifest.redone) + 1
    redoing = RedoneStage(
        number=number, from_stage=from_stage, files=tuple(files), keeps_replies=keeps_replies
    )
    seals = {file: seal for file, seal in manifest.seals.items() if file not in redoing.files}
    update = {"redoing": redoing, "seals": seals, "state": "open"}
    intent = manifest.model_copy(update=update)
    run.save(intent)
    return finish_superseding(run, intent)


def finish_superseding(run: RunDirectory, manifest: RunManifest) -> RunManifest:
    """Finish what ``supersede`` began before a crash; without such a beginning nothing happens.

    Raises:
        InputError: The disk is full, or the directory cannot be written.
        DamagedStateError: A file lies in both places, or the disk failed.
    """
    redoing = manifest.redoing
    if redoing is None:
        return manifest
    _move_aside(run, redoing)
    redone = (*manifest.redone, redoing)
    finished = manifest.model_copy(update={"redoing": None, "redone": redone})
    return run.save(finished)


def earlier_reviews(run: RunDirectory) -> int:
    """Count the samples whose verdicts redoings moved aside.

    Each of them was one more look at the batch, which the bounds on its error rate must pay for.
    """
    pattern = f"superseded/*/{StageFileName.HUMAN_REVIEWS}"
    files = [path for path in run.path.glob(pattern) if path.is_file()]
    # In what people write, quotation marks have a backslash before them.
    return sum(max(path.read_bytes().count(_SAMPLE_FIELD), 1) for path in files)


def _move_aside(run: RunDirectory, redoing: RedoneStage) -> None:
    target = run.superseded_path(redoing.number)
    try:
        target.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in redoing.files:
            _move_file(run.path / file, target)
        # All three hold names that changed: the moved files, a new NN/, a new superseded/.
        for directory in (target, target.parent, run.path):
            sync_directory(directory)
    except OSError as error:
        raise write_failure(target, error) from error


def _move_file(path: Path, target: Path) -> None:
    """Move one file; one that was moved before a crash, or never existed, is skipped."""
    if not path.exists():
        return
    new_path = target / path.name
    if new_path.exists():
        raise DamagedStateError(
            f"{path}: stands in {target.name} too, though nothing was redone yet"
        )
    path.rename(new_path)
