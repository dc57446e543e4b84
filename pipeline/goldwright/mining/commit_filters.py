"""What a message and an author tell of a commit: why it is no case, and what it does."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from goldwright.mining.filters import Filter
from goldwright.mining.message_query import subject_of
from goldwright.records import ChangeKind
from goldwright.snapshot.git.history_walk import WalkedCommit

_BOT: Final = re.compile(
    r"\[bot\]|\b(?:dependabot|pre-commit-ci|renovate|pyup|greenkeeper|snyk|github-actions?|"
    r"weblate|transifex|allcontributors|semantic-release|travis|web-flow bot|pyup-bot)\b"
    r"|\bbot@|-bot\b",
    re.IGNORECASE,
)
_VERSION: Final = r"v?\.?\d+\.\d+[\w.+-]*|v\d+\b"
_RELEASE: Final = re.compile(
    rf"^\W*(?:(?:bump|bumps|bumped|bumping|releas\w*|prepar\w+|tag|tagging|preparing for|start\w*|"
    rf"begin|set|updated?|incremented?|incr|post)\b.{{0,40}}\b(?:version|releas\w+|development)\b"
    rf"|(?:\w+\s+)?(?:bump|release|version)\b[\s:]*(?:version|to|of|\w+ to)?\s*(?:{_VERSION})"
    rf"|(?:{_VERSION})\W*(?:\S+\s?)?(?:\(.*\))?$"
    rf"|bump\w*\s.*\b(?:from|to)\b.*\d"
    rf"|(?:version|releas\w+)\s+bump|bump\w*(?:\s+the)?\s+version|back to development"
    rf"|(?:update|add)\w*\s+change\s?logs?\b|changelog\b)",
    re.IGNORECASE,
)
_REVERT: Final = re.compile(
    r"^\W*(?:revert|reverts|reverted|reverting|backed? out|undo)\b", re.IGNORECASE
)
_REVERTED_SUBJECT: Final = re.compile(
    r"^\W*revert\w*:?\s+[\"'“](?P<subject>.+)[\"'”]", re.IGNORECASE
)
_REVERTED_COMMIT: Final = re.compile(r"reverts? commit\s+(?P<commit>[0-9a-f]{7,64})", re.IGNORECASE)
_BACKPORT: Final = re.compile(
    r"\(cherry[- ]picked from commit |^\W*back-?port|^\[\d+(?:\.\d+)*(?:\.x)?\]\s",
    re.IGNORECASE | re.MULTILINE,
)
_KINDS: Final[tuple[tuple[ChangeKind, re.Pattern[str]], ...]] = (
    (
        "fix",
        re.compile(
            r"\b(?:fix\w*|bugs?|correct\w*|prevent\w*|avoid\w*|don't|repair\w*)\b", re.IGNORECASE
        ),
    ),
    (
        "feature",
        re.compile(
            r"^\W*(?:\w+\W+)?(?:feat\w*|add\w*|allow\w*|support\w*|implement\w*|introduc\w+|enabl\w+)\b",
            re.IGNORECASE,
        ),
    ),
    ("removal", re.compile(r"^\W*(?:remov\w+|drop\w*|delet\w+|deprecat\w+)\b", re.IGNORECASE)),
    (
        "rework",
        re.compile(
            r"^\W*(?:refactor\w*|simplif\w+|mov\w+|renam\w+|clean\w*|optimi\w+|improv\w+|us(?:e|ing)"
            r"|chang\w+|updat\w+|mak\w+|replac\w+|convert\w*|rewrit\w+)\b",
            re.IGNORECASE,
        ),
    ),
)


def message_filter(commit: WalkedCommit) -> Filter | None:
    """Give the filter that takes a commit by its message, parents and author alone."""
    subject = subject_of(commit.message)
    is_revert = _REVERT.match(subject) or _REVERTED_COMMIT.search(commit.message)
    matches: dict[Filter, object] = {
        "merge": len(commit.parents) > 1,
        "first_commit": not commit.parents,
        "bot": _BOT.search(commit.author),
        "revert": is_revert,
        "release": _RELEASE.match(subject),
        "backport": _BACKPORT.search(commit.message),
    }
    return next((name for name, match in matches.items() if match), None)


def change_kind(subject: str) -> ChangeKind:
    """Say what a subject says that a commit does."""
    for kind, pattern in _KINDS:
        if pattern.search(subject):
            return kind
    return "unknown"


class RevertedCommits:
    """Which commits were taken back by a later one, which was not taken back itself."""

    def __init__(self, commits: Iterable[WalkedCommit]) -> None:
        """Read the messages of commits, each behind its parents."""
        self._commits: list[str] = []
        self._by_subject: dict[str, list[int]] = {}
        reverts: list[tuple[int, Sequence[int]]] = []
        for position, commit in enumerate(commits):
            self._commits.append(commit.commit)
            subject = subject_of(commit.message)
            targets = self._targets(commit.message, subject)
            if targets:
                reverts.append((position, targets))
            self._by_subject.setdefault(subject, []).append(position)
        self._positions = self._effective(reverts)

    def __contains__(self, commit: str) -> bool:
        """Whether a commit was taken back."""
        return commit in self._positions

    def _targets(self, message: str, subject: str) -> Sequence[int]:
        """Find the earlier commits that a message takes back."""
        prefixes = [match["commit"] for match in _REVERTED_COMMIT.finditer(message)]
        positions = [self._find(prefix) for prefix in prefixes]
        found_positions = [position for position in positions if position is not None]
        if found_positions:
            return found_positions
        match = _REVERTED_SUBJECT.match(subject)
        if match is None:
            return ()
        # The latest commit of this subject is the one that can still be taken back.
        return self._by_subject.get(match["subject"], ())[-1:]

    def _find(self, prefix: str) -> int | None:
        # Newest first: what is reverted was mostly committed shortly before.
        for position in range(len(self._commits) - 1, -1, -1):
            if self._commits[position].startswith(prefix):
                return position
        return None

    def _effective(self, reverts: Sequence[tuple[int, Sequence[int]]]) -> frozenset[str]:
        """Leave reverts out that were reverted, the newest first."""
        undone: set[int] = set()
        for position, targets in reversed(reverts):
            if position not in undone:
                undone.update(targets)
        return frozenset(self._commits[position] for position in undone)
