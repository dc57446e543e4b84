"""The report of an evaluation, query by query: what is printed, saved, compared and drawn."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Annotated, Any, Final

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    model_validator,
)

from goldwright.errors import InputError
from goldwright.records.strict_json import first_validation_problem, strict_json
from goldwright.retrieval.hit_order import Ties

# Results of each query that a report lists: those that measures at a cutoff of 10 look at.
SHOWN_RESULTS: Final = 10
# The dimensions of a plan, whose strata together name a cell.
CELL_DIMENSIONS: Final = ("task_type", "difficulty")

# Reports that differ in one of these hold values of two kinds, which are not compared.
FIELDS_IN_COMMON: Final = ("dataset_sha256", "blank_docstrings", "depth", "ties")

UnitFloat = Annotated[FiniteFloat, Field(ge=0, le=1)]


class QueryScore(BaseModel):
    """The scores of one query.

    Attributes:
        strata: The stratum of the query in each dimension, as in ``{"task_type": "locate"}``; a
            dataset may have any dimensions.
        values: Each measure by its name, in 0..1.
        expected: The rank at which each expected entity, or a copy of it, was found; None where it
            was not.
        retrieved: The first results, the best first.
        found: How many results there were.
        sufficiency_score: How sure the retriever was that it found enough, in 0..1.
        source: Where the answer came from, in the retriever's own words.
        answer_correct: Whether the answer is correct; None where that was not decided.
    """

    # Reports of later versions may hold more; saved reports stay readable.
    model_config = ConfigDict(extra="ignore", frozen=True)

    query_id: str
    query_text: str
    strata: dict[str, str] = {}
    values: dict[str, UnitFloat]
    expected: dict[str, int | None]
    retrieved: tuple[str, ...]
    found: int = Field(ge=0)
    sufficiency_score: FiniteFloat | None = Field(default=None, ge=0, le=1)
    source: str | None = None
    answer_correct: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_older_strata(cls, fields: Any) -> Any:
        """Read the two dimensions that reports before 1.1 had as fields of their own."""
        if not isinstance(fields, dict) or "strata" in fields:
            return fields
        strata = {name: fields[name] for name in CELL_DIMENSIONS if name in fields}
        return {**fields, "strata": strata}

    @property
    def cell(self) -> str | None:
        """The cell of a plan that the query belongs to, as in ``locate/easy``.

        None where the dataset has no cells.
        """
        if not set(CELL_DIMENSIONS) <= self.strata.keys():
            return None
        return "/".join(map(self.strata.__getitem__, CELL_DIMENSIONS))

    def belongs_to(self, stratum: str) -> bool:
        """Tell whether a name is that of a stratum, or of the cell, of this query."""
        strata = self.strata.values()
        return stratum == self.cell or stratum in strata

    @property
    def first_rank(self) -> int | None:
        """The rank of the first expected entity that was found; None where none was."""
        ranks = [rank for rank in self.expected.values() if rank is not None]
        return min(ranks, default=None)


class EvaluationReport(BaseModel):
    """An evaluation: which dataset, which codebase, which retriever asked how, and every query.

    Attributes:
        dataset: The name of the dataset, or its path.
        dataset_sha256: The digest of its file.
        dataset_status: How far people have reviewed it.
        commit: The commit of the codebase; empty where there was none.
        retriever: The name of the retriever.
        depth: How many results were asked for.
        ties: The rule for ties.
        queries: The scores of the queries, in the order of the dataset.
        drifted: The cited files that changed since the dataset was made, where that was allowed.
        notes: What makes the numbers less, or other, than they look.
        judged_by: Who decided which answers are correct; None where no answer was judged.
        blank_docstrings: Whether the code that was searched had its docstrings blanked out.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    dataset: str
    dataset_sha256: str
    dataset_status: str
    commit: str
    retriever: str
    depth: int = Field(ge=1)
    ties: Ties
    queries: tuple[QueryScore, ...] = Field(min_length=1)
    drifted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    judged_by: str | None = None
    blank_docstrings: bool = False

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order in which they were asked for."""
        return tuple(self.queries[0].values)

    @property
    def by_id(self) -> Mapping[str, QueryScore]:
        """Every query by its id."""
        return {query.query_id: query for query in self.queries}

    def mean(self, measure: str, **strata: str) -> float:
        """The mean of a measure, 0..1, over all queries or those of some strata.

        Args:
            measure: Its name, as in ``MRR``.
            strata: Strata by dimension, as in ``task_type="locate"``; a query must be of all.

        Raises:
            InputError: There is no such query, or it has no such measure.
        """
        values = []
        for query in self.queries:
            if strata.items() <= query.strata.items():
                value = value_of(query, measure)
                values.append(value)
        if not values:
            labels = map(" ".join, strata.items())
            names = ", ".join(labels)
            raise InputError(f"no query is of {names}")
        return fsum(values) / len(values)


def columns_of(queries: Sequence[QueryScore]) -> Mapping[str, Sequence[float]]:
    """Collect the values of each measure by name, a query each."""
    columns = {}
    # All queries of an evaluation were measured alike.
    for measure in queries[0].values:
        columns[measure] = [query.values[measure] for query in queries]
    return columns


def value_of(query: QueryScore, measure: str) -> float:
    """Look up a measure of a query.

    Raises:
        InputError: The query has no such measure.
    """
    if measure not in query.values:
        problem = f"is missing for query {query.query_id}"
        measures = ", ".join(query.values)
        raise InputError(f"{measure}: {problem}; it has {measures}")
    return query.values[measure]


def read_report(data: bytes, *, source: str) -> EvaluationReport:
    """Read a report that ``goldwright eval --json`` wrote.

    Args:
        data: The file.
        source: The name of the file, for errors.

    Raises:
        InputError: The data is no report; the text names the place.
    """
    fields = strict_json(data, source=source)
    try:
        report = EvaluationReport.model_validate(fields)
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{source}: no evaluation: {problem}") from error
    if len(report.by_id) < len(report.queries):
        raise InputError(f"{source}: names a query twice")
    return report
