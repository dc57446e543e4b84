"""A dataset as it lies on disk, with its metadata; it may be empty."""

from dataclasses import dataclass
from pathlib import Path

from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import DatasetFile, checked_metadata, find_dataset
from goldwright.records import GoldenLabel


@dataclass(frozen=True, slots=True)
class DatasetContent:
    """A dataset that was found and read.

    Attributes:
        file: Which file it is, and why this one was taken.
        labels: Its records.
        metadata: What stands beside it, None for a file that has none.
    """

    file: DatasetFile
    labels: tuple[GoldenLabel, ...]
    metadata: DatasetMetadata | None


def read_dataset(name: str | None, directory: Path) -> DatasetContent:
    """Find, check and read a dataset.

    Args:
        name: A path or a version; None or ``latest`` for the newest blessed one.
        directory: Where versions are published.

    Raises:
        InputError: There is none, or it is not a dataset.
        QualityGateError: It is not what its metadata say.
    """
    file = find_dataset(name, directory)
    data = read_bytes(file.path, content="dataset")
    # First, so that a file that was changed by hand is called that, whatever is wrong inside it.
    metadata = checked_metadata(file, data)
    labels = parse_dataset(data, source=str(file.path))
    return DatasetContent(file, labels, metadata)
