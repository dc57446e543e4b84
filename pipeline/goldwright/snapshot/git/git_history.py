"""Who changed what and when, read from a mirror by commit id."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.errors import DamagedStateError, InputError
from goldwright.snapshot.git.git_process import GitError, ask_mirror
from goldwright.snapshot.git.object_ids import check_object_id

MOST_COMMITS: Final = 500
MOST_BLAMED_LINES: Final = 2000
LONGEST_SUBJECT: Final = 300
MOST_FILES: Final = 100

_SECONDS: Final = 20.0
# Stands between the fields of a commit. NUL, which no field can hold, stands between paths already.
_MARK: Final = "\x01"
_LOG_OPTIONS: Final = """
    -z --no-show-signature --no-ext-diff --no-textconv --no-color --no-mailmap --no-notes
    --no-renames --name-only --format=%x01%H%x01%aI%x01%s%x01
""".split()
# The header of a line: commit, line in that commit, line now, and lines of its group.
_BLAME_HEADER: Final = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit.

    Attributes:
        commit: Its id.
        date: When its author made it, as ISO 8601.
        subject: The first line of its message, at most 300 characters.
        files: The paths it changed, at most 100; none for a merge.
    """

    commit: str
    date: str
    subject: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlameLine:
    """The commit that last changed a line.

    Attributes:
        line: The number of the line.
        commit: The id of the commit.
        date: When its author made it, in seconds since 1970 (UTC).
        subject: The first line of its message, at most 300 characters.
    """

    line: int
    commit: str
    date: int
    subject: str


def commit_log(mirror: Path, commit: str, *, path: str | None, limit: int) -> tuple[Commit, ...]:
    """List the latest commits up to and with ``commit``, newest first; at most 500.

    With a path only those that changed this file or folder are listed.

    Raises:
        InputError: It takes too long.
        DamagedStateError: The mirror does not hold the commit.
    """
    count = max(0, min(limit, MOST_COMMITS))
    object_id = check_object_id(commit)
    command = ["log", *_LOG_OPTIONS, "-n", str(count), object_id, "--"]
    if path:
        command.append(path)
    output = ask_mirror(mirror, command, seconds=_SECONDS)
    entries = _split_log(output.decode("utf-8", "replace"))
    return tuple(_read_commit(entry) for entry in entries)


def blame_lines(
    mirror: Path, commit: str, *, path: str, first: int, last: int
) -> tuple[BlameLine, ...]:
    """Give for each of the lines ``first`` to ``last`` of a file the commit that wrote it.

    At most 2,000 lines are read.

    Raises:
        InputError: The file or lines are not there at the commit, or it takes too long.
    """
    if not 1 <= first <= last:
        raise InputError(f"{path}: lines {first}-{last} are no range; lines count from 1")
    last = min(last, first + MOST_BLAMED_LINES - 1)
    line_range = f"{first},{last}"
    options = ["--porcelain", "--no-textconv", "-L", line_range]
    command = ["blame", *options, check_object_id(commit), "--", path]
    try:
        output = ask_mirror(mirror, command, seconds=_SECONDS)
    except GitError as error:
        raise InputError(f"{path}: has no lines {first}-{last} at {commit[:12]}") from error
    return tuple(_read_blame(output.decode("utf-8", "replace")))


def _split_log(output: str) -> list[list[str]]:
    """Split the output of git log into commits, each as its fields and the paths it changed."""
    entries: list[list[str]] = []
    for token in output.split("\0"):
        path = token.lstrip("\n")
        if path.startswith(_MARK):
            # The first path of a commit stands in one token with its fields.
            fields, _, path = path.rpartition(_MARK)
            entries.append([fields])
            path = path.lstrip("\n")
        if path and entries:
            entries[-1].append(path)
    return entries


def _read_commit(entry: list[str]) -> Commit:
    joined_fields, *files = entry
    fields = joined_fields.removeprefix(_MARK).split(_MARK, 2)
    if len(fields) != 3:
        raise DamagedStateError("git log gave an entry without its fields")
    commit, date, subject = fields
    paths = tuple(files[:MOST_FILES])
    return Commit(commit, date, subject[:LONGEST_SUBJECT], paths)


def _read_blame(output: str) -> Iterator[BlameLine]:
    """Read the porcelain format, in which a commit has its date and subject only once."""
    dates: dict[str, int] = {}
    subjects: dict[str, str] = {}
    commit_by_line: list[tuple[int, str]] = []
    commit = ""
    for line in output.split("\n"):
        if line.startswith("\t"):
            # The text of the blamed line itself.
            continue
        if match := _BLAME_HEADER.fullmatch(line):
            commit = match[1]
            line_number = int(match[2])
            commit_by_line.append((line_number, commit))
        elif line.startswith("author-time "):
            dates[commit] = int(line.removeprefix("author-time "))
        elif line.startswith("summary "):
            subject = line.removeprefix("summary ")
            subjects[commit] = subject[:LONGEST_SUBJECT]
    for number, commit in commit_by_line:
        date = dates.get(commit, 0)
        subject = subjects.get(commit, "")
        yield BlameLine(number, commit, date, subject)
