"""The names by which users and SDKs know providers: another finds no key or no server."""

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import pytest

from goldwright.llm.catalog import (
    APIS,
    BATCH_PRICE,
    BATCHED,
    CLOUD_KEYS,
    CLOUDS,
    EFFORTS,
    PROVIDERS,
    STREAMED,
    Api,
    CloudAccess,
    open_adapter,
    open_batches,
    unknown_provider,
)
from goldwright.llm.providers.limit_headers import tell_limits

ADAPTERS: Final[dict[Api, str]] = {
    "anthropic": "AnthropicAdapter",
    "responses": "OpenAIAdapter",
    "chat": "ChatCompletionsAdapter",
    "google": "GoogleAdapter",
}
BATCHES: Final[dict[Api, str]] = {
    "anthropic": "AnthropicBatches",
    "responses": "OpenAIBatches",
    "google": "GoogleBatches",
}


def test_each_provider_is_reached_and_keyed_as_its_own_sdk_does() -> None:
    reached = {
        name: (one.api, one.url, one.url_variable, one.key_variables)
        for name, one in PROVIDERS.items()
    }
    assert reached == {
        "anthropic": (
            "anthropic",
            "https://api.anthropic.com",
            "ANTHROPIC_BASE_URL",
            ("ANTHROPIC_API_KEY",),
        ),
        "openai": (
            "responses",
            "https://api.openai.com/v1",
            "OPENAI_BASE_URL",
            ("OPENAI_API_KEY",),
        ),
        "google": (
            "google",
            "https://generativelanguage.googleapis.com",
            "GOOGLE_GEMINI_BASE_URL",
            ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        ),
    }


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_address_of_a_provider_is_the_one_that_its_sdk_knows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PROVIDERS[name].url_variable, raising=False)
    assert base_url_of(name) == PROVIDERS[name].url


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_variable_of_an_address_is_the_one_that_the_sdk_heeds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PROVIDERS[name].url_variable, "http://127.0.0.1:9/there")
    assert base_url_of(name) == "http://127.0.0.1:9/there"


def base_url_of(name: str) -> str:
    """Tell where the SDK of a provider sends requests when nobody names an address."""
    adapter = opened(PROVIDERS[name].api, base_url=None)
    if name == "google":
        return str(adapter.client._api_client._http_options.base_url).rstrip("/")
    return str(adapter.client.base_url).rstrip("/")


def opened(api: Api, **options: Any) -> Any:
    """Open an adapter, and close it again: it still tells how it is set up."""
    adapter = open_adapter(
        api, **{"key": "k", "base_url": "http://127.0.0.1:9", "seconds": 7.0, **options}
    )
    asyncio.run(adapter.close())
    return adapter


def test_clouds_speak_in_these_ways_and_have_these_keys() -> None:
    assert CLOUDS == {
        "bedrock": ("anthropic",),
        "vertex": ("google", "anthropic"),
        "azure": ("anthropic",),
    }
    assert CLOUD_KEYS == {
        "bedrock": ("AWS_BEARER_TOKEN_BEDROCK",),
        "vertex": (),
        "azure": ("ANTHROPIC_FOUNDRY_API_KEY",),
    }


def test_only_providers_themselves_take_batches_and_at_half_the_price() -> None:
    assert set(BATCHED) == {one.api for one in PROVIDERS.values()}
    assert Fraction(1, 2) == BATCH_PRICE


def test_every_way_has_its_words_of_effort() -> None:
    common = ("low", "medium", "high", "xhigh")
    assert {
        "anthropic": (*common, "max"),
        "responses": ("minimal", *common, "max"),
        "chat": ("minimal", *common, "max"),
        "google": ("minimal", *common),
    } == EFFORTS


@pytest.mark.parametrize("api", APIS)
def test_each_way_is_spoken_by_its_adapter(api: Api) -> None:
    assert type(opened(api)).__name__ == ADAPTERS[api]
    assert {"anthropic", "responses", "google"} == STREAMED


@pytest.mark.parametrize("api", BATCHED)
def test_each_way_of_batches_goes_over_the_client_of_its_adapter(api: Api) -> None:
    batches = open_batches(api, opened(api))
    assert type(batches).__name__ == BATCHES[api]


@pytest.mark.parametrize("api", sorted(STREAMED))
def test_replies_come_as_streams_unless_that_is_declined(api: Api) -> None:
    assert [opened(api)._streams, opened(api, stream=False)._streams] == [
        True,
        False,
    ]


def test_who_names_an_unknown_provider_is_told_which_there_are() -> None:
    assert unknown_provider("acme", ["local", "lab"]) == (
        "acme: no such provider; one of anthropic, openai, google, local, lab, "
        "or base_url in [providers.acme]"
    )


@pytest.mark.parametrize("api", ["anthropic", "responses", "chat"])
def test_a_client_sends_each_request_once_and_waits_as_long_as_it_is_told(api: Api) -> None:
    adapter = opened(api)
    client = adapter._client if api == "chat" else adapter.client
    assert client.max_retries == 0
    assert client.api_key == "k"
    timeout = client.timeout
    assert (timeout.read, timeout.write, timeout.pool, timeout.connect) == (7.0, 7.0, 7.0, 10.0)
    http = client._client
    assert http.follow_redirects is False
    assert http.event_hooks["response"] == [tell_limits]


@pytest.mark.parametrize("seconds", [7.0, 0.25])
def test_the_client_of_google_sends_each_request_once_and_counts_in_milliseconds(
    seconds: float,
) -> None:
    options = opened("google", seconds=seconds).client._api_client._http_options
    assert options.timeout == seconds * 1000
    assert options.retry_options.attempts == 1
    arguments = options.async_client_args
    assert arguments["follow_redirects"] is False
    assert arguments["limits"].max_connections == 1000
    assert arguments["limits"].max_keepalive_connections == 100


RENTED: Final[Mapping[str, Mapping[str, Any]]] = {
    "bedrock": {"api_key": "k", "aws_region": "eu-1"},
    "vertex": {"access_token": "k", "region": "eu-1", "project_id": "shop"},
    "azure": {"api_key": "k"},
}


@pytest.mark.parametrize("cloud", CLOUDS)
def test_a_client_of_a_cloud_knows_its_region_its_project_and_its_key(cloud: Any) -> None:
    access = CloudAccess(cloud, region="eu-1", project="shop")
    client = opened("anthropic", cloud=access).client
    assert {name: getattr(client, name) for name in RENTED[cloud]} == RENTED[cloud]
    assert client.max_retries == 0
    assert client.timeout.read == 7.0


def test_the_cloud_of_google_knows_its_region_its_project_and_its_token() -> None:
    access = CloudAccess("vertex", region="eu-1", project="shop")
    client = opened("google", cloud=access).client
    inner = client._api_client
    assert client.vertexai is True
    assert (inner.location, inner.project, inner._credentials.token) == (
        "eu-1",
        "shop",
        "k",
    )
    assert opened("google").client.vertexai is False


def test_a_cloud_may_leave_region_and_project_to_its_address() -> None:
    assert CloudAccess("azure") == CloudAccess("azure", region="", project="")
