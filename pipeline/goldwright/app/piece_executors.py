"""Executors of independent pieces by the name that the command line gives them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from goldwright.engine.piece_executors import PieceExecutor, ProcessExecutor, SequentialExecutor
from goldwright.engine.ray_executor import RayExecutor, connect_ray
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
    return RayExecutor(connect_ray(setting))


PIECE_EXECUTORS: Final = (
    PieceExecutorEntry("local", "local", _sequential),
    PieceExecutorEntry("processes", "processes:N", _processes),
    PieceExecutorEntry("ray", "ray[:ADDRESS]", _ray),
)
"""Every executor that can be asked for by its name."""
