"""Publishing a version: the dataset, its metadata and its card together, once and for good."""

from pathlib import Path

from goldwright.atomic_files import is_taken, locked_directory, publish, publish_together
from goldwright.canonical import digest_bytes
from goldwright.errors import GoldwrightError
from goldwright.golden.dataset_card import dataset_card
from goldwright.golden.loading import card_path, metadata_path, read_bytes, read_metadata
from goldwright.golden.metadata import VERSION_STATUSES, DatasetMetadata


def publish_version(path: Path, data: bytes, metadata: DatasetMetadata) -> bool:
    """Create a dataset with its metadata and card, all or none, and never over another version.

    Returns:
        False if the same dataset is there already; its metadata and card stay as they are.

    Raises:
        InputError: The name is taken, there is no room, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    metadata_file = metadata_path(path)
    metadata_json = metadata.model_dump_json(indent=2, ensure_ascii=True)
    metadata_bytes = f"{metadata_json}\n".encode("ascii")
    card_file = card_path(path)
    card_bytes = dataset_card(metadata).encode()
    with locked_directory(path.parent):
        if is_taken(path):
            # Passes when the same bytes are there, and refuses any other content.
            publish(path, data)
            if not is_taken(metadata_file):
                publish(metadata_file, metadata_bytes)
            if not is_taken(card_file):
                publish(card_file, card_bytes)
            return False
        if _is_left_over(path, metadata):
            # In this order, so that a crash in between is cleared away the next time.
            card_file.unlink(missing_ok=True)
            metadata_file.unlink()
        files = [(metadata_file, metadata_bytes), (card_file, card_bytes)]
        missing_files = [(file, content) for file, content in files if not is_taken(file)]
        for file, content in files:
            if is_taken(file):
                # Unless these are the same bytes, this refuses before the dataset is written.
                publish(file, content)
        publish_together([*missing_files, (path, data)])
    return True


def clear_older_draft(path: Path, data: bytes, run: str) -> str | None:
    """Take an older draft away that stands where another one is to be written; never a version.

    A draft that somebody changed by hand stays, and publishing refuses the name.

    Returns:
        The run whose draft it was; None where there is none, or where it is the same dataset of
        the same run. Of another run the records may be the same, the commit is not.

    Raises:
        InputError: The directory cannot be written.
    """
    if not path.is_file() or path.is_symlink():
        return None
    with locked_directory(path.parent):
        current = read_bytes(path, content="dataset")
        try:
            metadata = read_metadata(path)
        except GoldwrightError:
            return None
        if metadata is None or metadata.dataset_status in VERSION_STATUSES:
            return None
        if metadata.dataset_sha256 != digest_bytes(current):
            return None
        if current == data and metadata.run == run:
            return None
        # In this order, so that a crash in between leaves no dataset without its metadata.
        card_path(path).unlink(missing_ok=True)
        path.unlink()
        metadata_path(path).unlink()
        return metadata.run


def _is_left_over(path: Path, metadata: DatasetMetadata) -> bool:
    """Whether a crash left the metadata of this very run and version without their dataset."""
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
