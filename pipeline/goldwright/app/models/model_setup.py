"""From the settings to the models that play; every reason to refuse shows before money is spent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final
from urllib.parse import urlsplit

from goldwright.app.models.model_independence import check_families
from goldwright.app.models.role_models import ModelSetup, RoleModel
from goldwright.config import OFFLINE, Config, ProviderSettings
from goldwright.errors import InputError
from goldwright.llm.catalog import (
    CLOUD_KEYS,
    CLOUDS,
    EFFORTS,
    PROVIDERS,
    STREAMED,
    Api,
    CloudAccess,
    unknown_provider,
)
from goldwright.llm.model_families import family_of
from goldwright.llm.pricing import ModelPricing, PriceTable
from goldwright.records import Cloud, Effort
from goldwright.stages.stage_graph import ROLES

# Ratio of difflib, 0 to 1: models that are less alike are others, and no slips.
_LIKE_A_SLIP: Final = 0.85

FALLBACK: Final = "adversary_fallback"
"""Names the second Adversary among the settings; what it plays is the role of the Adversary."""

PLACEHOLDER_KEY: Final = "no-key"
"""Sent to a server of the user's own without a key: SDKs insist on one, such servers ignore it."""


@dataclass(frozen=True, slots=True)
class ProviderAddress:
    """Where a provider is reached.

    Attributes:
        url: The base URL.
        is_own: Whether it is the provider's own address; one that the user names is not, and
            may lead to models of anybody.
    """

    url: str
    is_own: bool


def set_up_models(
    config: Config, variables: Mapping[str, str], *, source: str, needs_keys: bool = True
) -> ModelSetup:
    """Find the model of every role that is not played offline.

    Args:
        config: The settings.
        variables: The environment variables, which hold the keys.
        source: The file of the settings, for messages.
        needs_keys: Whether models will be asked; a dry run does without keys.

    Raises:
        InputError: A provider, key or price is missing, a model is retired, or the Oracle is not
            independent of the other roles.
    """
    try:
        return _set_up(config, variables, needs_keys=needs_keys)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error


def _set_up(config: Config, variables: Mapping[str, str], *, needs_keys: bool) -> ModelSetup:
    names = _configured_models(config)
    fallback_name = config.agents.adversary_fallback
    if fallback_name is not None:
        names[FALLBACK] = fallback_name
    _refuse_idle_efforts(names, config.agents.effort)
    if not names:
        return ModelSetup({}, "", allow_same_family=False, retired=config.agents.retired)
    _refuse_retired(names, config.agents.retired)
    # Prices of the settings go before the shipped ones, which grow old.
    prices = PriceTable.shipped().extended(config.prices)
    resolver = _ModelResolver(config, prices, variables, needs_keys=needs_keys)
    role_models = {}
    # By provider, so that whoever lacks several keys hears of all at once.
    missing_keys: dict[str, str] = {}
    for role, name in names.items():
        try:
            role_models[role] = resolver.resolve(role, name)
        except _MissingKeyError as error:
            missing_keys.setdefault(error.provider, str(error))
    if missing_keys:
        raise InputError("; ".join(missing_keys.values()))
    if not config.agents.allow_same_family:
        check_families(role_models)
    fallback = _take_fallback(role_models)
    return ModelSetup(
        role_models,
        prices.date,
        allow_same_family=config.agents.allow_same_family,
        retired=config.agents.retired,
        fallback=fallback,
    )


def _take_fallback(role_models: dict[str, RoleModel]) -> RoleModel | None:
    """Take the second Adversary out of the models that play from the beginning."""
    fallback = role_models.pop(FALLBACK, None)
    if fallback is None:
        return None
    adversary = role_models.get("adversary")
    # By the model alone: under another provider's name it would let the same through.
    if adversary is not None and adversary.model == fallback.model:
        raise InputError(
            f"agents.{FALLBACK}: {fallback.name} is the Adversary's own model; name another"
        )
    return replace(fallback, role="adversary")


