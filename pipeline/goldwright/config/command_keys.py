"""Which flags of which command the settings may set."""

from collections.abc import Mapping
from typing import Final

_ASKING: Final = (
    "repo",
    "rev",
    "fields",
    "retriever",
    "measure",
    "depth",
    "timeout",
    "ties",
    "missing_as_zero",
    "blank_docstrings",
    "allow_drift",
    "strict_drift",
    "allow_dirty",
    "concurrency",
    "limit",
)
_JUDGING: Final = ("gates", "without_gate", "gate", "threshold", "target", "judge", "budget_usd")
COMMAND_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "run": ("repo", "rev", "allow_dirty", "canaries"),
    "gate": ("repo", "rev", "allow_dirty"),
    "review": ("reviewer", "port", "canaries", "terminal", "sign_key"),
    "export": ("draft", "out"),
    "verify": (
        "repo",
        "rev",
        "allow_drift",
        "allow_dirty",
        "card",
        "require_card",
        "allowed_signers",
    ),
    "adopt": ("repo", "rev", "out", "task_type", "fields", "allow_dirty"),
    "rebase": ("repo", "rev", "out", "allow_dirty"),
    "drift": ("against",),
    "eval": (*_ASKING, *_JUDGING, "html", "out", "junit", "markdown", "run_out"),
    "bench": (*_ASKING, "html", "markdown", "out"),
    "baseline": (*_ASKING, "runs", "mode", "tolerance", "junit"),
    "compare": (
        "repo",
        "rev",
        "arms",
        "ks",
        "level",
        "fusion",
        "embedder",
        "reranker",
        "callers",
        "docstrings",
        "depth",
        "limit",
        "allow_drift",
        "html",
        "budget_usd",
    ),
    "mine": (
        "repo",
        "rev",
        "level",
        "out",
        "at_parent",
        "body",
        "tests",
        "leaks",
        "max_files",
        "max_symbols",
        "min_words",
    ),
    "score": ("measure", "ties", "missing_as_zero", "each"),
    "relevance": (
        "repo",
        "rev",
        "out",
        "alpha",
        "most_trials",
        "screening",
        "retrieved",
        "random",
        "seed",
        "concurrency",
    ),
    "pytest": (
        "retriever",
        "repo",
        "rev",
        "each",
        "gate",
        "without_gate",
        "baseline",
        "timeout",
        "allow_drift",
        "allow_dirty",
    ),
}
"""The flags of each command that the file may set: ``--allow-drift`` is ``allow_drift``.

The table stands here, and not with the commands, so that any of them notices a misspelt setting of
another one without loading it.
"""
