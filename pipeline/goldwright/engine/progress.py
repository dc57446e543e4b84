"""What the engine reports to whoever watches a run."""

from typing import Protocol


class Progress(Protocol):
    """A watcher of the funnel; the order of the calls is the order of the work."""

    def phase(self, text: str) -> None:
        """Report what happens before cases flow: reading, indexing, authoring."""
        ...

    def note(self, text: str) -> None:
        """Report something that the user should see at once."""
        ...

    def expect(self, stage: str, count: int) -> None:
        """Report that ``count`` more cases may come to a stage."""
        ...

    def advance(self, stage: str, outcome: str) -> None:
        """Report that one case left a stage: ``passed``, or the name of where it went."""
        ...

    def spend(self, usd: float) -> None:
        """Report how many dollars the run has cost so far, in all its processes."""
        ...


class SilentProgress:
    """A watcher that ignores everything."""

    def phase(self, text: str) -> None:
        """Ignore it."""

    def note(self, text: str) -> None:
        """Ignore it."""

    def expect(self, stage: str, count: int) -> None:
        """Ignore it."""

    def advance(self, stage: str, outcome: str) -> None:
        """Ignore it."""

    def spend(self, usd: float) -> None:
        """Ignore it."""


class PartProgress:
    """A watcher of one part of the work, whose phases are told with the name of the part.

    Attributes:
        part: What the phases belong to: ``run 2 of 5``.
        whole: Who watches all parts.
    """

    def __init__(self, part: str, whole_progress: Progress) -> None:
        self.part = part
        self.whole = whole_progress

    def phase(self, text: str) -> None:
        """Report it as a phase of the part."""
        self.whole.phase(f"{self.part}: {text}")

    def note(self, text: str) -> None:
        """Report it."""
        self.whole.note(text)

    def expect(self, stage: str, count: int) -> None:
        """Report it."""
        self.whole.expect(stage, count)

    def advance(self, stage: str, outcome: str) -> None:
        """Report it."""
        self.whole.advance(stage, outcome)

    def spend(self, usd: float) -> None:
        """Report it."""
        self.whole.spend(usd)
