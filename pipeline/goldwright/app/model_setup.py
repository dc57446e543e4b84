"""Who plays: from the settings to four roles, with every reason to refuse found before anything is
spent.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final
from urllib.parse import urlsplit

from goldwright.agents.roles import Cast
from goldwright.config import OFFLINE, Config, ProviderSettings
from goldwright.errors import InputError
from goldwright.live_agents.adversary import LiveAdversary
from goldwright.live_agents.author import LiveAuthor
from goldwright.live_agents.judge import LiveJudge
from goldwright.live_agents.oracle import LiveOracle
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.llm.budget import Budget, BudgetedProvider
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.catalog import Api, open_adapter
from goldwright.llm.concurrency import ConcurrencyLimit, LimitedProvider
from goldwright.llm.journaling import JournalingProvider, ReplayingProvider
from goldwright.llm.model_families import OWN_FAMILY, family_of
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.port import Adapter, Provider
from goldwright.llm.pricing import ModelPricing, PriceTable
from goldwright.llm.retry import RetryingProvider, Sleep
from goldwright.offline_agents import OfflineAdversary, OfflineJudge, OfflineOracle
from goldwright.offline_agents.author import OfflineAuthor
from goldwright.prompts import PromptLibrary
from goldwright.snapshot import Snapshot
from goldwright.stages.catalog import ROLES

OFFLINE_IDENTITIES: Final[Mapping[str, str]] = {
    "author": OfflineAuthor.identity,
    "oracle": OfflineOracle.identity,
    "adversary": OfflineAdversary.identity,
    "judge": OfflineJudge.identity,
}
OFFLINE_AT_ONCE: Final = 8
MOST_AT_ONCE: Final = 256
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
ADDRESSES: Final[Mapping[str, tuple[str, str]]] = {
    "anthropic": ("https://api.anthropic.com", "ANTHROPIC_BASE_URL"),
    "openai": ("https://api.openai.com/v1", "OPENAI_BASE_URL"),
    "google": ("https://generativelanguage.googleapis.com", "GOOGLE_GEMINI_BASE_URL"),
}
"""Where providers are reached, and the variable by which their SDKs are told otherwise."""
OWN_API: Final[Mapping[str, Api]] = {
    "anthropic": "anthropic",
    "openai": "responses",
    "google": "google",
}
NO_KEY: Final = "no-key"
"""What a server of one's own is given when the settings name no key; such servers want some text.
"""


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The model of one role, and how it is reached."""

    role: str
    provider: str
    model: str
    api: Api
    key: str = field(repr=False)
    base_url: str
    seconds: float
    at_once: int
    family: str | None
    tariff: ModelPricing

    @property
    def name(self) -> str:
        """``provider:model``, as in the settings."""
        return f"{self.provider}:{self.model}"

    @property
    def identity(self) -> str:
        """Who plays, as records name it."""
        return f"agent:{self.role}:{self.model}"


@dataclass(frozen=True, slots=True)
class ModelSetup:
    """The parts of a run by role; a role that is not in it is played offline."""

    role_models: Mapping[str, RoleModel]
    prices_of: str
    allow_same_family: bool
    retired: tuple[str, ...] = ()

    @property
    def identities(self) -> dict[str, str]:
        """Who plays each role, as records name it."""
        return {
            role: self.role_models[role].identity
            if role in self.role_models
            else OFFLINE_IDENTITIES[role]
            for role in ROLES
        }

    @property
    def models(self) -> dict[str, str]:
        """The model of each role that has one."""
        return {role: role_model.name for role, role_model in self.role_models.items()}

    @property
    def apis(self) -> dict[str, str]:
        """How each of these models is spoken to."""
        return {role: role_model.api for role, role_model in self.role_models.items()}

    @property
    def families(self) -> dict[str, str | None]:
        """The family of each of these models."""
        return {role: role_model.family for role, role_model in self.role_models.items()}

    @property
    def at_once(self) -> int:
        """How many cases are worth having under way."""
        paces = {role_model.name: role_model.at_once for role_model in self.role_models.values()}
        return min(sum(paces.values()), MOST_AT_ONCE) if paces else OFFLINE_AT_ONCE


