"""Which run replaces another one after a breach."""

from goldwright.app.environment import Environment
from goldwright.errors import GoldwrightError
from goldwright.workspace import RunDirectory


def replacement_of(name: str, environment: Environment) -> str | None:
    """Name the run that replaces a run; None for one that stands."""
    for run in environment.workspace.all_runs():
        if _replaced_by(run) == name:
            return run.name
    return None


def _replaced_by(run: RunDirectory) -> str | None:
    """Name the run that a run replaces; None too where the manifest cannot be read."""
    try:
        return run.manifest().requeued_from
    except GoldwrightError:
        return None
