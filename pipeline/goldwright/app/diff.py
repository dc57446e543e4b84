"""Two versions of a dataset side by side."""

from dataclasses import dataclass
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.golden.differences import Differences, compare_labels
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import DatasetFile, checked_metadata, find_dataset
from goldwright.records import GoldenLabel


@dataclass(frozen=True, slots=True)
class DatasetDiff:
    """Which datasets were taken, and what differs between them."""

    old: DatasetFile
    new: DatasetFile
    differences: Differences


def diff_datasets(old: str, new: str, environment: Environment) -> DatasetDiff:
    """Compare two datasets; each is a path, a version, or ``latest``.

    Raises:
        InputError: One of them is not there, or is no dataset.
        QualityGateError: One of them is not what its metadata says.
    """
    before, old_labels, old_metadata = _read(old, environment.workspace.golden)
    after, new_labels, new_metadata = _read(new, environment.workspace.golden)
    return DatasetDiff(
        before, after, compare_labels(old_labels, new_labels, metadata=(old_metadata, new_metadata))
    )


def _read(
    asked: str, directory: Path
) -> tuple[DatasetFile, tuple[GoldenLabel, ...], DatasetMetadata | None]:
    found = find_dataset(asked, directory)
    data = read_bytes(found.path, what="dataset")
    metadata = checked_metadata(found, data)
    return found, parse_dataset(data, source=str(found.path)), metadata
