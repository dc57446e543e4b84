"""Reading what commits changed in the code, many at a time and in the order of the history."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.git.history_walk import (
    FileChange,
    LineChanges,
    PatchOfCommit,
    WalkedCommit,
    read_patches,
)
from goldwright.snapshot.git.object_ids import format_of, object_id_of
from goldwright.snapshot.indexing.code_changes import ChangeRequest, read_changes
from goldwright.snapshot.languages.language_catalog import language_of

# In bytes of contents that are in memory at once; starting workers costs 0.1 s each time.
_BATCH_BYTES: Final = 48_000_000
_NO_TEXT: Final = "no text, or too large"
_UNCHANGED: Final = DefinitionChanges(changes_code=False)

ChooseFiles = Callable[[WalkedCommit, PatchOfCommit], Sequence[FileChange]]
"""Chooses the files of a commit whose change is to be read."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A changed file of a commit, and what the change comes to."""

    file: FileChange
    code: DefinitionChanges


@dataclass(slots=True)
class _CommitBatch:
    """Changes whose contents are in memory.

    Attributes:
        requests: What is to be read, by old and new object id.
        files: The chosen files of each commit.
        size: The bytes of all contents.
    """

    requests: dict[str, ChangeRequest] = field(default_factory=dict)
    files: dict[str, Sequence[FileChange]] = field(default_factory=dict)
    answers: dict[str, DefinitionChanges] = field(default_factory=dict)
    size: int = 0


class ChangeReader:
    """Reads the changes of commits of one mirror."""

    def __init__(self, mirror: Path, tip: str, *, workers: int | None) -> None:
        self._mirror = mirror
        self._tip = tip
        self._workers = workers

    def read(
        self, commits: Mapping[str, WalkedCommit], choose: ChooseFiles
    ) -> Iterator[tuple[str, Sequence[ChangedFile]]]:
        """Yield commits with the changes of their chosen files; those without any are left out.

        Args:
            commits: The commits by their ids, in the order in which they are to be read.
            choose: Chooses files, by the lines that the commit changed.
        """
        batch = _CommitBatch()
        with ObjectStore(self._mirror, self._tip) as store:
            for commit_id, patch in read_patches(self._mirror, tuple(commits)):
                files = choose(commits[commit_id], patch)
                if not files:
                    continue
                batch.files[commit_id] = files
                self._load(batch, files, patch, store)
                if batch.size >= _BATCH_BYTES:
                    yield from self._finish(batch)
                    batch = _CommitBatch()
        yield from self._finish(batch)

    def _load(
        self,
        batch: _CommitBatch,
        files: Sequence[FileChange],
        patch: PatchOfCommit,
        store: ObjectStore,
    ) -> None:
        hunks_by_key: dict[str, tuple[FileChange, tuple[Hunk, ...]]] = {}
        for file in files:
            key = _key(file)
            if key in batch.requests or key in batch.answers:
                continue
            lines = patch.get((file.old_oid, file.new_oid))
            if file.old_oid == file.new_oid:
                batch.answers[key] = _UNCHANGED
            elif lines is None or not _is_text(file, lines):
                batch.answers[key] = DefinitionChanges(reason=_NO_TEXT)
            else:
                hunks_by_key[key] = (file, tuple(lines.hunks))
        oids = {oid for file, _ in hunks_by_key.values() for oid in (file.old_oid, file.new_oid)}
        contents = dict(store.read_many(sorted(filter(_is_there, oids))))
        for key, (file, hunks) in hunks_by_key.items():
            language = language_of(file.new_path)
            if language is None:
                continue
            old = contents.get(file.old_oid)
            new = contents.get(file.new_oid)
            batch.requests[key] = ChangeRequest(language.name, old, new, hunks)
            batch.size += len(old or b"") + len(new or b"")

    def _finish(self, batch: _CommitBatch) -> Iterator[tuple[str, Sequence[ChangedFile]]]:
        answers = batch.answers | read_changes(batch.requests, self._workers)
        for commit_id, files in batch.files.items():
            yield commit_id, [ChangedFile(file, answers[_key(file)]) for file in files]


def _key(file: FileChange) -> str:
    return f"{file.old_oid} {file.new_oid}"


def _is_there(oid: str) -> bool:
    """Return whether an object id is that of an object, and not the zeros that stand for none."""
    return oid.strip("0") != ""


def _is_text(file: FileChange, lines: LineChanges) -> bool:
    """Return whether git compared two contents line by line: both are text, and not too large."""
    if lines.hunks:
        return True
    empty = object_id_of(b"", "blob", object_format=format_of(file.new_oid))
    # Between an empty file and none, no line differs.
    return all(oid == empty or not _is_there(oid) for oid in (file.old_oid, file.new_oid))
