"""The commits of a history with what each changed, read as one stream.

One process of git lists all commits, and another one writes the lines that some of them changed:
neither is started again for each commit.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from goldwright.errors import DamagedStateError
from goldwright.snapshot.changed_definitions import Hunk
from goldwright.snapshot.git.git_process import Process, on_mirror
from goldwright.snapshot.git.object_ids import check_object_id
from goldwright.snapshot.size_limits import LARGEST_TEXT_FILE

# Stands before and behind the fields of a commit. What a message holds comes last, and may hold it.
_MARK: Final = "\x01"
_FIELD_COUNT: Final = 5
# Renames are looked for by content where a commit has at most this many files that may be either
# end of one; git's own limit, given so that no other version has another one.
_RENAMES: Final = ("-M", "-l1000")
_PLAIN: Final = (
    *("--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color"),
    *("--no-mailmap", "--no-notes", "--encoding=UTF-8"),
    # Both are what git does by itself; another version may do otherwise.
    *("--diff-algorithm=myers", "--indent-heuristic"),
)
_LOG: Final = (
    *("log", "-z", "--topo-order", "--reverse", "--raw", "--no-abbrev", *_RENAMES, *_PLAIN),
    "--format=%x01%H%x01%P%x01%cI%x01%an <%ae>%x01%B%x01",
)
_PATCHES: Final = (
    # Files beyond this are never read, so nobody needs their lines.
    *("-c", f"core.bigFileThreshold={LARGEST_TEXT_FILE}"),
    *("log", "--no-walk=unsorted", "--stdin", "-p", "-U0", "--full-index", *_RENAMES, *_PLAIN),
    "--format=%x01%H",
)
_REGULAR_MODES: Final = frozenset({"100644", "100755"})
_NO_MODE: Final = "000000"
_INDEX_LINE: Final = re.compile(rb"index ([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})")
_HUNK_LINE: Final = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_DEFINED_NAME: Final = re.compile(rb"[-+]\s*(?:async\s+)?(?:def|class)\s+(\w+)")
_CHUNK_BYTES: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit did to one regular file.

    Attributes:
        status: ``A`` for added, ``D`` for removed, ``R`` for renamed, ``M`` for anything else.
        old_path: Its path before; that afterwards where it was added.
        new_path: Its path afterwards; that before where it was removed.
        old_oid: Its content before; zeros where there was none.
        new_oid: Its content afterwards; zeros where there is none.
    """

    status: str
    old_path: str
    new_path: str
    old_oid: str
    new_oid: str


@dataclass(frozen=True, slots=True)
class WalkedCommit:
    """One commit of a history.

    Attributes:
        commit: Its id.
        parents: The ids of its parents; none for the first commit, several for a merge.
        date: When it was committed, as ISO 8601.
        author: Name and address of its author.
        message: Its message.
        changes: The regular files that it changed; none for a merge.
    """

    commit: str
    parents: tuple[str, ...]
    date: str
    author: str
    message: str
    changes: tuple[FileChange, ...]


@dataclass(slots=True)
class LineChanges:
    """The lines in which two contents of a file differ.

    Attributes:
        hunks: The lines, without any around them.
        removed_names: The names that removed lines define.
        added_names: The names that added lines define.
    """

    hunks: list[Hunk] = field(default_factory=list)
    removed_names: set[str] = field(default_factory=set)
    added_names: set[str] = field(default_factory=set)


PatchOfCommit = dict[tuple[str, str], LineChanges]
"""What a commit changed, by the old and the new content of each file."""


def walk_history(mirror: Path, tip: str) -> Iterator[WalkedCommit]:
    """Yield all commits that led to one, each behind its parents.

    Raises:
        DamagedStateError: The mirror does not hold the history.
    """
    command = [*_LOG, check_object_id(tip), "--"]
    with on_mirror(mirror, command) as process:
        tokens = _tokens(_stdout(process))
        commit: WalkedCommit | None = None
        changes: list[FileChange] = []
        for token in tokens:
            text = token.removeprefix(b"\n").decode("utf-8", "backslashreplace")
            if text.startswith(_MARK):
                if commit is not None:
                    yield _with_changes(commit, changes)
                commit, changes = _read_fields(text), []
            elif text.startswith(":"):
                change = _read_change(text, tokens)
                if change is not None:
                    changes.append(change)
        if commit is not None:
            yield _with_changes(commit, changes)
        _check_end(process, mirror)


