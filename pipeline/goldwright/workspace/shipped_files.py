"""Plans, prompts and the cache: a person's own, else those that come with the program."""

import importlib.resources
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from goldwright.errors import InputError

CACHE_VARIABLES: Final = ("GOLDWRIGHT_CACHE", "XDG_CACHE_HOME")
"""The environment variables that say where the cache is; the first one goes before the second."""


def find_plan(plan: str, root: Path) -> Path:
    """Find a plan by its path, by its name under ``plans/``, or among the shipped ones.

    Raises:
        InputError: There is no such plan; the text lists the names that exist.
    """
    paths = [root / plan]
    paths.extend(directory / f"{plan}.json" for directory in _plan_directories(root))
    for path in paths:
        if path.is_file():
            return path
    names = ", ".join(plan_names(root))
    if paths[0].is_dir():
        raise InputError(f"{plan}: is a directory; give the file of a plan, or one of {names}")
    raise InputError(f"{plan}: no such plan; give a path, or one of {names}")


def plan_names(root: Path) -> list[str]:
    """List the names of plans, by name: a person's own under ``root``, and the shipped ones."""
    names: set[str] = set()
    for directory in _plan_directories(root):
        # Empty where there is no such directory.
        names.update(path.stem for path in directory.glob("*.json"))
    return sorted(names)


def find_prompts(prompts: str | None, root: Path) -> Path:
    """Find the directory of prompts.

    Args:
        prompts: A directory that was asked for; None takes ``prompts/``, else the shipped one.
        root: Where relative paths start.

    Raises:
        InputError: What was asked for is no directory.
    """
    if prompts is not None:
        path = root / prompts
        if not path.is_dir():
            raise InputError(f"{prompts}: no such directory of prompts")
        return path
    own_prompts = root / "prompts"
    # Many codebases have a directory of this name; ours has a prompt for the Oracle.
    if (own_prompts / "oracle.md").is_file():
        return own_prompts
    return _shipped_directory("prompts")


def cache_directory(environment: Mapping[str, str], home: Path) -> Path:
    """Choose where mirrors and indexes are kept between runs.

    ``GOLDWRIGHT_CACHE`` decides, else ``XDG_CACHE_HOME``, else ``.cache`` in the home directory.
    A variable that is empty counts as unset.
    """
    own_variable, desktop_variable = CACHE_VARIABLES
    if own_cache := environment.get(own_variable):
        return Path(own_cache)
    if desktop_cache := environment.get(desktop_variable):
        return Path(desktop_cache) / "goldwright"
    return home / ".cache" / "goldwright"


def _plan_directories(root: Path) -> tuple[Path, Path]:
    return root / "plans", _shipped_directory("plans")


def _shipped_directory(kind: Literal["plans", "prompts"]) -> Path:
    """Where the program's own files lie: in an installed package, or at the top of a checkout."""
    package = Path(str(importlib.resources.files("goldwright")))
    shipped = package / "_shipped" / kind
    if shipped.is_dir():
        return shipped
    return package.parents[1] / kind
