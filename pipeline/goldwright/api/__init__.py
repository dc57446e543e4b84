"""Goldwright as a library: what ``import goldwright`` offers.

A dataset is curated, published and put to use in a few calls::

    import goldwright

    report = goldwright.run("phase1", "path/to/repository")
    draft = goldwright.export(report.name, version="1.0", draft=True)
    evaluation = goldwright.evaluate(draft.dataset, search, repo="path/to/repository")
    print(evaluation.report.mean("MRR"))

``search`` is a function of your own: it takes a query and gives entity ids, best first.

Each function calls the use case behind the command of its name. It returns a value, prints nothing
and leaves the process alone. Runs and versions are looked up in ``workspace``, the directory that
holds ``runs/``, ``golden/`` and ``goldwright.toml``; other relative paths start at the current
directory. Keys of model providers are taken from the environment variables.

What goes wrong for a known reason raises a ``GoldwrightError``: its text is one line that says what
is wrong and where, and its class says of which kind the problem is.

``run`` and ``resume``, and ``evaluate`` with a judge, start an event loop. Where one is running
already, as in a notebook, call them in a thread: ``await asyncio.to_thread(goldwright.run, …)``.
"""

from goldwright.api.curation import export, resume, run
from goldwright.api.datasets import load_dataset, open_snapshot, verify
from goldwright.api.evaluation import evaluate
from goldwright.app.evaluate import Evaluation
from goldwright.app.export import Export
from goldwright.app.run_report import RunReport
from goldwright.app.verify import Verification
from goldwright.engine.progress import Progress
from goldwright.errors import (
    BudgetError,
    BusyError,
    DamagedStateError,
    GoldwrightError,
    InputError,
    ProviderError,
    QualityGateError,
    RetrieverError,
)
from goldwright.evaluation.gates import Gate, GateResult
from goldwright.evaluation.report import EvaluationReport, QueryScore
from goldwright.evaluation.strata import MeanWithInterval, Stratum
from goldwright.golden.datasets import LoadedDataset
from goldwright.plan import Plan
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot

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