def read_patches(mirror: Path, commits: Sequence[str]) -> Iterator[tuple[str, PatchOfCommit]]:
    """Yield commits with the lines that each changed against its parent, in the given order.

    Files that are renamed without a change, and those that are no text, have no entry.

    Raises:
        DamagedStateError: The mirror does not hold one of the commits.
    """
    if not commits:
        return
    with on_mirror(mirror, _PATCHES, reads_stdin=True) as process:
        # Git takes all of them in before it writes the first line, so neither side waits.
        request = "".join(f"{check_object_id(commit)}\n" for commit in commits)
        if process.stdin is None:
            raise DamagedStateError("git was started without a pipe")
        process.stdin.write(request.encode("ascii"))
        process.stdin.close()
        yield from _split_patches(_stdout(process))
        _check_end(process, mirror)


def _split_patches(stream: IO[bytes]) -> Iterator[tuple[str, PatchOfCommit]]:
    commit = ""
    patch: PatchOfCommit = {}
    lines = LineChanges()
    for line in stream:
        # Without lines around a change, each line of content begins with a sign.
        match line[:1]:
            case b"+" | b"-":
                _note_definition(line, lines)
            case b"@":
                _note_hunk(line, lines)
            case b"i":
                lines = _next_file(line, patch) or lines
            case b"\x01":
                if commit:
                    yield commit, patch
                commit = line[1:].strip().decode("ascii")
                patch = {}
                lines = LineChanges()
    if commit:
        yield commit, patch


def _next_file(line: bytes, patch: PatchOfCommit) -> LineChanges | None:
    """Begin with the file that a line names by its contents; None for any other line."""
    index = _INDEX_LINE.match(line)
    if index is None:
        return None
    old_oid = index[1].decode("ascii")
    new_oid = index[2].decode("ascii")
    key = (old_oid, new_oid)
    lines = patch.setdefault(key, LineChanges())
    # Two files of one commit may change from and to the same content.
    lines.hunks.clear()
    return lines


def _note_hunk(line: bytes, lines: LineChanges) -> None:
    match = _HUNK_LINE.match(line)
    if match is None:
        return
    # A count of 1 is not written.
    numbers = [1 if number is None else int(number) for number in match.groups()]
    lines.hunks.append(Hunk(*numbers))


def _note_definition(line: bytes, lines: LineChanges) -> None:
    match = _DEFINED_NAME.match(line)
    if match is None:
        return
    name = match[1].decode("utf-8", "replace")
    is_addition = line[:1] == b"+"
    names = lines.added_names if is_addition else lines.removed_names
    names.add(name)


def _read_fields(text: str) -> WalkedCommit:
    fields = text.removeprefix(_MARK).split(_MARK, _FIELD_COUNT - 1)
    if len(fields) != _FIELD_COUNT:
        raise DamagedStateError("git log gave a commit without its fields")
    commit, parents, date, author, message = fields
    text_of_message = message.removesuffix(_MARK)
    parent_ids = tuple(parents.split())
    return WalkedCommit(check_object_id(commit), parent_ids, date, author, text_of_message, ())


def _with_changes(commit: WalkedCommit, changes: Sequence[FileChange]) -> WalkedCommit:
    return WalkedCommit(
        commit.commit, commit.parents, commit.date, commit.author, commit.message, tuple(changes)
    )


def _read_change(header: str, tokens: Iterator[bytes]) -> FileChange | None:
    """Read one change, which takes one path or two; None where it is about no regular file."""
    fields = header.removeprefix(":").split()
    if len(fields) != 5:
        raise DamagedStateError("git log gave a change without its fields")
    old_mode, new_mode, old_oid, new_oid, status = fields
    old_path = _path(next(tokens, b""))
    has_two_paths = status[0] in "RC"
    new_path = _path(next(tokens, b"")) if has_two_paths else old_path
    modes = {old_mode, new_mode} - {_NO_MODE}
    if not modes <= _REGULAR_MODES:
        return None
    kind = status[0] if status[0] in "ADR" else "M"
    return FileChange(kind, old_path, new_path, old_oid, new_oid)


def _path(token: bytes) -> str:
    return token.decode("utf-8", "backslashreplace")


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    """Split a stream at its NULs."""
    incomplete = b""
    while chunk := stream.read1(_CHUNK_BYTES):  # type: ignore[attr-defined]  # a BufferedReader
        *tokens, incomplete = (incomplete + chunk).split(b"\0")
        yield from tokens
    if incomplete:
        yield incomplete


def _stdout(process: Process) -> IO[bytes]:
    if process.stdout is None:
        raise DamagedStateError("git was started without a pipe")
    return process.stdout


def _check_end(process: Process, mirror: Path) -> None:
    if process.wait() != 0:
        raise DamagedStateError(f"{mirror}: git could not read the history")
