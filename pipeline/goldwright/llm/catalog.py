"""The ways of speaking to models, by name; an SDK is imported when its first model is asked."""

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from goldwright.llm.batch_port import BatchAdapter
from goldwright.llm.port import Adapter
from goldwright.records import Cloud, Effort

Api = Literal["anthropic", "responses", "chat", "google"]

APIS: Final[dict[Api, tuple[str, str]]] = {
    "anthropic": ("goldwright.llm.providers.anthropic", "AnthropicAdapter"),
    "responses": ("goldwright.llm.providers.openai", "OpenAIAdapter"),
    "chat": ("goldwright.llm.providers.chat", "ChatCompletionsAdapter"),
    "google": ("goldwright.llm.providers.google", "GoogleAdapter"),
}
"""For each way, the module of its adapter and the name of the class."""


@dataclass(frozen=True, slots=True)
class ProviderDefinition:
    """A provider whose name is enough to reach it.

    Attributes:
        api: The way of speaking to it.
        url: Its public address.
        url_variable: The variable by which its SDK is sent elsewhere.
        key_variables: The variables that hold its key; the first one that is set counts.
    """

    api: Api
    url: str
    url_variable: str
    key_variables: tuple[str, ...]


PROVIDERS: Final[Mapping[str, ProviderDefinition]] = {
    "anthropic": ProviderDefinition(
        api="anthropic",
        url="https://api.anthropic.com",
        url_variable="ANTHROPIC_BASE_URL",
        key_variables=("ANTHROPIC_API_KEY",),
    ),
    "openai": ProviderDefinition(
        api="responses",
        url="https://api.openai.com/v1",
        url_variable="OPENAI_BASE_URL",
        key_variables=("OPENAI_API_KEY",),
    ),
    "google": ProviderDefinition(
        api="google",
        url="https://generativelanguage.googleapis.com",
        url_variable="GOOGLE_GEMINI_BASE_URL",
        key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    ),
}
"""The providers that need no address in the settings, by the name they have there."""

CLOUDS: Final[dict[Cloud, tuple[Api, ...]]] = {
    "bedrock": ("anthropic",),
    "vertex": ("google", "anthropic"),
    "azure": ("anthropic",),
}
"""The ways in which the clouds that rent models out are spoken to, the usual one first.

OpenAI's models on Azure need none of this: their address speaks OpenAI's own protocol.
"""

CLOUD_KEYS: Final[dict[Cloud, tuple[str, ...]]] = {
    "bedrock": ("AWS_BEARER_TOKEN_BEDROCK",),
    "vertex": (),
    "azure": ("ANTHROPIC_FOUNDRY_API_KEY",),
}
"""The variables that hold the key of a cloud; without any, the machine's own credentials count."""


@dataclass(frozen=True, slots=True)
class CloudAccess:
    """Where in a cloud models are rented.

    Attributes:
        cloud: The cloud.
        region: Its region; empty where its address says so.
        project: The project that pays; empty where the key says so.
    """

    cloud: Cloud
    region: str = ""
    project: str = ""


STREAMED: Final[frozenset[Api]] = frozenset({"anthropic", "responses", "google"})
"""The ways by which replies can come as streams.

Servers of Chat Completions differ too much in what they stream, and cost little to ask again.
"""


BATCHED: Final[dict[Api, tuple[str, str]]] = {
    "anthropic": ("goldwright.llm.providers.anthropic_batch", "AnthropicBatches"),
    "responses": ("goldwright.llm.providers.openai_batch", "OpenAIBatches"),
    "google": ("goldwright.llm.providers.google_batch", "GoogleBatches"),
}
"""For each way that takes batches, the module of what hands them in and the name of the class."""

EFFORTS: Final[dict[Api, tuple[Effort, ...]]] = {
    "anthropic": ("low", "medium", "high", "xhigh", "max"),
    "responses": ("minimal", "low", "medium", "high", "xhigh", "max"),
    "chat": ("minimal", "low", "medium", "high", "xhigh", "max"),
    "google": ("minimal", "low", "medium", "high", "xhigh"),
}
"""What each way has a word for; a single model may take fewer, and then refuses the request."""

BATCH_PRICE: Final = Fraction(1, 2)
"""What an entry of a batch costs, as a share of the price: the same at all of these providers."""


def unknown_provider(provider: str, configured_names: Iterable[str]) -> str:
    """Say of a provider that there is none of its name, and which there are.

    Args:
        provider: The name.
        configured_names: The providers of the settings.
    """
    names = ", ".join((*PROVIDERS, *configured_names))
    wanted = f"one of {names}, or base_url in [providers.{provider}]"
    return f"{provider}: no such provider; {wanted}"


def open_batches(api: Api, adapter: Adapter) -> BatchAdapter:
    """Hand batches in over the connection of an adapter; it is closed with that."""
    module_name, class_name = BATCHED[api]
    module = importlib.import_module(module_name)
    batches: BatchAdapter = getattr(module, class_name)(adapter)
    return batches


def open_adapter(
    api: Api,
    *,
    key: str,
    base_url: str | None,
    seconds: float,
    stream: bool = True,
    cloud: CloudAccess | None = None,
) -> Adapter:
    """Make an adapter; it holds connections until it is closed.

    Args:
        api: The way of speaking.
        key: The API key.
        base_url: Where the provider is reached; ``None`` for its own address.
        seconds: How long one attempt may take.
        stream: Whether replies come as streams, where the way knows them; what a reply has used is
            then known of one that breaks off, too.
        cloud: Where in a cloud the model is rented; None for the provider itself.
    """
    module_name, class_name = APIS[api]
    module = importlib.import_module(module_name)
    adapter_class = getattr(module, class_name)
    options: dict[str, object] = {}
    if api in STREAMED:
        options["stream"] = stream
    if cloud is not None:
        options["cloud"] = cloud
    adapter: Adapter = adapter_class(key=key, base_url=base_url, seconds=seconds, **options)
    return adapter
