"""An evaluation set on disk: a draft that grows, and versions that nobody changes any more."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeVar

from goldwright.atomic_files import READABLE, replace_file, sync_directory, write_failure
from goldwright.canonical import digest_bytes
from goldwright.cells.records import CellSettings
from goldwright.errors import DamagedStateError, InputError
from goldwright.journal.json_lines import read_file
from goldwright.records import Record

SETTINGS: Final = "settings.json"
QUERIES: Final = "queries.jsonl"
CORPUS: Final = "corpus.jsonl"
JUDGE: Final = "judge.md"
PREDICTIONS: Final = "predictions.jsonl"
RANKINGS: Final = "rankings.jsonl"
PAIRS: Final = "pairs.jsonl"
JUDGEMENTS: Final = "judgements.jsonl"
CALLS: Final = "calls.jsonl"
PEOPLE: Final = "disagreements.jsonl"
LABELS: Final = "labels.jsonl"
OBSERVED: Final = "predictions_observed.jsonl"
WEAKNESSES: Final = "known_weaknesses.md"
DECISION: Final = "decision.json"
PAGE: Final = "results.html"
MANIFEST: Final = "manifest.json"

_VERSION: Final = re.compile(r"v(?P<number>[1-9]\d{0,5})")

RecordT = TypeVar("RecordT", bound=Record)


def latest_version(directory: Path) -> int:
    """Give the number of the newest frozen version; 0 where there is none."""
    return max(_numbers(directory, _VERSION), default=0)


def version_directory(directory: Path, number: int) -> Path:
    """Give the directory of a frozen version."""
    return directory / f"v{number}"


def draft_directory(directory: Path, number: int) -> Path:
    """Give the directory in which a version grows."""
    return directory / f"v{number}.draft"


def as_lines(records: Iterable[Record]) -> bytes:
    """Write records a line each."""
    lines = (f"{record.as_json()}\n" for record in records)
    return "".join(lines).encode("ascii")


def as_document(record: Record) -> bytes:
    """Write one record so that people can read it."""
    text = json.dumps(record.model_dump(mode="json"), indent=2)
    return f"{text}\n".encode("ascii")


def write_once(path: Path, data: bytes) -> None:
    """Write a file of a draft; one that is there has to hold the same.

    Raises:
        DamagedStateError: It holds something else.
        InputError: It cannot be written.
    """
    if path.exists():
        if read_file(path) != data:
            raise DamagedStateError(
                f"{path}: is not what was written when the draft began; restore it, or remove "
                f"{path.parent} to begin again"
            )
        return
    replace_file(path, data, mode=READABLE)


def check_settings(stated: CellSettings, settings: CellSettings, directory: Path) -> None:
    """Refuse what a set does not rest on.

    Raises:
        InputError: It differs; the text says in what.
    """
    if stated == settings:
        return
    before, current_values = stated.model_dump(), settings.model_dump()
    changed = [name for name in before if before[name] != current_values[name]]
    if directory.name.endswith(".draft"):
        advice = f"give what it began with, or remove {directory} to begin again"
    else:
        advice = "it stays as it is; --new-version judges everything again in the next one"
    names = ", ".join(changed)
    raise InputError(f"{directory}: rests on other {names}: {advice}")


def freeze(draft: Path, version: Path) -> str:
    """Make a draft a version: name every file by its content, and rename the directory.

    Returns:
        The digest of the manifest, by which the whole set is named.

    Raises:
        InputError: The directory cannot be written.
    """
    digests = {path.name: digest_bytes(path.read_bytes()) for path in _files(draft)}
    text = json.dumps({"files": digests}, indent=2, sort_keys=True)
    data = f"{text}\n".encode("ascii")
    replace_file(draft / MANIFEST, data, mode=READABLE)
    try:
        for path in _files(draft):
            path.chmod(0o444)
        # Last: a version is there as a whole or not at all.
        draft.rename(version)
        sync_directory(version.parent)
    except OSError as error:
        raise write_failure(version, error) from error
    return digest_bytes(data)


def verify(version: Path) -> str:
    """Check that every file is what was frozen, and that none was added or removed.

    Returns:
        The digest of the manifest.

    Raises:
        DamagedStateError: A file is not; the text names it.
    """
    data = read_file(version / MANIFEST)
    try:
        digests: Mapping[str, str] = json.loads(data)["files"]
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedStateError(f"{version / MANIFEST}: is no manifest") from error
    freezing = f"{version.name} was frozen"
    names = {path.name for path in _files(version)}
    for name in sorted(names ^ {*digests, MANIFEST}):
        path = version / name
        change = "was removed" if name in digests else "was added"
        raise DamagedStateError(f"{path}: {change} after {freezing}")
    for name, stated in sorted(digests.items()):
        path = version / name
        if digest_bytes(read_file(path)) != stated:
            raise DamagedStateError(
                f"{path}: was changed after {freezing}; restore it, or give --new-version, which "
                "judges everything again"
            )
    return digest_bytes(data)


def read_document(path: Path, model: type[RecordT]) -> RecordT:
    """Read a file that holds one record.

    Raises:
        DamagedStateError: It holds none.
    """
    try:
        return model.model_validate_json(read_file(path))
    except ValueError as error:
        raise DamagedStateError(f"{path}: is not as it was written") from error


def _files(directory: Path) -> Iterator[Path]:
    """List the files of a set; what a crash left half written, and quarantine, are none of it."""
    for path in sorted(directory.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            yield path


def _numbers(directory: Path, form: re.Pattern[str]) -> Iterator[int]:
    if directory.is_dir():
        for path in directory.iterdir():
            match = form.fullmatch(path.name)
            if match is not None and path.is_dir():
                yield int(match["number"])
