"""One retriever over the codebases of a suite: each one's figures, and macro means over all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from goldwright.evaluation.arms.repository_text import average_cells
from goldwright.evaluation.query_scores import value_of
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.text_columns import aligned
from goldwright.stats.macro_mean import OF_MEASURES, MacroMean, macro_mean
from goldwright.text import make_visible


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """A retriever on the codebases of a suite.

    Attributes:
        suite: The suite's name.
        reports: The report of each codebase that could be scored, in the order of the suite.
        averages: The macro mean of each measure over these codebases.
        failures: By codebase why it could not be scored.
    """

    suite: str
    reports: Mapping[str, EvaluationReport]
    averages: Mapping[str, MacroMean]
    failures: Mapping[str, str]

    def as_json(self) -> dict[str, object]:
        """Give the report for programs, the report of every codebase included."""
        reports = {name: report.model_dump(mode="json") for name, report in self.reports.items()}
        averages = {name: _average_json(average) for name, average in self.averages.items()}
        return {
            "suite": self.suite,
            "averages": averages,
            "failures": dict(self.failures),
            "codebases": reports,
        }


def summarize_suite(
    suite: str, reports: Mapping[str, EvaluationReport], failures: Mapping[str, str]
) -> SuiteReport:
    """Average the measures of at least one codebase; codebases count alike."""
    first = next(iter(reports.values()))
    averages = {}
    for measure in first.measures:
        columns = {}
        for name, report in reports.items():
            columns[name] = [value_of(query, measure) for query in report.queries]
        averages[measure] = macro_mean(columns, bounds=OF_MEASURES)
    return SuiteReport(suite, reports, averages, failures)


def suite_lines(report: SuiteReport) -> Iterator[str]:
    """Write a row for each codebase, then the macro means with their two intervals."""
    measures = list(report.averages)
    rows = [["codebase", "queries", *measures]]
    for name, single in report.reports.items():
        means = [f"{single.mean(measure):.3f}" for measure in measures]
        query_count = str(len(single.queries))
        rows.append([name, query_count, *means])
    yield from aligned(rows)
    yield ""
    averages = [["measure", "macro", "these", "others", "micro"]]
    for measure, average in report.averages.items():
        averages.append([measure, *average_cells(average)])
    yield from aligned(averages)
    yield "95 % intervals: of these codebases (their queries are a sample), and of others such as"
    count = len(report.reports)
    yield f"these (the {count} codebases are the sample); none (-) where all values are alike."
    for name, failure in report.failures.items():
        yield f"{name}: left out: {make_visible(failure)}"


def _average_json(average: MacroMean) -> dict[str, object]:
    return {
        "macro": average.mean,
        "these_codebases": average.within,
        "other_codebases": average.between,
        "micro": average.micro,
    }
