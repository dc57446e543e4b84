"""The settings of ``goldwright.toml``: who plays the roles, and how runs are made."""

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
from goldwright.regular_files import read_regular

FILE_NAME: Final = "goldwright.toml"
# In bytes. Nobody writes that much by hand, so a longer file is something else.
LARGEST_FILE: Final = 1 << 20
OFFLINE: Final = "offline"
# In dollars; the smallest is one micro-dollar, the unit that money is counted in.
SMALLEST_BUDGET: Final = 0.000001
LARGEST_BUDGET: Final = 1e9
BUILT_IN_PROVIDERS: Final = ("anthropic", "openai", "google")
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*:[^\s]+")


class AgentSettings(Record):
    """Who plays each role: ``offline`` or ``provider:model``.

    Attributes:
        author: Who writes queries.
        oracle: Who answers them.
        adversary: Who attacks the answers.
        completeness: Who judges what searches bring beside the labels of an answer.
        judge: Who compares narratives.
        allow_same_family: Whether the Oracle's model may be of the same family as those that
            question it.
        retired: Models that may play no role any more, because too many of their records were
            rejected.
    """

    author: str = OFFLINE
    oracle: str = OFFLINE
    adversary: str = OFFLINE
    completeness: str = OFFLINE
    judge: str = OFFLINE
    allow_same_family: bool = False
    retired: tuple[str, ...] = ()

    @field_validator("retired")
    @classmethod
    def _check_retired(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            # An offline agent is called agent:ROLE:VERSION, which has the form of a model's name.
            if not _MODEL.fullmatch(name) or name.startswith("agent:"):
                raise ValueError(f'{name!r}: wanted "provider:model"')
        return value

    @field_validator("author", "oracle", "adversary", "completeness", "judge")
    @classmethod
    def _check_player(cls, value: str) -> str:
        if value != OFFLINE and not _MODEL.fullmatch(value):
            raise ValueError('wanted "offline" or "provider:model"')
        return value


class ProviderSettings(Record):
    """How a provider is reached; anthropic, openai and google need no settings at all.

    Attributes:
        api: The protocol it speaks. With a ``base_url``, the default is Chat Completions for any
            name but anthropic and google.
        base_url: Its address, where that is not the provider's public one.
        api_key_env: The environment variable that holds its key.
        max_concurrency: The most calls under way at once.
        timeout_s: How long one attempt may take, in seconds.
        family: The family of its models, where their own names do not show it.
    """

    api: Literal["anthropic", "responses", "chat", "google"] | None = None
    base_url: str | None = None
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    max_concurrency: int = Field(default=8, ge=1, le=1000)
    timeout_s: float = Field(default=600.0, gt=0, le=3600)
    family: str | None = Field(default=None, min_length=1)

    @field_validator("base_url")
    @classmethod
    def _check_base_url(cls, value: str | None) -> str | None:
        if value is not None and not _is_http_address(value):
            raise ValueError(
                "wanted http:// or https://, a host, and no password, "
                "as in http://localhost:11434/v1"
            )
        return value


class RunSettings(Record):
    """How a run is made.

    Attributes:
        seed: Chooses among equally good queries.
        workers: The number of parsing processes.
        focus_area: The part of the codebase to ask about.
        budget_usd: The ceiling of the run, in dollars.
        item_budget_usd: The ceiling of one work item of the run, in dollars.
        unpriced: Whether models may play whose price is unknown; they then count as free.
        dense_pool: Whether search by meaning fills the pool of completeness too, where its encoder
            is installed.
    """

    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    workers: int | None = Field(default=None, ge=1, le=64)
    focus_area: str | None = None
    budget_usd: float | None = Field(default=None, ge=SMALLEST_BUDGET, le=LARGEST_BUDGET)
    item_budget_usd: float | None = Field(default=None, ge=SMALLEST_BUDGET, le=LARGEST_BUDGET)
    unpriced: bool = False
    dense_pool: bool = True


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
    def _check_providers(self) -> Self:
        for name, settings in self.providers.items():
            if name not in BUILT_IN_PROVIDERS and settings.base_url is None:
                names = ", ".join(BUILT_IN_PROVIDERS)
                raise ValueError(
                    f"providers.{name}: wanted a base_url, or one of the names {names}"
                )
        return self

    def content_digest(self) -> str:
        """Name the settings by their content."""
        return digest(self.model_dump(mode="json"))


def read_config(path: Path | None, *, root: Path) -> tuple[Config, Path]:
    """Read a configuration file.

    Args:
        path: The file; None takes ``goldwright.toml`` in ``root``, or the defaults without one.
        root: The directory of the default file.

    Returns:
        The settings, and the directory that relative paths in them start at.

    Raises:
        InputError: The file is missing, not UTF-8, not TOML, or holds an unknown or ill-typed
            setting.
    """
    if path is None:
        path = root / FILE_NAME
        # A link that leads nowhere was meant to lead to something.
        if not path.exists() and not path.is_symlink():
            return Config(), root
    try:
        data = read_regular(path, most=LARGEST_FILE)
    except OSError as error:
        raise InputError(f"{path}: cannot read the configuration: {error.strerror}") from error
    return _parse_config(data, path), path.parent


def _parse_config(data: bytes, path: Path) -> Config:
    settings = _parse_toml(data, path)
    try:
        # Strict models read lists as tuples from JSON alone, hence the way through JSON.
        return Config.model_validate_json(canonical_json(settings))
    except ValidationError as error:
        raise InputError(f"{path}: {first_validation_problem(error)}") from error
    except RecursionError as error:
        raise InputError(f"{path}: tables too deep to be settings") from error
    except (TypeError, ValueError) as error:
        # TOML knows dates and NaN, which JSON does not.
        raise InputError(f"{path}: a value of a type that no setting has: {error}") from error


def _parse_toml(data: bytes, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path}: a number too large or a list too deep to be a setting"
        ) from error


def _is_http_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        # Reading the port raises where it is no number of 16 bits.
        port = parts.port
    except ValueError:
        return False
    is_visible = text.isascii() and text.isprintable() and " " not in text
    has_host = parts.scheme in {"http", "https"} and bool(parts.hostname)
    # A password in an address would end up in messages; keys come from the environment.
    has_password = "@" in parts.netloc
    return is_visible and has_host and not has_password and port != 0
