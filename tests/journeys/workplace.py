"""Where a journey works: a directory with runs and datasets, and the code they are about."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Self

from goldwright.app.environment import Environment
from goldwright.app.reviews.review import ReviewRequest, open_review_session
from goldwright.engine.clock import SystemClock
from goldwright.engine.progress import SilentProgress
from goldwright.manifest import RunManifest, save_manifest
from goldwright.records import ReviewPass
from goldwright.review.session import ReviewSession


def write_manifest(run: Path, row: dict[str, Any]) -> None:
    """Write a manifest by hand, and seal it as the program would."""
    manifest = RunManifest.model_validate_json(json.dumps({**row, "digest": ""}))
    save_manifest(manifest, run / "run.json")


@dataclass(frozen=True)
class Workplace:
    """A working directory, the cache it leans on, and the code that its runs are about."""

    root: Path
    cache: Path
    code: Path

    @property
    def environment(self) -> Environment:
        """The surroundings of a process that works here."""
        return Environment(
            self.root, {"GOLDWRIGHT_CACHE": str(self.cache)}, self.root, SystemClock(), Random(1)
        )

    @property
    def runs(self) -> list[Path]:
        """The runs, oldest first."""
        return sorted((self.root / "runs").iterdir())

    @property
    def run(self) -> Path:
        """The newest run."""
        return self.runs[-1]

    @property
    def golden(self) -> Path:
        """Where versions are published."""
        return self.root / "golden"

    def copy(self, root: Path) -> Self:
        """Copy runs and datasets to another place."""
        shutil.copytree(self.root, root)
        return replace(self, root=root)

    @contextmanager
    def room(self, reviewer: str = "Ada", sitting: ReviewPass = "first") -> Iterator[ReviewSession]:
        """Open the room of the newest run."""
        with open_review_session(
            ReviewRequest(self.run.name, reviewer, sitting), self.environment, SilentProgress()
        ) as (room, _):
            yield room
