"""Who changed what and when, read from a mirror by commit id."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.errors import DamagedStateError, InputError
from goldwright.snapshot.git import GitError, ask_mirror
from goldwright.snapshot.git_objects import checked_oid

MOST_COMMITS: Final = 500
MOST_BLAMED_LINES: Final = 2000
LONGEST_SUBJECT: Final = 300
MOST_FILES: Final = 100

_MARK: Final = "\x01"
_COMMIT: Final = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")
_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: ``date`` is the author's, as ISO 8601; ``files`` are the paths it changed.

    At most 100 paths are told, and none for a merge.
    """

    commit: str
    date: str
    subject: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlameLine:
    """The commit that last changed line ``line``; ``date`` is the author's, in seconds since 1970
    (UTC).
    """

    line: int
    commit: str
    date: int
    subject: str


def commit_log(mirror: Path, commit: str, *, path: str | None, limit: int) -> tuple[Commit, ...]:
    """List the latest commits before and with ``commit``, newest first; at most 500.

    A path leaves only those that changed this file or folder.

    Raises:
        InputError: It takes too long.
        DamagedStateError: The mirror does not hold the commit.
    """
    command = [
        *(
            "log",
            "-z",
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-mailmap",
        ),
        *("--no-notes", "--no-renames", "--name-only", "--format=%x01%H%x01%aI%x01%s%x01"),
        *("-n", str(max(0, min(limit, MOST_COMMITS))), checked_oid(commit), "--"),
    ]
    output = ask_mirror(mirror, [*command, *([path] if path else [])], seconds=_SECONDS)
    return tuple(_log_entry(part) for part in _split_log(output.decode("utf-8", "replace")))


def blame_lines(
    mirror: Path, commit: str, *, path: str, first: int, last: int
) -> tuple[BlameLine, ...]:
    """Tell for each of the lines ``first`` to ``last`` of a file which commit wrote it; at most
    2,000 lines.

    Raises:
        InputError: The file or lines are not there at the commit, or it takes too long.
    """
    if not 1 <= first <= last:
        raise InputError(f"{path}: lines {first}-{last} are no range; lines count from 1")
    lines = f"{first},{min(last, first + MOST_BLAMED_LINES - 1)}"
    command = [
        "blame",
        "--porcelain",
        "--no-textconv",
        "-L",
        lines,
        checked_oid(commit),
        "--",
        path,
    ]
    try:
        output = ask_mirror(mirror, command, seconds=_SECONDS)
    except GitError as error:
        raise InputError(
            f"{path}: has no lines {lines.replace(',', '-')} at {commit[:12]}"
        ) from error
    return _blame_lines(output.decode("utf-8", "replace"))


def _split_log(output: str) -> list[list[str]]:
    entries: list[list[str]] = []
    for token in output.split("\0"):
        word = token.lstrip("\n")
        if word.startswith(_MARK):
            head, _, name = word.rpartition(_MARK)
            entries.append([head])
            word = name.lstrip("\n")
        if word and entries:
            entries[-1].append(word)
    return entries


def _log_entry(parts: list[str]) -> Commit:
    head, *files = parts
    fields = head.removeprefix(_MARK).split(_MARK, 2)
    if len(fields) != 3:
        raise DamagedStateError("git log gave an entry without its fields")
    return Commit(fields[0], fields[1], fields[2][:LONGEST_SUBJECT], tuple(files[:MOST_FILES]))


def _blame_lines(output: str) -> tuple[BlameLine, ...]:
    """Read the porcelain format, which tells a commit's date and subject only where it first
    appears.
    """
    dates: dict[str, int] = {}
    subjects: dict[str, str] = {}
    places: list[tuple[int, str]] = []
    commit = ""
    for line in output.split("\n"):
        if line.startswith("\t"):
            continue
        if match := _COMMIT.fullmatch(line):
            commit = match[1]
            places.append((int(match[2]), commit))
        elif line.startswith("author-time "):
            dates[commit] = int(line.removeprefix("author-time "))
        elif line.startswith("summary "):
            subjects[commit] = line.removeprefix("summary ")[:LONGEST_SUBJECT]
    return tuple(
        BlameLine(line, name, dates.get(name, 0), subjects.get(name, "")) for line, name in places
    )
