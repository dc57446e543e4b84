"""What enters from outside: directory, environment, clock and chance, as one argument."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom

from goldwright.engine.clock import Clock, SystemClock
from goldwright.workspace import Workspace, cache_directory


@dataclass(frozen=True, slots=True)
class Environment:
    """Where the program works and what it may ask for; ``chance`` names runs and nothing else."""

    root: Path
    variables: Mapping[str, str]
    home: Path
    clock: Clock
    chance: Random

    @property
    def workspace(self) -> Workspace:
        """The runs and datasets below the root."""
        return Workspace(self.root)

    @property
    def cache(self) -> Path:
        """Where mirrors and indexes are kept."""
        return cache_directory(self.variables, self.home)


def current_environment() -> Environment:
    """The surroundings of this process."""
    return Environment(Path.cwd(), dict(os.environ), Path.home(), SystemClock(), SystemRandom())
