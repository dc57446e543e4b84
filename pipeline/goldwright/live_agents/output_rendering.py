"""What leaves this machine of a codebase: numbered lines with every secret masked, and prose only
where it helps.

A file is masked as a whole, so that a key that runs over lines is seen in whichever part of it is
shown. Who judges claims about code is shown code alone: words in comments, docstrings and
documents, true or planted, cannot sway whom they do not reach.
"""

from collections.abc import Iterator

from goldwright.agents.tools.outputs import (
    BlameOutput,
    ListOutput,
    LogOutput,
    OutlineOutput,
    ReadOutput,
    SearchOutput,
)
from goldwright.scanners.injection import Suspicion, find_suspicions
from goldwright.scanners.secrets import mask_secrets
from goldwright.snapshot import Snapshot
from goldwright.snapshot.comment_stripper import without_comments
from goldwright.text import make_hidden, make_visible, shorten

LONGEST_HIT = 400
LINES_OF_ONE_TEXT = 10
"""A text that began so many lines before what is shown is counted as shown."""

ToolOutput = ListOutput | SearchOutput | ReadOutput | OutlineOutput | LogOutput | BlameOutput


class OutputRenderer:
    """Gives results as text for a model; one for all desks of a role over a snapshot."""

    def __init__(self, snapshot: Snapshot, *, hides_prose: bool = False) -> None:
        self._snapshot = snapshot
        self._hides_prose = hides_prose
        self._lines: dict[str, tuple[str, ...]] = {}
        self._suspected: dict[str, tuple[Suspicion, ...]] = {}

    def body(self, found: ToolOutput) -> str:
        """Write a result, each line of a file behind its number as ``L12│``."""
        match found:
            case ReadOutput(path, first, last):
                lines = [
                    f"L{number}│{self._line(path, number)}" for number in range(first, last + 1)
                ]
                return _text(lines, truncated=found.truncated)
            case SearchOutput(hits):
                lines = [
                    f"{make_visible(hit.path)}:L{hit.line}│{self._hit(hit.path, hit.line)}"
                    for hit in hits
                ]
                return _text(lines, truncated=found.truncated)
            case ListOutput() | OutlineOutput() | LogOutput() | BlameOutput():
                return mask_secrets(found.text)

    def suspected(self, found: ToolOutput) -> Iterator[str]:
        """Say what of a result speaks to a model; a file is looked through once for all of its
        readers.
        """
        if isinstance(found, ReadOutput):
            shown = range(found.first - LINES_OF_ONE_TEXT, found.last + 1)
            yield from (
                _told(found.path, one) for one in self._suspicions(found.path) if one.line in shown
            )
        else:
            text = make_hidden(
                "\n".join(line.partition("│")[2] or line for line in self.body(found).split("\n"))
            )
            yield from (_told(f"step {found.step}", one) for one in find_suspicions(text))

    def _suspicions(self, path: str) -> tuple[Suspicion, ...]:
        if path not in self._suspected:
            self._suspected[path] = find_suspicions("\n".join(self._lines_of(path)))
        return self._suspected[path]

    def _hit(self, path: str, number: int) -> str:
        return shorten(self._line(path, number), LONGEST_HIT)

    def _line(self, path: str, number: int) -> str:
        return make_visible(self._lines_of(path)[number - 1])

    def _lines_of(self, path: str) -> tuple[str, ...]:
        if path not in self._lines:
            self._lines[path] = self._veiled(path)
        return self._lines[path]

    def _veiled(self, path: str) -> tuple[str, ...]:
        lines = tuple(line.rstrip("\r\n") for line in self._snapshot.source(path).lines)
        if self._hides_prose:
            lines = without_comments(path, "\n".join(lines))
        masked = tuple(mask_secrets("\n".join(lines)).split("\n"))
        return masked if len(masked) == len(lines) else tuple(map(mask_secrets, lines))


def _text(lines: list[str], *, truncated: bool) -> str:
    return "\n".join([*lines, "[more was left out]"] if truncated else lines or ["[nothing]"])


def _told(where: str, one: Suspicion) -> str:
    return f"{make_visible(where)} line {one.line}: {one.rule}: {make_visible(one.excerpt)[:120]}"
