"""What enters from outside: directory, variables, clock and chance, as one argument."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from goldwright.engine.clock import Clock, SystemClock
from goldwright.errors import InputError
from goldwright.workspace import CACHE_VARIABLES, RunDirectory, Workspace, cache_directory

_NO_CACHE_PLACE: Final = (
    "there is no home directory for the cache; name a place for it in GOLDWRIGHT_CACHE"
)


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
    """Give the environment of this process.

    Raises:
        InputError: The working directory was deleted or its name is not UTF-8, or nothing says
            where the cache is to be.
    """
    variables = dict(os.environ)
    root = _working_directory()
    home = _home_directory(variables)
    cache = cache_directory(variables, home)
    # The manifest of a run names the mirror, and records are UTF-8.
    if not _is_utf8(str(cache)):
        raise InputError(f"{cache}: the name of the cache is not UTF-8; see GOLDWRIGHT_CACHE")
    return Environment(
        root=root,
        variables=variables,
        home=home,
        clock=SystemClock(),
        # The token of the review page is drawn from it, so it has to be unpredictable.
        chance=SystemRandom(),
    )


def _working_directory() -> Path:
    try:
        directory = Path.cwd()
    except OSError as error:
        raise InputError(
            f"the working directory cannot be found ({error.strerror}); change into one that is"
        ) from error
    # Records hold paths, and records are UTF-8.
    if not _is_utf8(str(directory)):
        raise InputError(
            f"{directory}: the name of the working directory is not UTF-8; "
            "reach it by a link whose name is, or rename it"
        )
    return directory


def _home_directory(variables: Mapping[str, str]) -> Path:
    try:
        home = Path.home()
    except RuntimeError as error:
        # Users of containers often have no entry among the users. Where the cache has another
        # place, the home directory is not asked for.
        if any(variables.get(name) for name in CACHE_VARIABLES):
            return Path("/")
        raise InputError(_NO_CACHE_PLACE) from error
    # Records hold paths, and one that is relative would mean another place with every command.
    return home.absolute()


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
