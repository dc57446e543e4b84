"""Which family a model is of: models of one family share their blind spots.

A family is told by the name of the model where the name tells it, whoever serves it; else by the
provider, where that serves its own models only; else it is unknown, and unknown is never
independent.
"""

import re
from typing import Final

OWN_FAMILY: Final = {"anthropic": "anthropic", "openai": "openai", "google": "google"}
_NAMES: Final = (
    ("anthropic", r"claude"),
    ("openai", r"gpt|chatgpt|o[1-9]\b|davinci|codex"),
    ("google", r"gemini|gemma|palm|codegemma"),
    ("meta", r"llama|codellama"),
    ("mistral", r"mistral|mixtral|codestral|devstral|ministral|magistral"),
    ("qwen", r"qwen|qwq"),
    ("deepseek", r"deepseek"),
    ("xai", r"grok"),
    ("moonshot", r"kimi|moonshot"),
    ("zhipu", r"glm|chatglm"),
    ("microsoft", r"phi|mai"),
    ("ibm", r"granite"),
    ("cohere", r"command|aya"),
    ("nvidia", r"nemotron"),
    ("bigcode", r"starcoder"),
    ("minimax", r"minimax"),
)
_FAMILIES: Final = tuple(
    (family, re.compile(rf"(?:^|[/:_-])(?:{names})", re.IGNORECASE)) for family, names in _NAMES
)


def family_of(provider: str, model: str, *, is_own: bool) -> str | None:
    """Name the family of a model, or ``None`` where nothing tells it.

    ``is_own`` says that the provider is reached at its own address, not at one that the user gave.
    A distillation bears two names (``deepseek-r1-distill-llama``); it counts as the first it bears.
    """
    places = [
        (found.start(), family) for family, pattern in _FAMILIES if (found := pattern.search(model))
    ]
    if places:
        return min(places)[1]
    return OWN_FAMILY.get(provider) if is_own else None
