"""The settings of ``goldwright.toml``: who plays the roles, and how a run is run."""

import tomllib
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError, field_validator

from goldwright.canonical import canonical_json, digest
from goldwright.errors import InputError
from goldwright.records import Record
from goldwright.records.reading import first_problem

FILE_NAME: Final = "goldwright.toml"
LARGEST_FILE: Final = 1 << 20


class AgentSettings(Record):
    """Who plays each role: ``offline`` or ``provider:model``."""

    author: str = "offline"
    oracle: str = "offline"
    adversary: str = "offline"
    judge: str = "offline"

    @field_validator("author", "oracle", "adversary", "judge")
    @classmethod
    def _is_known(cls, value: str) -> str:
        if value != "offline":
            raise ValueError('this version plays "offline" agents only')
        return value


class RunSettings(Record):
    """``seed`` chooses among equally good queries; ``workers`` (1..64) is the number of parsing processes."""

    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    workers: int | None = Field(default=None, ge=1, le=64)
    focus_area: str | None = None


class PathSettings(Record):
    """Where other files lie; relative paths start at the configuration file."""

    prompts: str | None = None


class Config(Record):
    """Everything a user can set; each setting has a default."""

    agents: AgentSettings = AgentSettings()
    run: RunSettings = RunSettings()
    paths: PathSettings = PathSettings()

    def content_digest(self) -> str:
        """Name the settings by their content."""
        return digest(self.model_dump(mode="json"))


def read_config(path: Path | None, *, root: Path) -> tuple[Config, Path]:
    """Read a configuration file, or ``goldwright.toml`` in ``root`` where there is one, or take the defaults.

    Returns:
        The settings, and the directory that relative paths in them start at.

    Raises:
        InputError: The file is missing, not UTF-8, not TOML, or holds an unknown or ill-typed setting.
    """
    if path is None:
        path = root / FILE_NAME
        if not path.exists():
            return Config(), root
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{path}: can not read the configuration: {error.strerror}") from error
    if len(data) > LARGEST_FILE:
        raise InputError(f"{path}: over {LARGEST_FILE} bytes is no configuration")
    return _parse(data, path), path.parent


def _parse(data: bytes, path: Path) -> Config:
    try:
        found = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from error
    try:
        return Config.model_validate_json(canonical_json(found))
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error)}") from error
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}: a value of a type that no setting has: {error}") from error
