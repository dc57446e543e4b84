"""Executors of independent pieces by the name that the command line gives them."""

from typing import Final

from goldwright.engine.piece_executors import PieceExecutor, ProcessExecutor, SequentialExecutor
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
    raise InputError(f"--executor {name}: {_FORMS}")
