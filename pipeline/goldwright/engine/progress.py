"""What the engine tells whoever watches a run."""

from typing import Protocol


class Progress(Protocol):
    """A watcher of the funnel; the order of the calls is the order of the work."""

    def phase(self, text: str) -> None:
        """Say what is being done before cases flow: reading, indexing, authoring."""
        ...

    def note(self, text: str) -> None:
        """Say something that the user is to see at once."""
        ...

    def expect(self, stage: str, count: int) -> None:
        """Say that ``count`` more cases may come to a stage."""
        ...

    def advance(self, stage: str, outcome: str) -> None:
        """Say that one case left a stage, and how: ``passed`` or the word for where it went."""
        ...

    def spend(self, usd: float) -> None:
        """Say how many dollars the run has spent so far, in all its sittings."""
        ...


class SilentProgress:
    """A watcher that does not care."""

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
