"""The codebase of a run: opened for a new run, and opened again at the commit it is pinned to."""

from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.runs.run_preparation import RunPreparation, RunRequest
from goldwright.engine.progress import Progress
from goldwright.errors import DamagedStateError, InputError
from goldwright.manifest import RunManifest
from goldwright.snapshot import Snapshot, open_pinned, open_snapshot
from goldwright.snapshot.languages.language_catalog import LANGUAGES, missing_extra_note
from goldwright.text import name_all, name_some


def open_for_new_run(
    request: RunRequest,
    preparation: RunPreparation,
    *,
    environment: Environment,
    progress: Progress,
) -> Snapshot:
    """Pin and index the codebase of a new run.

    Raises:
        InputError: The codebase or the revision is wrong, or it holds nothing that can be read.
    """
    progress.phase("reading the codebase")
    _note_repositories(request.repo, progress)
    snapshot = open_snapshot(
        request.repo,
        rev=request.rev,
        cache=environment.cache,
        allow_dirty=request.allow_dirty,
        workers=preparation.config.run.workers,
        chance=environment.chance,
    )
    if not snapshot.source_files:
        titles = name_all([language.title for language in LANGUAGES], joint="or")
        commit = snapshot.commit[:12]
        note = missing_extra_note(snapshot.files) or f"Goldwright reads {titles}"
        problem = f"holds no {titles} file at {commit}"
        raise InputError(f"{request.repo}: {problem}; {note}")
    _check_embedded_agents(request.repo, preparation, snapshot)
    _tell_what_is_left_out(preparation, snapshot, progress)
    _check_focus(preparation, snapshot)
    return snapshot


def _note_repositories(repo: Path, progress: Progress) -> None:
    """Say that a directory of several repositories is read as one codebase."""
    try:
        repositories = [place.parent for place in repo.glob("*/.git")]
    except OSError:
        return
    names = sorted(repository.name for repository in repositories)
    if len(names) > 1 and not (repo / ".git").exists():
        some_names = name_some(names)
        counted_repositories = f"{len(names)} git repositories ({some_names})"
        first_repository = repo / names[0]
        progress.note(
            f"{repo} holds {counted_repositories} and is read as one codebase; "
            f"for one of them: --repo {first_repository}"
        )


def _check_embedded_agents(repo: Path, preparation: RunPreparation, snapshot: Snapshot) -> None:
    """Refuse a codebase without a Python file where a role is played without a model.

    Raises:
        InputError: It holds none.
    """
    if snapshot.files_in("python") or _plays_without_embedded_agents(preparation):
        return
    raise InputError(
        f"{repo}: holds no Python file, and the embedded agents speak Python "
        "only; give models for the roles author, oracle and adversary"
    )


def _tell_what_is_left_out(
    preparation: RunPreparation, snapshot: Snapshot, progress: Progress
) -> None:
    """Say that files of other languages are there of which the embedded agents read nothing."""
    python = len(snapshot.files_in("python"))
    other_count = len(snapshot.source_files) - python
    if other_count and not _plays_without_embedded_agents(preparation):
        file_count = python + other_count
        progress.note(
            f"the embedded agents speak Python only: they work with {python} of the "
            f"{file_count} source files; models for author, oracle and adversary read all"
        )


def _plays_without_embedded_agents(preparation: RunPreparation) -> bool:
    return {"author", "oracle", "adversary"} <= preparation.model_setup.role_models.keys()


def _check_focus(preparation: RunPreparation, snapshot: Snapshot) -> None:
    """Refuse a part of the codebase that it does not have.

    A model may be told of it in any words; the offline Author takes it for how paths begin.

    Raises:
        InputError: No source file lies there.
    """
    focus_area = preparation.config.run.focus_area
    if not focus_area or "author" in preparation.model_setup.role_models:
        return
    for path in snapshot.source_files:
        # It may go on within a file, as in "shop/orders.py::Order".
        if path.startswith(focus_area) or focus_area.startswith(path):
            return
    raise InputError(
        f"{preparation.config_path}: run.focus_area: no source file of the codebase lies in "
        f"{focus_area}"
    )


def reopen_snapshot(
    manifest: RunManifest, environment: Environment, progress: Progress
) -> Snapshot:
    """Open the codebase of a run at the commit it is pinned to.

    Raises:
        InputError: The mirror is gone and the codebase no longer has that commit.
    """
    snapshot = _reopen(manifest, environment, progress)
    # What was set aside in the course of the run stays out of what is left of it.
    for path, reason in manifest.unparsed.items():
        snapshot.set_aside(path, reason)
    return snapshot


def _reopen(manifest: RunManifest, environment: Environment, progress: Progress) -> Snapshot:
    progress.phase("opening the snapshot")
    mirror = Path(manifest.mirror)
    if mirror.is_dir():
        try:
            return open_pinned(
                mirror,
                manifest.commit,
                cache=environment.cache,
                origin=manifest.origin,
                chance=environment.chance,
            )
        except DamagedStateError:
            # The codebase may still have what the mirror lacks; opening it mends the mirror.
            progress.phase("reading the codebase")
    return _pin_again(manifest, environment)


def _pin_again(manifest: RunManifest, environment: Environment) -> Snapshot:
    # A plain directory has no commits to ask for; it is pinned again and has to come out the same.
    is_git = manifest.origin == "git"
    snapshot = open_snapshot(
        Path(manifest.repo),
        rev=manifest.commit if is_git else None,
        cache=environment.cache,
        allow_dirty=not is_git,
        chance=environment.chance,
    )
    if snapshot.commit != manifest.commit:
        commit = manifest.commit[:12]
        raise InputError(f"{manifest.repo}: no longer what {manifest.run} is pinned to ({commit})")
    return snapshot
