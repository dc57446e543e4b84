"""Plans and prompts: a person's own, else those that come with the program."""

import importlib.resources
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from goldwright.errors import InputError


def find_plan(plan: str, root: Path) -> Path:
    """Find a plan by its path, or by its name under ``plans/``, or among the shipped ones.

    Raises:
        InputError: There is no such plan; the text lists the names that are known.
    """
    directories = (root / "plans", shipped_directory("plans"))
    for path in (root / plan, *(directory / f"{plan}.json" for directory in directories)):
        if path.is_file():
            return path
    known = sorted(
        {
            path.stem
            for directory in directories
            if directory.is_dir()
            for path in directory.glob("*.json")
        }
    )
    raise InputError(f"{plan}: no such plan; give a path, or one of {', '.join(known)}")


def find_prompts(prompts: str | None, root: Path) -> Path:
    """Find the directory of prompts: the one that is asked for, else ``prompts/``, else the shipped
    one.

    Raises:
        InputError: The one that is asked for is no directory.
    """
    if prompts is not None:
        path = root / prompts
        if not path.is_dir():
            raise InputError(f"{prompts}: no such directory of prompts")
        return path
    own = root / "prompts"
    # Many codebases have a directory of this name; ours has a prompt for the Oracle.
    return own if (own / "oracle.md").is_file() else shipped_directory("prompts")


def shipped_directory(kind: Literal["plans", "prompts"]) -> Path:
    """Where the program's own files lie: inside an installed package, or at the top of a checkout."""
    package = Path(str(importlib.resources.files("goldwright")))
    shipped = package / "_shipped" / kind
    return shipped if shipped.is_dir() else package.parents[1] / kind


def cache_directory(environment: Mapping[str, str], home: Path) -> Path:
    """Where mirrors and indexes are kept between runs.

    ``GOLDWRIGHT_CACHE`` decides, else ``XDG_CACHE_HOME``, else ``.cache`` in the home directory.
    """
    if chosen := environment.get("GOLDWRIGHT_CACHE"):
        return Path(chosen)
    if shared := environment.get("XDG_CACHE_HOME"):
        return Path(shared) / "goldwright"
    return home / ".cache" / "goldwright"
