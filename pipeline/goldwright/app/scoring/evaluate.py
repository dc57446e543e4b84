"""Scoring a retriever against a golden dataset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.eval_setup import set_up_evaluation
from goldwright.app.scoring.retriever_run import run_retriever
from goldwright.engine.progress import Progress
from goldwright.evaluation.calibration.sufficiency import Sufficiency, assess_sufficiency
from goldwright.evaluation.gates import GateResult, check_gates
from goldwright.evaluation.measures import find_measures
from goldwright.evaluation.notebook_tables import means_table, strata_table, worst_table
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.report_comparison import ReportComparison
from goldwright.evaluation.strata import Stratum, summarize_strata
from goldwright.evaluation.worst_queries import SnippetPair, snippets_of_worst
from goldwright.notebooks.frames import FrameLibrary
from goldwright.notebooks.html import block, folded, paragraph, paragraphs, table
from goldwright.text import counted


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation, and what follows from it.

    Attributes:
        report: The scores, query by query.
        strata: The means over all queries, then by task type, difficulty and cell.
        gates: Whether each gate is passed, in the order of the request.
        sufficiency: What the retriever's sufficiency scores are worth; None where it gives none.
        rankings: By query id all ids that came back, best first.
        snippets: By query id, for the worst queries, the code that was wanted and what came
            instead; empty without a codebase.
    """

    report: EvaluationReport
    strata: tuple[Stratum, ...]
    gates: tuple[GateResult, ...]
    sufficiency: Sufficiency | None
    rankings: Mapping[str, Sequence[str]]
    snippets: Mapping[str, SnippetPair] = field(default_factory=dict)

    @property
    def passes(self) -> bool:
        """Whether every gate is passed."""
        return all(result.passed for result in self.gates)

    def compare(self, other: "Evaluation") -> ReportComparison:
        """Compare another evaluation of the same queries with this one, as the reports do.

        Raises:
            InputError: They were not made on the same queries in the same way.

        Examples:
            >>> before.compare(after).measures[0].measure
            'MRR'
        """
        return self.report.compare(other.report)

    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Give the scores as a data frame, a row for each query, as the report does.

        Raises:
            InputError: No library of data frames is installed.

        Examples:
            >>> len(before.to_frame())
            3
        """
        return self.report.to_frame(library)

    def __repr__(self) -> str:
        means = self.strata[0].means
        texts = [f"{name} {mean.value:.3f}" for name, mean in means.items()]
        text = ", ".join(texts)
        return f"<Evaluation: {self.report.retriever}: {text}>"

    def _repr_html_(self) -> str:
        """Show the evaluation in a notebook."""
        report = self.report
        parts = [paragraph(report.dataset, is_soft=True)]
        if self.gates:
            parts.append(_gate_table(self.gates))
        parts.append(means_table(report.queries))
        if self.sufficiency is not None:
            parts.append(paragraph(self.sufficiency.finding))
        if len(self.strata) > 1:
            parts.append(folded("By stratum", strata_table(self.strata)))
        parts.append(folded("The worst queries", worst_table(report.queries)))
        queries = counted(len(report.queries), "query")
        title = f"{report.retriever} on {queries}"
        return block(title, *parts, paragraphs(report.notes))


def _gate_table(results: Sequence[GateResult]) -> Markup:
    rows = [["gate", "reached", ""]]
    for result in results:
        reached = "no query"
        if result.mean is not None:
            reached = f"{result.mean.value:.3f}"
        verdict = "passes" if result.passed else "fails"
        rows.append([result.gate.rule, reached, verdict])
    return table(rows)


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
    strata = tuple(summarize_strata(report.queries))
    return Evaluation(
        report=report,
        strata=strata,
        gates=check_gates(report, setup.gates),
        sufficiency=sufficiency,
        rankings=run.rankings,
        snippets=snippets_of_worst(report, setup.snapshot),
    )
