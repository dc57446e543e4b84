"""The ways of speaking to models by name; an SDK loads when its first model is asked."""

import importlib
from typing import Final, Literal

from goldwright.llm.port import Adapter

Api = Literal["anthropic", "responses", "chat", "google"]

APIS: Final[dict[Api, tuple[str, str]]] = {
    "anthropic": ("goldwright.llm.providers.anthropic", "AnthropicAdapter"),
    "responses": ("goldwright.llm.providers.openai", "OpenAIAdapter"),
    "chat": ("goldwright.llm.providers.chat", "ChatCompletionsAdapter"),
    "google": ("goldwright.llm.providers.google", "GoogleAdapter"),
}


def open_adapter(api: Api, *, key: str, base_url: str | None, seconds: float) -> Adapter:
    """Make an adapter; it holds connections until it is closed."""
    module, name = APIS[api]
    adapter: Adapter = getattr(importlib.import_module(module), name)(
        key=key, base_url=base_url, seconds=seconds
    )
    return adapter
