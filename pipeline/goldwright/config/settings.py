"""The settings of ``goldwright.toml``: roles, runs, and what commands do without being told."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator

from goldwright.canonical import canonical_json, digest
from goldwright.config.settable_flags import COMMAND_KEYS
from goldwright.config.setting_names import check_names
from goldwright.errors import InputError
from goldwright.records import Cloud, Effort, Reaction, Record
from goldwright.records.base import is_empty
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import read_regular, why_unreadable

FILE_NAME: Final = "goldwright.toml"
# In bytes. Nobody writes that much by hand, so a longer file is something else.
LARGEST_FILE: Final = 1 << 20
OFFLINE: Final = "offline"
# In dollars; the smallest is one micro-dollar, the unit that money is counted in.
SMALLEST_BUDGET: Final = 0.000001
LARGEST_BUDGET: Final = 1e9
BUILT_IN_PROVIDERS: Final = ("anthropic", "openai", "google")
SHARED_SECTION: Final = "commands"
# The name of a region or a project goes into an address.
_PLACE: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
_ROLES: Final = ("author", "oracle", "adversary", "completeness", "judge")
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*:[^\s]+")


class AgentSettings(Record):
    """Who plays each role: ``offline`` or ``provider:model``.

    Attributes:
        author: Who writes queries.
        oracle: Who answers them.
        adversary: Who attacks the answers.
        adversary_fallback: The model that attacks them instead, or as well, where the Adversary is
            found to be weak.
        completeness: Who judges what searches bring beside the labels of an answer.
        judge: Who compares narratives.
        allow_same_family: Whether the Oracle's model may be of the same family as those that
            question it.
        retired: Models that may play no role any more, because too many of their records were
            rejected.
        effort: How much the models of roles are to think, in the words of the providers: minimal,
            low, medium, high, xhigh or max.
    """

    author: str = OFFLINE
    oracle: str = OFFLINE
    adversary: str = OFFLINE
    adversary_fallback: str | None = None
    completeness: str = OFFLINE
    judge: str = OFFLINE
    allow_same_family: bool = False
    retired: tuple[str, ...] = ()
    effort: dict[str, Effort] = Field(default_factory=dict, exclude_if=is_empty)

    @field_validator("effort")
    @classmethod
    def _check_effort(cls, value: dict[str, Effort]) -> dict[str, Effort]:
        for role in value:
            if role not in _ROLES:
                raise ValueError(f"{role!r} is no role: wanted one of {', '.join(_ROLES)}")
        return value

    @field_validator("retired")
    @classmethod
    def _check_retired(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            # An offline agent is called agent:ROLE:VERSION, which has the form of a model's name.
            if not _MODEL.fullmatch(name) or name.startswith("agent:"):
                raise ValueError(f'{name!r}: wanted "provider:model"')
        return value

    @field_validator("adversary_fallback")
    @classmethod
    def _check_fallback(cls, value: str | None) -> str | None:
        if value is not None and not _MODEL.fullmatch(value):
            raise ValueError('wanted "provider:model"')
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
        requests_per_minute: The most calls that begin in a minute; without it, the refusals of the
            provider show how many it takes.
        timeout_s: How long one attempt may take, in seconds.
        family: The family of its models, where their own names do not show it.
        stream: Whether replies come as streams, so that one that breaks off tells what it has used;
            so they do by default, but over Chat Completions, which are not streamed.
        cloud: The cloud that rents its models out, where they are reached through one.
        region: The region of that cloud.
        project: The project of that cloud that pays.
    """

    api: Literal["anthropic", "responses", "chat", "google"] | None = None
    base_url: str | None = None
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    max_concurrency: int = Field(default=8, ge=1, le=1000)
    requests_per_minute: float | None = Field(default=None, gt=0)
    timeout_s: float = Field(default=600.0, gt=0, le=3600)
    family: str | None = Field(default=None, min_length=1)
    stream: bool | None = None
    cloud: Cloud | None = Field(default=None, exclude_if=is_empty)
    region: str | None = Field(default=None, pattern=_PLACE, exclude_if=is_empty)
    project: str | None = Field(default=None, pattern=_PLACE, exclude_if=is_empty)

    @model_validator(mode="after")
    def _check_cloud(self) -> Self:
        has_address = self.base_url is not None
        match self.cloud:
            case None if self.region is not None or self.project is not None:
                raise ValueError("region and project are those of a cloud: name it, too")
            case "bedrock" if self.region is None:
                raise ValueError('cloud = "bedrock" wants a region')
            case "vertex" if self.region is None or self.project is None:
                raise ValueError('cloud = "vertex" wants a region and a project')
            case "azure" if not has_address:
                raise ValueError('cloud = "azure" wants the base_url of the resource')
            case _:
                return self

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
        adversary_power: The share of falsified answers that the Adversary has to catch, in 0..1.
        on_weak_adversary: What becomes of a run whose Adversary catches surely fewer: it ends
            (``fail``), or the fallback attacks in its place (``swap``) or as well (``double``).
        budget_usd: The ceiling of the run, in dollars.
        item_budget_usd: The ceiling of one work item of the run, in dollars.
        unpriced: Whether models may play whose price is unknown; they then count as free.
        dense_pool: Whether search by meaning fills the pool of completeness too, where its encoder
            is installed.
        preflight: Whether every model is tried out with one exchange before it works.
        batch: Whether models whose roles can wait are asked in batches, at half the price.
        batch_gathering_s: A batch is handed in when nothing new has come for so many seconds.
        batch_poll_s: The longest pause between questions how a batch stands, in seconds.
    """

    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    workers: int | None = Field(default=None, ge=1, le=64)
    focus_area: str | None = None
    # Half of the falsehoods: who catches fewer is of less use than a coin would be.
    adversary_power: float = Field(default=0.5, ge=0, lt=1)
    on_weak_adversary: Literal["fail"] | Reaction = "fail"
    budget_usd: float | None = Field(default=None, ge=SMALLEST_BUDGET, le=LARGEST_BUDGET)
    item_budget_usd: float | None = Field(default=None, ge=SMALLEST_BUDGET, le=LARGEST_BUDGET)
    unpriced: bool = False
    dense_pool: bool = True
    preflight: bool = True
    batch: bool = False
    batch_gathering_s: float = Field(default=30.0, gt=0, le=3600)
    batch_poll_s: float = Field(default=120.0, gt=0, le=3600)


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
            is_reached = settings.base_url is not None or settings.cloud is not None
            if name not in BUILT_IN_PROVIDERS and not is_reached:
                names = ", ".join(BUILT_IN_PROVIDERS)
                raise ValueError(
                    f"providers.{name}: wanted a base_url, or one of the names {names}"
                )
        return self

    @model_validator(mode="after")
    def _check_fallback(self) -> Self:
        reaction = self.run.on_weak_adversary
        if reaction != "fail" and self.agents.adversary_fallback is None:
            raise ValueError(
                f"run.on_weak_adversary: {reaction} wants a model in agents.adversary_fallback"
            )
        return self

    def content_digest(self) -> str:
        """Name the settings by their content."""
        return digest(self.model_dump(mode="json"))


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """What a settings file says.

    Attributes:
        path: The file; None where there is none.
        directory: Where its relative paths start.
        config: The settings of runs and models.
        sections: What it sets for each command, by the command's name and by flag, as TOML has it;
            the flags that it sets for all commands are under ``commands``.
    """

    path: Path | None
    directory: Path
    config: Config
    sections: Mapping[str, Mapping[str, Any]]

    def flags_of(self, command: str) -> dict[str, Any]:
        """Give the flags that the file sets for a command: its own section wins over ``commands``.

        A flag of ``commands`` that the command does not have is none of its concern.
        """
        own_keys = COMMAND_KEYS[command]
        shared_flags = self.sections.get(SHARED_SECTION, {})
        flags = {key: value for key, value in shared_flags.items() if key in own_keys}
        flags.update(self.sections.get(command, {}))
        return flags


def read_config(path: Path | None, *, root: Path) -> tuple[Config, Path]:
    """Read the settings of runs and models, as :func:`read_settings` does.

    Returns:
        The settings, and the directory that relative paths in them start at.
    """
    settings = read_settings(path, root=root)
    return settings.config, settings.directory


def read_settings(path: Path | None, *, root: Path) -> SettingsFile:
    """Read a settings file.

    Args:
        path: The file; None takes ``goldwright.toml`` in ``root``, or the defaults without one.
        root: The directory of the default file.

    Raises:
        InputError: The file is missing, not UTF-8, not TOML, or holds an unknown section, an
            unknown setting, or an ill-typed one of a run or a model.
    """
    if path is None:
        path = root / FILE_NAME
        # A link that leads nowhere was meant to lead to something.
        if not path.exists() and not path.is_symlink():
            return SettingsFile(None, root, Config(), {})
    try:
        data = read_regular(path, most=LARGEST_FILE)
    except OSError as error:
        reason = why_unreadable(path, error)
        raise InputError(f"{path}: cannot read the configuration: {reason}") from error
    document = _parse_toml(data, path)
    check_names(document, _keys_by_section(), path)
    sections = _take_sections(document)
    return SettingsFile(path, path.parent, _parse_config(document, path), sections)


def _keys_by_section() -> dict[str, tuple[str, ...]]:
    keys = dict(COMMAND_KEYS)
    keys["run"] = (*RunSettings.model_fields, *COMMAND_KEYS["run"])
    keys["agents"] = tuple(AgentSettings.model_fields)
    keys["paths"] = tuple(PathSettings.model_fields)
    every_key = dict.fromkeys(key for names in COMMAND_KEYS.values() for key in names)
    keys[SHARED_SECTION] = tuple(every_key)
    return keys


def _take_sections(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Take the settings of commands out of a document; what stays is about runs and models."""
    sections: dict[str, dict[str, Any]] = {}
    for name in (SHARED_SECTION, *COMMAND_KEYS):
        table = document.pop(name, {})
        if name == "run":
            # What a run is made with is recorded with the run, and its flags are not.
            document[name] = _without(table, COMMAND_KEYS[name])
            table = _without(table, RunSettings.model_fields)
        sections[name] = table
    return sections


def _without(table: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    left_out = frozenset(keys)
    return {key: value for key, value in table.items() if key not in left_out}


def _parse_config(settings: Mapping[str, Any], path: Path) -> Config:
    try:
        # Strict models read lists as tuples from JSON alone, hence the way through JSON.
        return Config.model_validate_json(canonical_json(settings))
    except ValidationError as error:
        raise InputError(f"{path}: {first_validation_problem(error, Config)}") from error
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