def model_fields(model_setup: ModelSetup) -> dict[str, object]:
    """What a manifest says of the cast."""
    return {
        "roles": model_setup.identities,
        "models": model_setup.models,
        "apis": model_setup.apis,
        "families": model_setup.families,
        "allow_same_family": model_setup.allow_same_family,
        "prices_of": model_setup.prices_of,
        "retired": model_setup.retired,
    }


def set_up_models(
    config: Config, variables: Mapping[str, str], *, source: str, wants_keys: bool = True
) -> ModelSetup:
    """Find a model for every role that wants one; where nobody is to be asked, no keys are wanted.

    Raises:
        InputError: A provider, key or price is missing, or the Oracle is not independent of the
            other roles; the text names ``source``, where the settings stand.
    """
    try:
        return _cast(config, variables, wants_keys=wants_keys)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error


def _cast(config: Config, variables: Mapping[str, str], *, wants_keys: bool) -> ModelSetup:
    wanted = {role: getattr(config.agents, role) for role in ROLES}
    live = {role: name for role, name in wanted.items() if name != OFFLINE}
    if not live:
        return ModelSetup({}, "", allow_same_family=False, retired=config.agents.retired)
    for role, name in live.items():
        if name in config.agents.retired:
            raise InputError(
                f"agents.{role}: {name} is retired; name another model, or take it off agents.retired"
            )
    table = PriceTable.shipped().extended(config.prices)
    role_models = {
        role: _part(role, name, config, table, variables, wants_key=wants_keys)
        for role, name in live.items()
    }
    if not config.agents.allow_same_family:
        _check_families(role_models)
    return ModelSetup(
        role_models, table.date, config.agents.allow_same_family, config.agents.retired
    )


@dataclass(frozen=True, slots=True)
class RunServices:
    """What all live roles of a run share."""

    call_journal: CallJournal
    budget: Budget
    prompts: PromptLibrary
    secret: str
    lessons: tuple[str, ...]
    sleep: Sleep
    seconds: Callable[[], float]
    chance: Random
    stopping: Callable[[], None]


@asynccontextmanager
async def open_cast(
    model_setup: ModelSetup, snapshot: Snapshot, table: RunServices
) -> AsyncIterator[Cast]:
    """Give the cast of a run; every connection of it is closed at the end."""
    async with AsyncExitStack() as stack:
        lines = _ProviderStacks(stack, table)
        renderer = OutputRenderer(snapshot)
        clients = {
            role: RoleClient(
                role,
                role_model.model,
                lines.to(role_model),
                table.call_journal,
                table.prompts,
                table.secret,
                table.lessons,
            )
            for role, role_model in model_setup.role_models.items()
        }
        yield Cast(
            LiveAuthor(clients["author"], renderer)
            if "author" in clients
            else OfflineAuthor(snapshot),
            LiveOracle(clients["oracle"], renderer)
            if "oracle" in clients
            else OfflineOracle(snapshot),
            LiveAdversary(clients["adversary"], OutputRenderer(snapshot, hides_prose=True))
            if "adversary" in clients
            else OfflineAdversary(snapshot),
            LiveJudge(clients["judge"]) if "judge" in clients else OfflineJudge(),
        )


class _ProviderStacks:
    """The lines to providers: one client for each address and key, one pace for each model."""

    def __init__(self, stack: AsyncExitStack, table: RunServices) -> None:
        self._stack = stack
        self._table = table
        self._adapters: dict[tuple[object, ...], Adapter] = {}
        self._lines: dict[str, Provider] = {}

    def to(self, role_model: RoleModel) -> Provider:
        """Give the whole line to a model: recalled, retried, budgeted, paced, taped, and
        translated.
        """
        if role_model.name not in self._lines:
            table = self._table
            line: Provider = JournalingProvider(
                SameModelProvider(self._adapter(role_model)),
                table.call_journal,
                role_model.tariff,
                stopping=table.stopping,
            )
            pace = ConcurrencyLimit(role_model.at_once, seconds=table.seconds, sleep=table.sleep)
            line = BudgetedProvider(LimitedProvider(line, pace), table.budget, role_model.tariff)
            line = RetryingProvider(
                line, name=role_model.name, sleep=table.sleep, chance=table.chance
            )
            self._lines[role_model.name] = ReplayingProvider(line, table.call_journal)
        return self._lines[role_model.name]

    def _adapter(self, role_model: RoleModel) -> Adapter:
        address = (role_model.api, role_model.base_url, role_model.key, role_model.seconds)
        if address not in self._adapters:
            adapter = open_adapter(
                role_model.api,
                key=role_model.key,
                base_url=role_model.base_url,
                seconds=role_model.seconds,
            )
            self._stack.push_async_callback(adapter.close)
            self._adapters[address] = adapter
        return self._adapters[address]


