"""What ``goldwright.toml`` sets for a command."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldwright.config import COMMAND_KEYS, read_settings
from goldwright.config.relative_paths import with_absolute_paths


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
        flags[key] = with_absolute_paths(key, value, directory)
    return CommandSettings(f"{settings.path}: {command}", flags)
