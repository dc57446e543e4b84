"""The toolset: the only way a role sees the codebase, and the proof of what it was shown."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from goldwright.agents.tools.limits import (
    LONGEST_SHOWN_PATH,
    MOST_COMMITS,
    MOST_HITS,
    MOST_ITEMS,
    MOST_LINES,
    MOST_PATHS,
    take_hits_within_limit,
    take_lines_within_limit,
)
from goldwright.agents.tools.listing import matching_paths
from goldwright.agents.tools.outputs import (
    ArgumentValue,
    BlameOutput,
    ListOutput,
    LogOutput,
    OutlinedEntity,
    OutlineOutput,
    ReadOutput,
    SearchMatch,
    SearchOutput,
    ToolCall,
    ToolError,
)
from goldwright.agents.tools.search import compile_matcher, matching_lines, required_words
from goldwright.records import Evidence, FileRange
from goldwright.scanners.secrets import is_secret_file
from goldwright.snapshot import Snapshot
from goldwright.snapshot.git.git_history import BlameLine, blame_lines, commit_log
from goldwright.text import make_visible, shorten

__all__ = ["TOOLS", "ToolCall", "ToolError", "Toolset"]

TOOLS: Final = frozenset({"list", "search", "read", "outline", "log", "blame"})
TOOLS_OF_THE_SOURCE: Final = TOOLS - {"log", "blame"}
"""The tools that show the snapshot itself, and nothing of its history."""

# Of a fact and of what a record must not say instead, the same uses are looked for.
_SEARCHES_IN_MEMORY: Final = 64

Arguments = Mapping[str, ArgumentValue]


class _LineRange(NamedTuple):
    """Lines of a file, from 1 and inclusive."""

    path: str
    first: int
    last: int


class Toolset:
    """Capped, numbered and recorded tools over one snapshot.

    Attributes:
        snapshot: What the tools show.
        tools: The names of the tools that may be called.
    """

    def __init__(self, snapshot: Snapshot, tools: frozenset[str] = TOOLS_OF_THE_SOURCE) -> None:
        self.snapshot = snapshot
        self.tools = tools
        self._calls: list[ToolCall] = []
        self._shown_lines: defaultdict[str, set[int]] = defaultdict(set)
        self._notes: list[str] = []
        # A dictionary, because it keeps the order and each text once.
        self._flags: dict[str, None] = {}
        self._slips: Counter[str] = Counter()

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
        """What was shown here that is addressed to a model, each text once."""
        return tuple(self._flags)

    def flag(self, text: str) -> None:
        """Note something that a person should look at before this work is trusted."""
        self._flags[text] = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the role itself had to say of its work, in order."""
        return tuple(self._notes)

    def note(self, *sentences: str) -> None:
        """Say something of the work that belongs into no record."""
        self._notes.extend(sentences)

    @property
    def slips(self) -> Mapping[str, int]:
        """How often who plays the role had to put something right, by what it was."""
        return dict(self._slips)

    def slip(self, kind: str) -> None:
        """Count something that has to be put right, as a draft that a program sends back."""
        self._slips[kind] += 1

    def take_over(self, other_toolset: "Toolset") -> None:
        """Add all that another toolset recorded, as if its calls had been made here afterwards."""
        steps = len(self._calls)
        for call in other_toolset.calls:
            step = steps + call.step
            read_ranges = [item.model_copy(update={"read_at_step": step}) for item in call.shown]
            self._calls.append(replace(call, step=step, shown=tuple(read_ranges)))
            for item in read_ranges:
                self._shown_lines[item.file].update(range(item.start, item.end + 1))
        self._notes.extend(other_toolset.notes)
        self._flags.update(dict.fromkeys(other_toolset.flags))
        self._slips.update(other_toolset.slips)

    def has_shown(self, lines: FileRange) -> bool:
        """Return whether every line of a range was shown, in one call or several."""
        if not 1 <= lines.start <= lines.end or lines.file not in self._shown_lines:
            return False
        shown_lines = self._shown_lines[lines.file]
        # Ranges come from models: an absurdly long one is refused before it is gone through.
        if lines.end - lines.start >= len(shown_lines):
            return False
        numbers = range(lines.start, lines.end + 1)
        return shown_lines.issuperset(numbers)

    def list(self, pattern: str = "") -> ListOutput:
        """List the paths below a folder or matching a glob, 500 at most.

        Raises:
            ToolError: The toolset has no such tool, or the pattern is too long.
        """
        step = self._begin("list", {"pattern": pattern})
        paths = matching_paths(self.snapshot.files, pattern)
        shown_paths = paths[:MOST_PATHS]
        truncated = len(paths) > MOST_PATHS
        self._finish((), truncated=truncated)
        return ListOutput(shown_paths, len(paths), step, truncated)

    def search(
        self, pattern: str, path: str = "", *, literal: bool = False, ignore_case: bool = False
    ) -> SearchOutput:
        """Find the lines below a path that match an RE2 pattern, 200 or 64 KiB at most.

        Raises:
            ToolError: The toolset has no such tool, or the pattern is not one.
        """
        arguments: Arguments = {
            "pattern": pattern,
            "path": path,
            "literal": literal,
            "ignore_case": ignore_case,
        }
        step = self._begin("search", arguments)
        hits = _first_hits(self.snapshot, path, pattern, literal=literal, ignore_case=ignore_case)
        shown_hits = tuple(take_hits_within_limit(hits[:MOST_HITS]))
        truncated = len(shown_hits) < len(hits)
        self._finish(_join_neighbours(shown_hits), truncated=truncated)
        return SearchOutput(shown_hits, step, truncated)

    def read(self, path: str, first: int | None = None, last: int | None = None) -> ReadOutput:
        """Read lines of a file, by default all, 400 or 32 KiB at most.

        Raises:
            ToolError: The toolset has no such tool, or there are no such lines.
        """
        arguments: Arguments = {"path": path, "first": first, "last": last}
        step = self._begin("read", arguments)
        _, start, stop = self._resolve_range(path, first, last)
        source = self.snapshot.source(path)
        lines = source.lines[start - 1 : stop]
        shown_lines = tuple(take_lines_within_limit(lines[:MOST_LINES]))
        end = start + len(shown_lines) - 1
        # A first line that was cut counts as shown, and as truncated.
        truncated = shown_lines != lines
        ranges: list[_LineRange] = []
        if shown_lines:
            ranges.append(_LineRange(path, start, end))
        self._finish(ranges, truncated=truncated)
        return ReadOutput(path, start, end, shown_lines, step, truncated)

    def outline(self, path: str) -> OutlineOutput:
        """List the definitions of a file with their lines, 1,000 at most; no lines are shown by it.

        Raises:
            ToolError: The toolset has no such tool, or there is no such file.
        """
        step = self._begin("outline", {"path": path})
        self._check_path(path)
        items = sorted(self._outline_items(path), key=_outline_order)
        shown_items = tuple(items[:MOST_ITEMS])
        truncated = len(items) > MOST_ITEMS
        self._finish((), truncated=truncated)
        return OutlineOutput(path, shown_items, step, truncated)

    def log(self, path: str | None = None, limit: int = 20) -> LogOutput:
        """List the latest commits, of one file or folder if a path is given, 200 at most.

        Raises:
            ToolError: The toolset has no such tool, there is no such path, or the limit is no
                positive number.
        """
        step = self._begin("log", {"path": path, "limit": limit})
        if path and not self._is_in_codebase(path):
            raise ToolError(f"{_shown_path(path)} is no file or folder of the codebase")
        if limit < 1:
            raise ToolError(f"the limit {limit} is too small; wanted 1 to {MOST_COMMITS}")
        most = min(limit, MOST_COMMITS)
        snapshot = self.snapshot
        commits = commit_log(snapshot.mirror, snapshot.commit, path=path or None, limit=most + 1)
        truncated = len(commits) > most
        self._finish((), truncated=truncated)
        return LogOutput(commits[:most], step, truncated)

    def blame(self, path: str, first: int | None = None, last: int | None = None) -> BlameOutput:
        """Tell which commits wrote lines of a file, 400 lines at most; no lines are shown by it.

        Raises:
            ToolError: The toolset has no such tool, or there are no such lines.
        """
        arguments: Arguments = {"path": path, "first": first, "last": last}
        step = self._begin("blame", arguments)
        _, start, stop = self._resolve_range(path, first, last)
        end = min(stop, start + MOST_LINES - 1)
        truncated = end < stop
        lines: tuple[BlameLine, ...] = ()
        # Of an empty file there is nothing to blame.
        if end:
            snapshot = self.snapshot
            lines = blame_lines(snapshot.mirror, snapshot.commit, path=path, first=start, last=end)
        self._finish((), truncated=truncated)
        return BlameOutput(path, lines, step, truncated)

    def _begin(self, tool: str, arguments: Arguments) -> int:
        """Number a call and record it as one that showed nothing, which it stays if it fails."""
        step = len(self._calls) + 1
        call = ToolCall(step, tool, arguments, (), truncated=False)
        self._calls.append(call)
        if tool not in self.tools:
            tools = ", ".join(sorted(self.tools))
            raise ToolError(f"there is no tool {tool} here; there are {tools}")
        return step

    def _finish(self, line_ranges: Iterable[_LineRange], *, truncated: bool) -> None:
        """Record what the last call showed."""
        call = self._calls[-1]
        evidence: list[Evidence] = []
        for path, first, last in line_ranges:
            evidence.append(Evidence(file=path, start=first, end=last, read_at_step=call.step))
            shown_lines = self._shown_lines[path]
            shown_lines.update(range(first, last + 1))
        call = replace(call, shown=tuple(evidence), truncated=truncated)
        self._calls[-1] = call

    def _outline_items(self, path: str) -> Iterator[OutlinedEntity]:
        for entity in self.snapshot.entities_in(path):
            for span in entity.spans:
                yield OutlinedEntity(entity.entity_id, entity.kind, span.first, span.last)

    def _resolve_range(self, path: str, first: int | None, last: int | None) -> _LineRange:
        """Give the lines that a call is about; of an empty file, none: 1 to 0."""
        self._check_path(path)
        count = self.snapshot.line_count(path)
        if count == 0 and first is None and last is None:
            return _LineRange(path, 1, 0)
        start = 1 if first is None else first
        end = count if last is None else last
        last_shown = min(end, count)
        if not 1 <= start <= last_shown:
            lines = f"{first or 1}-{end}"
            shown_path = _shown_path(path)
            raise ToolError(f"{shown_path} has no lines {lines}; it has {count}")
        return _LineRange(path, start, last_shown)

    def _is_in_codebase(self, path: str) -> bool:
        if path in self.snapshot.files:
            return True
        folder = path.rstrip("/") + "/"
        return any(file.startswith(folder) for file in self.snapshot.files)

    def _check_path(self, path: str) -> None:
        shown_path = _shown_path(path)
        if path not in self.snapshot.files:
            raise ToolError(
                f"{shown_path} is no file of the codebase; list or search to find its files"
            )
        if is_secret_file(path):
            raise ToolError(f"{shown_path} is kept private: files of this name hold keys")
        if not self.snapshot.has_text(path):
            kind = self.snapshot.files[path].kind
            if kind == "text":
                # By its name it is text, by its content it is not.
                kind = "binary"
            raise ToolError(f"{shown_path} cannot be read as text ({kind})")


