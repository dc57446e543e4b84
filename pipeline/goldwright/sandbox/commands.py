"""What is run in a sandbox, within which limits, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from goldwright.sandbox.limits import SandboxLimits


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
    limits: SandboxLimits = field(default_factory=SandboxLimits)


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
