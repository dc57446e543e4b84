"""What enters from outside: directory, variables, clock and chance, as one argument."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom

from goldwright.engine.clock import Clock, SystemClock
from goldwright.workspace import RunDirectory, Workspace, cache_directory


@dataclass(frozen=True, slots=True)
class Environment:
    """Where the program works, and its one source of time and chance.

    Nothing else reads a clock, draws a random number or looks up a variable, so a test decides
    all of them.

    Attributes:
        root: The directory that holds ``runs/``, ``golden/`` and ``goldwright.toml``.
        variables: The environment variables.
        home: The home directory of the user.
        clock: Wall time for records, monotonic time for durations, and waiting.
        chance: Names runs, keys and events, spreads retries, and draws secrets. No record of a
            dataset depends on it.
    """

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

    def new_run_directory(self, plan_name: str) -> RunDirectory:
        """Make the directory of a new run, named after its plan and the time.

        Raises:
            InputError: ``runs/`` cannot be written.
        """
        return self.workspace.new_run(plan_name, self.clock.now, self.chance)


def current_environment() -> Environment:
    """Give the environment of this process."""
    return Environment(
        root=Path.cwd(),
        variables=dict(os.environ),
        home=Path.home(),
        clock=SystemClock(),
        # The token of the review page is drawn from it, so it has to be unpredictable.
        chance=SystemRandom(),
    )
