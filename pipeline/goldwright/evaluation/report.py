"""What an evaluation comes to, query by query: the one document that is printed, saved, compared
and drawn.
"""

from collections.abc import Mapping
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

SHOWN_RESULTS: Final = 10
CELL_DIMENSIONS: Final = ("task_type", "difficulty")


class QueryScore(BaseModel):
    """What one query came to.

    ``strata`` names what the query belongs to by dimension, as in ``{"task_type": "locate"}``; any
    dimension will do. ``values`` holds each measure in 0..1. ``expected`` tells at which place each expected entity
    (or what is the same code) was found, None where it was not; ``retrieved`` are the first ids in
    the order that counts, ``found`` how many there were. The rest is what the retriever said of
    itself, and whether its answer is correct, where that was decided.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    query_id: str
    query_text: str
    strata: dict[str, str] = {}
    values: dict[str, Annotated[FiniteFloat, Field(ge=0, le=1)]]
    expected: dict[str, int | None]
    retrieved: tuple[str, ...]
    found: int = Field(ge=0)
    sufficiency_score: FiniteFloat | None = Field(default=None, ge=0, le=1)
    source: str | None = None
    answer_correct: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_older_strata(cls, fields: Any) -> Any:
        """Take the two dimensions that evaluations before 1.1 had as fields of their own."""
        if not isinstance(fields, dict) or "strata" in fields:
            return fields
        strata = {name: fields[name] for name in CELL_DIMENSIONS if name in fields}
        return {**fields, "strata": strata}

    @property
    def cell(self) -> str | None:
        """The cell of a plan that the query belongs to; None where its dataset has no cells."""
        if not set(CELL_DIMENSIONS) <= self.strata.keys():
            return None
        return "/".join(self.strata[name] for name in CELL_DIMENSIONS)

    def belongs_to(self, stratum: str) -> bool:
        """Tell whether a name is that of a stratum, or of the cell, of this query."""
        return stratum == self.cell or stratum in self.strata.values()

    @property
    def first_place(self) -> int | None:
        """The place of the first expected entity that was found."""
        return min((place for place in self.expected.values() if place is not None), default=None)


class EvaluationReport(BaseModel):
    """An evaluation: which dataset, which codebase, which retriever asked how, and every query.

    ``drifted`` are the cited files that are not what the dataset was made from, where that was
    allowed. ``judged_by`` names what decided whether answers are correct, None where no answer was
    given.
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

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order in which they were asked for."""
        return tuple(self.queries[0].values)

    @property
    def by_id(self) -> Mapping[str, QueryScore]:
        """Every query by its id."""
        return {one.query_id: one for one in self.queries}

    def mean(self, measure: str, **strata: str) -> float:
        """The mean of a measure, 0..1, over all queries or those of some strata.

        Args:
            measure: Its name, as in ``MRR``.
            strata: Names by dimension, as in ``task_type="locate"``; all of them must fit.

        Raises:
            InputError: There is no such query, or it has no such measure.
        """
        values = [
            value_of(query, measure)
            for query in self.queries
            if strata.items() <= query.strata.items()
        ]
        if not values:
            wanted = ", ".join(f"{dimension} {name}" for dimension, name in strata.items())
            raise InputError(f"no query is of {wanted}")
        return fsum(values) / len(values)


def value_of(one: QueryScore, measure: str) -> float:
    """Give a measure of a query.

    Raises:
        InputError: The query has no such measure.
    """
    if measure not in one.values:
        raise InputError(
            f"{measure}: is missing for query {one.query_id}; it has {', '.join(one.values)}"
        )
    return one.values[measure]


def read_report(data: bytes, *, source: str) -> EvaluationReport:
    """Read what ``goldwright eval --json`` wrote.

    Raises:
        InputError: It is none; the text names the place.
    """
    rows = strict_json(data, source=source)
    try:
        report = EvaluationReport.model_validate(rows)
    except ValidationError as error:
        raise InputError(f"{source}: no evaluation: {first_validation_problem(error)}") from error
    if len(report.by_id) < len(report.queries):
        raise InputError(f"{source}: names a query twice")
    return report
