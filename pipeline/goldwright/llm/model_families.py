"""The families of models: models of one family share their blind spots.

The name of a model decides where it tells the family, whoever serves the model. Otherwise the
provider decides, if it serves its own models only. Otherwise the family is unknown, and an unknown
family never counts as independent.
"""

import re
from typing import Final

OWN_FAMILY: Final = {"anthropic": "anthropic", "openai": "openai", "google": "google"}
"""The family of providers that serve their own models only."""

# Regular expressions for the beginnings of names; o1 to o9 are names, o10x is none.
_NAMES_BY_FAMILY: Final = {
    "anthropic": r"claude",
    "openai": r"gpt|chatgpt|o[1-9]\b|davinci|codex",
    "google": r"gemini|gemma|palm|codegemma",
    "meta": r"llama|codellama",
    "mistral": r"mistral|mixtral|codestral|devstral|ministral|magistral",
    "qwen": r"qwen|qwq",
    "deepseek": r"deepseek",
    "xai": r"grok",
    "moonshot": r"kimi|moonshot",
    "zhipu": r"glm|chatglm",
    "microsoft": r"phi|mai",
    "ibm": r"granite",
    "cohere": r"command|aya",
    "nvidia": r"nemotron",
    "bigcode": r"starcoder",
    "minimax": r"minimax",
}


def family_of(provider: str, model: str, *, is_own: bool) -> str | None:
    """Name the family of a model, or ``None`` where nothing tells it.

    A distillation has two names (``deepseek-r1-distill-llama``); the first of them counts.

    Args:
        provider: The provider, as in the settings.
        model: The name of the model.
        is_own: Whether the provider is reached at its own address, not at one of the user's.
    """
    family: str | None = None
    earliest = len(model)
    for candidate, pattern in _PATTERNS.items():
        match = pattern.search(model)
        if match and match.start() < earliest:
            family, earliest = candidate, match.start()
    if family is None and is_own:
        return OWN_FAMILY.get(provider)
    return family


def _compile_patterns() -> dict[str, re.Pattern[str]]:
    patterns: dict[str, re.Pattern[str]] = {}
    for family, names in _NAMES_BY_FAMILY.items():
        # A name begins a word: "glm-5" and "zai/glm-5", but not "euphoria" for "phi".
        expression = rf"(?:^|[/:._-])(?:{names})"
        patterns[family] = re.compile(expression, re.IGNORECASE)
    return patterns


_PATTERNS: Final = _compile_patterns()
