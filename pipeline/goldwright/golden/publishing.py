"""Publishing a version: the dataset, its metadata and its card together, once and for good."""

from pathlib import Path

from goldwright.atomic_files import is_taken, locked_directory, publish, publish_together
from goldwright.canonical import digest_bytes
from goldwright.errors import GoldwrightError, InputError
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


def clear_older_draft(
    path: Path, data: bytes, metadata: DatasetMetadata, *, may_replace_others: bool = False
) -> str | None:
    """Take an older draft away that stands where another one is to be written; never a version.

    A draft that somebody changed by hand stays, and publishing refuses the name.

    Args:
        path: Where the draft is to be written.
        data: The dataset to be written there.
        metadata: What is said of it, with the run that it is of.
        may_replace_others: Whether the draft of another run may be taken away.

    Returns:
        The run whose draft it was; None where there is none, or where it is the same dataset of
        the same run, of which the same is said. Of another run the records may be the same, the
        commit is not; and of the same records a run may have taken back what was planned.

    Raises:
        InputError: It is the draft of another run, or the directory cannot be written.
    """
    if not path.is_file() or path.is_symlink():
        return None
    with locked_directory(path.parent):
        draft = unchanged_draft(path)
        if draft is None or (draft == metadata and draft.dataset_sha256 == digest_bytes(data)):
            return None
        if draft.run != metadata.run and not may_replace_others:
            raise _draft_of_another_run(path, draft.run)
        # In this order, so that a crash in between leaves no dataset without its metadata.
        card_path(path).unlink(missing_ok=True)
        path.unlink()
        metadata_path(path).unlink()
        return draft.run


def refuse_draft_of_another_run(path: Path, run: str) -> None:
    """Say that a draft would replace that of another run, before anything is measured for it.

    Raises:
        InputError: The draft of another run stands there.
    """
    draft_run = run_of_draft(path)
    if draft_run is not None and draft_run != run:
        raise _draft_of_another_run(path, draft_run)


def run_of_draft(path: Path) -> str | None:
    """Find out whose draft stands at a path; None where none does that an export may replace."""
    if not path.is_file() or path.is_symlink():
        return None
    draft = unchanged_draft(path)
    return None if draft is None else draft.run


def unchanged_draft(path: Path) -> DatasetMetadata | None:
    """Read the metadata of a draft; None for anything else, and for one that was changed."""
    current = read_bytes(path, content="dataset")
    try:
        metadata = read_metadata(path)
    except GoldwrightError:
        return None
    if metadata is None or metadata.dataset_status in VERSION_STATUSES:
        return None
    return metadata if metadata.dataset_sha256 == digest_bytes(current) else None


def _draft_of_another_run(path: Path, run: str) -> InputError:
    return InputError(
        f"{path}: is the draft of {run}; take another --version, or pass --replace to replace it"
    )


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
