"""Models that are rented in clouds: the same requests, by the clients of the same SDKs."""

import asyncio
import hashlib
from collections.abc import Iterator
from typing import Any

import pytest

from goldwright.app.models.model_setup import set_up_models
from goldwright.app.models.provider_stack import open_role_adapter
from goldwright.config import Config
from goldwright.errors import InputError
from goldwright.llm.model_identity import is_same_model
from goldwright.llm.port import Reply, Request, UserMessage
from scripted.server import Running, serve_in_thread
from scripted.wire import Heard, Say

KEYS = {
    "AWS_BEARER_TOKEN_BEDROCK": "bedrock-key",
    "ANTHROPIC_FOUNDRY_API_KEY": "azure-key",
    "VERTEX_TOKEN": "vertex-token",
}
CLAUDE = "claude-sonnet-5"
SETTINGS: dict[str, dict[str, Any]] = {
    "bedrock": {"cloud": "bedrock", "region": "eu-central-1"},
    "azure": {"cloud": "azure"},
    "vertex": {
        "cloud": "vertex",
        "api": "anthropic",
        "region": "europe-west1",
        "project": "shop",
        "api_key_env": "VERTEX_TOKEN",
    },
    "gemini": {
        "cloud": "vertex",
        "region": "europe-west1",
        "project": "shop",
        "api_key_env": "VERTEX_TOKEN",
    },
}
MODELS = {
    "bedrock": f"bedrock:eu.anthropic.{CLAUDE}-20250929-v1:0",
    "azure": f"azure:{CLAUDE}",
    "vertex": f"vertex:{CLAUDE}@20250929",
    "gemini": "gemini:gemini-3.8-flash",
}
ADDRESSES = {"azure": "{url}/anthropic/"}


def config_for(name: str, **fields: Any) -> Config:
    providers = {name: {**SETTINGS[name], **fields}}
    settings = {"agents": {"judge": MODELS[name]}, "providers": providers}
    return Config.model_validate({**settings, "run": {"unpriced": True}}, strict=False)


@pytest.fixture
def server() -> Iterator[Running]:
    def brain(heard: Heard) -> Say:
        assert heard.system == "rules"
        return Say(text='{"answer": "yes"}')

    with serve_in_thread(brain) as running:
        yield running


def ask(config: Config) -> Reply:
    setup = set_up_models(config, KEYS, source="goldwright.toml")
    role_model = setup.role_models["judge"]

    async def play() -> Reply:
        adapter = open_role_adapter(role_model)
        try:
            return await adapter.ask(
                Request("judge:q", role_model.model, "rules", (UserMessage("task"),))
            )
        finally:
            await adapter.close()

    return asyncio.run(play())


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_model_in_a_cloud_answers_as_at_its_provider(name: str, server: Running) -> None:
    url = ADDRESSES.get(name, "{url}").format(url=server.url)
    reply = ask(config_for(name, base_url=url))
    assert reply.text == '{"answer": "yes"}'
    assert reply.usage.counted
    assert is_same_model(MODELS[name].partition(":")[2], reply.model)
    (entry,) = server.log
    key = {"bedrock": "bedrock-key", "azure": "azure-key"}.get(name, "vertex-token")
    assert entry.key_digest == hashlib.sha256(key.encode()).hexdigest()[:16]


def test_the_family_is_told_by_the_name_of_the_model() -> None:
    config = config_for("bedrock")
    role_model = set_up_models(config, KEYS, source="goldwright.toml").role_models["judge"]
    assert role_model.family == "anthropic"
    assert not role_model.stream
    with pytest.raises(InputError, match="where the batch APIs"):
        role_model.asked_in_batches()


@pytest.mark.parametrize(
    ("requested", "answering", "is_same"),
    [
        ("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929", True),
        ("anthropic.claude-opus-4-6-v1", "claude-opus-4-6", True),
        ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5-20250929", True),
        ("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-haiku-4-5", False),
    ],
)
def test_clouds_write_names_of_their_own(requested: str, answering: str, *, is_same: bool) -> None:
    assert is_same_model(requested, answering) is is_same


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"cloud": "bedrock"}, "wants a region"),
        ({"cloud": "vertex", "region": "r"}, "wants a region and a project"),
        ({"cloud": "azure"}, "wants the base_url"),
        ({"base_url": "http://localhost:1", "region": "r"}, "those of a cloud"),
        ({"cloud": "bedrock", "region": "a/b"}, "region"),
        ({"cloud": "moon", "region": "r"}, "cloud"),
    ],
)
def test_a_cloud_that_cannot_be_reached_is_refused(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Config.model_validate({"providers": {"rented": fields}}, strict=False)


@pytest.mark.parametrize(
    ("name", "fields", "keys", "problem"),
    [
        ("bedrock", {}, {}, "set AWS_BEARER_TOKEN_BEDROCK in the environment"),
        ("bedrock", {"api": "chat"}, KEYS, "is for the anthropic API, not for chat"),
        ("azure", {"api": "responses", "base_url": "http://h"}, KEYS, "reached by base_url alone"),
        ("bedrock", {"stream": True}, KEYS, "Bedrock is not streamed"),
    ],
)
def test_what_a_cloud_cannot_do_is_said_before_anything_is_asked(
    name: str, fields: dict[str, Any], keys: dict[str, str], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        set_up_models(config_for(name, **fields), keys, source="goldwright.toml")


def test_without_a_token_the_credentials_of_the_machine_count() -> None:
    config = config_for("vertex", api_key_env=None)
    role_model = set_up_models(config, {}, source="goldwright.toml").role_models["judge"]
    assert role_model.key == ""
