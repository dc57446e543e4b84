"""The dataset of a rebase, and the codebase as it was then."""

from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.errors import InputError
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import DatasetFile, checked_metadata, find_dataset
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot, open_known


@dataclass(frozen=True, slots=True)
class RebaseSource:
    """The dataset to carry over.

    Attributes:
        file: The file.
        labels: Its records.
        metadata: What is written beside it.
    """

    file: DatasetFile
    labels: tuple[GoldenLabel, ...]
    metadata: DatasetMetadata


def read_rebase_source(name: str, directory: Path) -> RebaseSource:
    """Read a dataset by version or path.

    Raises:
        InputError: There is none, or it has no metadata.
        QualityGateError: It is not what its metadata name.
    """
    file = find_dataset(name, directory)
    data = read_bytes(file.path, content="dataset")
    labels = parse_dataset(data, source=str(file.path))
    metadata = checked_metadata(file, data)
    if metadata is None:
        raise InputError(
            f"{file.path}: has no metadata beside it, so nobody knows the commit it was made from"
        )
    return RebaseSource(file, labels, metadata)


def open_old_snapshot(repo: Path, source: RebaseSource, environment: Environment) -> Snapshot:
    """Open the commit that a dataset was made from.

    Raises:
        InputError: The codebase does not hold it.
    """
    name = source.file.path.name
    commit = source.metadata.repo_commit
    try:
        return open_known(repo, commit, cache=environment.cache, chance=environment.chance)
    except InputError as error:
        short_commit = commit[:12]
        raise InputError(
            f"{name}: stands at commit {short_commit}, "
            f"which {repo} does not hold; is it another codebase, "
            f"or a clone without its history? ({error})"
        ) from error
