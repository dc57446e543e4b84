"""What ``goldwright.toml`` sets for a command."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from goldwright.config import COMMAND_KEYS, read_settings

# Flags that name a file or directory. Relative ones start at the settings, wherever the command
# is called.
PATH_KEYS: Final = frozenset(
    {
        "repo",
        "out",
        "html",
        "junit",
        "markdown",
        "run_out",
        "baseline",
        "sign_key",
        "allowed_signers",
    }
)
# A run of elsewhere is the one retriever whose specification is the name of a file.
_TREC_RETRIEVER: Final = re.compile(r"(?P<prefix>(?:[^=:]*=)?trec:)(?P<file>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """What a settings file sets for one command.

    Attributes:
        source: The file and the section, for messages; empty where there is no file.
        flags: The values by flag: text, numbers, booleans and lists, with absolute paths.
    """

    source: str
    flags: Mapping[str, Any]


def has_settings(command: str) -> bool:
    """Whether the file can set anything for a command."""
    return command in COMMAND_KEYS


def read_command_settings(command: str, path: Path | None, *, root: Path) -> CommandSettings:
    """Read what the settings say for a command.

    Args:
        command: Its name.
        path: The settings; ``goldwright.toml`` in ``root`` where there is none, if it is there.
        root: The directory of the default file.

    Raises:
        InputError: The file cannot be read, or names a section or a setting that does not exist.
    """
    settings = read_settings(path, root=root)
    if settings.path is None:
        return CommandSettings("", {})
    directory = settings.directory.absolute()
    flags = {}
    for key, value in settings.flags_of(command).items():
        flags[key] = _with_absolute_paths(key, value, directory)
    return CommandSettings(f"{settings.path}: {command}", flags)


def _with_absolute_paths(key: str, value: Any, directory: Path) -> Any:
    if key == "retriever" and isinstance(value, list):
        return [_with_absolute_paths(key, item, directory) for item in value]
    if not isinstance(value, str):
        return value
    if key in PATH_KEYS:
        return str(directory / value)
    if key == "retriever":
        return _with_absolute_run(value, directory)
    if key == "against" and (directory / value).exists():
        # Else it is a version.
        return str(directory / value)
    return value


def _with_absolute_run(retriever: str, directory: Path) -> str:
    match = _TREC_RETRIEVER.fullmatch(retriever)
    if match is None:
        return retriever
    run = directory / match["file"]
    return f"{match['prefix']}{run}"
