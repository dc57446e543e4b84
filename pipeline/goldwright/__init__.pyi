from goldwright.api.curation import export as export
from goldwright.api.curation import resume as resume
from goldwright.api.curation import run as run
from goldwright.api.datasets import adopt as adopt
from goldwright.api.datasets import load_dataset as load_dataset
from goldwright.api.datasets import mine as mine
from goldwright.api.datasets import open_dataset as open_dataset
from goldwright.api.datasets import open_snapshot as open_snapshot
from goldwright.api.datasets import verify as verify
from goldwright.api.evaluation import bench as bench
from goldwright.api.evaluation import compare as compare
from goldwright.api.evaluation import evaluate as evaluate
from goldwright.api.proof import measure_benefit as measure_benefit
from goldwright.api.proof import prove_relevance as prove_relevance
from goldwright.app.benefit.benefit import BenefitResult as BenefitResult
from goldwright.app.datasets.adopt import Adoption as Adoption
from goldwright.app.datasets.export import Export as Export
from goldwright.app.datasets.mining import Mining as Mining
from goldwright.app.datasets.verify import Verification as Verification
from goldwright.app.relevance.relevance import RelevanceResult as RelevanceResult
from goldwright.app.runs.run_report import RunReport as RunReport
from goldwright.app.scoring.evaluate import Evaluation as Evaluation
from goldwright.engine.progress import Progress as Progress
from goldwright.errors import BudgetError as BudgetError
from goldwright.errors import BusyError as BusyError
from goldwright.errors import DamagedStateError as DamagedStateError
from goldwright.errors import GoldwrightError as GoldwrightError
from goldwright.errors import InputError as InputError
from goldwright.errors import ProviderError as ProviderError
from goldwright.errors import QualityGateError as QualityGateError
from goldwright.errors import RetrieverError as RetrieverError
from goldwright.evaluation.bench import Bench as Bench
from goldwright.evaluation.bench import BenchedSystem as BenchedSystem
from goldwright.evaluation.bench import Timing as Timing
from goldwright.evaluation.gates import Gate as Gate
from goldwright.evaluation.gates import GateResult as GateResult
from goldwright.evaluation.query_scores import QueryScore as QueryScore
from goldwright.evaluation.report import EvaluationReport as EvaluationReport
from goldwright.evaluation.report_comparison import MeasureComparison as MeasureComparison
from goldwright.evaluation.report_comparison import ReportComparison as ReportComparison
from goldwright.evaluation.strata import MeanWithInterval as MeanWithInterval
from goldwright.evaluation.strata import Stratum as Stratum
from goldwright.evaluation.system_comparison import SystemComparison as SystemComparison
from goldwright.evaluation.system_comparison import SystemPair as SystemPair
from goldwright.golden.datasets import LoadedDataset as LoadedDataset
from goldwright.golden.queries import DatasetQuery as DatasetQuery
from goldwright.mining.mined_file import MiningPass as MiningPass
from goldwright.plan import Plan as Plan
from goldwright.records import GoldenLabel as GoldenLabel
from goldwright.snapshot import Snapshot as Snapshot

__version__: str
__all__ = [
    "Adoption",
    "Bench",
    "BenchedSystem",
    "BenefitResult",
    "BudgetError",
    "BusyError",
    "DamagedStateError",
    "DatasetQuery",
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
    "MeasureComparison",
    "Mining",
    "MiningPass",
    "Plan",
    "Progress",
    "ProviderError",
    "QualityGateError",
    "QueryScore",
    "RelevanceResult",
    "ReportComparison",
    "RetrieverError",
    "RunReport",
    "Snapshot",
    "Stratum",
    "SystemComparison",
    "SystemPair",
    "Timing",
    "Verification",
    "adopt",
    "bench",
    "compare",
    "evaluate",
    "export",
    "load_dataset",
    "measure_benefit",
    "mine",
    "open_dataset",
    "open_snapshot",
    "prove_relevance",
    "resume",
    "run",
    "verify",
]
