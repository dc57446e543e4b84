"""Golden datasets for code retrieval that people can trust.

What ``goldwright.api`` offers can be taken from here; it loads when it is first used.
"""

from importlib import import_module

__version__ = "0.1.0"

# The names of ``goldwright.api``, so that ``dir(goldwright)`` shows them without loading it;
# ``__init__.pyi`` tells type checkers what they are, and a test holds the three lists together.
__all__ = [
    "BudgetError",
    "BusyError",
    "DamagedStateError",
    "Evaluation",
    "EvaluationReport",
    "Export",
    "Gate",
    "GateResult",
    "GoldenLabel",
    "GoldwrightError",
    "InputError",
    "LoadedDataset",
    "MeanWithInterval",
    "Plan",
    "Progress",
    "ProviderError",
    "QualityGateError",
    "QueryScore",
    "RetrieverError",
    "RunReport",
    "Snapshot",
    "Stratum",
    "Verification",
    "evaluate",
    "export",
    "load_dataset",
    "open_snapshot",
    "resume",
    "run",
    "verify",
]


def __getattr__(name: str) -> object:
    """Load the library when one of its names is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("goldwright.api"), name)


def __dir__() -> list[str]:
    """Show what the library offers."""
    return [*__all__, "__version__"]
