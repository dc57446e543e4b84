"""How much a command in a sandbox may take."""

from dataclasses import dataclass
from typing import Final

_MEBIBYTE: Final = 1 << 20


@dataclass(frozen=True)
class SandboxLimits:
    """How much a command may take.

    Attributes:
        wall_seconds: From start to end; then it is killed.
        cpu_seconds: Of processor time, in whole seconds.
        memory_bytes: Of address space.
        file_bytes: Of one written file, and of the scratch directory as a whole.
        output_bytes: Of standard output and of standard error, each; the rest is dropped.
        open_files: At one time.
    """

    wall_seconds: float = 20.0
    cpu_seconds: int = 10
    # Python with pytest and a large package maps less than 1 GiB.
    memory_bytes: int = 2048 * _MEBIBYTE
    file_bytes: int = 64 * _MEBIBYTE
    output_bytes: int = 1 * _MEBIBYTE
    open_files: int = 256
