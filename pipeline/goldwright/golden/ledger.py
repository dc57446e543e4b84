"""``golden/ledger/``: what a blessing rests on, an entry a file, each naming the one before.

An entry is created once, read-only and durable, and holds the digest of the bytes of the entry
before it. So one that is changed, removed or put in between is noticed; that the last ones are
missing shows from the metadata of the versions that were published after them.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import Field, ValidationError

from goldwright.atomic_files import locked_directory, publish
from goldwright.canonical import digest, digest_bytes
from goldwright.errors import DamagedStateError, InputError
from goldwright.records import Record, ReviewPass
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import read_regular

DIRECTORY_NAME: Final = "ledger"
# Entries of a name of five digits sort as they are numbered; no dataset sees 100,000 sittings.
_DIGITS: Final = 5

# Several machines may write into one ledger; what lies further back was not written then.
MOST_SKEW: Final = timedelta(days=1)

EntryKind = Literal["sample", "sitting", "resumed", "requeue", "export", "rebase"]


class ReviewHead(Record):
    """How far a file of review events goes.

    Attributes:
        count: How many events it holds.
        chain: The chain of the last of them; empty where there are none.
    """

    count: int = Field(ge=0)
    chain: str


class PublishedFiles(Record):
    """The digests of a version, its metadata and its card.

    Attributes:
        name: The name of the dataset.
        is_here: Whether it lies beside the ledger, and not in a directory that a user chose.
        dataset: The digest of the dataset.
        metadata: The digest of its metadata.
        card: The digest of its card.
    """

    name: str
    is_here: bool
    dataset: str
    metadata: str
    card: str


class LedgerEntry(Record):
    """One thing that happened to a run or a dataset.

    Attributes:
        number: The number of the entry, from 1.
        previous: The digest of the bytes of the entry before; empty for the first one.
        kind: What happened: a ``sample`` was drawn, a person's ``sitting`` ended, a run was
            ``resumed`` after people had begun, a breached batch was replaced (``requeue``), a
            version was published (``export``, ``rebase``).
        at: When, in UTC.
        run: The run.
        manifest: The digest of the whole manifest of the run; empty for a rebase.
        redone: How often stages of the run had been done again; each begins a new review.
        reviews: How far the review events of the run went.
        sample: The chain of the event that drew the sample, if one was drawn.
        reviewer: Whose sitting ended.
        sitting: Their review pass.
        signature: Their SSH signature of all of this entry but itself, its number and ``previous``.
        breaches: The ceilings that a replaced batch breached, and what else was wrong.
        replaced_by: The run that replaces it.
        published: The version that was published.
        digest: The digest of all of this but itself; empty in entries of schema 1.0.0.
    """

    number: int = Field(ge=1)
    previous: str
    kind: EntryKind
    at: str
    run: str
    manifest: str = ""
    redone: int = 0
    reviews: ReviewHead | None = None
    sample: str | None = None
    reviewer: str | None = None
    sitting: ReviewPass | None = None
    signature: str | None = None
    breaches: tuple[str, ...] = ()
    replaced_by: str | None = None
    published: PublishedFiles | None = None
    digest: str = ""
    schema_version: Literal["1.0.0", "1.1.0"] = "1.1.0"

    @property
    def signed_bytes(self) -> bytes:
        """What a signature of the entry is made over."""
        apart = {"number", "previous", "signature", "digest"}
        return self.model_dump_json(exclude=apart, ensure_ascii=True).encode("ascii")

    def sealed(self) -> Self:
        """Give the entry with its digest."""
        return self.model_copy(update={"digest": self._own_digest()})

    @property
    def is_as_written(self) -> bool:
        """Whether it is what was written, as far as its digest tells; old ones have none."""
        if self.schema_version == "1.0.0":
            return True
        return self.digest == self._own_digest()

    def _own_digest(self) -> str:
        return digest(self.model_dump(mode="json", exclude={"digest"}))


class LedgerHead(Record):
    """The last entry of a ledger, as metadata name it.

    Attributes:
        number: Its number; 0 for a ledger without entries.
        sha256: The digest of its bytes; empty for none.
    """

    number: int = Field(ge=0)
    sha256: str


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry, and the digest of the file that holds it."""

    entry: LedgerEntry
    sha256: str


