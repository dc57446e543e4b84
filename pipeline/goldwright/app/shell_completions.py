"""What a shell offers where a command wants a run, a dataset or a plan."""

import re
from typing import Final

from goldwright.app.environment import Environment
from goldwright.workspace.latest_run import LATEST
from goldwright.workspace.shipped_files import plan_names

_DATASET_STEM: Final = "golden_v"
_BLESSED: Final = re.compile(rf"{_DATASET_STEM}(\d+\.\d+)\.json")


def run_names(environment: Environment) -> list[str]:
    """List ``latest`` and the runs, the newest first; nothing where there are none."""
    runs = environment.workspace.runs
    try:
        directories = [path for path in runs.iterdir() if path.is_dir()]
    except OSError:
        return []
    # Names begin with the time at which the run was begun.
    names = sorted((directory.name for directory in directories), reverse=True)
    return [LATEST, *names] if names else []


def dataset_versions(environment: Environment) -> list[str]:
    """List ``latest``, which may be a draft, and the versions of blessed datasets, as ``1.0``."""
    golden = environment.workspace.golden
    paths = sorted(golden.glob(f"{_DATASET_STEM}*.json"))
    blessed = (_BLESSED.fullmatch(path.name) for path in paths)
    versions = [match[1] for match in blessed if match is not None]
    return [LATEST, *versions] if paths else []


def known_plans(environment: Environment) -> list[str]:
    """List the plans by name: those of the workspace, and those that come with the program."""
    return plan_names(environment.workspace.root)
