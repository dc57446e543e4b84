"""Showing a run as it goes: a live funnel on a terminal, a plain line now and then elsewhere."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from goldwright.engine.clock import Clock
from goldwright.process.streams import drawing_stream
from goldwright.stages.stage_graph import CASE_STAGES, REPEATABLE_STAGES
from goldwright.text import make_visible

# Seldom enough for a log that somebody keeps, often enough to see that the run is alive.
SECONDS_BETWEEN_LINES: Final = 5.0
FRAMES_PER_SECOND: Final = 8
# The outcome of a case that goes on to the next stage; every other ends it.
PASSED: Final = "passed"


@contextmanager
def progress_on_stderr(clock: Clock) -> Iterator["ProgressDisplay"]:
    """Show on stderr what happens in the block."""
    display = _display_for(sys.stderr, clock)
    try:
        yield display
        display.finish()
    finally:
        display.close()


@dataclass(frozen=True, slots=True)
class StagePace:
    """How fast a stage goes.

    Attributes:
        rate: Cases a second.
        seconds_left: How long the rest will take at this rate.
    """

    rate: float
    seconds_left: float


class ProgressDisplay:
    """Counts per stage, as the engine reports them."""

    def __init__(self, clock: Clock) -> None:
        self.text = "starting"
        self.usd = 0.0
        self.expected: Counter[str] = Counter()
        self.outcomes: dict[str, Counter[str]] = {}
        for stage in REPEATABLE_STAGES:
            self.outcomes[stage.name] = Counter()
        self._clock = clock
        self._began_at: dict[str, float] = {}

    def phase(self, text: str) -> None:
        """Say what is being done before cases flow."""
        self.text = text
        self.show()

    def announce(self, name: str) -> None:
        """Say the run's name."""
        self.phase(f"run {name}")

    def note(self, text: str) -> None:
        """Say something at once."""

    def expect(self, stage: str, count: int) -> None:
        """Count in cases that may come to a stage; those lost on the way are counted out."""
        self.expected[stage] += count
        self._began_at.setdefault(stage, self._clock.seconds())

    def advance(self, stage: str, outcome: str) -> None:
        """Count a case out of a stage."""
        self.outcomes[stage][outcome] += 1
        if outcome != PASSED:
            for later_stage in _case_stages_after(stage):
                self.expected[later_stage] -= 1
        self.show()

    def spend(self, usd: float) -> None:
        """Take the dollars spent so far."""
        self.usd = usd
        self.show()

    def show(self) -> None:
        """Bring the display up to date."""

    def finish(self) -> None:
        """Say what is still unsaid, as nothing was refused."""

    def close(self) -> None:
        """Leave the display in order."""

    def done(self, stage: str) -> int:
        """How many cases left a stage."""
        return self.outcomes[stage].total()

    def count_text(self, stage: str) -> str:
        """How many cases left a stage, and of how many, as in ``3/12``."""
        expected = self.expected[stage]
        return f"{self.done(stage)}/{expected}"

    def loss_text(self, stage: str) -> str:
        """Where the cases went that did not pass, as in ``2 queued, 1 rejected``."""
        losses = []
        for outcome, count in self.outcomes[stage].items():
            if outcome != PASSED:
                losses.append(f"{count} {outcome}")
        return ", ".join(losses)

    def spent_text(self) -> str:
        """The dollars spent so far; empty where there are none."""
        if not self.usd:
            return ""
        return f"${self.usd:.2f} spent"

    def pace(self, stage: str) -> StagePace | None:
        """How fast a stage goes; None before its first case."""
        count = self.done(stage)
        if not count or stage not in self._began_at:
            return None
        elapsed = self._clock.seconds() - self._began_at[stage]
        # A coarse clock may not have moved since the stage began.
        if elapsed <= 0:
            return None
        rate = count / elapsed
        # Cases lost on the way are counted out one by one, so the expectation may lag behind.
        cases_left = max(self.expected[stage] - count, 0)
        return StagePace(rate, cases_left / rate)