def _configured_models(config: Config) -> dict[str, str]:
    """Give the ``provider:model`` of every role that is not played offline."""
    names = {}
    for role in ROLES:
        name = getattr(config.agents, role)
        if name != OFFLINE:
            names[role] = name
    return names


def _refuse_retired(names: Mapping[str, str], retired: tuple[str, ...]) -> None:
    for role, name in names.items():
        if name in retired:
            raise InputError(
                f"agents.{role}: {name} is retired; "
                "name another model, or take it off agents.retired"
            )


def _effort(role: str, name: str, api: Api, efforts: Mapping[str, Effort]) -> Effort | None:
    """Find out how much a model is to think; one that follows the Adversary thinks as much.

    Raises:
        InputError: Its provider has no word for that.
    """
    played_role = "adversary" if role == FALLBACK else role
    effort = efforts.get(played_role)
    if effort is not None and effort not in EFFORTS[api]:
        choices = ", ".join(EFFORTS[api])
        raise InputError(
            f"agents.effort.{played_role}: {name} is asked over the {api} API, which knows no "
            f"{effort}: wanted one of {choices}"
        )
    return effort


def _refuse_idle_efforts(names: Mapping[str, str], efforts: Mapping[str, Effort]) -> None:
    """Refuse an effort for a role that no model plays: it would change nothing.

    Raises:
        InputError: There is one.
    """
    for role in efforts:
        if role not in names:
            raise InputError(f"agents.effort.{role}: the {role} is played offline")


class _MissingKeyError(InputError):
    """A provider whose key is in no variable."""

    def __init__(self, role: str, provider: str, variables: str) -> None:
        advice = f"set {variables} in the environment"
        super().__init__(f"agents.{role}: no key for {provider}: {advice}")
        self.provider = provider


class _ModelResolver:
    """Turns the name of a model into a model that can be reached and paid."""

    def __init__(
        self,
        config: Config,
        prices: PriceTable,
        variables: Mapping[str, str],
        *,
        needs_keys: bool,
    ) -> None:
        self._config = config
        self._prices = prices
        self._variables = variables
        self._needs_keys = needs_keys

    def resolve(self, role: str, name: str) -> RoleModel:
        """Find out how a model is reached and what it costs.

        Raises:
            InputError: The provider is not known, or the price or the key is missing.
        """
        provider, _, model = name.partition(":")
        # The well-known providers need no section of their own in the settings.
        settings = self._config.providers.get(provider, ProviderSettings())
        api = _api(role, provider, settings, self._config.providers)
        pricing = self._pricing(role, name)
        address = _address(provider, settings, self._variables)
        key = ""
        if self._needs_keys:
            key = _key(role, provider, settings, self._variables)
        family = settings.family or family_of(provider, model, is_own=address.is_own)
        per_second = None
        if settings.requests_per_minute is not None:
            per_second = settings.requests_per_minute / 60
        return RoleModel(
            role=role,
            provider=provider,
            model=model,
            api=api,
            key=key,
            base_url=address.url,
            timeout=settings.timeout_s,
            max_concurrency=settings.max_concurrency,
            requests_per_second=per_second,
            family=family,
            pricing=pricing,
            stream=_streams(role, provider, api, settings),
            effort=_effort(role, name, api, self._config.agents.effort),
            cloud=_cloud(settings),
        )

    def _pricing(self, role: str, name: str) -> ModelPricing:
        pricing = self._prices.pricing_of(name)
        if pricing is not None:
            return pricing
        if not self._config.run.unpriced:
            nearest = get_close_matches(name, self._prices.pricings, n=1, cutoff=_LIKE_A_SLIP)
            suggestion = f"did you mean {nearest[0]}? Else " if nearest else ""
            raise InputError(
                f'agents.{role}: {name} has no price; {suggestion}add [prices."{name}"], '
                "or set unpriced = true in [run] to count it as free"
            )
        return ModelPricing.free()


