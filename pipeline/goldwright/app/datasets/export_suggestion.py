"""What to do with a blessed batch: the export that fits the versions there are."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.runs.run_report import RunReport
from goldwright.errors import GoldwrightError, InputError
from goldwright.golden.loading import read_metadata
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.publishing import run_of_draft
from goldwright.golden.versions import (
    PublishedVersion,
    Version,
    drafts_in,
    published_versions,
    version_path,
)

FIRST_VERSION: Final = Version(1, 0)
ADOPT_PLAN: Final = "adopt"


def suggest_export_command(report: RunReport, environment: Environment) -> str:
    """Give the command to run next for a blessed batch.

    It exports a first version, adds the batch to the version or draft it belongs to, begins a new
    major version, or verifies the version that holds the batch already.
    """
    if report.plan.is_return and (to_draft := suggest_draft_command(report, environment)):
        return to_draft
    command = f"goldwright export {report.name} --version"
    versions = _described(published_versions, environment)
    if not versions:
        # A draft of that number is another file.
        first = _free_version(FIRST_VERSION, environment.workspace.golden, with_drafts=False)
        return f"{command} {first}"
    newest = versions[-1].version
    if any(_was_made_of(version.metadata, report) for version in versions):
        return f"goldwright verify {newest}"
    base = _find_base(versions, report)
    # A batch of another commit cannot be added to any version, so it begins a major one.
    if base is None:
        next_major = Version(newest.major + 1, 0)
        return f"{command} {next_major}"
    next_minor = Version(newest.major, newest.minor + 1)
    return f"{command} {next_minor} --base {base.version}"


def refuse_returned_alone(report: RunReport, environment: Environment) -> None:
    """Make sure that records which a rebase sent back are added to the version they belong to.

    Raises:
        InputError: There is such a version, or a draft: without it, the records that came along
            would be missing.
    """
    if not report.plan.is_return:
        return
    base = _find_base(_described(published_versions, environment), report)
    draft = _find_base(_described(drafts_in, environment), report)
    if base is not None:
        addition = f"--base {base.version}"
    elif draft is not None:
        draft_path = shlex.quote(str(draft.path))
        addition = f"--base {draft_path} --draft"
    else:
        return
    raise InputError(
        f"{report.name}: holds only the records that came back from a rebase; "
        f"add {addition}, which holds those that came along"
    )


def suggest_draft_command(report: RunReport, environment: Environment) -> str | None:
    """Give the command that writes the draft of a run, over no draft of another run.

    Records that came back from a draft are added to it. None for those that came back from a
    version: by themselves they are none.
    """
    version = _draft_version(report, environment)
    command = f"goldwright export {report.name} --version {version}"
    if not report.plan.is_return:
        return f"{command} --draft"
    base = _find_base(_described(drafts_in, environment), report)
    if base is None:
        return None
    base_path = shlex.quote(str(base.path))
    return f"{command} --base {base_path} --draft"


def _draft_version(report: RunReport, environment: Environment) -> Version:
    """Give the version of the run's own draft, else the one after all that there are.

    Versions of another codebase are another line: the next one begins a major version of its own.
    """
    directory = environment.workspace.golden
    try:
        for draft in reversed(drafts_in(directory)):
            if run_of_draft(draft.path) == report.name:
                return draft.version
        described_drafts = _described(drafts_in, environment)
        described_versions = _described(published_versions, environment)
        known_versions = (*described_drafts, *described_versions)
        own_versions = [
            described.version
            for described in known_versions
            if _is_of_codebase(described.metadata, report, environment)
        ]
    except GoldwrightError:
        # A suggestion is no place to fail: the command that it names tells what is wrong.
        return FIRST_VERSION
    if not known_versions:
        return _free_version(FIRST_VERSION, directory)
    newest = max(described.version for described in known_versions)
    if own_versions and max(own_versions) == newest:
        next_minor = Version(newest.major, newest.minor + 1)
        return _free_version(next_minor, directory)
    return _free_version(Version(newest.major + 1, 0), directory)


def _free_version(version: Version, directory: Path, *, with_drafts: bool = True) -> Version:
    """Give the first version from one on that no file bears: a list of others may have taken it."""
    kinds = (False, True) if with_drafts else (False,)
    while any(version_path(directory, version, is_draft=kind).exists() for kind in kinds):
        version = Version(version.major, version.minor + 1)
    return version


def _is_of_codebase(
    metadata: DatasetMetadata | None, report: RunReport, environment: Environment
) -> bool:
    """Find out whether a dataset is about the codebase of a run, as far as its own run tells."""
    if metadata is None:
        return True
    run = environment.workspace.run_named(metadata.run)
    if run is None:
        return True
    repo = run.manifest().repo
    return _directory_of(repo) == _directory_of(report.repo)


def _directory_of(repo: str) -> str:
    """Give a codebase by its place, however a user wrote it."""
    return str(Path(repo).expanduser().resolve())


@dataclass(frozen=True, slots=True)
class _DescribedVersion:
    """A published version or a draft, with its metadata, where it has any."""

    version: Version
    path: Path
    metadata: DatasetMetadata | None


def _described(
    find: Callable[[Path], Sequence[PublishedVersion]], environment: Environment
) -> list[_DescribedVersion]:
    """List the published versions or the drafts, oldest first; none where they cannot be read.

    A suggestion is no place to fail: the command that it names tells what is wrong.
    """
    versions = []
    try:
        for published in find(environment.workspace.golden):
            metadata = read_metadata(published.path)
            # A list of others has a line of versions of its own, whoever confirmed it.
            if metadata is None or metadata.plan != ADOPT_PLAN:
                versions.append(_DescribedVersion(published.version, published.path, metadata))
    except GoldwrightError:
        return []
    return versions


def _was_made_of(metadata: DatasetMetadata | None, report: RunReport) -> bool:
    if metadata is None or metadata.run != report.name:
        return False
    # A rebased version keeps the name of the run behind it, and stands at another commit.
    return metadata.rebased is None


def _find_base(
    versions: Sequence[_DescribedVersion], report: RunReport
) -> _DescribedVersion | None:
    """Find the newest version or draft that a run belongs to."""
    for version in reversed(versions):
        if version.metadata is not None and _belongs_to(report, version.metadata):
            return version
    return None


def _belongs_to(report: RunReport, metadata: DatasetMetadata) -> bool:
    """Return whether a run can be added to a version.

    Records that a rebase sent back belong to the version that was carried over; any other run
    belongs to versions of its own commit.
    """
    if report.plan.is_return:
        rebased = metadata.rebased
        return rebased is not None and rebased.returned_to == report.name
    return metadata.repo_commit == report.commit