@lru_cache(maxsize=_SEARCHES_IN_MEMORY)
def _first_hits(
    snapshot: Snapshot, path: str, pattern: str, *, literal: bool, ignore_case: bool
) -> tuple[SearchMatch, ...]:
    """Find the first hits in files that are not kept private: one more than is shown, if any."""
    matcher = compile_matcher(pattern, literal=literal, ignore_case=ignore_case)
    words = () if literal or ignore_case else required_words(pattern)
    hits = matching_lines(snapshot, path, matcher, words=words)
    return tuple(islice((hit for hit in hits if not is_secret_file(hit.path)), MOST_HITS + 1))


def _outline_order(item: OutlinedEntity) -> tuple[int, int, str, str]:
    return item.first, item.last, item.entity_id, item.kind


def _join_neighbours(hits: Iterable[SearchMatch]) -> Iterator[_LineRange]:
    """Join hits on neighbouring lines of one file into ranges."""
    current: _LineRange | None = None
    for hit in hits:
        if current and hit.path == current.path and hit.line == current.last + 1:
            current = current._replace(last=hit.line)
            continue
        if current:
            yield current
        current = _LineRange(hit.path, hit.line, hit.line)
    if current:
        yield current


def _shown_path(path: str) -> str:
    return shorten(make_visible(path), LONGEST_SHOWN_PATH)
