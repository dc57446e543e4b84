"""A baseline: the results of a retriever that was held to be good, kept to detect later falls."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import itemgetter
from statistics import fmean
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from goldwright.errors import InputError
from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.report_comparison import FIELDS_IN_COMMON
from goldwright.records.validation_problems import first_validation_problem
from goldwright.retrieval.hit_order import Ties
from goldwright.strict_json import strict_json

# A saved mean and the mean of its values differ by rounding where they were summed in another
# order; JSON itself keeps floats exactly.
MEAN_ROUNDING: Final = 1e-9
FORMAT: Final = "goldwright-baseline-1"

# The values of one run: for every query by id each measure by name.
QueryValues = Mapping[str, float]
RunValues = Mapping[str, QueryValues]
ValuePerRun = tuple[FiniteFloat, ...]


class BaselineQuery(BaseModel):
    """One query of a baseline.

    Attributes:
        expected: The expected entities; a later run must ask and expect the same.
        retrieved: What the first run retrieved, to see later what was lost.
        values: Each measure by name, a value for each run.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    query_id: str
    query_text: str
    expected: tuple[str, ...]
    retrieved: tuple[str, ...]
    values: dict[str, ValuePerRun]


class Baseline(BaseModel):
    """The runs of one retriever over one dataset, and what a later run must have in common.

    A retriever whose replies never vary needs one run. Others are asked several times: the spread
    of their runs tells jitter from change.

    Attributes:
        runs: The number of runs.
        means: Each measure by name, its mean over the queries in each run.
        blank_docstrings: Whether the code that was searched had its docstrings blanked out.
        product_code: Whether results outside of product code were left out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["goldwright-baseline-1"] = FORMAT
    dataset: str
    dataset_sha256: str
    commit: str
    retriever: str
    depth: int = Field(ge=1)
    ties: Ties
    blank_docstrings: bool = False
    product_code: bool = False
    measures: tuple[str, ...] = Field(min_length=1)
    runs: int = Field(ge=1)
    means: dict[str, ValuePerRun]
    queries: tuple[BaselineQuery, ...] = Field(min_length=1)

    @classmethod
    def from_reports(cls, reports: Sequence[EvaluationReport]) -> Self:
        """Make a baseline of the evaluations of one retriever, a run each.

        Raises:
            InputError: They are not evaluations of the same queries in the same way.
        """
        first = reports[0]
        for report in reports[1:]:
            check_alike(first, report)
        names = quality_measures(first.measures)
        means = {}
        for name in names:
            means[name] = tuple(report.mean(name) for report in reports)
        return cls(
            dataset=first.dataset,
            dataset_sha256=first.dataset_sha256,
            commit=first.commit,
            retriever=first.retriever,
            depth=first.depth,
            ties=first.ties,
            blank_docstrings=first.blank_docstrings,
            product_code=first.product_code,
            measures=names,
            runs=len(reports),
            means=means,
            queries=tuple(_baseline_queries(reports, names)),
        )

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The ids of the queries, in their order."""
        return tuple(query.query_id for query in self.queries)

    @property
    def is_steady(self) -> bool:
        """Whether all runs gave the same values."""
        runs = self.all_runs()
        return runs.count(runs[0]) == len(runs)

    def without(self, query_ids: Collection[str]) -> Self:
        """The baseline as it would be had it not asked some queries."""
        queries = [query for query in self.queries if query.query_id not in query_ids]
        means = {}
        for name in self.means:
            rows = [query.values[name] for query in queries]
            columns = zip(*rows, strict=True)
            means[name] = tuple(map(fmean, columns))
        return self.model_copy(update={"queries": tuple(queries), "means": means})

    def all_runs(self) -> list[RunValues]:
        """The values of each run."""
        numbers = range(self.runs)
        return list(map(self._run_values, numbers))

    def _run_values(self, run: int) -> RunValues:
        run_values = {}
        for query in self.queries:
            columns = query.values.items()
            run_values[query.query_id] = {name: values[run] for name, values in columns}
        return run_values


def values_by_query(report: EvaluationReport) -> RunValues:
    """The values of an evaluation, as those of one more run."""
    return {query.query_id: query.values for query in report.queries}


