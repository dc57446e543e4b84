"""The desk: the only way a role sees the codebase, and the proof of what it was shown."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from goldwright.agents.tools.listing import matching_paths
from goldwright.agents.tools.outputs import (
    BlameOutput,
    ListOutput,
    LogOutput,
    OutlineItem,
    OutlineOutput,
    ReadOutput,
    SearchMatch,
    SearchOutput,
    ToolCall,
    ToolError,
)
from goldwright.agents.tools.search import line_matcher, matching_lines
from goldwright.records import Evidence, FileRange
from goldwright.scanners.secrets import is_secret_file
from goldwright.snapshot import Snapshot
from goldwright.snapshot.git_history import blame_lines, commit_log
from goldwright.text import make_visible, shorten

__all__ = ["TOOLS", "ToolCall", "ToolError", "Toolset"]

TOOLS: Final = frozenset({"list", "search", "read", "outline", "log", "blame"})
MOST_PATHS: Final = 500
MOST_HITS: Final = 200
MOST_HIT_BYTES: Final = 64 * 1024
MOST_LINES: Final = 400
MOST_BYTES: Final = 32 * 1024
MOST_ITEMS: Final = 1000
MOST_COMMITS: Final = 200

Arguments = Mapping[str, str | int | bool | None]
_Range = tuple[str, int, int]


class Toolset:
    """Capped, numbered and recorded tools over one snapshot; without ``tools``, all but log and
    blame.
    """

    def __init__(
        self, snapshot: Snapshot, tools: frozenset[str] = TOOLS - {"log", "blame"}
    ) -> None:
        self.snapshot = snapshot
        self.tools = tools
        self._calls: list[ToolCall] = []
        self._lines: defaultdict[str, set[int]] = defaultdict(set)
        self._flags: list[str] = []

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Every call so far, failed ones too, in order."""
        return tuple(self._calls)

    @property
    def shown(self) -> tuple[Evidence, ...]:
        """Every range of lines that was shown, with the step that showed it."""
        return tuple(evidence for call in self._calls for evidence in call.shown)

    @property
    def flags(self) -> tuple[str, ...]:
        """What was shown here that speaks to a model rather than to a reader, each once."""
        return tuple(dict.fromkeys(self._flags))

    def flag(self, what: str) -> None:
        """Note something that a person should look at before this work is trusted."""
        self._flags.append(what)

    def has_shown(self, wanted: FileRange) -> bool:
        """Tell whether every line of a range was shown, in one call or several."""
        if not 1 <= wanted.start <= wanted.end or wanted.file not in self._lines:
            return False
        lines = self._lines[wanted.file]
        return wanted.end - wanted.start < len(lines) and lines.issuperset(
            range(wanted.start, wanted.end + 1)
        )

    def list(self, pattern: str = "") -> ListOutput:
        """List the paths below a folder or matching a glob, 500 at most.

        Raises:
            ToolError: The desk has no such tool, or the pattern is too long.
        """
        step = self._begin("list", {"pattern": pattern})
        found = matching_paths(self.snapshot.files, pattern)
        truncated = len(found) > MOST_PATHS
        self._settle((), truncated=truncated)
        return ListOutput(found[:MOST_PATHS], len(found), step, truncated)

    def search(
        self, pattern: str, path: str = "", *, literal: bool = False, ignore_case: bool = False
    ) -> SearchOutput:
        """Find the lines below a path that match an RE2 pattern, 200 or 64 KiB at most.

        Raises:
            ToolError: The desk has no such tool, or the pattern is none.
        """
        arguments: Arguments = {
            "pattern": pattern,
            "path": path,
            "literal": literal,
            "ignore_case": ignore_case,
        }
        step = self._begin("search", arguments)
        find = line_matcher(pattern, literal=literal, ignore_case=ignore_case)
        open_hits = (
            hit for hit in matching_lines(self.snapshot, path, find) if not is_secret_file(hit.path)
        )
        found = tuple(islice(open_hits, MOST_HITS + 1))
        kept = tuple(_fitting(found[:MOST_HITS]))
        truncated = len(kept) < len(found)
        self._settle(_ranges((hit.path, hit.line) for hit in kept), truncated=truncated)
        return SearchOutput(kept, step, truncated)

    def read(self, path: str, first: int | None = None, last: int | None = None) -> ReadOutput:
        """Read lines of a file, from its first to its last unless told, 400 or 32 KiB at most.

        Raises:
            ToolError: The desk has no such tool, or there are no such lines.
        """
        step = self._begin("read", {"path": path, "first": first, "last": last})
        start, stop = self._range(path, first, last)
        wanted = self.snapshot.source(path).lines[start - 1 : stop]
        kept = tuple(_affordable(wanted[:MOST_LINES]))
        end = start + len(kept) - 1
        self._settle([(path, start, end)] if kept else (), truncated=kept != wanted)
        return ReadOutput(path, start, end, kept, step, kept != wanted)

    def outline(self, path: str) -> OutlineOutput:
        """List the definitions of a file with their lines, 1,000 at most; no lines are shown by it.

        Raises:
            ToolError: The desk has no such tool, or there is no such file.
        """
        step = self._begin("outline", {"path": path})
        self._check_path(path)
        found = sorted(
            (span.first, span.last, entity.entity_id, entity.kind)
            for entity in self.snapshot.entities_in(path)
            for span in entity.spans
        )
        items = tuple(
            OutlineItem(name, kind, first, last) for first, last, name, kind in found[:MOST_ITEMS]
        )
        truncated = len(found) > MOST_ITEMS
        self._settle((), truncated=truncated)
        return OutlineOutput(path, items, step, truncated)

    def log(self, path: str | None = None, limit: int = 20) -> LogOutput:
        """List the latest commits, of one file or folder if told, 200 at most.

        Raises:
            ToolError: The desk has no such tool, there is no such path, or the limit is no positive
                number.
        """
        step = self._begin("log", {"path": path, "limit": limit})
        if path and not self._is_known(path):
            raise ToolError(f"{_shown(path)} is no file or folder of the codebase")
        if limit < 1:
            raise ToolError(f"the limit {limit} is too small; wanted 1 to {MOST_COMMITS}")
        wanted = min(limit, MOST_COMMITS)
        found = commit_log(
            self.snapshot.mirror, self.snapshot.commit, path=path or None, limit=wanted + 1
        )
        truncated = len(found) > wanted
        self._settle((), truncated=truncated)
        return LogOutput(found[:wanted], step, truncated)

    def blame(self, path: str, first: int | None = None, last: int | None = None) -> BlameOutput:
        """Tell which commits wrote lines of a file, 400 lines at most; no lines are shown by it.

        Raises:
            ToolError: The desk has no such tool, or there are no such lines.
        """
        step = self._begin("blame", {"path": path, "first": first, "last": last})
        start, stop = self._range(path, first, last)
        end = min(stop, start + MOST_LINES - 1)
        mirror, commit = self.snapshot.mirror, self.snapshot.commit
        lines = blame_lines(mirror, commit, path=path, first=start, last=end) if end else ()
        self._settle((), truncated=end < stop)
        return BlameOutput(path, lines, step, end < stop)

    def _begin(self, tool: str, arguments: Arguments) -> int:
        """Number a call and record it as one that showed nothing, which it stays if it fails."""
        step = len(self._calls) + 1
        self._calls.append(ToolCall(step, tool, arguments, (), truncated=False))
        if tool not in self.tools:
            raise ToolError(
                f"there is no tool {tool} here; there are {', '.join(sorted(self.tools))}"
            )
        return step

    def _settle(self, shown: Iterable[_Range], *, truncated: bool) -> None:
        call = self._calls[-1]
        ranges = tuple(shown)
        evidence = tuple(
            Evidence(file=path, start=a, end=b, read_at_step=call.step) for path, a, b in ranges
        )
        for path, first, last in ranges:
            self._lines[path].update(range(first, last + 1))
        self._calls[-1] = ToolCall(call.step, call.tool, call.arguments, evidence, truncated)

    def _range(self, path: str, first: int | None, last: int | None) -> tuple[int, int]:
        self._check_path(path)
        count = self.snapshot.line_count(path)
        start = 1 if first is None else first
        stop = count if last is None else min(last, count)
        if count == 0 and first is None and last is None:
            return 1, 0
        if not 1 <= start <= stop:
            where = f"{first or 1}-{count if last is None else last}"
            raise ToolError(f"{_shown(path)} has no lines {where}; it has {count}")
        return start, stop

    def _is_known(self, path: str) -> bool:
        folder = path.rstrip("/") + "/"
        return path in self.snapshot.files or any(
            file.startswith(folder) for file in self.snapshot.files
        )

    def _check_path(self, path: str) -> None:
        if path not in self.snapshot.files:
            raise ToolError(
                f"{_shown(path)} is no file of the codebase; list or search to find its files"
            )
        if is_secret_file(path):
            raise ToolError(f"{_shown(path)} is kept private: files of this name hold keys")
        if not self.snapshot.has_text(path):
            kind = self.snapshot.files[path].kind
            raise ToolError(
                f"{_shown(path)} cannot be read as text ({kind if kind != 'text' else 'binary'})"
            )


def _fitting(hits: Iterable[SearchMatch]) -> Iterator[SearchMatch]:
    """Yield hits while they fit into the output."""
    left = MOST_HIT_BYTES
    for hit in hits:
        left -= _length(hit.path) + _length(hit.text) + 12
        if left < 0:
            return
        yield hit


def _affordable(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines while they fit into the output; a first line that alone is too long is cut."""
    left = MOST_BYTES
    for number, line in enumerate(lines):
        left -= _length(line) + 8
        if left < 0:
            if number == 0:
                yield shorten(line, MOST_BYTES // 10)
            return
        yield line


def _ranges(places: Iterable[tuple[str, int]]) -> Iterator[_Range]:
    """Join neighbouring lines of one file."""
    path, first, last = "", 0, 0
    for here, line in places:
        if here == path and line == last + 1:
            last = line
            continue
        if path:
            yield path, first, last
        path, first, last = here, line, line
    if path:
        yield path, first, last


def _length(text: str) -> int:
    return len(make_visible(text).encode("utf-8"))


def _shown(path: str) -> str:
    return shorten(make_visible(path), 120)
