"""Making a run directory, and finding one again."""

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from goldwright.atomic_files import sync_directory, write_failure
from goldwright.errors import GoldwrightError, InputError
from goldwright.workspace.layout import MANIFEST_FILE, RunDirectory

_ATTEMPTS = 50


@dataclass(frozen=True, slots=True)
class Workspace:
    """The directory a person works in: ``runs/`` and ``golden/`` lie under it."""

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
        moment = clock().astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        try:
            self.runs.mkdir(parents=True, exist_ok=True)
            for _ in range(_ATTEMPTS):
                path = self.runs / f"{moment}-{plan_name}-{rng.getrandbits(16):04x}"
                if _was_made(path):
                    return RunDirectory(path)
        except OSError as error:
            raise write_failure(self.runs, error) from error
        raise InputError(f"{self.runs}: holds too many runs of {plan_name} at {moment}")

    def find_run(self, run: str) -> RunDirectory:
        """Find a run by ``latest``, by its name under ``runs/`` or by its path.

        Raises:
            InputError: There is no such run; the text lists names like it.
        """
        if run == "latest":
            return self._latest()
        for path in (self.runs / run, self.root / run):
            if (path / MANIFEST_FILE).is_file():
                return RunDirectory(path.resolve())
        if (self.root / run).is_dir() or (self.runs / run).is_dir():
            raise InputError(
                f"{run}: holds no {MANIFEST_FILE}, so it is no run that began; start a new one"
            )
        raise InputError(f"{run}: no such run{self._advice(run)}")

    def all_runs(self) -> Iterator[RunDirectory]:
        """Every run that has a manifest, in the order of names."""
        if not self.runs.is_dir():
            return
        for path in sorted(self.runs.iterdir()):
            if (path / MANIFEST_FILE).is_file():
                yield RunDirectory(path)

    def _latest(self) -> RunDirectory:
        dated = [(_created_at(run), run.name, run) for run in self.all_runs()]
        if not dated:
            raise InputError(
                f"{self.runs}: no run yet; start one with: goldwright run PLAN --repo DIR"
            )
        return max(dated, key=lambda item: item[:2])[2]

    def _advice(self, run: str) -> str:
        names = [known.name for known in self.all_runs()]
        near = difflib.get_close_matches(run, names, n=3, cutoff=0.4) or names[-3:]
        return f"; the nearest are {', '.join(near)}" if near else f"; {self.runs} holds none yet"


def _was_made(path: Path) -> bool:
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        return False
    sync_directory(path.parent)
    return True


def _created_at(run: RunDirectory) -> str:
    try:
        return run.manifest().created_at
    except GoldwrightError:
        # A damaged manifest is named when its run is opened; here its own name must do.
        return _as_iso(run.name)


def _as_iso(name: str) -> str:
    try:
        return datetime.strptime(name[:16], "%Y%m%dT%H%M%S%z").isoformat()
    except ValueError:
        return ""