class Ledger:
    """The entries of one ``golden/``; what is not there yet holds none."""

    def __init__(self, golden: Path) -> None:
        """Start without reading anything.

        Args:
            golden: The directory that versions are published in.
        """
        self.directory = golden / DIRECTORY_NAME

    def entries(self) -> tuple[StoredEntry, ...]:
        """Read every entry, oldest first.

        Raises:
            DamagedStateError: One is missing, is no entry, or does not name the one before it.
        """
        stored: list[StoredEntry] = []
        for path in self._files():
            number = len(stored) + 1
            if path.name != _file_name(number):
                raise DamagedStateError(
                    f"{self.directory}: holds {path.name} where {_file_name(number)} comes next"
                )
            previous = stored[-1].sha256 if stored else ""
            stored.append(_read_entry(path, number, previous))
            _check_follows(stored[-2:], path)
        return tuple(stored)

    def head(self) -> LedgerHead:
        """Give the last entry.

        Raises:
            DamagedStateError: The entries are not what was written.
        """
        return _head_of(self.entries())

    def head_of_reviews(self) -> LedgerHead:
        """Give the last entry that published nothing: so an export again changes no metadata.

        Raises:
            DamagedStateError: The entries are not what was written.
        """
        return _head_of(
            tuple(stored for stored in self.entries() if stored.entry.published is None)
        )

    def append(self, make_entry: Callable[[LedgerHead], LedgerEntry]) -> LedgerEntry:
        """Write the next entry; others who write wait for their turn.

        Args:
            make_entry: Makes the entry that comes after a head, with number and ``previous`` of it.

        Raises:
            InputError: The directory cannot be written, or there is no room.
            DamagedStateError: The entries are not what was written, or the disk failed.
        """
        with locked_directory(self.directory):
            entry = make_entry(self.head()).sealed()
            data = entry.model_dump_json(indent=2, ensure_ascii=True) + "\n"
            path = self.directory / _file_name(entry.number)
            publish(path, data.encode("ascii"))
        return entry

    def names_run(self, run: str) -> bool:
        """Whether any entry is about a run."""
        return any(stored.entry.run == run for stored in self.entries())

    def _files(self) -> list[Path]:
        try:
            # What is hidden is of the system, or an entry that a crash left half written.
            return sorted(
                path for path in self.directory.iterdir() if not path.name.startswith(".")
            )
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{self.directory}: cannot be read: {error.strerror}") from error


def _file_name(number: int) -> str:
    return f"{number:0{_DIGITS}}.json"


def _head_of(entries: tuple[StoredEntry, ...]) -> LedgerHead:
    if not entries:
        return LedgerHead(number=0, sha256="")
    last = entries[-1]
    return LedgerHead(number=last.entry.number, sha256=last.sha256)


def _read_entry(path: Path, number: int, previous: str) -> StoredEntry:
    try:
        data = read_regular(path)
        entry = LedgerEntry.model_validate_json(data)
    except OSError as error:
        raise DamagedStateError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise DamagedStateError(f"{path}: damaged entry: {problem}") from error
    if not _is_as_written(data):
        raise DamagedStateError(f"{path}: damaged entry: is not spelt as entries are written")
    if not entry.is_as_written:
        raise DamagedStateError(f"{path}: damaged entry: its digest is another one")
    if entry.number != number:
        raise DamagedStateError(f"{path}: is number {entry.number}, where {number} comes next")
    if entry.previous != previous:
        raise DamagedStateError(f"{path}: does not name the entry before it, or that one changed")
    return StoredEntry(entry, digest_bytes(data))


def _check_follows(entries: Sequence[StoredEntry], path: Path) -> None:
    """Refuse an entry that is older than the one before it, by its clock or by its form.

    Raises:
        DamagedStateError: It is.
    """
    if len(entries) < 2:
        return
    before, after = (stored.entry for stored in entries)
    if is_long_before(after.at, before.at):
        raise DamagedStateError(f"{path}: is from {after.at}, before the entry that it follows")
    # The form without a digest would let the newest entry say anything.
    if after.schema_version < before.schema_version:
        raise DamagedStateError(f"{path}: is of an older form than the entry that it follows")


def is_long_before(time: str, other_time: str) -> bool:
    """Whether a time in UTC lies before another one by more than clocks of people differ.

    Raises:
        DamagedStateError: One of them is no time.
    """
    try:
        moment = datetime.fromisoformat(time)
        other_moment = datetime.fromisoformat(other_time)
        return moment < other_moment - MOST_SKEW
    except ValueError as error:
        raise DamagedStateError(f"damaged entry: {error}") from error


def _is_as_written(data: bytes) -> bool:
    """Whether nothing but JSON as we write it is there: no field twice, no other white space.

    No later entry holds the digest of the newest one, so its spelling is looked at itself.
    """
    text = json.dumps(json.loads(data), indent=2, ensure_ascii=True)
    return f"{text}\n".encode("ascii") == data
