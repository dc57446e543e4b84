"""A history in memory: every commit with the source files that it changed, parents first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.mining.commit_filters import RevertedCommits
from goldwright.snapshot.git.history_walk import FileChange, WalkedCommit, walk_history
from goldwright.snapshot.languages.language_catalog import language_of

# In characters. A history of 100,000 commits takes some 100 MB, most of it messages.
_LONGEST_MESSAGE: Final = 2000


@dataclass(frozen=True, slots=True)
class History:
    """All commits that led to one.

    Attributes:
        commits: The commits, each behind its parents, with changes of source files alone.
        parents: The positions of the parents of each.
        reverted: Those that were taken back.
        skipped: The positions of the commits that led to where an earlier mining ended.
    """

    commits: tuple[WalkedCommit, ...]
    parents: tuple[tuple[int, ...], ...]
    reverted: RevertedCommits
    skipped: frozenset[int]

    def positions(self) -> Iterator[int]:
        """Yield the positions of the commits that are looked at, in order."""
        for position in range(len(self.commits)):
            if position not in self.skipped:
                yield position


def read_history(mirror: Path, tip: str, *, since: str | None) -> History:
    """Read the history of a commit.

    Args:
        mirror: The mirror.
        tip: The last commit.
        since: A commit that led to it: neither this one nor what led to it is looked at.

    Raises:
        InputError: ``since`` did not lead to the last commit.
        DamagedStateError: The mirror does not hold the history.
    """
    commits: list[WalkedCommit] = []
    reverted = RevertedCommits(_noting(mirror, tip, commits))
    positions = {commit.commit: position for position, commit in enumerate(commits)}
    parents = [_known_positions(commit.parents, positions) for commit in commits]
    skipped: frozenset[int] = frozenset()
    if since is not None:
        if since not in positions:
            raise InputError(f"{since[:12]}: is not in the history of {tip[:12]}")
        skipped = _ancestors(positions[since], parents)
    return History(tuple(commits), tuple(parents), reverted, skipped)


def _known_positions(parents: Sequence[str], positions: Mapping[str, int]) -> tuple[int, ...]:
    # A shallow history ends at commits whose parents are not there.
    return tuple(positions[parent] for parent in parents if parent in positions)


def _noting(mirror: Path, tip: str, commits: list[WalkedCommit]) -> Iterator[WalkedCommit]:
    """Yield every commit, and keep what of it is needed later."""
    for commit in walk_history(mirror, tip):
        source_changes = tuple(change for change in commit.changes if _is_source(change))
        message = commit.message[:_LONGEST_MESSAGE]
        commits.append(replace(commit, message=message, changes=source_changes))
        yield commit


def _is_source(change: FileChange) -> bool:
    return language_of(change.old_path) is not None and language_of(change.new_path) is not None


def _ancestors(position: int, parents: list[tuple[int, ...]]) -> frozenset[int]:
    visited = {position}
    stack = [position]
    while stack:
        for parent in parents[stack.pop()]:
            if parent not in visited:
                visited.add(parent)
                stack.append(parent)
    return frozenset(visited)
