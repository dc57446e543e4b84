"""Executors of independent pieces by the name that the command line gives them."""

import importlib
import os
from typing import Any, Final

from goldwright.engine.piece_executors import PieceExecutor, ProcessExecutor, SequentialExecutor
from goldwright.engine.ray_executor import RayExecutor
from goldwright.errors import InputError

_MOST_PROCESSES: Final = 256
_FORMS: Final = "wanted local, processes:N or ray[:ADDRESS]"


def executor_named(name: str) -> PieceExecutor:
    """Make the executor of a name.

    Raises:
        InputError: There is none of this name.
    """
    kind, _, setting = name.partition(":")
    if name == "local":
        return SequentialExecutor()
    if kind == "processes" and setting.isdecimal() and 1 <= int(setting) <= _MOST_PROCESSES:
        return ProcessExecutor(int(setting))
    if kind == "ray":
        return RayExecutor(_connected_ray(setting))
    raise InputError(f"--executor {name}: {_FORMS}")


def _connected_ray(address: str) -> Any:
    """Connect to a cluster, or start one on this machine where no address is named."""
    # Ray reports how it is used over the network unless this says no before it is loaded.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise InputError(
            "--executor ray: is not installed: pip install 'goldwright[ray]'"
        ) from error
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address:
        settings["address"] = address
    else:
        settings["include_dashboard"] = False
    try:
        ray.init(**settings)
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"--executor ray:{address}: no cluster there: {reason}") from error
    return ray
