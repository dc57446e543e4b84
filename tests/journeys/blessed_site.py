"""A workspace whose version is blessed, and one way to tamper with what that rests on."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Site:
    """A workspace with a version that Ada and Bob blessed and signed.

    Attributes:
        golden: Where versions are published.
        run: The directory of the run.
        allowed_signers: The keys of the reviewers.
    """

    golden: Path
    run: Path
    allowed_signers: Path

    @property
    def ledger(self) -> list[Path]:
        """The entries of the ledger, oldest first."""
        return sorted((self.golden / "ledger").iterdir())

    @property
    def reviews(self) -> Path:
        """The review events."""
        return self.run / "human_reviews.jsonl"

    def entry(self, kind: str) -> Path:
        """Give the first entry of a kind."""
        return next(path for path in self.ledger if json.loads(path.read_text())["kind"] == kind)

    def version(self, ending: str = ".json") -> Path:
        """Give a file of version 1.0."""
        return self.golden / f"golden_v1.0{ending}"


@dataclass(frozen=True)
class Tampering:
    """One way, and the exit code that it has to be noticed with."""

    name: str
    exit_code: int
    do: Callable[[Site], None]
