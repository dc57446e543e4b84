"""Putting a version in its place: the dataset and its metadata together, once and for good."""

from pathlib import Path

from goldwright.atomic_files import locked_directory, is_taken, publish, publish_together
from goldwright.errors import GoldwrightError
from goldwright.golden.loading import metadata_path, parse_metadata
from goldwright.golden.metadata import DatasetMetadata


def publish_version(path: Path, data: bytes, metadata: DatasetMetadata) -> bool:
    """Create a dataset and the metadata beside it, both or neither, and never over another version.

    Returns:
        False if the same dataset stands there already; its metadata stay as they are.

    Raises:
        InputError: The name is taken, there is no room, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    beside = metadata_path(path)
    content = metadata.model_dump_json(indent=2, ensure_ascii=True).encode("ascii") + b"\n"
    with locked_directory(path.parent):
        if is_taken(path):
            publish(path, data)
            if not is_taken(beside):
                publish(beside, content)
            return False
        if _is_left_over(path, metadata):
            beside.unlink()
        if is_taken(beside):
            publish(beside, content)
            publish(path, data)
        else:
            publish_together([(beside, content), (path, data)])
    return True


def _is_left_over(path: Path, metadata: DatasetMetadata) -> bool:
    """Tell whether a crash left the metadata of this very run and version without their dataset."""
    if not metadata_path(path).is_file() or metadata_path(path).is_symlink():
        return False
    try:
        found = parse_metadata(path)
    except GoldwrightError:
        return False
    return found is not None and (found.run, found.version) == (metadata.run, metadata.version)
