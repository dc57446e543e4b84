"""What leaves this machine of a codebase: numbered lines with every secret masked.

A file is masked as a whole, so that a key that runs over several lines is recognised in whichever
part of it is shown. Who judges claims about code is shown code alone: what stands in comments,
docstrings and documents, true or planted, cannot sway a reader whom it does not reach.
"""

from collections.abc import Iterator
from typing import Final

from goldwright.agents.tools.outputs import (
    BlameOutput,
    ListOutput,
    LogOutput,
    OutlineOutput,
    ReadOutput,
    SearchMatch,
    SearchOutput,
    join_output_lines,
)
from goldwright.live_agents.untrusted_markers import describe_suspicion, describe_suspicions
from goldwright.scanners.injection import Suspicion, find_suspicions
from goldwright.scanners.secrets import mask_secrets
from goldwright.snapshot import Snapshot
from goldwright.snapshot.comment_stripper import without_comments
from goldwright.text import make_hidden, make_visible, shorten

LONGEST_HIT: Final = 400
LINES_OF_ONE_TEXT: Final = 10
"""A text that starts at most so many lines before what is shown counts as shown."""

_GUTTER: Final = "│"

ToolOutput = ListOutput | SearchOutput | ReadOutput | OutlineOutput | LogOutput | BlameOutput


class OutputRenderer:
    """Renders results of tools as text for a model; one for all toolsets of a role over a snapshot.

    A renderer that hides prose blanks out comments, docstrings and documents.
    """

    def __init__(self, snapshot: Snapshot, *, hides_prose: bool = False) -> None:
        self._snapshot = snapshot
        self._hides_prose = hides_prose
        # Roles read the same files again and again; masking and scanning one is the costly part.
        self._lines_by_path: dict[str, tuple[str, ...]] = {}
        self._suspicions_by_path: dict[str, tuple[Suspicion, ...]] = {}

    def render(self, output: ToolOutput) -> str:
        """Render a result; a line of a file stands behind its number, as ``L12│``."""
        match output:
            case ReadOutput():
                return self._render_reading(output)
            case SearchOutput():
                return self._render_search(output)
            case ListOutput() | OutlineOutput() | LogOutput() | BlameOutput():
                return mask_secrets(output.text)

    def describe_suspicions(self, output: ToolOutput) -> Iterator[str]:
        """Describe what in a result is addressed to a model."""
        if isinstance(output, ReadOutput):
            # The whole file is scanned, once for all of its readers: a text may start above.
            first = output.first - LINES_OF_ONE_TEXT
            for suspicion in self._suspicions_in(output.path):
                if first <= suspicion.line <= output.last:
                    yield describe_suspicion(output.path, suspicion)
        else:
            text = make_hidden(_without_gutters(self.render(output)))
            yield from describe_suspicions(f"step {output.step}", text)

    def _render_reading(self, output: ReadOutput) -> str:
        numbers = range(output.first, output.last + 1)
        lines = [self._numbered_line(output.path, number) for number in numbers]
        return join_output_lines(lines, truncated=output.truncated)

    def _render_search(self, output: SearchOutput) -> str:
        lines = [self._render_hit(hit) for hit in output.hits]
        return join_output_lines(lines, truncated=output.truncated)

    def _numbered_line(self, path: str, number: int) -> str:
        line = self._line(path, number)
        return f"L{number}{_GUTTER}{line}"

    def _render_hit(self, hit: SearchMatch) -> str:
        path = make_visible(hit.path)
        line = self._line(hit.path, hit.line)
        return f"{path}:L{hit.line}{_GUTTER}" + shorten(line, LONGEST_HIT)

    def _suspicions_in(self, path: str) -> tuple[Suspicion, ...]:
        if path not in self._suspicions_by_path:
            text = "\n".join(self._lines_of(path))
            self._suspicions_by_path[path] = find_suspicions(text)
        return self._suspicions_by_path[path]

    def _line(self, path: str, number: int) -> str:
        lines = self._lines_of(path)
        return make_visible(lines[number - 1])

    def _lines_of(self, path: str) -> tuple[str, ...]:
        if path not in self._lines_by_path:
            self._lines_by_path[path] = self._mask_file(path)
        return self._lines_by_path[path]

    def _mask_file(self, path: str) -> tuple[str, ...]:
        source = self._snapshot.source(path)
        lines = tuple(line.rstrip("\r\n") for line in source.lines)
        if self._hides_prose:
            lines = without_comments(path, "\n".join(lines))
        masked_text = mask_secrets("\n".join(lines))
        masked = tuple(masked_text.split("\n"))
        if len(masked) != len(lines):
            # An empty file has no lines, though its text splits into one.
            return tuple(map(mask_secrets, lines))
        return masked


def _without_gutters(text: str) -> str:
    """Leave out the paths and line numbers, which would stand between the words of a text."""
    lines: list[str] = []
    for line in text.split("\n"):
        content = line.partition(_GUTTER)[2]
        lines.append(content or line)
    return "\n".join(lines)
