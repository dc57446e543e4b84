"""Publishing a version: the dataset and its metadata together, once and for good."""

from pathlib import Path

from goldwright.atomic_files import is_taken, locked_directory, publish, publish_together
from goldwright.errors import GoldwrightError
from goldwright.golden.loading import metadata_path, read_metadata
from goldwright.golden.metadata import DatasetMetadata


def publish_version(path: Path, data: bytes, metadata: DatasetMetadata) -> bool:
    """Create a dataset and the metadata beside it, both or neither, and never over another version.

    Returns:
        False if the same dataset is there already; its metadata stay as they are.

    Raises:
        InputError: The name is taken, there is no room, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    metadata_file = metadata_path(path)
    metadata_json = metadata.model_dump_json(indent=2, ensure_ascii=True)
    metadata_bytes = f"{metadata_json}\n".encode("ascii")
    with locked_directory(path.parent):
        if is_taken(path):
            # Passes when the same bytes are there, and refuses any other content.
            publish(path, data)
            if not is_taken(metadata_file):
                publish(metadata_file, metadata_bytes)
            return False
        if _is_left_over(path, metadata):
            metadata_file.unlink()
        if is_taken(metadata_file):
            # Unless these are the same bytes, this refuses before the dataset is written.
            publish(metadata_file, metadata_bytes)
            publish(path, data)
        else:
            publish_together([(metadata_file, metadata_bytes), (path, data)])
    return True


def _is_left_over(path: Path, metadata: DatasetMetadata) -> bool:
    """Tell whether a crash left the metadata of this very run and version without their dataset."""
    metadata_file = metadata_path(path)
    if not metadata_file.is_file() or metadata_file.is_symlink():
        return False
    try:
        existing = read_metadata(path)
    except GoldwrightError:
        return False
    if existing is None:
        return False
    return (existing.run, existing.version) == (metadata.run, metadata.version)
