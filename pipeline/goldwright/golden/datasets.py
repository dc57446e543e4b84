"""A dataset as its users open it: found by version or path, and checked against its metadata."""

from dataclasses import dataclass
from pathlib import Path

from goldwright.errors import InputError
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import checked_metadata, find_dataset
from goldwright.records import GoldenLabel


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """A dataset that was found, read and checked; it holds at least one record.

    Attributes:
        path: The file.
        description: Which dataset it is, why it was chosen, and its digest, in one line.
        sha256: The digest of the file.
        labels: The records, in the order of the file.
        metadata: The metadata beside the file; None for a file without.
    """

    path: Path
    description: str
    sha256: str
    labels: tuple[GoldenLabel, ...]
    metadata: DatasetMetadata | None

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.path.name

    @property
    def cited_files(self) -> frozenset[str]:
        """The files that its metadata have hashes of."""
        if self.metadata is None:
            return frozenset()
        return frozenset(self.metadata.source_file_hashes)

    @property
    def status(self) -> str:
        """How far it can be trusted, in the words of its metadata."""
        if self.metadata is None:
            return "no metadata"
        return self.metadata.dataset_status


def load_dataset(selector: str | None, directory: Path) -> LoadedDataset:
    """Find, read and check a dataset.

    Args:
        selector: A path or a version; None or ``latest`` for the newest blessed version.
        directory: Where versions are published.

    Raises:
        InputError: There is no such dataset, it cannot be parsed, or it holds no record.
        QualityGateError: It is not the file that its metadata name.
    """
    dataset_file = find_dataset(selector, directory)
    path = dataset_file.path
    data = read_bytes(path, content="dataset")
    labels = parse_dataset(data, source=str(path))
    metadata = checked_metadata(dataset_file, data)
    if not labels:
        raise InputError(f"{path}: holds no record")
    return LoadedDataset(
        path=path,
        description=dataset_file.description,
        sha256=dataset_file.sha256,
        labels=labels,
        metadata=metadata,
    )
