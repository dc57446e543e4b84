"""A baseline: what a retriever came to when it was held to be good, kept to tell later whether it
became worse.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from goldwright.errors import InputError
from goldwright.evaluation.report import EvaluationReport
from goldwright.records.strict_json import first_validation_problem, strict_json
from goldwright.retrieval.hit_order import Ties

MEAN_ROUNDING: Final = 1e-9
FORMAT: Final = "goldwright-baseline-1"
Run = Mapping[str, Mapping[str, float]]


class BaselineQuery(BaseModel):
    """One query of a baseline: its values in every run, and what the first run found, to tell later
    what was lost.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    query_id: str
    query_text: str
    expected: tuple[str, ...]
    retrieved: tuple[str, ...]
    values: dict[str, tuple[FiniteFloat, ...]]


class Baseline(BaseModel):
    """The runs of one retriever over one dataset, with everything that must be the same for a later
    run to compare.

    A retriever that gives the same twice needs one run; one that does not is asked several times,
    and the spread of its runs tells what is jitter.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["goldwright-baseline-1"] = FORMAT
    dataset: str
    dataset_sha256: str
    commit: str
    retriever: str
    depth: int = Field(ge=1)
    ties: Ties
    measures: tuple[str, ...] = Field(min_length=1)
    runs: int = Field(ge=1)
    means: dict[str, tuple[FiniteFloat, ...]]
    queries: tuple[BaselineQuery, ...] = Field(min_length=1)

    @classmethod
    def of(cls, reports: Sequence[EvaluationReport]) -> Self:
        """Make a baseline of the evaluations of one retriever.

        Raises:
            InputError: They are not evaluations of the same queries in the same way.
        """
        first = reports[0]
        for other in reports[1:]:
            check_alike(first, other)
        by_id = [one.by_id for one in reports]
        names = compared(first.measures)
        return cls(
            dataset=first.dataset,
            dataset_sha256=first.dataset_sha256,
            commit=first.commit,
            retriever=first.retriever,
            depth=first.depth,
            ties=first.ties,
            measures=names,
            runs=len(reports),
            means={name: tuple(one.mean(name) for one in reports) for name in names},
            queries=tuple(
                BaselineQuery(
                    query_id=one.query_id,
                    query_text=one.query_text,
                    expected=tuple(one.expected),
                    retrieved=one.retrieved,
                    values={
                        name: tuple(each[one.query_id].values[name] for each in by_id)
                        for name in names
                    },
                )
                for one in first.queries
            ),
        )

    @property
    def is_steady(self) -> bool:
        """Tell whether all runs gave the same."""
        return all(len(set(values)) == 1 for one in self.queries for values in one.values.values())

    def run(self, number: int) -> Run:
        """The values of one run: for every query each measure."""
        return {
            one.query_id: {name: values[number] for name, values in one.values.items()}
            for one in self.queries
        }


def compared(measures: Sequence[str]) -> tuple[str, ...]:
    """Leave out what tells nothing of quality: the share of judged results may fall where a
    retriever got better.
    """
    return tuple(one for one in measures if not one.startswith("Judged"))


def run_of(report: EvaluationReport) -> Run:
    """The values of an evaluation, as those of one more run."""
    return {one.query_id: one.values for one in report.queries}


def read_baseline(data: bytes, *, source: str) -> Baseline:
    """Read a baseline that was saved.

    Raises:
        InputError: It is none, or does not agree with itself; the text names the place.
    """
    rows = strict_json(data, source=source)
    if not isinstance(rows, dict):
        raise InputError(
            f"{source}: no baseline, but a list as datasets are; the baseline is named before the dataset"
        )
    try:
        baseline = Baseline.model_validate(rows)
    except ValidationError as error:
        raise InputError(f"{source}: no baseline: {first_validation_problem(error)}") from error
    problem = next(_problems(baseline), None) or next(_false_means(baseline), None)
    if problem:
        raise InputError(f"{source}: no baseline: {problem}")
    return baseline


def check_alike(baseline: Baseline | EvaluationReport, report: EvaluationReport) -> None:
    """Make sure that an evaluation answers the same question as a baseline or another evaluation.

    Raises:
        InputError: It does not: another dataset, other cutoffs, another depth or rule for ties.
    """
    for what in ("dataset_sha256", "depth", "ties"):
        one, other = getattr(baseline, what), getattr(report, what)
        if one != other:
            raise InputError(
                f"{what}: {one} in the baseline, {other} now; numbers of two kinds cannot be compared"
            )
    if isinstance(baseline, Baseline):
        _check_questions(baseline, report)
    missing = [one for one in compared(baseline.measures) if one not in report.measures]
    if missing:
        raise InputError(
            f"{missing[0]}: is in the baseline, and not measured now ({', '.join(compared(report.measures))}); "
            "another cutoff is another measure"
        )


def _check_questions(baseline: Baseline, report: EvaluationReport) -> None:
    now = report.by_id
    for one in baseline.queries:
        other = now.get(one.query_id)
        if other is not None and (other.query_text, tuple(other.expected)) != (
            one.query_text,
            one.expected,
        ):
            raise InputError(
                f"{one.query_id}: asks or expects something else in the baseline than now"
            )
    new = sorted(now.keys() - {one.query_id for one in baseline.queries})
    if new:
        raise InputError(
            f"{new[0]}: is in the dataset and not in the baseline; it was changed since it was saved"
        )


def _problems(baseline: Baseline) -> Iterator[str]:
    ids = [one.query_id for one in baseline.queries]
    if len(set(ids)) < len(ids):
        yield "a query stands twice"
    if set(baseline.means) != set(baseline.measures):
        yield "means: are not those of its measures"
    for one in baseline.queries:
        if set(one.values) != set(baseline.measures):
            yield f"{one.query_id}: has not its measures"
        elif any(len(values) != baseline.runs for values in one.values.values()):
            yield f"{one.query_id}: has not a value for each of {baseline.runs} runs"
        elif any(not 0 <= value <= 1 for values in one.values.values() for value in values):
            yield f"{one.query_id}: has a value that is not in 0..1"


def _false_means(baseline: Baseline) -> Iterator[str]:
    for name, means in baseline.means.items():
        found = [
            fmean(one.values[name][run] for one in baseline.queries) for run in range(baseline.runs)
        ]
        if len(means) != len(found) or any(
            abs(mean - value) > MEAN_ROUNDING for mean, value in zip(means, found, strict=True)
        ):
            yield f"means: {name} is not the mean of its queries"
