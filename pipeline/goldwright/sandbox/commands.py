"""What is run in a sandbox, within which limits, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_MEBIBYTE = 1 << 20


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


@dataclass(frozen=True)
class SandboxCommand:
    """A command for a sandbox.

    Attributes:
        argv: The program's absolute path, and its arguments.
        readable: Files and directories that it may read besides Python and the system's libraries.
        scratch: Whether it may write, in its working directory alone.
        environment: Variables besides those that every command gets; none come from ours.
        inherited: Descriptors of open files that it keeps.
        limits: How much it may take.
    """

    argv: Sequence[str]
    readable: Sequence[Path] = ()
    scratch: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    inherited: Sequence[int] = ()
    limits: SandboxLimits = SandboxLimits()


@dataclass(frozen=True)
class SandboxResult:
    """What came of a command.

    Attributes:
        exit_code: As a shell gives it; negative where a signal ended it.
        stdout: What it wrote, as far as the limit goes.
        stderr: As `stdout`.
        seconds: From start to end.
        is_timed_out: Whether it was killed because its time was over.
        is_truncated: Whether it wrote more than the limit.
    """

    exit_code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    is_timed_out: bool = False
    is_truncated: bool = False
