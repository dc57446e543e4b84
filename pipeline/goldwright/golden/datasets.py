"""A dataset as its users open it: by version or path, checked against its metadata, with at least
one record.
"""

from dataclasses import dataclass
from pathlib import Path

from goldwright.errors import InputError
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import checked_metadata, find_dataset
from goldwright.records import GoldenLabel


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """A dataset that was found and read.

    ``taken`` says which one it is and how it was chosen, ``sha256`` its digest, ``metadata`` what
    its version says of itself, None for a file that has none.
    """

    path: Path
    taken: str
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
        return frozenset(self.metadata.source_file_hashes) if self.metadata else frozenset()

    @property
    def status(self) -> str:
        """How far it can be trusted, in the words of its metadata."""
        return self.metadata.dataset_status if self.metadata else "no metadata"


def load_dataset(asked: str | None, directory: Path) -> LoadedDataset:
    """Find, read and check a dataset.

    Args:
        asked: A path or a version; nothing or ``latest`` for the newest blessed one.
        directory: Where versions are published.

    Raises:
        InputError: There is none, or it is no dataset, or holds no record.
        QualityGateError: It is not the file that its metadata name.
    """
    found = find_dataset(asked, directory)
    data = read_bytes(found.path, what="dataset")
    labels = parse_dataset(data, source=str(found.path))
    metadata = checked_metadata(found, data)
    if not labels:
        raise InputError(f"{found.path}: holds no record")
    return LoadedDataset(found.path, found.sentence, found.sha256, labels, metadata)
