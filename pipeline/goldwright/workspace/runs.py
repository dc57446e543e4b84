"""Making a run directory, and finding one again."""

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final

from goldwright.atomic_files import sync_directory, write_failure
from goldwright.errors import InputError
from goldwright.text import name_some
from goldwright.workspace.latest_run import LATEST, latest_of, newest_first, passed_over
from goldwright.workspace.layout import MANIFEST_FILE, RunDirectory

_TIME_FORMAT: Final = "%Y%m%dT%H%M%SZ"
# A name ends in 16 random bits; that many taken names in one second are no accident.
_NAME_ATTEMPTS: Final = 50
_MOST_SUGGESTIONS: Final = 3
# Ratio of difflib, 0 to 1: below it two names have too little in common for a typing error.
_LEAST_SIMILARITY: Final = 0.4


@dataclass(frozen=True, slots=True)
class Workspace:
    """The directory a person works in; ``runs/`` and ``golden/`` lie in it."""

    root: Path

    @property
    def runs(self) -> Path:
        """Where runs are made."""
        return self.root / "runs"

    @property
    def golden(self) -> Path:
        """Where exports are published."""
        return self.root / "golden"

    def new_run(self, plan_name: str, clock: Callable[[], datetime], rng: Random) -> RunDirectory:
        """Make a run directory that no other process can be making too.

        Raises:
            InputError: ``runs/`` cannot be written.
        """
        started_at = clock().astimezone(UTC)
        moment = started_at.strftime(_TIME_FORMAT)
        try:
            self.runs.mkdir(parents=True, exist_ok=True)
            # Two processes can draw one name; making the directory decides whose it is.
            for _ in range(_NAME_ATTEMPTS):
                suffix = f"{rng.getrandbits(16):04x}"
                path = self.runs / f"{moment}-{plan_name}-{suffix}"
                if _make_directory(path):
                    return RunDirectory(path)
        except OSError as error:
            raise write_failure(self.runs, error) from error
        raise InputError(f"{self.runs}: holds too many runs of {plan_name} at {moment}")

    def find_run(self, run: str, *, may_be_empty: bool = False) -> RunDirectory:
        """Find a run by ``latest``, by its name under ``runs/``, the start of it, or its path.

        Args:
            run: What names it.
            may_be_empty: Whether ``latest`` may be a run that holds no question yet, as for whoever
                carries it on.

        Raises:
            InputError: There is no such run, or several whose names start so; the text lists them.
        """
        if run == LATEST:
            return self._find_latest(may_be_empty=may_be_empty)
        directory = self.run_named(run)
        if directory is not None:
            return directory
        if any(path.is_dir() for path in (self.runs / run, self.root / run)):
            raise InputError(
                f"{run}: holds no {MANIFEST_FILE}, so it is no run that began; start a new one"
            )
        raise InputError(f"{run}: no such run; {self.near_runs(run)}")

    def run_named(self, name: str) -> RunDirectory | None:
        """The run with a name under ``runs/`` or the start of one, or a path, if there is one.

        Raises:
            InputError: Several names start so.
        """
        for path in (self.runs / name, self.root / name):
            if _has_manifest(path):
                return RunDirectory(path.resolve())
        # What lies there is no run, and not the start of a name either.
        if not name or (self.root / name).exists() or (self.runs / name).exists():
            return None
        matches = [run for run in self.all_runs() if run.name.startswith(name)]
        if len(matches) > 1:
            names = name_some([run.name for run in matches])
            raise InputError(f"{name}: is the start of {len(matches)} runs: {names}; name one")
        return matches[0] if matches else None

    def near_runs(self, run: str) -> str:
        """Say which runs somebody may have meant, as the end of a sentence."""
        names = [candidate.name for candidate in self.all_runs()]
        holding = [name for name in names if run and run in name]
        if holding:
            return f"did you mean {' or '.join(holding[-_MOST_SUGGESTIONS:])}?"
        if not names:
            return f"{self.runs} holds none yet"
        if difflib.get_close_matches(run, [LATEST]):
            return f"did you mean {LATEST}?"
        suggestions = difflib.get_close_matches(
            run, names, n=_MOST_SUGGESTIONS, cutoff=_LEAST_SIMILARITY
        )
        newest = names[-_MOST_SUGGESTIONS:]
        return f"the nearest are {', '.join(suggestions or newest)}"

    def all_runs(self) -> Iterator[RunDirectory]:
        """Every run that has a manifest, in the order of names."""
        if not self.runs.is_dir():
            return
        for path in sorted(self.runs.iterdir()):
            if _has_manifest(path):
                yield RunDirectory(path)

    def newest_runs(self) -> list[RunDirectory]:
        """Every run that has a manifest, the newest first."""
        return newest_first(self.all_runs())

    def passed_over(self, name: str) -> list[RunDirectory]:
        """The runs that ``latest`` passes over, the newest first: newer ones without a question.

        Args:
            name: What somebody calls a run; none are passed over for any other word.
        """
        return passed_over(self.newest_runs()) if name == LATEST else []

    def _find_latest(self, *, may_be_empty: bool) -> RunDirectory:
        runs = self.newest_runs()
        if not runs:
            raise InputError(
                f"{self.runs}: no run yet; start one with: goldwright run PLAN --repo DIR"
            )
        return runs[0] if may_be_empty else latest_of(runs)


def _has_manifest(path: Path) -> bool:
    return (path / MANIFEST_FILE).is_file()


def _make_directory(path: Path) -> bool:
    """Make a directory that only its owner may enter; return False where the name is taken."""
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        return False
    sync_directory(path.parent)
    return True
