"""Which layer works on this machine, found out by running what will be run."""

import resource
from dataclasses import dataclass

from goldwright.errors import InputError
from goldwright.sandbox.commands import SandboxCommand
from goldwright.sandbox.layers import LAYERS, PYTHON, Layer
from goldwright.sandbox.limits import SandboxLimits
from goldwright.sandbox.sandboxed_process import run

# The whole production command, with a program that looks whether rights are gone indeed.
_LOOK = """
import os, socket
def is_refused(attempt):
    try:
        attempt()
    except OSError:
        return True
    return False
open("scratch", "w").write("x")
attempts = {
    "network": socket.socket,
    "processes": os.fork,
    "files": lambda: open("/etc/passwd").read(),
}
print(",".join(name for name, attempt in attempts.items() if not is_refused(attempt)) or "confined")
"""
_LOOK_LIMITS = SandboxLimits(wall_seconds=10.0, cpu_seconds=5)
_CONFINED = b"confined"


@dataclass(frozen=True)
class LayerFault:
    """Why a layer does not work here.

    Attributes:
        layer: Its name.
        reason: What failed, in the system's or the layer's words.
    """

    layer: str
    reason: str


def look(layer: Layer) -> LayerFault | None:
    """Run a layer's production command; return what is wrong with it, or None."""
    # What is held to less memory than a sandbox sets cannot set it; and where memory is that short,
    # a thread that reads the pipes may die before it has begun, and is waited for without end.
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY and most < _LOOK_LIMITS.memory_bytes:
        limits = f"{most:,} bytes of memory, and a sandbox sets {_LOOK_LIMITS.memory_bytes:,}"
        return LayerFault(layer.name, f"this process may take {limits}")
    command = SandboxCommand(argv=[*PYTHON, "-c", _LOOK], scratch=True, limits=_LOOK_LIMITS)
    try:
        result = run(layer, command)
    except OSError as error:
        return LayerFault(layer.name, error.strerror or str(error))
    result_text = result.stdout.strip()
    if result_text == _CONFINED:
        return None
    if result_text:
        return LayerFault(layer.name, f"leaves {result_text.decode(errors='replace')} open")
    last_lines = result.stderr.decode(errors="replace").strip().splitlines()[-1:]
    return LayerFault(layer.name, last_lines[0] if last_lines else f"exit {result.exit_code}")


def find_layer() -> Layer:
    """Return the strongest layer that works here.

    Raises:
        InputError: None does; the message says why, layer by layer.
    """
    faults = []
    for layer in LAYERS:
        fault = look(layer)
        if fault is None:
            return layer
        faults.append(fault)
    reasons = "; ".join(f"{fault.layer}: {fault.reason}" for fault in faults)
    raise InputError(
        f"no sandbox works on this machine ({reasons}); to run unread code without one: "
        "--unsafe-no-sandbox"
    )
