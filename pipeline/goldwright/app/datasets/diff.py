"""Two versions of a dataset side by side."""

from dataclasses import dataclass

from goldwright.app.datasets.dataset_content import read_dataset
from goldwright.app.environment import Environment
from goldwright.golden.differences import Differences, compare_labels
from goldwright.golden.versions import DatasetFile


@dataclass(frozen=True, slots=True)
class DatasetDiff:
    """Which datasets were compared, and what differs between them."""

    old: DatasetFile
    new: DatasetFile
    differences: Differences


def diff_datasets(old_name: str, new_name: str, environment: Environment) -> DatasetDiff:
    """Compare two datasets; each is a path, a version, or ``latest``.

    Raises:
        InputError: One of them is not there, or is not a dataset.
        QualityGateError: One of them is not what its metadata say.
    """
    directory = environment.workspace.golden
    old = read_dataset(old_name, directory)
    new = read_dataset(new_name, directory)
    metadata = (old.metadata, new.metadata)
    differences = compare_labels(old.labels, new.labels, metadata=metadata)
    return DatasetDiff(old.file, new.file, differences)
