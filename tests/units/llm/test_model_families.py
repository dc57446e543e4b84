"""Families of models: by the name, else by a provider that serves its own only, else unknown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.llm.model_families import OWN_FAMILY, family_of


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("claude-opus-5", "anthropic"),
        ("anthropic/claude-sonnet-5", "anthropic"),
        ("us.anthropic:claude-haiku-5", "anthropic"),
        ("gpt-5.5-mini", "openai"),
        ("openai/gpt-oss-120b", "openai"),
        ("chatgpt-5-latest", "openai"),
        ("o3-mini", "openai"),
        ("o4", "openai"),
        ("o1", "openai"),
        ("o9-mini", "openai"),
        ("davinci-002", "openai"),
        ("codex-mini", "openai"),
        ("palm-2", "google"),
        ("codegemma:7b", "google"),
        ("mistral-large", "mistral"),
        ("codestral-22b", "mistral"),
        ("ministral-8b", "mistral"),
        ("magistral-small", "mistral"),
        ("moonshot-v1", "moonshot"),
        ("chatglm3", "zhipu"),
        ("mai-ds-r1", "microsoft"),
        ("aya-expanse", "cohere"),
        ("nvidia/nemotron-4", "nvidia"),
        ("bigcode/starcoder2", "bigcode"),
        ("gemini-3-pro", "google"),
        ("models/gemma-3-27b-it", "google"),
        ("meta-llama/Llama-3.3-70B-Instruct", "meta"),
        ("codellama:13b", "meta"),
        ("mixtral-8x22b", "mistral"),
        ("devstral-small", "mistral"),
        ("Qwen/Qwen3-Coder", "qwen"),
        ("qwq-32b", "qwen"),
        ("deepseek-r1", "deepseek"),
        ("deepseek-r1-distill-llama-70b", "deepseek"),
        ("grok-5", "xai"),
        ("moonshotai/kimi-k2", "moonshot"),
        ("glm-5", "zhipu"),
        ("microsoft/phi-4", "microsoft"),
        ("granite-4", "ibm"),
        ("command-r-plus", "cohere"),
        ("minimax-m2", "minimax"),
    ],
)
def test_a_name_tells_the_family_whoever_serves_it(model: str, family: str) -> None:
    for provider in ("anthropic", "openai", "google", "acme"):
        for is_own in (True, False):
            assert family_of(provider, model, is_own=is_own) == family
            assert family_of(provider, model.upper(), is_own=is_own) == family


@pytest.mark.parametrize(
    "model", ["my-model", "scripted-1", "euphoria", "sapphire", "foo2", "co1", "wagpt", "test"]
)
def test_a_name_that_tells_nothing_is_told_by_a_provider_that_serves_its_own(model: str) -> None:
    assert family_of("anthropic", model, is_own=True) == "anthropic"
    assert family_of("openai", model, is_own=True) == "openai"
    assert family_of("google", model, is_own=True) == "google"


@pytest.mark.parametrize("model", ["my-model", "scripted-1", "", "o10x", "overclaude"])
def test_what_nothing_tells_is_unknown(model: str) -> None:
    for provider in ("anthropic", "openai", "google"):
        assert family_of(provider, model, is_own=False) is None
    assert family_of("acme", model, is_own=True) is None


@given(st.text(max_size=30), st.sampled_from(["anthropic", "openai", "google", "acme"]))
def test_an_address_of_the_users_own_never_tells_a_family(model: str, provider: str) -> None:
    family = family_of(provider, model, is_own=False)
    assert family_of("acme", model, is_own=True) == family
    assert family_of(provider, model, is_own=True) == (family or OWN_FAMILY.get(provider))


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_family_is_told_alike_for_every_version(before: str, after: str) -> None:
    assert family_of("acme", f"claude-{after}", is_own=False) == "anthropic"
    found = family_of("acme", f"{before}/claude", is_own=False)
    assert found is not None
