"""How much a model is to think: chosen by role, written in the words of each provider."""

import asyncio
from dataclasses import replace
from typing import Any, Final

import pytest

from goldwright.app.models.model_setup import set_up_models
from goldwright.config import Config
from goldwright.errors import InputError
from goldwright.llm.catalog import EFFORTS
from goldwright.llm.effort import EffortProvider
from goldwright.llm.port import Reply, Request, Usage, UserMessage
from goldwright.llm.providers import anthropic, chat, google, openai

SCHEMA: Final = {"type": "object", "properties": {}}
PLAIN: Final = Request("oracle:q", "model", "rules", (UserMessage("task"),), schema=SCHEMA)
KEYS: Final = {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "b", "GOOGLE_API_KEY": "c"}


def config_with(**agents: Any) -> Config:
    return Config.model_validate({"agents": agents}, strict=False)


def test_each_provider_is_told_in_its_own_words_and_nothing_where_nobody_chose() -> None:
    hard = replace(PLAIN, effort="high")
    body = anthropic.request_body(hard)
    assert body["output_config"]["effort"] == "high"
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert anthropic.request_body(replace(hard, schema=None))["output_config"] == {"effort": "high"}
    assert openai.request_body(hard)["reasoning"] == {"effort": "high"}
    assert chat._body(hard)["reasoning_effort"] == "high"
    config = google.request_arguments(hard)["config"]
    assert config.thinking_config.thinking_level.value == "HIGH"
    assert "effort" not in anthropic.request_body(PLAIN)["output_config"]
    assert "reasoning" not in openai.request_body(PLAIN)
    assert "reasoning_effort" not in chat._body(PLAIN)
    assert google.request_arguments(PLAIN)["config"].thinking_config is None


@pytest.mark.parametrize("effort", EFFORTS["google"])
def test_every_word_that_is_allowed_is_one_of_the_sdk(effort: Any) -> None:
    config = google.request_arguments(replace(PLAIN, effort=effort))["config"]
    assert config.thinking_config.thinking_level.value == effort.upper()


def test_another_effort_is_another_request_and_none_keeps_the_key() -> None:
    keys = {replace(PLAIN, effort=effort).key for effort in (None, "low", "high")}
    assert len(keys) == 3
    # What journals of earlier runs name is found again.
    assert replace(PLAIN, effort="low") != PLAIN
    assert PLAIN.head == replace(PLAIN, effort=None).head


def test_a_provider_asks_with_the_effort_of_its_role() -> None:
    asked: list[Request] = []

    class Listening:
        async def ask(self, request: Request) -> Reply:
            asked.append(request)
            return Reply("{}", (), "done", "end", Usage(), "model")

    asyncio.run(EffortProvider(Listening(), "low").ask(PLAIN))
    assert [request.effort for request in asked] == ["low"]


def test_roles_of_one_model_may_think_differently() -> None:
    config = config_with(
        oracle="openai:gpt-5",
        adversary="anthropic:claude-sonnet-5",
        judge="anthropic:claude-sonnet-5",
        effort={"oracle": "high", "adversary": "max"},
    )
    setup = set_up_models(config, KEYS, source="goldwright.toml")
    assert setup.efforts == {"oracle": "high", "adversary": "max"}
    assert setup.manifest_fields()["efforts"] == setup.efforts


@pytest.mark.parametrize(
    ("agents", "problem"),
    [
        ({"effort": {"judge": "high"}}, r"agents\.effort\.judge: the judge is played offline"),
        (
            {"judge": "anthropic:claude-sonnet-5", "effort": {"judge": "minimal"}},
            r"agents\.effort\.judge: .* knows no minimal: wanted one of low, medium, high",
        ),
    ],
)
def test_an_effort_that_changes_nothing_is_refused(agents: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        set_up_models(config_with(**agents), KEYS, source="goldwright.toml")


@pytest.mark.parametrize("effort", [{"jury": "high"}, {"judge": "hard"}])
def test_an_effort_of_no_role_or_of_no_such_word_is_refused(effort: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"jury|hard"):
        config_with(effort=effort)


def test_settings_without_an_effort_keep_their_digest() -> None:
    assert "effort" not in Config().model_dump(mode="json")["agents"]
