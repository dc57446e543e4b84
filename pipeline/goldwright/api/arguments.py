"""Arguments as callers of the library give them, and as use cases take them."""

from dataclasses import replace
from pathlib import Path

from goldwright.app.environment import Environment, current_environment

StrPath = str | Path


def environment_in(workspace: StrPath) -> Environment:
    """Give the environment of this process, with a workspace in place of its directory."""
    root = Path(workspace).resolve()
    return replace(current_environment(), root=root)


def optional_path(path: StrPath | None) -> Path | None:
    """Read a path, where there is one."""
    if path is None:
        return None
    return Path(path)
