"""Compiled modules, which a limit on the size of files must not cut."""

import resource
import sys
from collections.abc import MutableMapping
from typing import Final

_VARIABLE: Final = "PYTHONDONTWRITEBYTECODE"


def leave_no_cut_bytecode(variables: MutableMapping[str, str]) -> None:
    """Write no compiled modules where files may not grow at will.

    Python puts a compiled module in its place though the end of it could not be written, and every
    later start would fail over it.

    Args:
        variables: The environment, which the processes that are started get.
    """
    most_bytes, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if most_bytes != resource.RLIM_INFINITY:
        sys.dont_write_bytecode = True
        variables[_VARIABLE] = "1"