class TerminalProgress(ProgressDisplay):
    """The funnel as a table that is redrawn in place."""

    def __init__(self, stream: TextIO, clock: Clock) -> None:
        super().__init__(clock)
        self._live = Live(
            console=Console(file=drawing_stream(stream)),
            refresh_per_second=FRAMES_PER_SECOND,
            # The summary says the same at the end.
            transient=True,
            # Drawn when rich refreshes, not with each of the cases, which may be many a second.
            get_renderable=self._draw,
        )
        self._live.start()

    def note(self, text: str) -> None:
        """Print a line above the table."""
        # Plain: a path or an id in brackets would be taken for markup.
        self._live.console.print(make_visible(text), highlight=False, markup=False)

    def close(self) -> None:
        """Take the table off the screen."""
        self._live.stop()

    def _draw(self) -> Table:
        table = Table.grid(padding=(0, 2))
        # No markup: a name in brackets would be taken for a style.
        heading = Text(make_visible(self.text), style="bold")
        table.add_row(heading, "", self.spent_text())
        for stage in REPEATABLE_STAGES:
            name = stage.name
            # A stage that no case can reach in this run has no row.
            if self.expected[name]:
                count = self.count_text(name)
                losses = Text(self.loss_text(name), style="red")
                speed = self._speed(name)
                table.add_row(stage.progress, count, losses, speed)
        return table

    def _speed(self, stage: str) -> str:
        pace = self.pace(stage)
        if pace is None:
            return ""
        rate = f"{pace.rate:.0f}/s"
        return f"{rate}, {pace.seconds_left:.0f} s to go"


class PlainProgress(ProgressDisplay):
    """The funnel as a line now and then, for logs."""

    def __init__(self, stream: TextIO, clock: Clock) -> None:
        super().__init__(clock)
        self._stream = stream
        self._last_line_at = clock.seconds()
        self._last_counts = ""
        self._pending_phase = ""

    def phase(self, text: str) -> None:
        """Keep the text until something follows: a refusal right after it stays the only line."""
        self._write_pending_phase()
        self._write_last_counts()
        self._pending_phase = text

    def announce(self, name: str) -> None:
        """Write the run's name at once; it is what the run is carried on by."""
        self.note(f"run {name}")

    def note(self, text: str) -> None:
        """Write a line of its own."""
        self._write_pending_phase()
        self._write_line(text)

    def finish(self) -> None:
        """Write the last phase, that of the last of several runs among them."""
        self._write_pending_phase()
        self._write_last_counts()

    def show(self) -> None:
        """Write how far things are, if the last line is old enough."""
        self._write_pending_phase()
        seconds = self._clock.seconds()
        if seconds - self._last_line_at < SECONDS_BETWEEN_LINES:
            return
        self._last_line_at = seconds
        self._write_counts()

    def _write_counts(self) -> None:
        counts = "; ".join(self._parts())
        if counts and counts != self._last_counts:
            self._last_counts = counts
            self._write_line(counts)

    def _write_last_counts(self) -> None:
        """Write where the work ended, if counts were written: the last ones would look cut off."""
        if self._last_counts:
            self._write_counts()

    def _parts(self) -> list[str]:
        parts = []
        for stage in REPEATABLE_STAGES:
            name = stage.name
            if not self.done(name):
                continue
            part = f"{stage.progress} {self.count_text(name)}"
            # Without it the next stage's smaller total seems to come from nowhere.
            losses = self.loss_text(name)
            if losses:
                part = f"{part} ({losses})"
            parts.append(part)
        if self.usd:
            parts.append(self.spent_text())
        return parts

    def _write_pending_phase(self) -> None:
        if self._pending_phase:
            text, self._pending_phase = self._pending_phase, ""
            self._write_line(text)

    def _write_line(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()


def _display_for(stream: TextIO, clock: Clock) -> ProgressDisplay:
    if stream.isatty():
        return TerminalProgress(stream, clock)
    return PlainProgress(stream, clock)


def _case_stages_after(name: str) -> list[str]:
    """Give the stages that a case will not reach when it ends in this one.

    There are none after the Author's stage: what ends there never became a case.
    """
    names = [stage.name for stage in CASE_STAGES]
    if name not in names:
        return []
    return names[names.index(name) + 1 :]
