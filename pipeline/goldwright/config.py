"""The settings of ``goldwright.toml``: who plays the roles, and how a run is run."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator

from goldwright.canonical import canonical_json, digest
from goldwright.errors import InputError
from goldwright.records import Record
from goldwright.records.strict_json import first_validation_problem

FILE_NAME: Final = "goldwright.toml"
LARGEST_FILE: Final = 1 << 20
OFFLINE: Final = "offline"
SMALLEST_BUDGET: Final = 0.000001
LARGEST_BUDGET: Final = 1e9
OWN_PROVIDERS: Final = ("anthropic", "openai", "google")
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*:[^\s]+")


class AgentSettings(Record):
    """Who plays each role: ``offline`` or ``provider:model``.

    The Oracle's model is of another family than those that question it, unless
    ``allow_same_family``. ``retired`` are models that may play no role any more, because too many
    of their records were turned away.
    """

    author: str = OFFLINE
    oracle: str = OFFLINE
    adversary: str = OFFLINE
    judge: str = OFFLINE
    allow_same_family: bool = False
    retired: tuple[str, ...] = ()

    @field_validator("retired")
    @classmethod
    def _are_models(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            if not _MODEL.fullmatch(name) or name.startswith("agent:"):
                raise ValueError(f'{name!r}: wanted "provider:model"')
        return value

    @field_validator("author", "oracle", "adversary", "judge")
    @classmethod
    def _is_known(cls, value: str) -> str:
        if value != OFFLINE and not _MODEL.fullmatch(value):
            raise ValueError('wanted "offline" or "provider:model"')
        return value


class ProviderSettings(Record):
    """How a provider is reached; the names anthropic, openai and google need no settings at all.

    With a ``base_url``, any name but anthropic and google speaks Chat Completions unless ``api``
    says otherwise. ``family`` names the family of its models where their own names do not tell it;
    ``timeout_s`` is for one attempt, in seconds.
    """

    api: Literal["anthropic", "responses", "chat", "google"] | None = None
    base_url: str | None = None
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    max_concurrency: int = Field(default=8, ge=1, le=1000)
    timeout_s: float = Field(default=600.0, gt=0, le=3600)
    family: str | None = Field(default=None, min_length=1)

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if value is not None and not _is_http_address(value):
            raise ValueError(
                "wanted http:// or https://, a host, and no password, as in http://localhost:11434/v1"
            )
        return value


class RunSettings(Record):
    """How a run is run.

    ``seed`` chooses among equally good queries; ``workers`` (1..64) is the number of parsing
    processes. The two budgets are ceilings in dollars, for the run and for one work item of it.
    ``unpriced`` lets models play whose price is not known; they then count as free.
    """

    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    workers: int | None = Field(default=None, ge=1, le=64)
    focus_area: str | None = None
    budget_usd: float | None = Field(default=None, ge=SMALLEST_BUDGET, le=LARGEST_BUDGET)
    item_budget_usd: float | None = Field(default=None, ge=SMALLEST_BUDGET, le=LARGEST_BUDGET)
    unpriced: bool = False


class PathSettings(Record):
    """Where other files lie; relative paths start at the configuration file."""

    prompts: str | None = None


class Config(Record):
    """Everything a user can set; each setting has a default."""

    agents: AgentSettings = AgentSettings()
    providers: dict[str, ProviderSettings] = {}
    prices: dict[str, dict[str, Any]] = {}
    run: RunSettings = RunSettings()
    paths: PathSettings = PathSettings()

    @model_validator(mode="after")
    def _can_reach_every_provider(self) -> Self:
        for name, settings in self.providers.items():
            if name not in OWN_PROVIDERS and settings.base_url is None:
                raise ValueError(
                    f"providers.{name}: wanted a base_url, or one of the names {', '.join(OWN_PROVIDERS)}"
                )
        return self

    def content_digest(self) -> str:
        """Name the settings by their content."""
        return digest(self.model_dump(mode="json"))


def read_config(path: Path | None, *, root: Path) -> tuple[Config, Path]:
    """Read a configuration file, or ``goldwright.toml`` in ``root`` where there is one, or take the
    defaults.

    Returns:
        The settings, and the directory that relative paths in them start at.

    Raises:
        InputError: The file is missing, not UTF-8, not TOML, or holds an unknown or ill-typed
            setting.
    """
    if path is None:
        path = root / FILE_NAME
        if not path.exists():
            return Config(), root
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot read the configuration: {error.strerror}") from error
    if len(data) > LARGEST_FILE:
        raise InputError(f"{path}: over {LARGEST_FILE} bytes is no configuration")
    return _parse(data, path), path.parent


def _parse(data: bytes, path: Path) -> Config:
    try:
        found = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path}: a number too large or a list too deep to be a setting"
        ) from error
    try:
        return Config.model_validate_json(canonical_json(found))
    except ValidationError as error:
        raise InputError(f"{path}: {first_validation_problem(error)}") from error
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}: a value of a type that no setting has: {error}") from error


def _is_http_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    is_plain = text.isascii() and text.isprintable() and " " not in text
    return bool(
        is_plain
        and parts.scheme in {"http", "https"}
        and parts.hostname
        and "@" not in parts.netloc
        and port != 0
    )
