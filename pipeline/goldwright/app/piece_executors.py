"""Executors of independent pieces by the name that the command line gives them."""

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from goldwright.engine.piece_executors import PieceExecutor, ProcessExecutor, SequentialExecutor
from goldwright.engine.ray_executor import RayExecutor
from goldwright.errors import InputError

_MOST_PROCESSES: Final = 256


@dataclass(frozen=True, slots=True)
class PieceExecutorEntry:
    """A kind of executor that can be asked for.

    Attributes:
        name: Its name, which stands before the colon.
        form: How it is asked for, for messages.
        make: Makes it of the setting behind the colon; None where there is no such setting.
    """

    name: str
    form: str
    make: Callable[[str], PieceExecutor | None]


def executor_named(name: str) -> PieceExecutor:
    """Make the executor of a name.

    Raises:
        InputError: There is none of this name.
    """
    kind, _, setting = name.partition(":")
    for entry in PIECE_EXECUTORS:
        executor = entry.make(setting) if entry.name == kind else None
        if executor is not None:
            return executor
    raise InputError(f"--executor {name}: wanted {executor_forms()}")


def executor_forms() -> str:
    """Say in words how each executor is asked for."""
    *forms, last_form = [entry.form for entry in PIECE_EXECUTORS]
    return f"{', '.join(forms)} or {last_form}"


def _sequential(setting: str) -> SequentialExecutor | None:
    return None if setting else SequentialExecutor()


def _processes(setting: str) -> ProcessExecutor | None:
    if not setting.isdecimal() or not 1 <= int(setting) <= _MOST_PROCESSES:
        return None
    return ProcessExecutor(int(setting))


def _ray(setting: str) -> RayExecutor:
    return RayExecutor(_connected_ray(setting))


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


PIECE_EXECUTORS: Final = (
    PieceExecutorEntry("local", "local", _sequential),
    PieceExecutorEntry("processes", "processes:N", _processes),
    PieceExecutorEntry("ray", "ray[:ADDRESS]", _ray),
)
"""Every executor that can be asked for by its name."""
