"""Which names are of one model: an alias and its dated name, and no other model of the family."""

import asyncio

import pytest

from goldwright.llm.model_identity import SameModelProvider, is_same_model
from goldwright.llm.port import ProviderFault, Reply, Request, Usage, UserMessage
from goldwright.llm.providers.scripted import ScriptedProvider


@pytest.mark.parametrize(
    ("requested", "answering"),
    [
        ("claude-opus-5", "claude-opus-5"),
        ("claude-opus-5", "Claude-Opus-5"),
        ("claude-opus-5", "claude-opus-5-20260401"),
        ("claude-opus-5", "claude-opus-5@20260401"),
        ("gpt-5", "gpt-5-2026-04-01"),
        ("gemini-3-pro", "models/gemini-3-pro-preview"),
        ("gemini-3-pro", "gemini-3-pro-preview-04-17"),
        ("gemini-3-pro", "gemini-3-pro-exp"),
        ("gemini-3-flash", "gemini-3-flash-001"),
        ("meta-llama/Llama-3", "llama-3"),
        ("qwen3", "qwen3:latest"),
        ("qwen3", "qwen3-stable"),
        ("mistral", "mistral:v3"),
    ],
)
def test_a_date_a_version_or_a_release_word_may_follow_either_name(
    requested: str, answering: str
) -> None:
    assert is_same_model(requested, answering)
    assert is_same_model(answering, requested)


@pytest.mark.parametrize(
    ("requested", "answering"),
    [
        ("gpt-5", "gpt-5-mini"),
        ("gpt-5", "gpt-5.5"),
        ("gpt-4", "gpt-4o"),
        ("o3", "o3-pro"),
        ("claude-opus-5", "claude-sonnet-5"),
        ("claude-opus-5", "opus-5"),
        ("qwen3", "qwen3-preview-mini"),
        ("llama-3", "llama-3-8b"),
        ("m", "m-1"),
    ],
)
def test_another_size_or_generation_is_another_model(requested: str, answering: str) -> None:
    assert not is_same_model(requested, answering)
    assert not is_same_model(answering, requested)


@pytest.mark.parametrize("answering", ["", "None", "none"])
def test_a_server_that_leaves_the_name_out_is_believed(answering: str) -> None:
    assert is_same_model("gpt-5", answering)


def test_who_asks_for_the_latest_takes_any_model() -> None:
    assert is_same_model("chatgpt-latest", "gpt-6")
    assert not is_same_model("gpt-6", "chatgpt-latest")


def ask(answering: str) -> Reply:
    reply = Reply("", (), "done", "end", Usage(fresh=1), answering)
    provider = SameModelProvider(ScriptedProvider(lambda _: reply))
    request = Request(item="oracle:a", model="gpt-5", system="", turns=(UserMessage("?"),))
    return asyncio.run(provider.ask(request))


def test_a_reply_of_another_model_is_a_fault_that_is_billed() -> None:
    assert ask("gpt-5-2026-04-01").model == "gpt-5-2026-04-01"
    with pytest.raises(ProviderFault, match="asked gpt-5, and gpt-5-mini answered") as caught:
        ask("gpt-5-mini")
    assert caught.value.kind == "other_model"
    assert caught.value.may_be_billed
