"""Scoring a retriever against a golden dataset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goldwright.app.environment import Environment
from goldwright.app.eval_request import EvalRequest
from goldwright.app.eval_setup import set_up_evaluation
from goldwright.app.retriever_run import run_retriever
from goldwright.engine.progress import Progress
from goldwright.evaluation.gates import GateResult, check_gates
from goldwright.evaluation.measures import find_measures
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import Stratum, summarize_strata
from goldwright.evaluation.sufficiency import Sufficiency, assess_sufficiency


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation, and what follows from it.

    Attributes:
        report: The scores, query by query.
        strata: The means over all queries, then by task type, difficulty and cell.
        gates: Whether each gate is passed, in the order of the request.
        sufficiency: What the retriever's sufficiency scores are worth; None where it gives none.
        rankings: By query id all ids that came back, best first.
    """

    report: EvaluationReport
    strata: tuple[Stratum, ...]
    gates: tuple[GateResult, ...]
    sufficiency: Sufficiency | None
    rankings: Mapping[str, Sequence[str]]

    @property
    def passes(self) -> bool:
        """Tell whether every gate is passed."""
        return all(result.passed for result in self.gates)


def evaluate_retriever(
    request: EvalRequest, environment: Environment, progress: Progress
) -> Evaluation:
    """Ask a retriever every query of a dataset and score its replies.

    Raises:
        InputError: The dataset, the codebase, a measure or a reply is wrong; the text names it.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
        BudgetError: The judge reached its ceiling.
        ProviderError: The judge is out of reach.
    """
    # A name that is wrong shows now, not after minutes of reading and asking.
    find_measures(request.all_measures)
    setup = set_up_evaluation(request, environment, progress)
    run = run_retriever(request, setup, environment, progress)
    report = run.report
    sufficiency = assess_sufficiency(report, threshold=request.threshold, target=request.target)
    return Evaluation(
        report=report,
        strata=tuple(summarize_strata(report.queries)),
        gates=check_gates(report, setup.gates),
        sufficiency=sufficiency,
        rankings=run.rankings,
    )
