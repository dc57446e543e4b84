"""Showing a run as it goes: a live funnel on a terminal, a plain line now and then elsewhere."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.table import Table

from goldwright.stages.catalog import CASE_STAGES, REPEATABLE_STAGES

SECONDS_BETWEEN_LINES: Final = 5.0
FRAMES_A_SECOND: Final = 8


class ProgressDisplay:
    """Counts per stage, as the engine reports them."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._began: dict[str, float] = {}
        self.text = "starting"
        self.usd = 0.0
        self.expected: Counter[str] = Counter()
        self.outcomes: dict[str, Counter[str]] = {
            stage.name: Counter() for stage in REPEATABLE_STAGES
        }

    def phase(self, text: str) -> None:
        """Say what is being done before cases flow."""
        self.text = text
        self.show()

    def announce(self, name: str) -> None:
        """Tell the run's name."""
        self.phase(f"run {name}")

    def note(self, text: str) -> None:
        """Tell something at once."""

    def expect(self, stage: str, count: int) -> None:
        """Count in cases that may come to a stage; those lost on the way are counted out."""
        self.expected[stage] += count
        self._began.setdefault(stage, self._seconds())

    def advance(self, stage: str, outcome: str) -> None:
        """Count a case out of a stage."""
        self.outcomes[stage][outcome] += 1
        if outcome != "passed":
            for later in _stages_behind(stage):
                self.expected[later] -= 1
        self.show()

    def spend(self, usd: float) -> None:
        """Take the dollars spent so far."""
        self.usd = usd
        self.show()

    def show(self) -> None:
        """Bring the display up to date."""

    def close(self) -> None:
        """Leave the display in order."""

    def done(self, stage: str) -> int:
        """How many cases left a stage."""
        return self.outcomes[stage].total()

    def pace(self, stage: str) -> tuple[float, float] | None:
        """Cases a second and seconds to go; ``None`` before the first case."""
        done = self.done(stage)
        elapsed = self._seconds() - self._began.get(stage, self._seconds())
        if not done or elapsed <= 0:
            return None
        rate = done / elapsed
        return rate, max(self.expected[stage] - done, 0) / rate


class TerminalProgress(ProgressDisplay):
    """The funnel as a table that is redrawn in place."""

    def __init__(self, stream: TextIO, seconds: Callable[[], float]) -> None:
        super().__init__(seconds)
        console = Console(file=stream)
        self._live = Live(
            console=console,
            refresh_per_second=FRAMES_A_SECOND,
            transient=True,
            get_renderable=self._draw,
        )
        self._live.start()

    def note(self, text: str) -> None:
        """Print it above the table."""
        self._live.console.print(text, highlight=False, markup=False)

    def close(self) -> None:
        """Take the table off the screen."""
        self._live.stop()

    def _draw(self) -> Table:
        table = Table.grid(padding=(0, 2))
        table.add_row(f"[bold]{self.text}[/bold]", "", f"${self.usd:.2f} spent" if self.usd else "")
        for stage in REPEATABLE_STAGES:
            if self.expected[stage.name]:
                table.add_row(stage.progress, *self._row(stage.name))
        return table

    def _row(self, stage: str) -> tuple[str, ...]:
        out = ", ".join(
            f"{count} {word}" for word, count in self.outcomes[stage].items() if word != "passed"
        )
        pace = self.pace(stage)
        speed = f"{pace[0]:.0f}/s, {pace[1]:.0f} s to go" if pace else ""
        return (
            f"{self.done(stage)}/{self.expected[stage]}",
            f"[red]{out}[/red]" if out else "",
            speed,
        )


class PlainProgress(ProgressDisplay):
    """The funnel as a line now and then, for logs."""

    def __init__(self, stream: TextIO, seconds: Callable[[], float]) -> None:
        super().__init__(seconds)
        self._stream = stream
        self._told = seconds()
        self._held = ""

    def phase(self, text: str) -> None:
        """Keep it until something follows: a refusal right after it stays the only line."""
        self._tell_held()
        self._held = text

    def announce(self, name: str) -> None:
        """Tell the run's name at once."""
        self.note(f"run {name}")

    def note(self, text: str) -> None:
        """Write it as a line of its own."""
        self._tell_held()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def show(self) -> None:
        """Say how far things are, if it is long enough since the last time."""
        self._tell_held()
        now = self._seconds()
        if now - self._told < SECONDS_BETWEEN_LINES:
            return
        self._told = now
        parts = [
            f"{stage.progress} {self.done(stage.name)}/{self.expected[stage.name]}"
            for stage in REPEATABLE_STAGES
            if self.done(stage.name)
        ]
        if self.usd:
            parts.append(f"${self.usd:.2f} spent")
        if parts:
            self._stream.write("; ".join(parts) + "\n")
            self._stream.flush()

    def _tell_held(self) -> None:
        if self._held:
            self._stream.write(f"{self._held}\n")
            self._stream.flush()
            self._held = ""


def _stages_behind(name: str) -> list[str]:
    """The stages that a case will not reach which ended in this one; the Author's are no cases."""
    names = [stage.name for stage in CASE_STAGES]
    return names[names.index(name) + 1 :] if name in names else []


@contextmanager
def watching() -> Iterator[ProgressDisplay]:
    """Watch what happens in the block on stderr."""
    stream = sys.stderr
    funnel = (
        TerminalProgress(stream, time.monotonic)
        if stream.isatty()
        else PlainProgress(stream, time.monotonic)
    )
    try:
        yield funnel
    finally:
        funnel.close()
