"""Redoing a stage: its files move aside and are kept, and a crash half-way is finished later."""

from collections.abc import Sequence

from goldwright.atomic_files import sync_directory, write_failure
from goldwright.errors import DamagedStateError
from goldwright.manifest import RedoneStage, RunManifest
from goldwright.workspace.layout import RunDirectory, StageFileName


def supersede(
    run: RunDirectory, manifest: RunManifest, *, from_stage: str, files: Sequence[str]
) -> RunManifest:
    """Move files of a run into the next ``superseded/NN/`` and forget their seals; the caller holds
    the lock.

    The intent stands in the manifest before the first file moves. Files that are not there are
    passed over.

    Raises:
        InputError: There is no room, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    redoing = RedoneStage(
        number=len(manifest.redone) + 1, from_stage=from_stage, files=tuple(files)
    )
    seals = {file: seal for file, seal in manifest.seals.items() if file not in redoing.files}
    begun = manifest.model_copy(update={"redoing": redoing, "seals": seals, "state": "open"})
    run.save(begun)
    return finish_superseding(run, begun)


def finish_superseding(run: RunDirectory, manifest: RunManifest) -> RunManifest:
    """Finish what ``supersede`` began before a crash; nothing happens where nothing was begun.

    Raises:
        InputError: There is no room, or the directory cannot be written.
        DamagedStateError: A file stands in both places, or the disk failed.
    """
    redoing = manifest.redoing
    if redoing is None:
        return manifest
    _move_aside(run, redoing)
    done = manifest.model_copy(update={"redoing": None, "redone": (*manifest.redone, redoing)})
    run.save(done)
    return done


def earlier_reviews(run: RunDirectory) -> int:
    """Count the redoings that moved people's verdicts aside: each was one more look at the batch."""
    name = StageFileName.HUMAN_REVIEWS
    return sum(
        (kept / name).is_file() for kept in (run.path / "superseded").glob("*") if kept.is_dir()
    )


def _move_aside(run: RunDirectory, redoing: RedoneStage) -> None:
    target = run.superseded_path(redoing.number)
    try:
        target.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in redoing.files:
            old, kept = run.path / file, target / file
            if old.exists() and kept.exists():
                raise DamagedStateError(
                    f"{old}: stands in {target.name} too, though nothing was redone yet"
                )
            if old.exists():
                old.rename(kept)
        for directory in (target, target.parent, run.path):
            sync_directory(directory)
    except OSError as error:
        raise write_failure(target, error) from error
