"""Golden datasets for code retrieval that people can trust.

What the library offers can be taken from here; it loads when it is first used.
"""

import sys
from importlib import import_module

__version__ = "0.1.0"

# Every name of the library and the module that it is loaded from when it is first used, so that
# ``dir(goldwright)`` shows them and loads none. ``__init__.pyi`` tells type checkers what they are,
# and a test holds the two together.
_HOMES = {
    "Adoption": "goldwright.app.datasets.adopt",
    "Bench": "goldwright.evaluation.bench",
    "BenchedSystem": "goldwright.evaluation.bench",
    "BenefitResult": "goldwright.app.benefit.benefit",
    "BudgetError": "goldwright.errors",
    "BusyError": "goldwright.errors",
    "DamagedStateError": "goldwright.errors",
    "DatasetQuery": "goldwright.golden.queries",
    "Evaluation": "goldwright.app.scoring.evaluate",
    "EvaluationReport": "goldwright.evaluation.report",
    "Export": "goldwright.app.datasets.export",
    "Gate": "goldwright.evaluation.gates",
    "GateResult": "goldwright.evaluation.gates",
    "GoldenLabel": "goldwright.records",
    "GoldwrightError": "goldwright.errors",
    "InputError": "goldwright.errors",
    "LoadedDataset": "goldwright.golden.datasets",
    "MeanWithInterval": "goldwright.evaluation.strata",
    "MeasureComparison": "goldwright.evaluation.report_comparison",
    "Mining": "goldwright.app.datasets.mining",
    "MiningPass": "goldwright.mining.mined_file",
    "Plan": "goldwright.plan",
    "Progress": "goldwright.engine.progress",
    "ProviderError": "goldwright.errors",
    "QualityGateError": "goldwright.errors",
    "QueryScore": "goldwright.evaluation.query_scores",
    "RelevanceResult": "goldwright.app.relevance.relevance",
    "ReportComparison": "goldwright.evaluation.report_comparison",
    "RetrieverError": "goldwright.errors",
    "RunReport": "goldwright.app.runs.run_report",
    "Snapshot": "goldwright.snapshot",
    "Stratum": "goldwright.evaluation.strata",
    "SystemComparison": "goldwright.evaluation.system_comparison",
    "SystemPair": "goldwright.evaluation.system_comparison",
    "Timing": "goldwright.evaluation.bench",
    "Verification": "goldwright.app.datasets.verify",
    "adopt": "goldwright.api.datasets",
    "bench": "goldwright.api.evaluation",
    "compare": "goldwright.api.evaluation",
    "evaluate": "goldwright.api.evaluation",
    "export": "goldwright.api.curation",
    "load_dataset": "goldwright.api.datasets",
    "measure_benefit": "goldwright.api.proof",
    "mine": "goldwright.api.datasets",
    "open_dataset": "goldwright.api.datasets",
    "open_snapshot": "goldwright.api.datasets",
    "prove_relevance": "goldwright.api.proof",
    "resume": "goldwright.api.curation",
    "run": "goldwright.api.curation",
    "verify": "goldwright.api.datasets",
}

__all__ = list(_HOMES)  # names of the stub, which type checkers read


def __getattr__(name: str) -> object:
    """Load a name of the library when it is asked for."""
    if name not in _HOMES:
        # With its name and where it was looked for, Python guesses at what was meant.
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__]
        )
    value: object = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    """Show what the library offers."""
    return [*__all__, "__version__"]
