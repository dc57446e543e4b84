"""How a command ends that did its work; an error has an exit code of its own."""

from typing import Final

from goldwright.errors import QualityGateError

EXIT_OK: Final = 0


def gate_exit_code(*, passes: bool) -> int:
    """Give the exit code of a command whose result is held against a bar, for scripts and CI."""
    if passes:
        return EXIT_OK
    return QualityGateError.exit_code