def _api(
    role: str, provider: str, settings: ProviderSettings, provider_names: Iterable[str]
) -> Api:
    """Choose the protocol of a provider.

    Anthropic and Google speak their own wherever they are reached. Anything else with an address
    of its own speaks Chat Completions, which nearly every other server knows.
    """
    if settings.cloud is not None:
        return _api_of_cloud(provider, settings, settings.cloud)
    if settings.api is not None:
        return settings.api
    definition = PROVIDERS.get(provider)
    # Of the providers of our own list, OpenAI's way is the one that servers of others speak too.
    is_spoken_by_others = definition is None or definition.api == "responses"
    if definition is not None and not is_spoken_by_others:
        return definition.api
    if settings.base_url is not None:
        return "responses" if _is_openai(settings.base_url) else "chat"
    if definition is not None:
        return definition.api
    reason = unknown_provider(provider, provider_names)
    raise InputError(f"agents.{role}: {reason}")


def _api_of_cloud(provider: str, settings: ProviderSettings, cloud: Cloud) -> Api:
    cloud_apis = CLOUDS[cloud]
    if settings.api is None:
        return cloud_apis[0]
    if settings.api not in cloud_apis:
        apis = " or ".join(cloud_apis)
        hint = "; OpenAI's models there are reached by base_url alone" if cloud == "azure" else ""
        raise InputError(
            f"[providers.{provider}]: cloud = {cloud!r} is for the {apis} API, not for "
            f"{settings.api}{hint}"
        )
    return settings.api


def _cloud(settings: ProviderSettings) -> CloudAccess | None:
    if settings.cloud is None:
        return None
    region = settings.region or ""
    project = settings.project or ""
    return CloudAccess(settings.cloud, region, project)


def _streams(role: str, provider: str, api: Api, settings: ProviderSettings) -> bool:
    if settings.stream and api not in STREAMED:
        raise InputError(
            f"agents.{role}: stream in [providers.{provider}]: Chat Completions are not streamed"
        )
    # Its streams are of a form of their own, which the SDK reads with a library of Amazon's.
    is_bedrock = settings.cloud == "bedrock"
    if settings.stream and is_bedrock:
        raise InputError(
            f"agents.{role}: stream in [providers.{provider}]: Bedrock is not streamed"
        )
    return settings.stream is not False and not is_bedrock


def _is_openai(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == "openai.com" or host.endswith(".openai.com")


def _address(
    provider: str, settings: ProviderSettings, variables: Mapping[str, str]
) -> ProviderAddress:
    if settings.base_url is not None:
        return ProviderAddress(settings.base_url, is_own=False)
    if settings.cloud is not None:
        return ProviderAddress("", is_own=True)
    definition = PROVIDERS[provider]
    other_url = variables.get(definition.url_variable)
    if other_url:
        return ProviderAddress(other_url, is_own=False)
    return ProviderAddress(definition.url, is_own=True)


def _key(role: str, provider: str, settings: ProviderSettings, variables: Mapping[str, str]) -> str:
    definition = PROVIDERS.get(provider)
    names = () if definition is None else definition.key_variables
    if settings.cloud is not None:
        names = CLOUD_KEYS[settings.cloud]
    if settings.api_key_env:
        names = (settings.api_key_env,)
    if settings.cloud is not None and not names:
        # The machine's own credentials, which the SDK finds and renews.
        return ""
    for name in names:
        key = variables.get(name)
        if key:
            _check_key(name, key)
            return key
    is_own_server = settings.base_url is not None and settings.cloud is None
    if is_own_server and settings.api_key_env is None:
        return PLACEHOLDER_KEY
    choices = " or ".join(names)
    raise _MissingKeyError(role, provider, choices)


def _check_key(variable: str, key: str) -> None:
    # A key goes into an HTTP header, which such characters would break in the SDK.
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(
            f"{variable}: holds spaces or characters that no key has; was it copied whole?"
        )