def read_baseline(data: bytes, *, source: str) -> Baseline:
    """Read a baseline that was saved.

    Args:
        data: The file.
        source: The name of the file, for errors.

    Raises:
        InputError: The data is no baseline, or contradicts itself; the text names the place.
    """
    fields = strict_json(data, source=source)
    if not isinstance(fields, dict):
        raise InputError(
            f"{source}: no baseline, but a list as datasets are; "
            "the baseline is named before the dataset"
        )
    try:
        baseline = Baseline.model_validate(fields)
    except ValidationError as error:
        problem: str | None = first_validation_problem(error)
        raise InputError(f"{source}: no baseline: {problem}") from error
    problem = next(_problems(baseline), None)
    if problem:
        raise InputError(f"{source}: no baseline: {problem}")
    return baseline


def check_alike(baseline: Baseline | EvaluationReport, report: EvaluationReport) -> None:
    """Make sure that an evaluation answers the same question as a baseline or another evaluation.

    Raises:
        InputError: The dataset, the measures, the depth, the rule for ties or whether docstrings
            were blanked differ.
    """
    for field in FIELDS_IN_COMMON:
        old = getattr(baseline, field)
        new = getattr(report, field)
        if old != new:
            change = f"{field}: {old} in the baseline, {new} now"
            raise InputError(f"{change}; numbers of two kinds cannot be compared")
    if isinstance(baseline, Baseline):
        _check_questions(baseline, report)
    for measure in quality_measures(baseline.measures):
        if measure not in report.measures:
            measured = ", ".join(quality_measures(report.measures))
            raise InputError(
                f"{measure}: is in the baseline, and not measured now ({measured}); "
                "another cutoff is another measure"
            )


def _check_questions(baseline: Baseline, report: EvaluationReport) -> None:
    unmatched = dict(report.by_id)
    for query in baseline.queries:
        # A query that is gone is no error but a fall, which the check names.
        score = unmatched.pop(query.query_id, None)
        if score is not None and not _is_same_question(query, score):
            raise InputError(
                f"{query.query_id}: asks or expects something else in the baseline than now"
            )
    if unmatched:
        raise InputError(
            f"{min(unmatched)}: is in the dataset and not in the baseline; "
            "it was changed since it was saved"
        )


def _is_same_question(query: BaselineQuery, score: QueryScore) -> bool:
    has_same_text = query.query_text == score.query_text
    return has_same_text and query.expected == tuple(score.expected)


def _baseline_queries(
    reports: Sequence[EvaluationReport], names: Sequence[str]
) -> Iterator[BaselineQuery]:
    runs = list(map(values_by_query, reports))
    for query in reports[0].queries:
        query_runs = [run[query.query_id] for run in runs]
        values = {}
        for name in names:
            values[name] = tuple(map(itemgetter(name), query_runs))
        yield BaselineQuery(
            query_id=query.query_id,
            query_text=query.query_text,
            expected=tuple(query.expected),
            retrieved=query.retrieved,
            values=values,
        )


def _problems(baseline: Baseline) -> Iterator[str]:
    """Yield what contradicts itself; later problems may follow from the first."""
    if len(set(baseline.query_ids)) < len(baseline.queries):
        yield "a query stands twice"
    if set(baseline.means) != set(baseline.measures):
        yield "means: are not those of its measures"
    for query in baseline.queries:
        problem = _query_problem(query, baseline)
        if problem:
            yield f"{query.query_id}: {problem}"
    # Last, for means are computed from values, which must be complete for that.
    yield from _wrong_means(baseline)


def _query_problem(query: BaselineQuery, baseline: Baseline) -> str | None:
    if set(query.values) != set(baseline.measures):
        return "has not its measures"
    columns = query.values.values()
    if set(map(len, columns)) != {baseline.runs}:
        return f"has not a value for each of {baseline.runs} runs"
    if min(map(min, columns)) < 0 or max(map(max, columns)) > 1:
        return "has a value that is not in 0..1"
    return None


def _wrong_means(baseline: Baseline) -> Iterator[str]:
    runs = baseline.all_runs()
    for name, means in baseline.means.items():
        computed = [_mean_of_run(run, name) for run in runs]
        if len(means) != len(computed) or _differ(means, computed):
            yield f"means: {name} is not the mean of its queries"


def _mean_of_run(run: RunValues, name: str) -> float:
    return fmean(values[name] for values in run.values())


def _differ(means: Sequence[float], computed: Sequence[float]) -> bool:
    pairs = zip(means, computed, strict=True)
    return any(abs(mean - value) > MEAN_ROUNDING for mean, value in pairs)