def _part(
    role: str,
    name: str,
    config: Config,
    table: PriceTable,
    variables: Mapping[str, str],
    *,
    wants_key: bool,
) -> RoleModel:
    provider, _, model = name.partition(":")
    settings = config.providers.get(provider, ProviderSettings())
    api = _api(role, provider, settings)
    tariff = table.pricing_of(name)
    if tariff is None and not config.run.unpriced:
        raise InputError(
            f'agents.{role}: {name} has no price; add [prices."{name}"], '
            "or set unpriced = true in [run] to count it as free"
        )
    address, is_own = _address(provider, settings, variables)
    return RoleModel(
        role=role,
        provider=provider,
        model=model,
        api=api,
        key=_key(role, provider, settings, variables) if wants_key else "",
        base_url=address,
        seconds=settings.timeout_s,
        at_once=settings.max_concurrency,
        family=settings.family or family_of(provider, model, is_own=is_own),
        tariff=tariff or ModelPricing.free(),
    )


def _api(role: str, provider: str, settings: ProviderSettings) -> Api:
    if settings.api is not None:
        return settings.api
    if provider in {"anthropic", "google"} or (provider == "openai" and settings.base_url is None):
        return OWN_API[provider]
    if settings.base_url is None:
        known = ", ".join(OWN_FAMILY)
        raise InputError(
            f"agents.{role}: {provider}: no such provider; one of {known}, or base_url in [providers.{provider}]"
        )
    host = urlsplit(settings.base_url).hostname or ""
    return "responses" if host == "openai.com" or host.endswith(".openai.com") else "chat"


def _address(
    provider: str, settings: ProviderSettings, variables: Mapping[str, str]
) -> tuple[str, bool]:
    """Give the address of a provider, and whether it is the provider's own; what a user names is
    not.
    """
    if settings.base_url is not None:
        return settings.base_url, False
    own, variable = ADDRESSES[provider]
    told = variables.get(variable)
    return (told, False) if told else (own, True)


def _key(role: str, provider: str, settings: ProviderSettings, variables: Mapping[str, str]) -> str:
    names = (settings.api_key_env,) if settings.api_key_env else KEYS.get(provider, ())
    found = [(name, variables[name]) for name in names if variables.get(name)]
    if not found:
        if settings.base_url is not None and settings.api_key_env is None:
            return NO_KEY
        raise InputError(
            f"agents.{role}: no key for {provider}: set {' or '.join(names)} in the environment"
        )
    name, key = found[0]
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(
            f"{name}: holds spaces or characters that no key has; was it copied whole?"
        )
    return key


def _check_families(role_models: Mapping[str, RoleModel]) -> None:
    oracle = role_models.get("oracle")
    if oracle is None:
        return
    for role in ("author", "adversary", "judge"):
        other = role_models.get(role)
        if other is None:
            continue
        unknown = next((one for one in (oracle, other) if one.family is None), None)
        if unknown is not None:
            raise InputError(
                f"agents.{unknown.role}: cannot tell the model family of {unknown.name}; "
                f"set family in [providers.{unknown.provider}]"
            )
        if oracle.family == other.family:
            raise InputError(
                f"agents.{role}: {other.name} is of the Oracle's family ({other.family}) and shares its mistakes; "
                "choose another, or set allow_same_family = true in [agents]"
            )
